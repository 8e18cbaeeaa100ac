/** Clients that read and delete plants while a cluster fails, with a record of every answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, send } from '../support/http.ts';

export interface Fate {
  /** Answers 204. */
  told: number;
  /** Answers 404. */
  gone: number;
  /** Error 50308 or a lost connection: the outcome is unknown. */
  uncertain: number;
  /** Another 503, after which nothing has changed. */
  refused: number;
  story: string[];
}

export interface Noticed {
  readGapMs: number;
  slowestReadMs: number;
  reads: number;
  /** Reads that were answered otherwise, by status or error. */
  otherReads: Record<string, number>;
  writeGapMs: number;
  slowestDeleteMs: number;
}

export interface Mix {
  fates: ReadonlyMap<number, Fate>;
  wrong: string[];
  noticed(): Noticed[];
  lastToldAt(): number;
  stop(): Promise<void>;
}

export interface MixOptions {
  services: readonly string[];
  token: string;
  targets: readonly string[];
  plants: readonly number[];
}

const readersPerService = 4;
const deletersPerService = 4;
const racedPlants = 4;
const retryAfterMs = 1_000;

export function startMix({ services, token, targets, plants }: MixOptions): Mix {
  const fates = new Map<number, Fate>();
  const wrong: string[] = [];
  const began = performance.now();
  const books = services.map(() => ({ reads: [began], writes: [began], slowestRead: 0, slowestDelete: 0 }));
  const others = services.map((): Record<string, number> => ({}));
  let isOver = false;
  let overAt = Number.POSITIVE_INFINITY;
  let next = 0;

  const read = async (service: number) => {
    const [url = '', book, other] = [services[service], books[service], others[service]];
    if (!book || !other) return;
    const tags = new Map<string, string>();
    for (let count = service; !isOver; count++) {
      const target = targets[count % targets.length] ?? '/';
      const tag = tags.get(target);
      const started = performance.now();
      let outcome: string;
      try {
        const headers: Record<string, string> = tag !== undefined && count % 2 === 0 ? { 'If-None-Match': tag } : {};
        const { status, text, headers: had } = await send(url, target, { token, headers });
        outcome = status === 503 ? String(JSON.parse(text).error) : String(status);
        if (had.etag !== undefined) tags.set(target, had.etag);
      } catch (error) {
        outcome = String((error as NodeJS.ErrnoException).code);
      }
      const ended = performance.now();
      book.slowestRead = Math.max(book.slowestRead, ended - started);
      if (outcome === '200' || outcome === '304') book.reads.push(ended);
      else {
        other[outcome] = (other[outcome] ?? 0) + 1;
        if (!outcome.startsWith('503')) wrong.push(`GET ${target}: ${outcome}`);
      }
      await sleep(10);
    }
  };

  /** Retries like a careful program: after the Retry-After of a 503, and at the other service after a lost connection. */
  const remove = async (plant: number, service: number, fate: Fate) => {
    for (let at = service; ; ) {
      const book = books[at];
      const started = performance.now();
      let reply: Reply | undefined;
      try {
        reply = await send(services[at] ?? '', `/plants/${plant}`, { method: 'DELETE', token });
      } catch {
        fate.uncertain++;
        at = (at + 1) % services.length;
      }
      const told = reply?.status === 503 ? JSON.parse(reply.text).error : reply?.status;
      fate.story.push(`${told ?? 'lost'} by ${at} at ${((performance.now() - began) / 1000).toFixed(1)}`);
      if (book) book.slowestDelete = Math.max(book.slowestDelete, performance.now() - started);
      if (reply?.status === 204) {
        fate.told++;
        book?.writes.push(performance.now());
        return;
      }
      if (reply?.status === 404) {
        fate.gone++;
        return;
      }
      if (reply && (reply.status !== 503 || reply.headers['retry-after'] === undefined)) {
        wrong.push(`DELETE /plants/${plant}: ${reply.status} ${reply.text}`);
        return;
      }
      if (reply) {
        if (told === 50308) fate.uncertain++;
        else fate.refused++;
      }
      await sleep(retryAfterMs);
    }
  };

  const deleteAll = async (service: number) => {
    while (!isOver) {
      const plant = plants[next++];
      if (plant === undefined) {
        wrong.push('there were too few plants');
        return;
      }
      const fate: Fate = { told: 0, gone: 0, uncertain: 0, refused: 0, story: [] };
      fates.set(plant, fate);
      const rival = (service + 1) % services.length;
      const deleters = plant % racedPlants === 0 ? [service, rival] : [service];
      await Promise.all(deleters.map((at) => remove(plant, at, fate)));
      await sleep(10);
    }
  };

  const everyone = services.flatMap((_, service) => [
    ...Array.from({ length: readersPerService }, () => read(service)),
    ...Array.from({ length: deletersPerService }, () => deleteAll(service)),
  ]);
  return {
    fates,
    wrong,
    noticed: () =>
      books.map(({ reads, writes, slowestRead, slowestDelete }, service) => ({
        readGapMs: longestGap([...reads, Math.min(overAt, performance.now())]),
        slowestReadMs: slowestRead,
        reads: reads.length - 1,
        otherReads: others[service] ?? {},
        writeGapMs: longestGap([...writes, Math.min(overAt, performance.now())]),
        slowestDeleteMs: slowestDelete,
      })),
    lastToldAt: () => Math.min(...books.map(({ writes }) => writes.at(-1) ?? began)),
    stop: async () => {
      isOver = true;
      overAt = performance.now();
      await Promise.all(everyone);
    },
  };
}

function longestGap(times: readonly number[]): number {
  return times.reduce((longest, time, place) => Math.max(longest, time - (times[place - 1] ?? time)), 0);
}
