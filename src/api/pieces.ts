/** A collection as text, piece by piece, each so short that writing it holds up nobody. */
import type { RowFormat } from '../contract/rows.ts';
import type { SortValue } from '../store/keyset.ts';
import type { JsonColumn } from '../store/listings.ts';
import type { Walking } from './passes.ts';
import type { Walk } from './walks.ts';

/**
 * Rows in the first piece, so that most members' rows take one statement; how long these are tells how many the next one may
 * have, but never many times more.
 */
const rowsAtFirst = 64;
const growthAtMost = 8;
const rowsPerPieceAtMost = 1000;

export interface Pieces {
  /** The next piece, which may be empty. */
  next(): Promise<string>;
  isEnd(): boolean;
}

/** Rows as text, without what stands before the first and after the last of a body. */
export interface Texts {
  next(rows: number): Promise<{ text: string; count: number }>;
  isEnd(): boolean;
}

export function textsOf(walk: Walk, form: RowFormat): Texts {
  return {
    isEnd: walk.isEnd,
    next: async (limit) => {
      const rows = await walk.next(limit);
      return { text: rows.map(form.row).join(form.separator), count: rows.length };
    },
  };
}

/** The same in JSON as the engine writes it, in the order of the ids. */
export function jsonTexts(
  { collection, db, pause }: Walking,
  after: readonly SortValue[] | undefined,
  columns: readonly JsonColumn[],
): Texts | undefined {
  const { listAsJson } = collection;
  if (!listAsJson) return undefined;
  let lastId = typeof after?.[0] === 'bigint' ? after[0] : undefined;
  let isEnd = false;
  return {
    isEnd: () => isEnd,
    next: async (limit) => {
      await pause();
      const rows = await listAsJson(db, columns, { after: lastId, limit });
      const count = Number(rows.count);
      lastId = rows.lastId ?? lastId;
      isEnd = count < limit;
      return { text: rows.text ?? '', count };
    },
  };
}

/** The whole of a body in pieces of about this length, in characters. */
export function piecesOf(texts: Texts, { start, separator, end }: RowFormat, pieceLength: number): Pieces {
  const rowsThatFit = fitting(pieceLength);
  let isStart = true;
  let hasRows = false;
  let isOver = false;
  return {
    isEnd: () => isOver,
    next: async () => {
      const { text, count } = await texts.next(rowsThatFit.rows());
      rowsThatFit.note(count, text.length);
      isOver = texts.isEnd();
      const before = (isStart ? start : '') + (hasRows && count > 0 ? separator : '');
      isStart = false;
      hasRows ||= count > 0;
      return before + text + (isOver ? end : '');
    },
  };
}

/** How many rows make a piece of this length, by the length of those before. */
export function fitting(pieceLength: number): { rows(): number; note(count: number, length: number): void } {
  let rows = rowsAtFirst;
  return {
    rows: () => rows,
    note: (count, length) => {
      if (count === 0) return;
      const wanted = Math.round((count * pieceLength) / Math.max(length, 1));
      rows = Math.min(Math.max(wanted, 1), rows * growthAtMost, rowsPerPieceAtMost);
    },
  };
}
