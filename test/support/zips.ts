/** Zip files by their bytes, so that the program is not tested against its own code. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  text: string | Uint8Array;
  method?: number;
  flags?: number;
  packed?: Uint8Array;
  crc?: number;
  packedSize?: number;
  size?: number;
  offset?: number;
  extra?: Uint8Array;
}

const local = 0x04034b50;
const central = 0x02014b50;
const end = 0x06054b50;

export function zipFile(entries: readonly ZipEntry[], { count = entries.length } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { text, method = 8, flags = 0x800, extra = Buffer.alloc(0) } = entry;
    const name = Buffer.from(entry.name);
    const bytes = Buffer.from(text);
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes));
    const { crc = crc32(bytes), packedSize = packed.length, size = bytes.length, offset = at } = entry;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc, 10);
    shared.writeUInt32LE(packedSize, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([uint32(local), shared, name, packed]);
    shared.writeUInt16LE(extra.length, 24);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(central), Buffer.from([20, 3]), shared, tail, name, extra]));
    parts.push(head);
    at += head.length;
  }
  const listed = Buffer.concat(directory);
  const close = Buffer.alloc(22);
  close.writeUInt32LE(end, 0);
  close.writeUInt16LE(count, 8);
  close.writeUInt16LE(count, 10);
  close.writeUInt32LE(listed.length, 12);
  close.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, close]);
}

export function zipOf(files: ReadonlyMap<string, string>): Buffer {
  return zipFile([...files].map(([name, text]) => ({ name, text })));
}

export function readZip(bytes: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): Map<string, string> {
  const files = new Map<string, string>();
  const close = bytes.length - 22;
  let at = bytes.readUInt32LE(close + 16);
  for (let left = bytes.readUInt16LE(close + 10); left > 0; left--) {
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const offset = bytes.readUInt32LE(at + 42);
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    files.set(name, (bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString(encoding));
    at += 46 + nameLength + extraLength;
  }
  return files;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
