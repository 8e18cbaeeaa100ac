/** What `npm test` prints: Node's reporter `spec`, but a failure shows where two long texts differ. */
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

const longestLine = 300;
const around = 80;
const mostLines = 80;

async function* shortened(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type === 'test:fail') shorten(event.data.details.error.cause);
    yield event;
  }
}

/** The stack repeats the message, and the values are in the message, so both would be printed twice. */
function shorten(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_ASSERTION') return;
  const { message, stack = '' } = error;
  const short = shortMessage(wholeMessage(error));
  // The stack of an error of another process is read-only.
  Object.defineProperty(error, 'stack', { value: stack.replace(message, () => short) });
  for (const name of ['actual', 'expected']) Reflect.deleteProperty(error, name);
}

/** Node shows no more than 10,000 characters of a text, so a difference behind them would not be seen. */
function wholeMessage({ message, actual, expected }: Error & { actual?: unknown; expected?: unknown }): string {
  if (typeof actual !== 'string' || typeof expected !== 'string' || actual.length <= 10_000) return message;
  const [heading = ''] = message.split('\n', 1);
  return `${heading}\n+ ${JSON.stringify(actual)}\n- ${JSON.stringify(expected)}`;
}

function shortMessage(message: string): string {
  const lines = message.split('\n');
  const shown = lines.slice(0, mostLines).map((line, at) => {
    if (line.length <= longestLine) return line;
    const [before = '', after = ''] = [lines[at - 1], lines[at + 1]];
    const other = line.startsWith('+') ? after : before;
    return isPair(line, other) ? difference(line, other) : `${line.slice(0, longestLine)}… (${line.length} characters)`;
  });
  const hidden = lines.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`… ${hidden} more lines`] : [])].join('\n');
}

const isPair = (one: string, other: string) => ['+-', '-+'].includes(`${one[0]}${other[0]}`);

function difference(line: string, other: string): string {
  let first = 1;
  while (first < line.length && line[first] === other[first]) first++;
  const [from, to] = [Math.max(1, first - around), first + around];
  return `${line[0]} ${from > 1 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''} (from character ${from - 1})`;
}

// A reporter is the default export of its file.
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(shortened(events)).pipe(new spec());
}
