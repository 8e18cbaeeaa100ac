/** A page takes few statements, whatever it shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStatus } from '../../src/practice/marks.ts';
import { saveView } from '../../src/practice/preferences.ts';
import type { Db } from '../../src/store/tables.ts';
import { memberWithPassword } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ponds } from '../support/ponds.ts';
import { countStatements } from '../support/statements.ts';

const list = '/problem_list/';
const problems = ponds(30, (place) => ({ rating: 800 + place * 40, tags: place % 2 === 0 ? ['dp'] : [] }));

const most: readonly (readonly [path: string, statements: number])[] = [
  [list, 14],
  [`${list}?status=unsolved&q=pond&tag=dp&rating_min=900`, 16],
  [`${list}problem/1/`, 14],
  [`${list}bulk/?tag=dp`, 7],
  ['/dashboard/history/', 4],
  [`${list}contests/?source=codeforces`, 2],
  ['/dashboard/review/', 9],
  ['/dashboard/', 22],
  ['/dashboard/progress/', 12],
  ['/authentication/account/', 2],
  ['/authentication/account/connections/', 5],
  ['/authentication/account/tokens/', 2],
  ['/authentication/account/sessions/', 2],
  ['/authentication/account/password/', 2],
];

test('a page takes few statements', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const browser = await browserOf(url, 'ada');
  const change = (work: (tx: Db) => Promise<unknown>) => withStore(databaseUrl, (store) => store.write(work));
  await change((tx) => setStatus(tx, { memberId: ada, problemIds: [1n, 2n], status: 'complete' }));
  for (let place = 0; place < 20; place++)
    await change((tx) => saveView(tx, ada, { name: `View ${place}`, query: `?status=reading&q=${place}` }));
  for (const [path] of most) await browser.ask(path);
  const statements = countStatements(t);
  for (const [path, atMost] of most) {
    const before = statements();
    const { status } = await browser.ask(path);
    const count = statements() - before;
    assert.equal(status, 200, path);
    t.diagnostic(`${path}: ${count} statements`);
    assert.ok(count >= 1 && count <= atMost, `${path}: ${count} statements`);
  }
});
