/** Bounds the cost of large bodies: all readers share one, one is put together at a time, and long work is done in turns. */
import { LRUCache } from 'lru-cache';
import type { Body } from '../http/codings.ts';
import { departed } from './disconnects.ts';

/** Bytes before any coding; a larger body is not kept but streamed. */
const wholeAtMost = 8 * 1024 * 1024;
/** Bytes of large bodies that are being sent; beyond it none is made, and collections are streamed. */
const sendingAtMost = 16 * 1024 * 1024;
const turnMs = 3;
/** Characters in the names of bodies that are known to be too large. */
const namesAtMost = 1024 * 1024;

type HasLeft = () => boolean;

/** Comes between two pieces of long work, and throws `departed` if the client has gone. Undefined if nothing has to wait. */
export type Pause = () => Promise<void> | undefined;

export interface Made {
  body: Body;
  /** The Link header that leads to the next page. */
  link: string | undefined;
}

/** Why a body is not made: it never will be, or not as long as slow readers hold so many others. */
export type Unmade = 'too large' | 'no room';

type Render = (pause: Pause) => Promise<Made | Unmade>;

interface Making {
  made: Promise<Made | Unmade>;
  readers: HasLeft[];
}

/** What the large answers of one server share. */
export type Bodies = ReturnType<typeof bodies>;

export function bodies() {
  let lastLong: Promise<unknown> = Promise.resolve();
  let room: Buffer | undefined;
  const underWay = new Map<string, Making>();
  const tooLarge = new LRUCache<string, true>({
    maxSize: namesAtMost,
    sizeCalculation: (_, name) => name.length,
  });
  const inTurn = turns();
  let sending = 0;
  /** Whether more may be made now. */
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
  const begin = (name: string, reader: HasLeft, render: Render): Making => {
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
    /** Undefined: the body must be streamed. The making stops, and throws `departed`, when all its readers have left. */
    make: async (name: string, hasLeft: HasLeft, render: Render): Promise<Made | undefined> => {
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
    /** Counts a large body as being sent until the function that it returns is called. */
    hold: ({ length }: Buffer) => {
      sending += length;
      return () => {
        sending -= length;
      };
    },
    hasRoom,
    pausing,
    /** Runs one work after the other; each may use the room, but only meanwhile. */
    renderLong: <T>(work: (room: Buffer) => Promise<T>): Promise<T> => {
      // One room for all: each body in a buffer of its own would leave several times its size to be cleared away.
      room ??= Buffer.allocUnsafeSlow(wholeAtMost);
      const done = lastLong.then(work.bind(undefined, room));
      lastLong = done.catch(() => undefined);
      return done;
    },
    open: { streams: 0, encoders: 0 },
  };
}

/** Pieces of long work run for `turnMs` together in one turn of the event loop; the rest go on in the next turns, in order. */
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
  // Node empties the queue of promises between two immediates, so one piece ends before the next begins.
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
