/** Pages of collections in ascending order of their ids: what was there all the time comes exactly once. */
import { readCursor, writeCursor } from '../api/cursors.ts';
import { readOrder } from '../api/parameters.ts';
import type { Actor } from '../auth/tokens.ts';
import { AppError } from '../errors.ts';
import { problemSortFields } from '../store/problem-lists.ts';

const usualLimit = 20;
export const byId = readOrder(undefined, problemSortFields, ['id']);

export interface Slice {
  /** The last id of the page before. */
  after: bigint | undefined;
  limit: number;
}

/** Programs have no Link header to look at. */
export const malformedNext = () =>
  new AppError(
    'malformedCursor',
    'This is no place of this collection and member; send "next" of an answer before.',
  );

function readAfter(cursor: string, collection: string): bigint {
  try {
    return readCursor(cursor, collection, byId)[0] as bigint;
  } catch {
    throw malformedNext();
  }
}

/** Throws malformedCursor, also for the place of another member. */
export async function readPage<Row extends { id: bigint }>(
  operation: string,
  { memberId }: Pick<Actor, 'memberId'>,
  { limit = usualLimit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  list: (slice: Slice) => Promise<readonly Row[]>,
): Promise<{ items: readonly Row[]; next: string | null }> {
  const collection = `${operation} ${memberId}`;
  const after = cursor === undefined ? undefined : readAfter(cursor, collection);
  const rows = await list({ after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? writeCursor(collection, byId, { id: last.id }) : null };
}
