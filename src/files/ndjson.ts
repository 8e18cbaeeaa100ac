/** Reads NDJSON files: one JSON value a line. */
import { badFile } from '../errors.ts';
import type { Entry } from './entries.ts';
import { findFault, parseExact } from './json-text.ts';
import { decoded } from './utf8.ts';

const lineLengthMax = 1024 * 1024;

/** The values of all lines that are not blank. A line that is not JSON is a bad entry. */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry<unknown>[]> {
  let rest = '';
  let line = 1;
  for await (const text of decoded(bytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    refuseLong(rest, line + lines.length);
    const batch = lines.flatMap((one, index) => entryOfLine(one, line + index));
    line += lines.length;
    if (batch.length > 0) yield batch;
  }
  const last = entryOfLine(rest, line);
  if (last.length > 0) yield last;
}

function entryOfLine(text: string, line: number): [] | [Entry<unknown>] {
  refuseLong(text, line);
  const start = text.search(/[^\t\r ]/);
  if (start === -1) return [];
  try {
    return [{ place: () => ({ line, column: start + 1 }), value: parseExact(text) }];
  } catch {
    const { offset, wrong } = findFault(text);
    const column = Buffer.byteLength(text.slice(0, offset)) + 1;
    return [{ place: () => ({ line, column }), bad: `Not JSON: ${wrong}.` }];
  }
}

function refuseLong(text: string, line: number): void {
  if (text.length > lineLengthMax)
    throw badFile(`Line ${line} is longer than 1 MiB: NDJSON holds one value a line.`);
}
