/** A made-up catalogue of problems in the shape of Codeforces' own, the same in every run. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Random numbers from 0 to `below` − 1, the same in every run (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words = 'amber birch cedar delta ember fern grove hazel iris juniper kelp larch moss nettle oak'.split(
  ' ',
);
const topics = 'paths sums trees strings games counting geometry matching parity intervals'.split(' ');
const problemsPerContest = 6;

/** Writes a catalogue in the shape of Codeforces' problemset.problems, made up from a fixed seed. */
export async function writeCatalogue(path: string, size: number): Promise<void> {
  const random = seeded(size);
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  function* text(): Generator<string> {
    yield '{"status":"OK","result":{"problems":[';
    for (let place = 0; place < size; place++) {
      const problem = {
        ...keyAt(place),
        name: `${pick(words)} ${pick(words)} and ${pick(words)} ${random(1000)}`,
        type: 'PROGRAMMING',
        points: 500 + 250 * random(10),
        ...(random(10) > 0 && { rating: 800 + 100 * random(28) }),
        tags: [...new Set(Array.from({ length: random(5) }, () => pick(topics)))],
      };
      yield (place === 0 ? '' : ',') + JSON.stringify(problem);
    }
    yield '],"problemStatistics":[';
    for (let place = 0; place < size; place++) {
      yield (place === 0 ? '' : ',') + JSON.stringify({ ...keyAt(place), solvedCount: random(30_000) });
    }
    yield ']}}';
  }
  await pipeline(Readable.from(joined(text())), createWriteStream(path));
}

function keyAt(place: number): { contestId: number; index: string } {
  const index = String.fromCharCode(65 + (place % problemsPerContest));
  return { contestId: 1 + Math.floor(place / problemsPerContest), index };
}

/** Small texts as pieces that are worth a write. */
export function* joined(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
