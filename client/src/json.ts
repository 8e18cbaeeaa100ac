/** Ids without loss: JSON whose integers may exceed what a number holds, and ids as arguments. */
import { int64Fields } from './schema.ts';
import type { Id, Ids } from './types.ts';

/** The parts of JSON text that matter here: an escaped character, a quotation mark, a number. */
const token = /\\.|"|-?\d[\d.eE+-]*/g;

/** JSON.parse for a row or an array of rows: their int64 fields become strings or bigints, exactly. */
export function parseRows(text: string, ids: Ids): unknown {
  // Up to 15 digits are exact in a number. Most gardens never have a longer id, and then nothing is rewritten.
  const exact = /\d{16}/.test(text) ? quoteLongIntegers(text) : text;
  const value: unknown = JSON.parse(exact);
  if (Array.isArray(value)) for (const row of value) typeIds(row, ids);
  else typeIds(value, ids);
  return value;
}

/** The same JSON with its long integers as strings. What looks like one inside a string is left alone. */
function quoteLongIntegers(text: string): string {
  let isInString = false;
  // A pattern that took a whole string at once would overflow the stack on one with a million escapes.
  return text.replace(token, (found) => {
    if (found === '"') isInString = !isInString;
    return !isInString && /^-?\d{16,}$/.test(found) ? `"${found}"` : found;
  });
}

function typeIds(row: unknown, ids: Ids): void {
  if (typeof row !== 'object' || row === null) return;
  const fields = row as Record<string, unknown>;
  for (const name of int64Fields) {
    const value = fields[name];
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    fields[name] = ids === 'bigint' ? BigInt(value) : String(value);
  }
}

/** An id as digits. Throws a TypeError where it is none, or a number that may have lost digits. */
export function idText(id: Id): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    throw new TypeError(`The id ${id} is not exact as a number; pass it as a string or a bigint.`);
  }
  const text = String(id);
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return text;
  throw new TypeError(`${JSON.stringify(text)} is no id; pass decimal digits without leading zeros.`);
}
