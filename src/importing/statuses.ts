/** Importing statuses: a row sets the member's word or, with the origin `judge`, the judge's word. */
import { badRow } from '../files/entries.ts';
import { type JudgesWord, noJudgesWord } from '../practice/settling.ts';
import type { StatusesTable } from '../store/statuses.ts';
import { findStatusPairs, insertStatuses, type StatusRow, updateStatus } from '../store/statuses.ts';
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
    if (status === undefined) throw badRow('status is missing; enter one.');
    const words = current ?? noWords;
    const speaker = origin === 'judge' ? 'judge' : 'self';
    const [word, at] = [`${speaker}_status`, `${speaker}_at`] as const;
    const isSame = words[word] === status;
    const next = { ...words, [word]: status, [at]: updated_at ?? (isSame ? words[at] : null) ?? now };
    if (given.overtaken_status && given.overtaken_at)
      Object.assign(next, { overtaken_status: given.overtaken_status, overtaken_at: given.overtaken_at });
    else if (speaker === 'judge' && !isSame)
      Object.assign(next, { overtaken_status: null, overtaken_at: null });
    if (speaker === 'judge') return next;
    // A judge's word that stands behind the member's own; a row without one says nothing about it.
    if (judge_status) Object.assign(next, { judge_status, judge_at: judge_at ?? words.judge_at ?? now });
    return { ...next, how: status === 'complete' ? (how === undefined ? words.how : how) : null };
  },
};
