/**
 * What bounds the cost of large bodies: a body is rendered once and shared by all who read it, few are made at a time, and
 * long work alternates with everything else.
 */
import { LRUCache } from 'lru-cache';

/** A larger body is not kept but streamed; in bytes before any coding. */
export const wholeAtMost = 8 * 1024 * 1024;
/** Bytes of large bodies that are being sent; beyond it none is made, and collections are streamed. */
const sendingAtMost = 16 * 1024 * 1024;
/** How long pieces of work may run before others have their turn. */
const turnMs = 3;
/** Names of bodies that are known to be too large, in characters. */
const namesAtMost = 1024 * 1024;

/** What the large answers of one server share. */
export interface Bodies {
  /**
   * The body of this name, which is being made for others already or is made now. Undefined: it must be streamed. Throws the
   * reason of `reader` once that is aborted; making stops by its own signal when all its readers have gone.
   */
  make(
    name: string,
    reader: AbortSignal,
    render: (whileAwaited: AbortSignal) => Promise<Made | Unmade>,
  ): Promise<Made | undefined>;
  /** Counts a body as being sent. Answers what to call once it is sent, or never will be. */
  hold(bytes: Buffer): () => void;
  /** Whether more may be made now. */
  hasRoom(): boolean;
  /** A pause for one piece of long work, which throws the reason of the signal once that is aborted. */
  pausing(signal: AbortSignal): () => Promise<void>;
  /** Runs one work after the other; each may use the room where bodies are put together, but only meanwhile. */
  renderLong<T>(work: (room: Buffer) => Promise<T>): Promise<T>;
  open: { streams: number; encoders: number };
}

/** A body as it is sent, with the link that follows from its rows. */
export interface Made {
  bytes: Buffer;
  link: string | undefined;
}

/** Why a body is not made after all: it never will be, or not as long as slow readers hold so many others. */
export type Unmade = 'too large' | 'no room';

interface Making {
  made: Promise<Made | Unmade>;
  readers: number;
  abandon: AbortController;
}

export function bodies(): Bodies {
  const oneByOne = slots(1);
  let room: Buffer | undefined;
  const making = new Map<string, Making>();
  const tooLarge = new LRUCache<string, true>({
    maxSize: namesAtMost,
    sizeCalculation: (_, name) => name.length,
  });
  const inTurn = turns();
  let sending = 0;
  const hasRoom = () => sending <= sendingAtMost;
  const forget = (name: string, one: Making) => {
    if (making.get(name) === one) making.delete(name);
  };
  const begin = (name: string, render: Parameters<Bodies['make']>[2]): Making => {
    const abandon = new AbortController();
    const made = render(abandon.signal).then((body) => {
      if (body === 'too large') tooLarge.set(name, true);
      return body;
    });
    const one: Making = { made, readers: 0, abandon };
    making.set(name, one);
    const done = () => forget(name, one);
    made.then(done, done);
    return one;
  };
  return {
    make: async (name, reader, render) => {
      if (tooLarge.has(name)) return undefined;
      reader.throwIfAborted();
      let one = making.get(name);
      if (!one) {
        if (!hasRoom()) return undefined;
        one = begin(name, render);
      }
      const made = await awaited(one, reader, () => forget(name, one));
      return typeof made === 'string' ? undefined : made;
    },
    hold: ({ length }) => {
      sending += length;
      return () => {
        sending -= length;
      };
    },
    hasRoom,
    pausing: (signal) => async () => {
      await inTurn();
      signal.throwIfAborted();
    },
    renderLong: (work) =>
      oneByOne(() => {
        // One for all: each body put together anew would leave several times its size to be cleared away.
        room ??= Buffer.allocUnsafeSlow(wholeAtMost);
        return work(room);
      }),
    open: { streams: 0, encoders: 0 },
  };
}

/** Waits for a body with the others that do; the last one who leaves has it abandoned. */
async function awaited(one: Making, reader: AbortSignal, onAbandon: () => void): Promise<Made | Unmade> {
  const { promise: departure, reject } = Promise.withResolvers<never>();
  let isThere = true;
  const leave = () => {
    isThere = false;
    one.readers--;
    reject(reader.reason);
    if (one.readers > 0) return;
    onAbandon();
    one.abandon.abort(reader.reason);
  };
  one.readers++;
  reader.addEventListener('abort', leave);
  try {
    return await Promise.race([one.made, departure]);
  } finally {
    if (isThere) one.readers--;
    reader.removeEventListener('abort', leave);
  }
}

/** Runs so many works at a time; the others wait in line. */
function slots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/**
 * Lets pieces of long work take turns: together they run for `turnMs` in one turn of the event loop, so that short requests
 * come in between, and then one after the other goes on in the next turns.
 */
function turns(): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let endsAt = 0;
  let isUnderWay = false;
  const begin = () => {
    isUnderWay = true;
    endsAt = performance.now() + turnMs;
    setImmediate(() => {
      isUnderWay = false;
      const next = waiting.shift();
      if (!next) return;
      begin();
      next();
    });
  };
  return () => {
    if (!isUnderWay) begin();
    if (performance.now() < endsAt) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
}
