/** How often things are synced: members by how active they are, catalogues once a day, what fails more and more rarely. */
import type { SyncsTable } from '../store/judged-tables.ts';
import { lastSubmittedAt } from '../store/solves.ts';
import type { Db } from '../store/tables.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The longest pause after faults. */
const pauseAtMostMs = 6 * hourMs;

/** When the next run of a sync may begin, in milliseconds since 1970. */
export async function dueAfter(db: Db, row: SyncsTable, now = Date.now()): Promise<bigint> {
  const last = row.handle_id === null ? null : await lastSubmittedAt(db, row.handle_id);
  const usual = usualPause(row, last === null ? undefined : now - Date.parse(last));
  const pauseMs = row.fault === null ? usual : pauseAfterFault(row);
  // A tenth more or less, so that what began together drifts apart.
  return BigInt(Math.round(now + pauseMs * (0.9 + 0.2 * Math.random())));
}

function usualPause({ task }: SyncsTable, idleMs = Number.POSITIVE_INFINITY): number {
  if (task === 'age') return hourMs;
  if (task !== 'submissions') return dayMs;
  if (idleMs < dayMs) return 15 * minuteMs;
  if (idleMs < 14 * dayMs) return 2 * hourMs;
  return dayMs;
}

function pauseAfterFault({ fault, failures }: SyncsTable): number {
  // A handle that nobody knows stays unknown until its member mends it.
  if (fault === 'unknown handle') return dayMs;
  const firstMs = fault === 'refused' ? hourMs : 5 * minuteMs;
  return Math.min(firstMs * 2 ** Math.max(Number(failures) - 1, 0), pauseAtMostMs);
}
