/**
 * Opening an archive that may be hostile. What the zip file declares is checked against what is allowed before a byte is
 * inflated, and what is inflated against what was declared.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { refused } from '../errors.ts';
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
    if (zip.entryCount > most) throw refused('badFile.zipFiles', { count: zip.entryCount, most });
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
    if (length > most) throw refused('badFile.zipLarge', { most: inMiB(most) });
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
    const file = JSON.stringify(visible(fileName, 80));

    if (!known.has(fileName)) throw refused('badFile.zipUnknown', { file, known: [...known].join(', ') });
    if (seen.has(fileName)) throw refused('badFile.zipTwice', { file });
    seen.add(fileName);
    if (entry.isEncrypted()) throw refused('badFile.zipEncrypted', { file });
    if (![0, 8].includes(entry.compressionMethod)) throw refused('badFile.zipMethod', { file });
    if (compressedSize > packedBytes || uncompressedSize > compressedSize * largestRatio + localHeaderBytes)
      throw refused('badFile.zipSize', { file });
    inflated += uncompressedSize;
  }
  if (inflated > limits.inflatedBytes)
    throw refused('badFile.zipInflated', { most: inMiB(limits.inflatedBytes) });
  if (!seen.has(partFile('records'))) throw refused('badFile.zipNoOwner', { file: partFile('records') });
  refuseOverlaps(entries, packedBytes);
}

/** Files that share bytes would each be inflated from the same ones. */
function refuseOverlaps(entries: readonly Entry[], packedBytes: number): void {
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const [place, { relativeOffsetOfLocalHeader: start, compressedSize }] of byPlace.entries()) {
    const next = byPlace[place + 1]?.relativeOffsetOfLocalHeader ?? packedBytes;
    if (start + localHeaderBytes + compressedSize > next) throw refused('badFile.zipOverlap');
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
  if (sum !== entry.crc32) throw refused('badFile.zipDamaged');
}

/** Turns an error of yauzl or zlib into one sentence. Our own errors stay as they are. */
function asBadFile(error: unknown): unknown {
  if (!(error instanceof Error) || 'status' in error) return error;
  const why = visible(error.message, 120).replace(/\.$/, '');
  return refused('badFile.zip', { why }, error);
}

function inMiB(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`;
}

/** The start of a text from elsewhere, without what could deceive a reader. */
function visible(text: string, longest: number): string {
  return text.replaceAll(/\p{C}/gu, '').slice(0, longest);
}
