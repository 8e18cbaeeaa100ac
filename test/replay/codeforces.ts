/**
 * Codeforces as its API answers since 2026 (codeforces.com/apiHelp, and what programs of others found): lists have the newest first
 * and are paged by `from` and `count`. It refuses what the judge refuses; test/sync/replay.test.ts lists each refusal.
 */
import { hash } from 'node:crypto';
import type { Answered, ReplayedJudge } from './replay.ts';

export interface CodeforcesRows {
  /** Submissions by handle, the newest first; a test may change the list while it is paged. */
  status: Record<string, unknown[]>;
  problems?: unknown;
  /** The problems of the archive, which problemset.problems lists apart. */
  acmsguru?: unknown[];
  contests?: unknown[];
  /** The public gyms, which contest.list lists separately. */
  gyms?: unknown[];
  standings?: Record<string, unknown>;
  /** Public gyms whose standings are for signed requests only. */
  gated?: Record<string, unknown>;
  /** Private gyms: nobody else is told that they exist, and user.status leaves them out. */
  closed?: Record<string, unknown>;
  keys?: Record<string, string>;
  ratings?: Record<string, unknown[]>;
  renamed?: Record<string, string>;
  /** What problemset.recentStatus has instead of all lists together. */
  recent?: unknown[];
  /** When users were last online, in seconds since 1970. */
  online?: Record<string, number>;
}

/** A row of user.status: 1A, which this handle solved. */
export const codeforcesRow = (id: number, second: number, handle = 'ada', more: object = {}) => ({
  id,
  contestId: 1,
  creationTimeSeconds: second,
  problem: { contestId: 1, index: 'A', name: 'Pond' },
  author: { members: [{ handle }], participantType: 'PRACTICE' },
  programmingLanguage: 'C++',
  verdict: 'OK',
  ...more,
});

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

const unsigned = 'You have to be authenticated to use this method';
const extraParameters =
  'contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters';

interface StandingsRow {
  party: { members: { handle: string }[]; participantType: string };
}

const isOf = ({ party }: StandingsRow, name: string) =>
  party.members.some(({ handle }) => handle.toLowerCase() === name.toLowerCase());

/** Rows that `handles` and `showUnofficial` ask for; only gyms take these. */
function rowsAskedFor(found: unknown, query: URLSearchParams, known: readonly string[]): Answered {
  const { rows = [], ...rest } = found as { rows?: StandingsRow[] };
  const handles = query.get('handles')?.split(';');
  const unknown = handles?.find((name) => !known.includes(name) && !rows.some((row) => isOf(row, name)));
  if (unknown !== undefined) return failed(`handles: User with handle ${unknown} not found`);
  const isShown = (row: StandingsRow) =>
    (query.get('showUnofficial') === 'true' || row.party.participantType === 'CONTESTANT') &&
    (!handles || handles.some((name) => isOf(row, name)));
  return ok({ ...rest, rows: rows.filter(isShown).slice(0, Number(query.get('count') ?? rows.length)) });
}

function standingsOf(rows: CodeforcesRows, query: URLSearchParams, method: string): Answered {
  const id = query.get('contestId') ?? '';
  const isSigned = query.has('apiKey');
  const fault = isSigned ? signatureFault('/contest.standings', query, rows.keys ?? {}) : undefined;
  if (fault !== undefined) return failed(fault);
  const isGym = Number(id) >= 100_000;
  const hasOthers = [...query.keys()].some((name) => name !== 'contestId' && name !== 'lang');
  if (!isGym && (hasOthers || method !== 'GET')) return failed(extraParameters);
  const found = rows.standings?.[id] ?? rows.gated?.[id] ?? (isSigned ? rows.closed?.[id] : undefined);
  if (!found) return failed(`contestId: Contest with id ${id} not found`);
  // The comment comes with the name of the field before it, and without.
  if (!isSigned && !rows.standings?.[id]) return failed(Number(id) % 2 ? unsigned : `contestId: ${unsigned}`);
  const { phase } = (found as { contest: { phase?: string } }).contest;
  if (phase === 'BEFORE') return failed(`contestId: Contest with id ${id} has not started`);
  return isGym ? rowsAskedFor(found, query, Object.keys(rows.status)) : ok(found);
}

const idOf = (row: unknown) => Number(Object(row).id);

/** The submissions of all users, by decreasing id. */
function everybody({ status, recent }: CodeforcesRows): unknown[] {
  const all = recent ?? [
    ...new Map(Object.values(status).flatMap((rows) => rows.map((row) => [idOf(row), row]))).values(),
  ];
  return all.toSorted((one, other) => idOf(other) - idOf(one));
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
  const handleIn = <T>(of: Record<string, T>, name: string): [string, T] | undefined =>
    Object.hasOwn(of, name)
      ? [name, of[name] as T]
      : Object.entries(of).find(([known]) => known.toLowerCase() === name.toLowerCase());
  return (path, query, { method }) => {
    const list = (all: readonly unknown[]) => {
      const from = Number(query.get('from') ?? 1);
      return all.slice(from - 1, from - 1 + Math.min(rowsAtMost, Number(query.get('count') ?? all.length)));
    };
    if (path === '/user.status') {
      const handle = query.get('handle') ?? '';
      if (handle.length > 24) return failed('handle: Field should contain between 3 and 24 characters, inclusive');
      const [, all] = handleIn(rows.status, handle) ?? [];
      if (!all) return failed(`handle: User with handle ${handle} not found`);
      const shown = all.filter((row) => !rows.closed?.[String(Object(row).contestId)]);
      const answer = ok(structuredClone(list(shown)));
      onPage(++pages);
      return answer;
    }
    if (path === '/problemset.recentStatus') {
      const count = Number(query.get('count'));
      if (!(count >= 1 && count <= 1000))
        return failed('count: Field should contain a long integer value from 1 to 1000');
      return ok(structuredClone(everybody(rows).slice(0, count)));
    }
    if (path === '/contest.status') {
      const id = query.get('contestId');
      if (Number(id) >= 100_000) return failed(`contestId: ${unsigned}`);
      return ok(structuredClone(list(everybody(rows).filter((row) => String(Object(row).contestId) === id))));
    }
    if (path === '/user.rating') {
      const handle = query.get('handle') ?? '';
      const [, all = []] = handleIn(rows.ratings ?? {}, handle) ?? [];
      const isKnown = handleIn({ ...rows.status, ...rows.ratings, ...rows.renamed }, handle);
      return isKnown ? ok(all) : failed(`handle: User with handle ${handle} not found`);
    }
    if (path === '/problemset.problems' && query.get('problemsetName') === 'acmsguru')
      return ok({ problems: rows.acmsguru ?? [], problemStatistics: [] });
    if (path === '/problemset.problems') return ok(rows.problems ?? { problems: [], problemStatistics: [] });
    if (path === '/contest.list') return ok((query.get('gym') === 'true' ? rows.gyms : rows.contests) ?? []);
    if (path === '/contest.standings') return standingsOf(rows, query, method);
    if (path === '/user.info') {
      const handles = (query.get('handles') ?? '').split(';');
      const found = handles.map((name) => {
        const [, now] = handleIn(rows.renamed ?? {}, name) ?? [];
        return now ?? handleIn(rows.status, name)?.[0];
      });
      const unknown = found.indexOf(undefined);
      if (unknown >= 0) return failed(`handles: User with handle ${handles[unknown]} not found`);
      const second = (name: string) => handleIn(rows.online ?? {}, name)?.[1] ?? 0;
      return ok(found.map((handle = '') => ({ handle, lastOnlineTimeSeconds: second(handle) })));
    }
    return undefined;
  };
}
