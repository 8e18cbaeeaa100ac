/**
 * Opening an archive that may be hostile. What the zip file declares is checked against what is allowed before a byte is
 * inflated, and what is inflated against what was declared.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { badFile } from '../errors.ts';
import { type PartName, partFile, partNames, readmeFile } from './archive-writer.ts';

export interface ArchiveLimits {
  packedBytes: number;
  /** The size of all files together. */
  inflatedBytes: number;
}

/** A member with a million submissions stays below. */
export const archiveLimits: ArchiveLimits = {
  packedBytes: 64 * 1024 * 1024,
  inflatedBytes: 512 * 1024 * 1024,
};

/** No deflate stream grows by more than this. */
const largestRatio = 1032;
const localHeaderBytes = 30;
const again = 'nothing was imported: export it again';

export interface ArchivePart {
  name: PartName;
  open(): AsyncIterable<Uint8Array>;
}

/** The files of an archive, in the order in which they are read. Throws badFile. */
export async function openArchive(
  bytes: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): Promise<ArchivePart[]> {
  const whole = await gather(bytes, limits.packedBytes);
  try {
    const zip = await fromBufferPromise(whole, { strictFileNames: true });
    const most = partNames.length + 1;
    if (zip.entryCount > most)
      throw badFile(`The archive has ${zip.entryCount} files, and at most ${most} are known; ${again}.`);
    const entries = await listEntries(zip);
    checkEntries(entries, whole.length, limits);
    const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
    return partNames.flatMap((name) => {
      const entry = byName.get(partFile(name));
      return entry ? [{ name, open: () => contentOf(zip, entry) }] : [];
    });
  } catch (error) {
    throw asBadFile(error);
  }
}

async function gather(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw badFile(`The archive is larger than ${inMiB(most)}, and nothing was imported.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Entry[]>();
  const entries: Entry[] = [];
  zip.on('entry', (entry: Entry) => {
    entries.push(entry);
    zip.readEntry();
  });
  zip.on('end', () => resolve(entries));
  zip.on('error', reject);
  zip.readEntry();
  return promise;
}

function checkEntries(entries: readonly Entry[], packedBytes: number, limits: ArchiveLimits): void {
  const known = new Set([readmeFile, ...partNames.map(partFile)]);
  const seen = new Set<string>();
  let inflated = 0;
  for (const entry of entries) {
    const { fileName, compressedSize, uncompressedSize } = entry;
    const shown = JSON.stringify(visible(fileName, 80));
    const refuse = (why: string) => badFile(`The archive's file ${shown} ${why}; ${again}.`);
    if (!known.has(fileName)) throw refuse(`is not known; there are ${[...known].join(', ')}`);
    if (seen.has(fileName)) throw refuse('is in it twice');
    seen.add(fileName);
    if (entry.isEncrypted()) throw refuse('is encrypted; unpack it and pack it without a password');
    if (![0, 8].includes(entry.compressionMethod)) throw refuse('is packed in a way that is not read here');
    if (compressedSize > packedBytes || uncompressedSize > compressedSize * largestRatio + localHeaderBytes)
      throw refuse('declares an impossible size');
    inflated += uncompressedSize;
  }
  if (inflated > limits.inflatedBytes)
    throw badFile(
      `The archive is larger than ${inMiB(limits.inflatedBytes)} unpacked, and nothing was imported.`,
    );
  if (!seen.has(partFile('records')))
    throw badFile(`The archive has no ${partFile('records')}, which says whose it is; ${again}.`);
  refuseOverlaps(entries, packedBytes);
}

/** Files that share bytes would each be inflated from the same ones. */
function refuseOverlaps(entries: readonly Entry[], packedBytes: number): void {
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const [place, { relativeOffsetOfLocalHeader: start, compressedSize }] of byPlace.entries()) {
    const next = byPlace[place + 1]?.relativeOffsetOfLocalHeader ?? packedBytes;
    if (start + localHeaderBytes + compressedSize > next)
      throw badFile(`Files of the archive overlap; ${again}.`);
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    // The stream fails where there are more or fewer bytes than declared.
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw asBadFile(error);
  }
  if (sum !== entry.crc32) throw badFile(`It is damaged (its checksum differs); ${again}.`);
}

/** Turns an error of yauzl or zlib into one sentence. Our own errors stay as they are. */
function asBadFile(error: unknown): unknown {
  if (!(error instanceof Error) || 'status' in error) return error;
  const why = visible(error.message, 120);
  return badFile(`The archive cannot be unpacked (${why.replace(/\.$/, '')}); ${again}.`, error);
}

function inMiB(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`;
}

/** The start of a text from elsewhere, without what could deceive a reader. */
function visible(text: string, longest: number): string {
  return text.replaceAll(/\p{C}/gu, '').slice(0, longest);
}
