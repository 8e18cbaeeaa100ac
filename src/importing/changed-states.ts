/** A status or a bookmark before and after a change, checked as strictly as undoing it needs. */
import { longestText } from '../contract/common.ts';
import { states } from '../contract/statuses.ts';
import { readInstant } from '../contract/times.ts';
import { badRow } from '../files/entries.ts';
import { longestNote } from '../practice/marks.ts';
import type { ChangesTable } from '../store/tables.ts';

export const ways = ['alone', 'hint', 'editorial'] as const;

type Side = 'before' | 'after';

/** Whether a change of this kind is of the status; it is of the bookmark otherwise. */
export function isOfStatus(kind: ChangesTable['kind']): boolean {
  return kind === 'status' || kind === 'how';
}

/** The state in the very bytes of the history, where undoing compares it with the row. Throws badRow. */
export function stateText(
  kind: ChangesTable['kind'],
  side: Side,
  text: string | null,
  hasLimits: boolean,
): string {
  const state: unknown = JSON.parse(text ?? 'null');
  if (isOfStatus(kind)) {
    const fields = { status: isStateOrNull, at: isTimeOrNull, how: isWayOrNull };
    return JSON.stringify(
      picked(state, side === 'before' ? { ...fields, judge: isStateOrNull } : fields, side),
    );
  }
  if (state === null) return 'null';
  return JSON.stringify(
    picked(
      state,
      { note: hasLimits ? isShortNote : isNoteOrNull, created_at: isTime, updated_at: isTime },
      side,
    ),
  );
}

/** Exactly these fields, in this order. */
function picked(state: unknown, fields: Record<string, (value: unknown) => boolean>, side: Side) {
  const found = Object(state) as Record<string, unknown>;
  const names = Object.keys(fields);
  const isWhole = Object.keys(found).length === names.length;
  if (!isWhole || !names.every((name) => Object.hasOwn(found, name) && fields[name]?.(found[name])))
    throw badRow(`${side} is not valid; it needs ${names.join(', ')}, as garden export writes them.`);
  return Object.fromEntries(names.map((name) => [name, found[name]]));
}

const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);
const isStateOrNull = orNull((value) => states.some((state) => state === value));
const isWayOrNull = orNull((value) => ways.some((way) => way === value));
const isTime = (value: unknown) => typeof value === 'string' && readInstant(value) === value;
const isTimeOrNull = orNull(isTime);
const isShortNote = (value: unknown) => isNoteOrNull(value) && String(value).length <= longestNote;
const isNoteOrNull = orNull(
  (value) =>
    typeof value === 'string' && value.length <= longestText && value.isWellFormed() && !value.includes('\0'),
);
