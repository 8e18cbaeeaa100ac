/** The program believes the declarations of an archive only as far as they hold: a hostile one is refused by a sentence, and changes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { archiveImporter } from '../../src/importing/archive.ts';
import { checkFile } from '../../src/importing/import.ts';
import { chunksOf } from '../support/files.ts';
import { zipFile } from '../support/zips.ts';
import { hostileArchives } from './archives.ts';

const mebibyte = 1024 * 1024;
const limits = { compressedBytes: 4 * mebibyte, inflatedBytes: mebibyte };

const check = (bytes: Uint8Array) =>
  checkFile(archiveImporter(limits), {
    open: async () => chunksOf(bytes),
    skipsBadRows: false,
    trustsIds: false,
  });

for (const { name, bytes, refusal } of hostileArchives(limits.inflatedBytes)) {
  test(`an archive with ${name} is ${refusal ? 'refused' : 'read'}`, async () => {
    if (!refusal) {
      assert.equal((await check(bytes)).rowCount, 1);
      return;
    }
    await assert.rejects(check(bytes), (error) => {
      assert.ok(error instanceof AppError && /^bad(File|Row)$/.test(error.code), String(error));
      assert.match(error.message, refusal);
      assert.ok(error.message.length < 2000);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may reach a terminal.
      assert.doesNotMatch(error.message, /[\x00-\x09\x0b-\x1f\u202e]/);
      return true;
    });
  });
}

test('an archive that is too large is refused while it is read', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += mebibyte;
      yield new Uint8Array(mebibyte);
    }
  };
  const asked = { open: async () => endless(), skipsBadRows: false, trustsIds: false };
  await assert.rejects(checkFile(archiveImporter(limits), asked), /larger than 4 MiB/);
  assert.equal(read, 5 * mebibyte);
});

test('an archive with any one byte changed is read or refused, and nothing breaks', async () => {
  const text = '{"username":"ada"}\n';
  const bytes = zipFile([
    { name: 'records.ndjson', text },
    { name: 'plants.ndjson', text: '{"username":"ada","name":"x","target":1}\n' },
  ]);
  let refused = 0;
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 0xff, (bytes[at] ?? 0) ^ 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      await check(changed).catch((error) => {
        assert.ok(error instanceof AppError && error.status === 400, `byte ${at}: ${error}`);
        refused++;
      });
    }
  }
  assert.ok(refused > bytes.length, `${refused} of ${bytes.length * 3}`);
});
