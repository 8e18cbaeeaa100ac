/** Fetches the lists that other lists follow, each once a day, in one of the processes that share a database. */

import { addressOfOtherFile } from '../importing/course-files.ts';
import { decodeListFile } from '../importing/list-bytes.ts';
import { readListTextInThread } from '../importing/list-text.ts';
import { resolveLinks, toNewSections } from '../importing/lists.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import {
  applyFetchedList,
  claimFollow,
  type FetchedList,
  readMissing,
  saveAttempt,
} from '../practice/list-follows.ts';
import { hasTooManyModules } from '../practice/lists.ts';
import { type DueFollow, listDueFollows } from '../store/list-follows.ts';
import { changedBy } from '../store/program-feeds.ts';
import type { Store } from '../store/store.ts';
import { readResponseText } from './judge-client.ts';
import { type LeadOptions, pollUntilAborted } from './lease.ts';
import { faultCodeOf, fetchWithin } from './public-hosts.ts';

interface FollowOptions {
  privateOrigins: ReadonlySet<string>;
  judgeUrls: ReadonlyMap<string, string> | undefined;
  answerMs?: number;
  signal?: AbortSignal;
}

const defaultAnswerMs = 30_000;
const answerMiB = 2;
const followsPerRun = 10;
const entityTagAtMost = 500;

export const runListFollows = (store: Store, options: FollowOptions & LeadOptions): Promise<void> =>
  pollUntilAborted(store, { name: 'following', work: 'following lists' }, options, (signal) =>
    fetchFollows(store, { ...options, signal }, Date.now()),
  );

export async function fetchFollows(store: Store, options: FollowOptions, now: number): Promise<void> {
  for (const follow of await listDueFollows(store.reader, now, followsPerRun)) {
    if (options.signal?.aborted) return;
    if (!(await store.writeConcurrently((tx) => claimFollow(tx, follow, now)))) continue;
    const result = await fetchList(store, follow, options);
    if (options.signal?.aborted) return;
    // Beside another writer this would be named as the author of what that one changes.
    await store.write(async (tx) => {
      if (typeof result === 'object' && result)
        await changedBy('import', applyFetchedList)(tx, follow, result, now);
      else await saveAttempt(tx, follow, now, result);
    });
  }
}

/** Null if the list is unchanged, or a word for a fault. Throws if the store cannot be read. */
async function fetchList(
  store: Store,
  follow: DueFollow,
  options: FollowOptions,
): Promise<FetchedList | string | null> {
  // While problems of the list are missing here, the whole text is fetched, since they may have been added meanwhile.
  const entityTag = readMissing(follow).count === 0 ? follow.entity_tag : null;
  const answer = await fetchText(new URL(follow.url), entityTag, options);
  if (answer === null || typeof answer === 'string') return answer;
  const other = addressOfOtherFile(follow.url, answer.text);
  const otherAnswer = other && (await fetchText(other, null, options));
  if (typeof otherAnswer === 'string') return otherAnswer;
  const list = await readListTextInThread(`${answer.text}\n${otherAnswer?.text ?? ''}`);
  if (!list) return 'too-many-links';
  const judgeAddresses = await listJudgeAddresses(store.reader, options.judgeUrls);
  if (hasTooManyModules(list.sections)) return 'too-many-links';
  const resolved = await resolveLinks(store.reader, list.sections, judgeAddresses);
  if (resolved.sections.length === 0) return 'no-links';
  return { sections: toNewSections(resolved), extras: list.extras, entityTag: other ? null : answer.tag };
}

/** Null if the text still has this tag, or a word for a fault. */
async function fetchText(
  url: URL,
  entityTag: string | null,
  { privateOrigins, answerMs = defaultAnswerMs, signal }: FollowOptions,
): Promise<{ text: string; tag: string | null } | string | null> {
  const headers = {
    'User-Agent': 'practice-garden/1.0',
    Accept: 'application/json, text/markdown, text/plain, text/html;q=0.8, */*;q=0.5',
    ...(entityTag !== null && { 'If-None-Match': entityTag }),
  };
  try {
    const bounds = { mayBePrivate: privateOrigins.has(url.origin), answerMs, signal };
    const response = await fetchWithin(url, { headers }, bounds);
    if (response.status !== 200) {
      await response.body?.cancel().catch(() => {});
      return response.status === 304 && entityTag !== null ? null : String(response.status);
    }
    const text = await readResponseText(response, url.host, answerMiB, { decode: decodeListFile });
    if (isBrokenJson(text, response.headers.get('content-type'))) return 'broken';
    const etag = response.headers.get('etag');
    return { text, tag: etag !== null && etag.length <= entityTagAtMost ? etag : null };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'badFile') return 'not-utf8';
    return code === 'judgeFailed' ? 'too-large' : faultCodeOf(error);
  }
}

/** Truncated JSON would give half a list. */
function isBrokenJson(text: string, type: string | null): boolean {
  const start = text.trimStart();
  if (!start.startsWith('{') && !/\bjson\b/i.test(type ?? '')) return false;
  try {
    JSON.parse(start);
    return false;
  } catch {
    return true;
  }
}
