/** Importing statuses: what a member said, or with the origin `judge` what a judge said, without touching the other. */
import { findStatusPairs, insertStatuses, updateStatus } from '../store/statuses.ts';
import type { State, StatusesTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import type { GivenRow } from './own-rows.ts';
import { pairSink } from './pairs.ts';

export function statusSink(applying: Applying): Sink<GivenRow> {
  return pairSink<StatusesTable>(applying, {
    scope: 'statuses',
    find: findStatusPairs,
    insert: insertStatuses,
    update: updateStatus,
    next: (given, current, { now }) => {
      if (typeof given.status !== 'string') return 'status is missing; say how far the member is';
      const status = given.status as State;
      const words = current ?? { self_status: null, self_at: null, judge_status: null, judge_at: null };
      const { self_status, self_at, judge_status, judge_at } = words;
      const isJudge = given.origin === 'judge';
      const [oldStatus, oldAt] = isJudge ? [judge_status, judge_at] : [self_status, self_at];
      const at =
        (given.updated_at as string | null | undefined) ?? (oldStatus === status ? (oldAt ?? now) : now);
      return isJudge
        ? { self_status, self_at, judge_status: status, judge_at: at }
        : { self_status: status, self_at: at, judge_status, judge_at };
    },
  });
}
