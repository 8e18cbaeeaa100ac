/** Hostile archives: each with the sentence that refuses it. All of them are refused whole, and before much is unpacked. */
import { deflateRawSync } from 'node:zlib';
import { type ZipEntry, zipFile } from '../support/zips.ts';

export interface HostileArchive {
  name: string;
  bytes: Buffer;
  /** The sentence; undefined for one that looks hostile and is read. */
  refusal: RegExp | undefined;
}

const record = '{"username":"ada"}\n';
const records: ZipEntry = { name: 'records.ndjson', text: record };
const plants = (more: Partial<ZipEntry> = {}): ZipEntry => ({ name: 'plants.ndjson', text: '', ...more });
const stored = { ...records, method: 0 };
const sound = zipFile([records]);

const names = [
  ...['../records.ndjson', '/etc/passwd', 'C:\\x', '..\\x', 'a/records.ndjson', 'records.ndjson/', 'RECORDS.NDJSON'],
  ...[
    'inner.zip',
    'tokens.ndjson',
    'others.ndjson',
    '',
    '.',
    'records.ndjson\0.txt',
    '\u202Etxt.ndjson',
    'x'.repeat(60_000),
  ],
];

const zip64 = (size: bigint) => {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(size, 4);
  return extra;
};

/** `inflatedBytes` is how much may be unpacked. */
export function hostileArchives(inflatedBytes: number): HostileArchive[] {
  const blank = Buffer.alloc(inflatedBytes + 1, '\n');
  const packedBlank = deflateRawSync(blank);
  const one = (name: string, entries: readonly ZipEntry[], refusal: RegExp | undefined) => ({
    name,
    bytes: zipFile(entries),
    refusal,
  });
  /** A sound record, and beside it a file with these changes. */
  const beside = (name: string, more: Partial<ZipEntry>, refusal: RegExp | undefined) =>
    one(name, [records, plants(more)], refusal);
  const cut = [0, 1, 4, 21, 22, 30, 60, sound.length - 23, sound.length - 1];
  return [
    one('a sound one', [records], undefined),
    one('its files in another order', [plants(), records], undefined),
    one('a stored file', [stored], undefined),
    beside('a small file with sizes of 64 bits', { size: 0xffffffff, extra: zip64(0n) }, undefined),
    ...names.map((name) =>
      one(
        `a file ${JSON.stringify(name.slice(0, 20))}`,
        [records, plants({ name })],
        /has an unknown file|invalid|absolute|cannot be unpacked/,
      ),
    ),
    one('a file twice', [records, plants(), plants()], /"plants\.ndjson" is in it twice/),
    one(
      'more files than there are kinds',
      Array.from({ length: 5000 }, () => plants()),
      /has 5000 files, and at most 15 are known/,
    ),
    {
      name: 'fewer files in the list than it says',
      bytes: zipFile([records], { count: 9 }),
      refusal: /cannot be unpacked/,
    },
    {
      name: 'files that the list leaves out',
      bytes: zipFile([plants(), records], { count: 1 }),
      refusal: /no records\.ndjson/,
    },
    one('no record', [plants()], /no records\.ndjson, which says whose it is/),
    one('an empty record', [{ ...records, text: '' }], /no valid row, so nothing says whose archive this is/),
    one('nothing at all', [], /no records\.ndjson/),
    beside('an encrypted file', { flags: 0x801 }, /"plants\.ndjson" in the archive is encrypted/),
    beside('strong encryption', { flags: 0x841 }, /strong encryption is not supported/),
    beside('another packing', { method: 14 }, /compressed in a way that this server can’t read/),
    beside('a bomb that says how large it is', { text: blank }, /larger than 1 MiB unpacked/),
    one(
      'a bomb in two files',
      [records, plants({ text: blank.subarray(1) }), { name: 'changes.ndjson', text: blank.subarray(1) }],
      /larger than 1 MiB unpacked/,
    ),
    beside('a bomb that says it is small', { text: '\n', packed: packedBlank }, /too many bytes in the stream/),
    ...(
      [
        ['a size that no packing reaches', { size: 0x7fffffff }],
        ['a size of 64 bits that no file has', { size: 0xffffffff, extra: zip64(2n ** 60n) }],
        ['a size of 64 bits without the bits', { size: 0xffffffff }],
        ['a packed size beyond the archive', { packedSize: 0x7ffffffe }],
      ] as const
    ).map(([name, said]) => beside(name, said, /declares an impossible size/)),
    beside('a size one byte beyond what packing reaches', { size: 2 * 1032 + 31 }, /impossible size/),
    beside('the largest size that packing reaches', { size: 2 * 1032 + 30 }, /not enough bytes/),
    beside('a long name', { name: 'y'.repeat(99) }, /unknown file "y{80}"; it may only have README\.txt, r/),
    one('a file that begins in the last byte of another', [stored, plants({ offset: 48 })], /overlap/),
    one('a file that begins behind the last byte of another', [stored, plants({ offset: 49 })], /unpacked \(invalid/),
    beside('files over one another', { offset: 0, text: record, packedSize: 1 }, /overlap|declares/),
    beside('a place beyond the archive', { offset: 0x7fffffff }, /overlap/),
    beside('a place in the middle', { offset: 70 }, /overlap|cannot be unpacked/),
    beside('fewer bytes than it says', { text: '\n', size: 2 }, /not enough bytes in the stream/),
    beside('another checksum', { text: '\n', crc: 1 }, /^plants\.ndjson: It is damaged \(its checksum differs\)/),
    beside('bytes that are not packed', { text: 'x', packed: Buffer.alloc(50, 255) }, /cannot be unpacked/),
    beside('an archive in a file', { text: sound }, /^plants\.ndjson: The file is compressed/),
    beside('a line without end', { text: 'x'.repeat(1024 * 1024 - 1000), method: 0 }, /Not JSON/),
    beside(
      'ids of another garden',
      { text: '{"id":1,"username":"ada","name":"x","target":1}\n' },
      /there is no field "id"/,
    ),
    ...cut.map((length) => ({
      name: `cut after ${length} bytes`,
      bytes: sound.subarray(0, length),
      refusal: /cannot be unpacked|no records/,
    })),
    {
      name: 'bytes behind it',
      bytes: Buffer.concat([sound, Buffer.from('x')]),
      refusal: /cannot be unpacked/,
    },
    {
      name: 'bytes before it',
      bytes: Buffer.concat([Buffer.from('#!/bin/sh\n'), sound]),
      refusal: /cannot be unpacked/,
    },
    { name: 'a JSON file', bytes: Buffer.from('[]'), refusal: /cannot be unpacked/ },
  ];
}
