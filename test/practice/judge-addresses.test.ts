/** Addresses of judges: what staff may enter, whose counts, and that the progress of syncs is of one site. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOfJudge,
  deleteJudgeAddress,
  listJudgeAddresses,
  parseJudgeAddress,
  saveJudgeAddress,
} from '../../src/practice/judge-addresses.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';

test('an address of a judge is plain, without its last slash', () => {
  const club = 'https://club.example';
  for (const [text, address] of [
    [club, club],
    [`${club}//`, club],
    [`${club}/a/?#`, `${club}/a`],
    ['http://club.example:8090/A/', 'http://club.example:8090/A'],
    [`${club}/${'x'.repeat(179)}`, `${club}/${'x'.repeat(179)}`],
  ] as const)
    assert.equal(parseJudgeAddress(text), address);
  const wrong = ['', 'club', 'ftp://club.example', 'https://u@club.example', 'https://:p@club.example'];
  for (const text of [...wrong, `${club}/?a`, `${club}/#a`, `${club}/${'x'.repeat(180)}`])
    assert.throws(() => parseJudgeAddress(text), { code: 'invalidValue' }, text);
});

test('the operator’s address counts more, also for a part of a judge, and another site is synced from its beginning', async (t) => {
  const { store } = await openGarden(t);
  const sync = () =>
    store.write((tx) => saveSync(tx, freshSync({ source: 'dmoj', task: 'problems', handle_id: null })));
  const syncs = async () => (await store.reader.selectFrom('syncs').select('task').execute()).length;
  const save = (url: string) => store.write((tx) => saveJudgeAddress(tx, 'dmoj', url));
  await sync();
  await save('https://a.example');
  assert.equal(await syncs(), 0);
  await sync();
  await save('https://a.example');
  assert.equal(await syncs(), 1, 'it is the same site');
  const own = new Map([['atcoder', 'http://127.0.0.1']]);
  const addresses = await listJudgeAddresses(store.reader, own);
  const atcoder = { url: 'http://127.0.0.1', mayBePrivate: true };
  assert.deepEqual(
    ['dmoj', 'atcoder', 'atcoder-ratings', 'cses'].map((name) => addressOfJudge(addresses, name)),
    [{ url: 'https://a.example', mayBePrivate: false }, atcoder, atcoder, undefined],
  );
  const both = await listJudgeAddresses(store.reader, new Map([['dmoj', 'http://127.0.0.1']]));
  assert.deepEqual(both.get('dmoj'), atcoder);
  await store.write((tx) => deleteJudgeAddress(tx, 'dmoj'));
  assert.deepEqual([await syncs(), (await listJudgeAddresses(store.reader, undefined)).size], [0, 0]);
});
