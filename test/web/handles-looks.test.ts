/** Handles, submissions and contests in a real Chromium: axe finds nothing, nothing scrolls sideways, with long names too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle } from '../../src/practice/handles.ts';
import { codeforcesNamed, openGarden, submissionsOf, twins } from '../importing/support.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const handles = '/authentication/account/handles/';

test('handles and what came with them in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const id = await memberWithPassword(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  const title = 'Codeforces Round 313, 2015-2016 Grand Prix of Saint-Petersburg and all its Rivers (Div. 1)';
  const contest = { id: 10, name: title, phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds: 10 };
  await garden.import('codeforces-contests', { status: 'OK', result: [contest, { ...contest, id: 20 }] });
  await garden.import('codeforces-problems', codeforcesNamed('Task', '10A', '20A'));
  await garden.import('codeforces-twins', twins(['10A', '20A']));
  const file = submissionsOf(
    'ada_of_the_long_long_name',
    ['10A', 'WRONG_ANSWER', 10],
    ['10A', 'COMPILATION_ERROR', 20],
    ['20A', 'OK', 30],
    ['20A', undefined, 40],
    ['100001A', 'OK', 50],
  );
  await garden.import('codeforces-submissions', file, { member: 'ada' });
  await garden.store.write((tx) => addHandle(tx, id, 'cses', 'x'.repeat(100)));
  const { url } = await serveHere(t, { databaseUrl });
  const { page, strays, complaints, look } = await openPage(browser, url);
  await enter(page, url, 'ada', handles);
  assert.equal(await page.locator('[data-handle]').count(), 2);
  await look('handles');

  await page.fill('[name=handle]', 'two words');
  await page.click('.inline-form button');
  assert.match(await page.locator('.fault').innerText(), / contains a space\. A handle at Codeforces has/);
  assert.ok(await page.locator('[name=handle]:focus').isVisible(), 'the field with the fault has the focus');
  await look('handles with a fault');

  await page.goto(url + handles);
  for (const beside of await page.locator('.handle-head .actions').all())
    assert.ok((await beside.locator(':scope > :is(a, button, form)').count()) <= 1);
  await page.getByLabel('More for ada_of_the_long_long_name').click();
  await look('the menu of a handle');
  await page.getByRole('link', { name: 'Unlink… ada_of_the_long_long_name' }).click();
  await look('unlinking');
  await page.goto(`${url}/problem_list/problem/1/`);
  assert.equal(await page.locator('[data-submission]').count(), 4);
  await look('a problem with submissions');

  await page.goto(`${url}/problem_list/?contest=grand+prix`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.click('summary:has-text("Contest")');
  assert.equal(await page.locator('.contests a').count(), 2);
  await look('contests of this name');
  await page.keyboard.press('Escape');
  await page.goto(`${url}/problem_list/?source=codeforces&contest=20`);
  await look('a contest');

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url + handles);
  await page.locator('[name=handle]').focus();
  await page.keyboard.type('ada_two');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.notice:has-text("Linked.")');
  await page.locator('[data-handle="3"] .handle-head summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-handle="3"] a.danger').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:text("Unlink a handle")');
  await page.locator('button.danger').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.notice:has-text("Unlinked.")');
  assert.equal(await page.locator('[data-handle]').count(), 2);

  assert.deepEqual([strays, complaints], [[], []]);
});
