/** Times in requests and answers: any RFC 3339 instant in, one form of it (UTC, milliseconds) out. */

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * An RFC 3339 instant in our own form: UTC, milliseconds, rounded up, so that "at this instant or later" stays true.
 * Undefined if the text has another form or names a day that does not exist.
 */
export function readInstant(text: string): string | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  if (year === undefined) return undefined;
  // RFC 3339 §5.7 allows a leap second; it becomes the second after it.
  const isLeap = second === '60';
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${isLeap ? '59' : second}`;
  const whole = Date.parse(`${wall}Z`);
  if (Number.isNaN(whole) || new Date(whole).toISOString().slice(0, 19) !== wall) return undefined;
  const milliseconds =
    Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  const instant = new Date(whole + (isLeap ? 1000 : 0) + milliseconds - offsetMs(offset));
  const isWithin = instant.getUTCFullYear() >= 0 && instant.getUTCFullYear() <= 9999;
  return isWithin ? instant.toISOString() : undefined;
}

function offsetMs(offset: string): number {
  if (/^[Zz]$/.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
