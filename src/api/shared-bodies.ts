/**
 * What bounds the cost of large bodies: a body is rendered once and shared by all who read it, few are made at a time, and
 * long work alternates with everything else.
 */
import { LRUCache } from 'lru-cache';
import type { Body } from '../http/codings.ts';
import { departed } from './departures.ts';

/** A larger body is not kept but streamed; in bytes before any coding. */
const wholeAtMost = 8 * 1024 * 1024;
/** Bytes of large bodies that are being sent; beyond it none is made, and collections are streamed. */
const sendingAtMost = 16 * 1024 * 1024;
/** How long pieces of work may run before others have their turn. */
const turnMs = 3;
/** Names of bodies that are known to be too large, in characters. */
const namesAtMost = 1024 * 1024;

/** Whether the client that work is done for has gone. */
type HasLeft = () => boolean;

/**
 * Comes between two pieces of long work: others have their turn if it was long, and `departed` is thrown if the client has
 * gone. Undefined where nobody has to wait.
 */
export type Pause = () => Promise<void> | undefined;

/** What the large answers of one server share. */
export interface Bodies {
  /**
   * The body of this name, which is being made for others already or is made now. Undefined: it must be streamed. The making
   * stops, and throws `departed`, when all its readers have left.
   */
  make(
    name: string,
    hasLeft: HasLeft,
    render: (pause: Pause) => Promise<Made | Unmade>,
  ): Promise<Made | undefined>;
  /** Counts a body as being sent. Answers what to call once it is sent, or never will be. */
  hold(bytes: Buffer): () => void;
  /** Whether more may be made now. */
  hasRoom(): boolean;
  pausing(hasLeft: HasLeft): Pause;
  /** Runs one work after the other; each may use the room where bodies are put together, but only meanwhile. */
  renderLong<T>(work: (room: Buffer) => Promise<T>): Promise<T>;
  open: { streams: number; encoders: number };
}

/** A body as it is sent, with the link that follows from its rows. */
export interface Made {
  body: Body;
  link: string | undefined;
}

/** Why a body is not made after all: it never will be, or not as long as slow readers hold so many others. */
export type Unmade = 'too large' | 'no room';

interface Making {
  made: Promise<Made | Unmade>;
  readers: HasLeft[];
}

export function bodies(): Bodies {
  const oneByOne = slots(1);
  let room: Buffer | undefined;
  const underWay = new Map<string, Making>();
  const tooLarge = new LRUCache<string, true>({
    maxSize: namesAtMost,
    sizeCalculation: (_, name) => name.length,
  });
  const inTurn = turns();
  let sending = 0;
  const hasRoom = () => sending <= sendingAtMost;
  const pausing = (hasLeft: HasLeft): Pause => {
    const look = () => {
      if (hasLeft()) throw departed;
      return undefined;
    };
    return () => {
      const turn = inTurn();
      return turn ? turn.then(look) : look();
    };
  };
  const begin = (name: string, reader: HasLeft, render: Parameters<Bodies['make']>[2]): Making => {
    const readers = [reader];
    const forget = () => underWay.delete(name);
    const pause = pausing(() => {
      const isAbandoned = readers.every((hasLeft) => hasLeft());
      // At once, because nobody may join a making that has stopped.
      if (isAbandoned) forget();
      return isAbandoned;
    });
    return { readers, made: render(pause).finally(forget) };
  };
  return {
    make: async (name, hasLeft, render) => {
      if (tooLarge.has(name)) return undefined;
      let making = underWay.get(name);
      if (making) making.readers.push(hasLeft);
      else {
        if (!hasRoom()) return undefined;
        making = begin(name, hasLeft, render);
        underWay.set(name, making);
      }
      const made = await making.made;
      if (made === 'too large') tooLarge.set(name, true);
      return typeof made === 'string' ? undefined : made;
    },
    hold: ({ length }) => {
      sending += length;
      return () => {
        sending -= length;
      };
    },
    hasRoom,
    pausing,
    renderLong: (work) =>
      oneByOne(() => {
        // One for all: each body put together anew would leave several times its size to be cleared away.
        room ??= Buffer.allocUnsafeSlow(wholeAtMost);
        return work(room);
      }),
    open: { streams: 0, encoders: 0 },
  };
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
 * come in between. Those that had to wait go on in the next turns, the first one first.
 */
function turns(): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let endsAt = 0;
  let isUnderWay = false;
  const hasTime = () => {
    if (!isUnderWay) {
      isUnderWay = true;
      endsAt = performance.now() + turnMs;
      setImmediate(() => {
        isUnderWay = false;
      });
    }
    return performance.now() < endsAt;
  };
  // What goes on here runs before the next of these begins: Node empties the queue of promises between two immediates.
  const goOn = () => {
    if (hasTime()) waiting.shift()?.();
    else setImmediate(goOn);
  };
  return () => {
    if (waiting.length === 0 && hasTime()) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      setImmediate(goOn);
    });
  };
}
