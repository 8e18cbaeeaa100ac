/** Lines of a server's log. */
import { until } from './waiting.ts';

export async function logLineOf<T>(server: { stderr(): string }, requestId: unknown): Promise<T> {
  let line: string | undefined;
  await until(`the log line of ${requestId}`, () => {
    const lines = server.stderr().split('\n');
    line = lines.find((text) => text.includes(String(requestId)) && text.endsWith('}'));
    return line !== undefined;
  });
  return JSON.parse(line ?? '') as T;
}
