/**
 * What bounds the cost of large bodies: a body is rendered once and shared by all who read it, few are made at a time, and
 * long work alternates with everything else.
 */
import { LRUCache } from 'lru-cache';

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

export interface SharedBodies {
  /** The body of this name: the one that is kept or being made, else a new one. Undefined: it must be streamed. */
  take(name: string, make: () => Promise<Made | Unmade>): Promise<Taken | undefined>;
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

export function sharedBodies({ keptAtMost, heldAtMost, refusedAtMost }: Limits): SharedBodies {
  const making = new Map<string, Promise<Body | Unmade>>();
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
  const makeNow = async (name: string, make: () => Promise<Made | Unmade>): Promise<Body | Unmade> => {
    try {
      const made = await make();
      if (made === 'too large') tooLarge.set(name, true);
      if (typeof made === 'string') return made;
      const body = { made, readers: 0, isKept: false, isHeld: false };
      kept.set(name, body);
      body.isKept = kept.has(name);
      settle(body);
      return body;
    } finally {
      making.delete(name);
    }
  };

  return {
    hasRoom: () => held <= heldAtMost,
    takeKept: (name) => {
      const body = kept.get(name);
      return body && give(body);
    },
    take: async (name, make) => {
      if (tooLarge.has(name)) return undefined;
      const ready = kept.get(name);
      if (ready) return give(ready);
      let made = making.get(name);
      if (!made) {
        if (held > heldAtMost) return undefined;
        made = makeNow(name, make);
        making.set(name, made);
      }
      const body = await made;
      return typeof body === 'string' ? undefined : give(body);
    },
  };
}

/** Runs so many works at a time; the others wait in line. */
export function slots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
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
export function turns(): () => Promise<void> {
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
