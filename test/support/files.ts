/** Helpers of the tests of files and judges: bytes in chunks of any size, readers run to their end, real files. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { inspect } from 'node:util';
import { AppError } from '../../src/errors.ts';
import type { Entry, FilePlace } from '../../src/files/entries.ts';
import { realPath } from './real-data.ts';

export async function* chunksOf(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* splitAt(content: string | Uint8Array, at: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  yield bytes.subarray(0, at);
  yield bytes.subarray(at);
}

export async function* repeated(start: string, middle: string, times: number, end: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start);
  const bytes = Buffer.from(middle);
  for (let round = 0; round < times; round++) yield bytes;
  yield Buffer.from(end);
}

type Told<T> = FilePlace & ({ value: T } | { bad: string });

export async function all<T>(batches: AsyncIterable<Entry<T>[]>): Promise<Told<T>[]> {
  const entries: Told<T>[] = [];
  for await (const batch of batches)
    for (const { place, ...entry } of batch)
      entries.push({ ...place(), ...('bad' in entry ? { bad: entry.bad.message } : entry) });
  return entries;
}

/** Holds that a reader finds the same entries wherever the bytes of a text are cut, in two pieces or in many small ones. */
export async function assertSameWhenCut<T>(
  read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Entry<T>[]>,
  content: string,
): Promise<void> {
  const expected = await all(read(chunksOf(content)));
  for (let at = 0; at <= Buffer.byteLength(content); at++) {
    assert.deepEqual(await all(read(splitAt(content, at))), expected, `cut at byte ${at}`);
  }
  for (const size of [1, 2, 3, 7]) {
    assert.deepEqual(await all(read(chunksOf(content, size))), expected, `chunks of ${size}`);
  }
}

export async function allValues<T>(batches: AsyncIterable<Entry<T>[]>): Promise<T[]> {
  const values: T[] = [];
  for await (const batch of batches) {
    for (const entry of batch) {
      // Only of a bad entry, because finding the place reads the whole file.
      if (!('value' in entry)) assert.fail(`a bad entry: ${inspect({ ...entry, ...entry.place() })}`);
      values.push(entry.value);
    }
  }
  return values;
}

export async function allFaults(batches: AsyncIterable<Entry<unknown>[]>): Promise<string[]> {
  return (await all(batches)).map((entry) => {
    assert.ok('bad' in entry, `a good entry: ${inspect(entry)}`);
    return entry.bad;
  });
}

export async function assertBadFile(work: Promise<unknown>, sentence = /./): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof AppError, `not an AppError: ${error}`);
    assert.equal(error.code, 'badFile');
    assert.match(error.message, sentence);
    return true;
  });
}

export function realFile(name: string): AsyncIterable<Uint8Array> {
  return createReadStream(realPath(name));
}
