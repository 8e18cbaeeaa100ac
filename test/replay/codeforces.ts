/** Codeforces as its API answers (codeforces.com/apiHelp): lists have the newest first and are paged by `from` and `count`. */
import { hash } from 'node:crypto';
import type { Answered, ReplayedJudge } from './replay.ts';

export interface CodeforcesRows {
  /** Submissions by handle, the newest first; a test may change the list while it is paged. */
  status: Record<string, unknown[]>;
  problems?: unknown;
  contests?: unknown[];
  /** The public gyms, which contest.list lists separately. */
  gyms?: unknown[];
  standings?: Record<string, unknown>;
  /** Results of contest.standings for signed requests only. */
  closed?: Record<string, unknown>;
  keys?: Record<string, string>;
  ratings?: Record<string, unknown[]>;
  renamed?: Record<string, string>;
}

const ok = (result: unknown): Answered => ({ body: { status: 'OK', result } });
const failed = (comment: string): Answered => ({ status: 400, body: { status: 'FAILED', comment } });

/** Why a signed call is refused: its key, its time, or what is signed. */
function signatureFault(path: string, query: URLSearchParams, keys: Record<string, string>): string | undefined {
  const secret = keys[query.get('apiKey') ?? ''];
  if (secret === undefined) return 'apiKey: Incorrect API key';
  if (Math.abs(Date.now() / 1000 - Number(query.get('time'))) > 300) return 'time: Incorrect time';
  const sent = query.get('apiSig') ?? '';
  const signed = [...query].filter(([name]) => name !== 'apiSig').map(([name, value]) => `${name}=${value}`);
  const text = `${sent.slice(0, 6)}${path}?${signed.toSorted().join('&')}#${secret}`;
  return sent.slice(6) === hash('sha512', text) ? undefined : 'apiSig: Incorrect signature';
}

/**
 * `onPage` runs after each page of user.status was made, and so between two pages. `rowsAtMost` are in one answer, whatever
 * `count` asks for.
 */
export function replayCodeforces(
  rows: CodeforcesRows,
  onPage: (count: number) => void = () => {},
  rowsAtMost = Number.POSITIVE_INFINITY,
): ReplayedJudge {
  let pages = 0;
  const handleIn = <T>(of: Record<string, T>, name: string) =>
    Object.entries(of).find(([known]) => known.toLowerCase() === name.toLowerCase());
  return (path, query) => {
    const list = (all: readonly unknown[]) => {
      const from = Number(query.get('from') ?? 1);
      return all.slice(from - 1, from - 1 + Math.min(rowsAtMost, Number(query.get('count') ?? all.length)));
    };
    if (path === '/user.status') {
      const handle = query.get('handle') ?? '';
      const [, all] = handleIn(rows.status, handle) ?? [];
      if (!all) return failed(`handle: User with handle ${handle} not found`);
      const answer = ok(structuredClone(list(all)));
      onPage(++pages);
      return answer;
    }
    if (path === '/user.rating') {
      const [, all] = handleIn(rows.ratings ?? {}, query.get('handle') ?? '') ?? [];
      return ok(all ?? []);
    }
    if (path === '/problemset.problems') return ok(rows.problems ?? { problems: [], problemStatistics: [] });
    if (path === '/contest.list') return ok((query.get('gym') === 'true' ? rows.gyms : rows.contests) ?? []);
    if (path === '/contest.standings') {
      const id = query.get('contestId') ?? '';
      const fault = query.has('apiKey') ? signatureFault(path, query, rows.keys ?? {}) : undefined;
      if (fault !== undefined) return failed(fault);
      const found = rows.standings?.[id] ?? (query.has('apiKey') ? rows.closed?.[id] : undefined);
      return found ? ok(found) : failed(`contestId: Contest with id ${id} not found`);
    }
    if (path === '/user.info') {
      const handles = (query.get('handles') ?? '').split(';');
      const found = handles.map((name) => {
        const [, now] = handleIn(rows.renamed ?? {}, name) ?? [];
        return now ?? handleIn(rows.status, name)?.[0];
      });
      const unknown = found.indexOf(undefined);
      if (unknown >= 0) return failed(`handles: User with handle ${handles[unknown]} not found`);
      return ok(found.map((handle) => ({ handle })));
    }
    return undefined;
  };
}
