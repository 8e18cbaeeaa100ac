/** Ticked rows as they stand in a form: each problem with what its page showed of it. */
import { parseInt64 } from '../../contract/common.ts';
import { bookmarkVersionOf, type Seen, versionOf } from '../../practice/marks.ts';
import type { OwnMarks } from './marks.ts';

/** A page has at most 200 rows; a form may have been put together from several. */
const picksAtMost = 1000;

/** Id, version of the status, version of the bookmark. */
export function pickValue(id: bigint, { status, bookmark }: OwnMarks): string {
  return `${id}:${versionOf(status)}:${bookmarkVersionOf(bookmark)}`;
}

export interface Picks {
  ids: readonly bigint[];
  seenStatuses: Seen;
  seenBookmarks: Seen;
}

/** The rows that are ticked in a form; values that no page of ours has are left out. */
export function readPicks(form: URLSearchParams): Picks {
  const seenStatuses = new Map<bigint, string>();
  const seenBookmarks = new Map<bigint, string>();
  for (const value of form.getAll('pick').slice(0, picksAtMost)) {
    const [digits = '', status, bookmark] = value.slice(0, 100).split(':');
    const id = parseInt64(digits);
    if (id === undefined) continue;
    seenStatuses.set(id, status ?? '');
    seenBookmarks.set(id, bookmark ?? '');
  }
  return { ids: [...seenStatuses.keys()], seenStatuses, seenBookmarks };
}
