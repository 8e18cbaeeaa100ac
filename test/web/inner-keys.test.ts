/** A key that only addresses have finds its problem, and no page shows it beside the one that people know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGarden } from '../importing/support.ts';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

test('a problem of UVa is found by each of its addresses, and shown by its number', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('uva-problems', [[36, 100, 'The 3n + 1 problem', 61026]]);
  const sent = { name: 'A', uname: 'ada', subs: [[1, 36, 90, 0, 1_700_000_000, 5, -1]] };
  await garden.import('uva-submissions', sent, { member: 'ada' });
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const address = 'https://onlinejudge.org/index.php?option=com_onlinejudge&page=show_problem&problem=36';
  const known = await ada.open(`/problem_list/new/?url=${encodeURIComponent(address)}`);
  assert.match(known.text, /This problem is here already/);
  for (const path of ['/problem_list/', '/problem_list/problem/1/']) {
    const { text } = await ada.open(path);
    assert.match(text, /The 3n \+ 1 problem/);
    assert.doesNotMatch(text, /pid:36/, path);
  }
  const other = await ada.open(
    `/problem_list/new/?url=${encodeURIComponent('https://leetcode.com/problems/two-sum/')}`,
  );
  assert.match(other.text, /Link your handle there, and what you solve is imported\./);
});
