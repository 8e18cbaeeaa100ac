/** Pages take turns: a few pages of one member are made at once, and the rest wait behind those of others. */
import { AppError } from '../../errors.ts';
import { words } from '../words/words.ts';

const atOnce = 2;
/** Several hundred connections that ask and leave again would have pages made for minutes that nobody reads. */
const waitingAtMost = 200;
/** A page that waits for a judge or a disk this long keeps none of its asker's other pages waiting. */
const longestMs = 250;

interface Asker {
  running: number;
  waiting: (() => void)[];
}

/**
 * Answers a function that does the work in its asker's turn, and tells it whether it has waited. It throws
 * tooManyRequests.
 */
export function turns(): <T>(name: string, work: (hasWaited: boolean) => Promise<T>) => Promise<T> {
  const askers = new Map<string, Asker>();
  return async (name, work) => {
    const asker = askers.get(name) ?? { running: 0, waiting: [] };
    askers.set(name, asker);
    const waits = asker.running >= atOnce;
    if (asker.waiting.length >= waitingAtMost) throw new AppError('tooManyRequests', words('refusal.tooMany'));
    if (waits) await new Promise<void>((begin) => asker.waiting.push(begin));
    else asker.running++;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // A page is often made in one go. The next one begins in another turn of the event loop, once requests of others
      // that have arrived meanwhile are answered.
      setImmediate(() => {
        const next = asker.waiting.shift();
        if (next) next();
        else if (--asker.running === 0) askers.delete(name);
      });
    };
    const timer = setTimeout(end, longestMs);
    try {
      return await work(waits);
    } finally {
      end();
    }
  };
}
