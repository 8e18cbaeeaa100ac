/** Large answers of one server take turns while they are made, and a bound holds for all that clients read slowly. */
import { LRUCache } from 'lru-cache';

/** Bytes of large bodies that are being sent; beyond it none is made, and collections are streamed. */
const sendingAtMost = 16 * 1024 * 1024;
/** Characters of names. */
const namesAtMost = 1024 * 1024;

export type LargeBodies = ReturnType<typeof largeBodies>;

export function largeBodies() {
  const last = new Map<string, Promise<unknown>>();
  let sending = 0;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    /** Names of whole collections that are too large to be kept. A name may be as long as a query. */
    tooLarge: new LRUCache<string, true>({
      maxSize: namesAtMost,
      sizeCalculation: (_, { length }) => length,
    }),
    open: { streams: 0, encoders: 0 },
    /** In each turn of the event loop one read begins, so that however many there are, others are served between them. */
    nextTurn: (): Promise<unknown> => {
      turn = turn.then(() => new Promise(setImmediate));
      return turn;
    },
    /** Runs works of one name one after another. */
    inTurn: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const done = (last.get(name) ?? Promise.resolve()).then(work);
      const ended = done.catch(() => {});
      last.set(name, ended);
      try {
        return await done;
      } finally {
        if (last.get(name) === ended) last.delete(name);
      }
    },
    hasRoom: () => sending <= sendingAtMost,
    /** Counts a body as being sent until the function that it returns is called. */
    hold: ({ length }: Buffer) => {
      sending += length;
      return () => {
        sending -= length;
      };
    },
  };
}
