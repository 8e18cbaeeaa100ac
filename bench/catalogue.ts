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
  function* text(): Generator<string> {
    let separator = '{"status":"OK","result":{"problems":[';
    for (const { contestId, index, title, ...told } of madeUp(size)) {
      yield separator + JSON.stringify({ contestId, index, name: title, type: 'PROGRAMMING', ...told });
      separator = ',';
    }
    yield '],"problemStatistics":[]}}';
  }
  await pipeline(Readable.from(joined(text())), createWriteStream(path));
}

/** Writes the same problems as rows of our own, a line each: such a file may have any length. */
export async function writeRows(path: string, size: number): Promise<void> {
  function* text(): Generator<string> {
    for (const { contestId, index, ...told } of madeUp(size)) {
      const url = `https://codeforces.com/problemset/problem/${contestId}/${index}`;
      yield `${JSON.stringify({ source: 'codeforces', source_key: `${contestId}${index}`, url, ...told })}\n`;
    }
  }
  await pipeline(Readable.from(joined(text())), createWriteStream(path));
}

function* madeUp(size: number) {
  const random = seeded(size);
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  for (let place = 0; place < size; place++) {
    yield {
      ...keyAt(place),
      title: `${pick(words)} ${pick(words)} and ${pick(words)} ${random(1000)}`,
      ...(random(10) > 0 && { rating: 800 + 100 * random(28) }),
      tags: [...new Set(Array.from({ length: random(5) }, () => pick(topics)))],
    };
  }
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
