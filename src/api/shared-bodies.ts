/**
 * What bounds the cost of large bodies: a body is rendered once and shared by all who read it, few are made at a time, and
 * long work alternates with everything else.
 */
import { LRUCache } from 'lru-cache';

/** A larger body is not kept but streamed; in bytes before any coding. */
export const wholeAtMost = 8 * 1024 * 1024;
const keptAtMost = 12 * 1024 * 1024;
const heldAtMost = 16 * 1024 * 1024;

/** What the answers of one server share. */
export interface Bodies {
  shared: SharedBodies;
  /** Waits until a piece of long work may run. */
  inTurn(): Promise<void>;
  /** Runs one work after the other; each may use the room where bodies are put together, but only meanwhile. */
  renderLong<T>(work: (room: Buffer) => Promise<T>): Promise<T>;
  open: { streams: number; encoders: number };
}

export function bodies(): Bodies {
  const oneByOne = slots(1);
  let room: Buffer | undefined;
  return {
    shared: sharedBodies({ keptAtMost, heldAtMost, refusedAtMost: 10_000 }),
    inTurn: turns(),
    renderLong: (work) =>
      oneByOne(() => {
        // One for all: each body put together anew would leave several times its size to be cleared away.
        room ??= Buffer.allocUnsafeSlow(wholeAtMost);
        return work(room);
      }),
    open: { streams: 0, encoders: 0 },
  };
}

/** A body as it is sent, with the headers that follow from its rows. */
export interface Made {
  bytes: Buffer;
  link: string | undefined;
}

export interface Taken extends Made {
  /** To be called once the body is sent, or never will be. */
  release(): void;
}

/** Why a body is not made after all: it never will be, or not as long as slow readers hold so many others. */
export type Unmade = 'too large' | 'no room';

interface SharedBodies {
  /**
   * The body of this name: the one that is kept or being made, else a new one. Undefined: it must be streamed. Throws the
   * reason of `reader` once that is aborted; making stops by its own signal when all its readers have gone.
   */
  take(
    name: string,
    reader: AbortSignal,
    make: (whileAwaited: AbortSignal) => Promise<Made | Unmade>,
  ): Promise<Taken | undefined>;
  /** The body of this name if it is kept already. */
  takeKept(name: string): Taken | undefined;
  /** Whether more may be made now. */
  hasRoom(): boolean;
}

interface Limits {
  /** Bytes kept for whoever asks next. */
  keptAtMost: number;
  /** Bytes kept or still being read; beyond it nothing is added. */
  heldAtMost: number;
  /** Names known to be too large. */
  refusedAtMost: number;
}

interface Body {
  made: Made;
  readers: number;
  isKept: boolean;
  /** Whether its bytes are counted: as long as it is kept or read. */
  isHeld: boolean;
}

interface Making {
  body: Promise<Body | Unmade>;
  readers: number;
  abandon: AbortController;
}

function sharedBodies({ keptAtMost, heldAtMost, refusedAtMost }: Limits): SharedBodies {
  const making = new Map<string, Making>();
  const tooLarge = new LRUCache<string, true>({ max: refusedAtMost });
  let held = 0;
  const settle = (body: Body) => {
    const isHeld = body.isKept || body.readers > 0;
    if (isHeld !== body.isHeld) held += (isHeld ? 1 : -1) * body.made.bytes.length;
    body.isHeld = isHeld;
  };
  const kept = new LRUCache<string, Body>({
    maxSize: keptAtMost,
    sizeCalculation: ({ made }) => Math.max(made.bytes.length, 1),
    dispose: (body) => {
      body.isKept = false;
      settle(body);
    },
  });

  const give = (body: Body): Taken => {
    body.readers++;
    settle(body);
    const release = () => {
      body.readers--;
      settle(body);
    };
    return { ...body.made, release };
  };
  const finish = (name: string, made: Made | Unmade): Body | Unmade => {
    if (made === 'too large') tooLarge.set(name, true);
    if (typeof made === 'string') return made;
    const body = { made, readers: 0, isKept: false, isHeld: false };
    kept.set(name, body);
    body.isKept = kept.has(name);
    settle(body);
    return body;
  };
  const forget = (name: string, one: Making) => {
    if (making.get(name) === one) making.delete(name);
  };
  const begin = (name: string, make: (whileAwaited: AbortSignal) => Promise<Made | Unmade>): Making => {
    const abandon = new AbortController();
    const body = make(abandon.signal).then((made) => finish(name, made));
    const one: Making = { body, readers: 0, abandon };
    making.set(name, one);
    const done = () => forget(name, one);
    body.then(done, done);
    return one;
  };

  return {
    hasRoom: () => held <= heldAtMost,
    takeKept: (name) => {
      const body = kept.get(name);
      return body && give(body);
    },
    take: async (name, reader, make) => {
      if (tooLarge.has(name)) return undefined;
      const ready = kept.get(name);
      if (ready) return give(ready);
      reader.throwIfAborted();
      let one = making.get(name);
      if (!one) {
        if (held > heldAtMost) return undefined;
        one = begin(name, make);
      }
      const body = await awaited(one, reader, () => forget(name, one));
      return typeof body === 'string' ? undefined : give(body);
    },
  };
}

/** Waits for a body with the others that do; the last one who leaves has it abandoned. */
async function awaited(one: Making, reader: AbortSignal, onAbandon: () => void): Promise<Body | Unmade> {
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
    return await Promise.race([one.body, departure]);
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

/** Makes pieces of long work take turns: one in each turn of the event loop, so that short requests come in between. */
function turns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isTurning = false;
  const turn = () => {
    const next = waiting.shift();
    isTurning = next !== undefined;
    if (!next) return;
    setImmediate(turn);
    next();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isTurning) turn();
    });
}
