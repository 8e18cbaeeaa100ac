/** Times in requests and answers: any RFC 3339 instant in, one form of it (UTC, milliseconds) out. */

const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Most instants of a file are in our own form already, and to see that takes a quarter of reading them. */
function isOwnForm(text: string): boolean {
  if (text.length !== 24 || !text.endsWith('Z')) return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString() === text;
}

/** An instant in our own form, rounded up so that "at this instant or later" stays true; undefined if it is none. */
export function readInstant(text: string): string | undefined {
  if (isOwnForm(text)) return text;
  const [, day, minute, second = '', fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  if (day === undefined) return undefined;
  // RFC 3339 §5.7 allows a leap second; it becomes the second after it.
  const isLeap = second === '60';
  const wall = `${day}T${minute}:${isLeap ? '59' : second}`;
  const utc = Date.parse(`${wall}Z`);
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 19) !== wall) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + Number(/[1-9]/.test(fraction.slice(3)));
  const instant = new Date(Date.parse(wall + offset.toUpperCase()) + (isLeap ? 1000 : 0) + milliseconds);
  const isWithin = instant.getUTCFullYear() >= 0 && instant.getUTCFullYear() <= 9999;
  return isWithin ? instant.toISOString() : undefined;
}
