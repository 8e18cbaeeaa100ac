/** A member's own data as files: what the command line reads again, and the history. */
import { type Format, mediaTypes } from '../../contract/rows.ts';
import { exportRows } from '../../importing/resources.ts';
import { listChangesAfter, type TitledChange } from '../../store/changes.ts';
import type { Db } from '../../store/tables.ts';

/** In the order in which they are read again. */
export const ownResources = ['records', 'statuses', 'bookmarks', 'plants'] as const;
export type OwnFile = (typeof ownResources)[number] | 'history';

const changesPerRead = 1000;

/**
 * The text of a file, read piece by piece as the browser takes it. No state of the database is held meanwhile, because a slow
 * browser could hold it for hours.
 */
export function ownFile(db: Db, memberId: bigint, what: OwnFile, format: Format): AsyncIterable<string> {
  return what === 'history' ? historyLines(db, memberId) : exportRows(db, what, format, () => {}, memberId);
}

export function fileName(what: OwnFile, format: Format): string {
  return `practice-garden-${what}.${format}`;
}

export function typeOf(format: Format): string {
  return mediaTypes[format];
}

async function* historyLines(db: Db, memberId: bigint): AsyncGenerator<string> {
  let after = 0n;
  for (;;) {
    const changes = await listChangesAfter(db, memberId, after, changesPerRead);
    const last = changes.at(-1);
    if (!last) return;
    yield changes.map(lineOf).join('');
    after = last.id;
  }
}

/** One change as a line of JSON, with its ids as plain digits. */
function lineOf(change: TitledChange): string {
  const { id, batch_id, problem_id, source, source_key, title, kind, before, after, made_at, undone_at } =
    change;
  const exact = (digits: bigint) => JSON.rawJSON(String(digits));
  return `${JSON.stringify({
    ...{ id: exact(id), batch: exact(batch_id), problem: exact(problem_id), source, source_key, title, kind },
    before: JSON.parse(before),
    after: JSON.parse(after),
    ...{ made_at, undone_at },
  })}\n`;
}
