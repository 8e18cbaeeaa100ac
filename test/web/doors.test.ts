/** The doors of the website, driven as a browser without script drives them: signing in and out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberWithPassword, signIn, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

test('a member signs in, sees their name, and signs out', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await signIn(url, 'ada');
  const page = await ada.open('/problem_list/');
  assert.equal(page.status, 200);
  assert.equal(textOf(page, '.menu-title span'), 'ada');
  await ada.submit({ within: 'form[action="/authentication/sign-out/"]' });
  assert.equal(ada.cookies.has('session'), false);
  assert.match((await ada.open('/problem_list/')).path, /^\/authentication\/sign-in\//);
});
