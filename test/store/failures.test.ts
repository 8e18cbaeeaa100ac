/** What an engine or an address says, as people and the health check are told it. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { fileOf } from '../../src/store/open.ts';
import { isConflict, isTimeout, asAppError as ofPostgres } from '../../src/store/postgres/errors.ts';
import { asAppError as ofSqlite } from '../../src/store/sqlite/errors.ts';
import { type Store, trackFailures } from '../../src/store/store.ts';

test('each error of an engine is one of ours, with its code and its database as they are written', () => {
  const codes: [typeof ofSqlite, Record<string, string>][] = [
    [
      ofSqlite,
      {
        SQLITE_BUSY_SNAPSHOT: 'databaseBusy',
        SQLITE_READONLY_DIRECTORY: 'databaseReadOnly',
        EROFS: 'databaseReadOnly',
        SQLITE_IOERR_WRITE: 'databaseFull',
        SQLITE_IOERR_READ: 'databaseUnavailable',
        SQLITE_CORRUPT_VTAB: 'databaseCorrupt',
        SQLITE_NOTADB: 'databaseCorrupt',
      },
    ],
    [
      ofPostgres,
      {
        '28P01': 'databaseUnavailable',
        CERT_HAS_EXPIRED: 'databaseUnavailable',
        EPROTO: 'databaseUnavailable',
        ECONNREFUSED: 'databaseUnavailable',
        '08006': 'databaseUnavailable',
        53400: 'databaseUnavailable',
        25006: 'databaseReadOnly',
        53100: 'databaseFull',
        40001: 'databaseBusy',
        57014: 'databaseBusy',
        XX001: 'databaseCorrupt',
        '22P05': 'badRow',
      },
    ],
  ];
  for (const [toOurs, byCode] of codes)
    for (const [code, name] of Object.entries(byCode))
      assert.equal((toOurs({ code }, 'garden') as AppError).code, name, code);
  const { message } = ofSqlite({ code: 'SQLITE_IOERR_READ' }, '/a/$&.db') as AppError;
  assert.equal(
    message,
    'The database /a/$&.db cannot be opened or read (SQLITE_IOERR_READ); check that it exists and that this user may read it.',
  );
  const lost = ofPostgres(new Error('Connection terminated unexpectedly'), 'garden') as AppError;
  assert.match(lost.message, /^garden cannot be reached \(it does not answer\)/);
  const own = new AppError('databaseBusy', 'Busy.', { cause: { code: '40P01' } });
  const unknown = { code: '42P01' };
  assert.equal(ofPostgres(unknown, 'garden'), unknown);
  for (const error of [own, { code: 'SQLITE_RANGE' }, { code: 7 }, undefined])
    assert.equal(ofSqlite(error, 'garden'), error);
  assert.deepEqual([own, { code: '40001' }, { code: '40002' }].map(isConflict), [true, true, false]);
  assert.deepEqual([new Error('Query read timeout'), { code: 'ETIMEDOUT' }, { code: 'EPIPE' }].map(isTimeout), [
    true,
    true,
    false,
  ]);
});

test('a full disk is remembered until a write succeeds, which is tried with more than a delete writes', async () => {
  let fault: unknown;
  const sizes: number[] = [];
  const tx = {
    insertInto: () => ({
      values: ({ value }: { value: string }) => ({ execute: async () => sizes.push(value.length) }),
    }),
    deleteFrom: () => ({ where: () => ({ execute: async () => [] }) }),
  };
  const attempt = async (work: (db: never) => Promise<unknown>) => {
    if (fault) throw fault;
    return work(tx as never);
  };
  const { write, writeFailure } = trackFailures(attempt as Store['write']);
  const failsWith = async (error: unknown) => {
    fault = error;
    await assert.rejects(
      write(async () => 1),
      (one) => one === error,
    );
  };
  for (const passing of [new AppError('databaseBusy', 'Busy.'), new Error('other')]) await failsWith(passing);
  assert.deepEqual([await writeFailure(), sizes], [undefined, []], 'nothing is tried');
  await failsWith(new AppError('databaseFull', 'Full.'));
  assert.equal(await writeFailure(), 'databaseFull');
  fault = undefined;
  assert.deepEqual([await writeFailure(), await writeFailure(), sizes], [undefined, undefined, [65_536]]);
});

test('an address names a file or a server, and one that names neither is corrected', () => {
  const files: [url: string, file: string | undefined][] = [
    ['postgres://db.example/garden', undefined],
    ['postgresql://db.example/garden', undefined],
    ['sqlite:./a.db', resolve('a.db')],
    ['sqlite:a:b.db', resolve('a:b.db')],
    ['sqlite:/srv/a.db', '/srv/a.db'],
    ['sqlite:///srv/a.db', '/srv/a.db'],
    ['sqlite:////srv/a.db', '/srv/a.db'],
  ];
  for (const [url, file] of files) assert.equal(fileOf(url), file, url);
  const wrong = {
    'sqlite::memory:': 'sqlite:./data/garden.db',
    'sqlite:a\0b': 'sqlite:./data/garden.db',
    'sqlite://a.db': 'sqlite:a.db',
    '': 'sqlite:./data/garden.db',
    '/srv/a.db': 'sqlite:/srv/a.db',
    './x.db': 'sqlite:./x.db',
    'sqlite://./x.db': 'sqlite:./x.db',
  };
  for (const [url, example] of Object.entries(wrong))
    assert.throws(
      () => fileOf(url),
      (error: Error) => error.message.includes(`such as ${example}, or`),
      url,
    );
});
