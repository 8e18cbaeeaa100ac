/** Importing statuses: a row sets the member's word or, with the origin `judge`, the judge's word. */
import { badRow } from '../files/entries.ts';
import { furtherWord, type JudgesWord, noJudgesWord } from '../practice/settling.ts';
import type { StatusesTable } from '../store/statuses.ts';
import {
  findStatusPairs,
  insertStatuses,
  listStatusPairsOfProblem,
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
  listOfProblem: listStatusPairsOfProblem,
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
  merge: (kept, dropped) => {
    const [self_status, self_at] = furtherWord(
      [kept.self_status, kept.self_at],
      [dropped.self_status, dropped.self_at],
    );
    const [judge_status, judge_at] = furtherWord(
      [kept.judge_status, kept.judge_at],
      [dropped.judge_status, dropped.judge_at],
    );
    const [overtaken_status, overtaken_at] = furtherWord(
      [kept.overtaken_status, kept.overtaken_at],
      [dropped.overtaken_status, dropped.overtaken_at],
    );
    const judge = { judge_status, judge_at, overtaken_status, overtaken_at };
    return { self_status, self_at, ...judge, how: kept.how ?? dropped.how };
  },
};
