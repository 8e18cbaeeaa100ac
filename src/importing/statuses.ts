/** Importing statuses: a row sets the member's word or, with the origin `judge`, the judge's word. */
import { refused } from '../errors.ts';
import { type JudgesWord, noJudgesWord } from '../practice/settling.ts';
import type { StatusesTable } from '../store/statuses.ts';
import {
  findStatusPairs,
  insertStatuses,
  type State,
  type StatusRow,
  updateStatus,
} from '../store/statuses.ts';
import type { PairKind } from './pairs.ts';

type GivenStatus = Partial<Pick<StatusRow, 'status' | 'origin' | 'updated_at'>> &
  Partial<Pick<StatusesTable, 'how' | keyof JudgesWord>>;

export const noWords = { self_status: null, self_at: null, ...noJudgesWord, how: null };

export const statusPairs: PairKind<StatusesTable, GivenStatus> = {
  table: 'statuses',
  find: findStatusPairs,
  insert: insertStatuses,
  update: updateStatus,
  next: (given, current, now) => {
    const { status, origin, updated_at, how, judge_status, judge_at } = given;
    if (status === undefined) throw refused('badRow.noStatus');
    const words = current ?? noWords;
    /** A row without a time is of now; one that says itself that it has none is solved on an unknown day. */
    const unsaid = (state: State, at: string | null | undefined) =>
      state === 'complete' && at === null ? null : now;
    const speaker = origin === 'judge' ? 'judge' : 'self';
    const [word, at] = [`${speaker}_status`, `${speaker}_at`] as const;
    const isSame = words[word] === status;
    const next = {
      ...words,
      [word]: status,
      [at]: updated_at ?? (isSame ? words[at] : unsaid(status, updated_at)),
    };
    if (given.overtaken_status && (given.overtaken_at || given.overtaken_status === 'complete'))
      Object.assign(next, {
        overtaken_status: given.overtaken_status,
        overtaken_at: given.overtaken_at ?? null,
      });
    else if (speaker === 'judge' && !isSame)
      Object.assign(next, { overtaken_status: null, overtaken_at: null });
    if (given.listed_by !== undefined) next.listed_by = given.listed_by;
    if (speaker === 'judge') return next;
    // A judge's word that stands behind the member's own; a row without one says nothing about it.
    if (judge_status)
      Object.assign(next, {
        judge_status,
        judge_at:
          judge_at ?? (words.judge_status === judge_status ? words.judge_at : unsaid(judge_status, judge_at)),
      });
    return { ...next, how: status === 'complete' ? (how === undefined ? words.how : how) : null };
  },
};
