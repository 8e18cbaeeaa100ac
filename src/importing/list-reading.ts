/** Reads texts of lists so that nobody else waits: large ones in a thread, one after another. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type FoundSection, readListText } from './list-text.ts';

/** A text of so many characters is read in a few milliseconds; to start a thread takes longer. */
const shortAtMost = 16_384;

let last: Promise<unknown> = Promise.resolve();

/** The result of `readListText`, made in a thread for a long text. */
export async function readListBeside(text: string): Promise<FoundSection[] | undefined> {
  if (text.length <= shortAtMost) return readListText(text);
  const reading = last.then(async () => {
    const thread = new Worker(new URL('./list-text-thread.ts', import.meta.url), { workerData: text });
    thread.unref();
    const [found] = await once(thread, 'message');
    return found as FoundSection[] | undefined;
  });
  last = reading.catch(() => {});
  return reading;
}
