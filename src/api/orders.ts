/** The order that a collection is asked for. */
import { closest } from 'fastest-levenshtein';
import { AppError } from '../errors.ts';
import type { SortField, SortKey } from '../store/keyset.ts';

/** The keys that an `order` parameter asks for, then the ties. Throws malformedParameter. */
export function readOrder(
  order: string | undefined,
  fields: readonly SortField[],
  ties: readonly string[],
): SortKey[] {
  const keys: SortKey[] = [];
  const asked = order === undefined ? [] : order.split(',');
  for (const part of asked) {
    const name = part.replace(/^-/, '');
    const field = fields.find((known) => known.name === name);
    if (!field) {
      const names = fields.map((known) => known.name);
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names ${JSON.stringify(name.slice(0, 60))}, which is no field to sort by; did you mean "${closest(name.slice(0, 60), names)}"?`,
      );
    }
    if (keys.some((key) => key.field === field)) {
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names "${name}" twice; name each field once.`,
      );
    }
    keys.push({ field, isDescending: part.startsWith('-') });
  }
  for (const name of ties) {
    const field = fields.find((known) => known.name === name);
    if (field && !keys.some((key) => key.field === field)) keys.push({ field, isDescending: false });
  }
  return keys;
}
