/** The demo, by the real program: a garden in use, whichever day it is started on; every page of it is looked at. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { greet } from '../../src/cli/first-start.ts';
import { loadSample } from '../../src/importing/sample.ts';
import { daysOfMember, readActivity } from '../../src/practice/activity.ts';
import { listSourcesOfHandles } from '../../src/store/handles.ts';
import { listDueHandles, requestSyncOf } from '../../src/store/syncs.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';
import { gardenHere } from '../support/commands.ts';
import { crawl } from '../support/crawl.ts';
import { type Browser, browser, parseHtml, textOf } from '../support/forms.ts';
import { root, serve, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';

const dayMs = 86_400_000;
const clock = pathToFileURL(join(root, 'test', 'support', 'shifted-clock.ts')).href;

async function startDemo(t: TestContext, aheadDays: number) {
  const databaseUrl = await temporaryDatabase(t);
  const env = { CLOCK_AHEAD_DAYS: String(aheadDays), NODE_OPTIONS: `--import=${clock}` };
  const server = await serve(t, { databaseUrl, args: ['--sample'], env });
  const address = /(\/authentication\/demo\/\?key=\S+)/;
  await until('an address', () => address.test(server.stdout()));
  const visitor = browser(server.url);
  const today = await visitor.open(address.exec(server.stdout())?.[1] ?? '');
  assert.equal(today.status, 200);
  return { visitor, today, garden: await openGarden(t, databaseUrl) };
}

/** How many of the club of twelve are behind, late and quiet, as its coach reads it from the table of the list that was due. */
async function clubFigures(visitor: Browser, reader: Db) {
  const idOf = async (table: 'groups' | 'lists', name: string) =>
    (await reader.selectFrom(table).select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
  const [group, list] = [await idOf('groups', 'Thursday club'), await idOf('lists', 'Winter camp')];
  const page = await visitor.open(`/dashboard/groups/${group}/assignments/${list}/`);
  const demo = await reader.selectFrom('members').select('id').where('username', '=', 'demo').execute();
  const lines = page.document
    .querySelectorAll('tr[data-person]')
    .filter((line) => line.getAttribute('data-person') !== String(demo[0]?.id));
  const isDone = (line: (typeof lines)[number]) =>
    line.querySelectorAll('td[data-state]').every((cell) => cell.getAttribute('data-state') === 'complete');
  const quiet = lines.filter((line) => line.querySelector('.quiet'));
  const late = lines.filter((line) => isDone(line) && line.querySelector('td .late-mark'));
  const behind = lines.filter((line) => !isDone(line) && !quiet.includes(line));
  return { people: lines.length, behind: behind.length, late: late.length, quiet: quiet.length };
}

describe('the demo', () => {
  for (const [when, aheadDays] of [
    ['five years from now', 5 * 365 + 3],
    ['before the contests of its people were held', -500],
  ] as const) {
    test(`started ${when}, every page of it has something to show`, async (t) => {
      const { visitor, today, garden } = await startDemo(t, aheadDays);
      const now = Date.now() + aheadDays * dayMs;
      const { pages } = await crawl(visitor, { withIdAtMost: 1, isBrief: true });
      assert.ok(pages.size > 70, `${pages.size} pages`);
      for (const [path, text] of pages) {
        // A download may have any bytes.
        if (/^\/(?:docs|openapi|llms)/.test(path) || !text.startsWith('<')) continue;
        const told = text.replaceAll(/<[^>]*>/g, ' ');
        for (const never of ['In the queue', 'Invalid Date', 'NaN', 'undefined'])
          assert.ok(!told.includes(never), `${path}: ${never}`);
      }
      const page = parseHtml(today.text);
      assert.match(page.querySelector('main')?.text ?? '', /Evening of strings and counting/);
      assert.equal(page.querySelectorAll('.next > li').length, 3);
      const counts = page.querySelectorAll('.assigned tbody .c-solved').map((one) => one.text);
      assert.ok(counts.length > 0 && counts.every((text) => /^[\d,]+$/.test(text)), counts.join());
      const { reader } = garden.store;
      const solves = await reader.selectFrom('solves').select('submitted_at').execute();
      const times = solves.map((row) => Date.parse(row.submitted_at));
      assert.ok(Math.max(...times) <= now && Math.max(...times) > now - dayMs);
      const names = (await reader.selectFrom('lists').select('name').execute()).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, 'no list is there twice');
      assert.deepEqual(await clubFigures(visitor, reader), { people: 12, behind: 3, late: 2, quiet: 1 });
      const upcoming = await visitor.open('/problem_list/contests/upcoming/');
      const starts = upcoming.document.querySelectorAll('main time').map((one) => one.getAttribute('datetime') ?? '');
      assert.ok(starts.filter((at) => Date.parse(at) > now).length > 5, `contests to come: ${starts}`);
      const slot = upcoming.document.querySelector('.agenda [aria-pressed=true]');
      assert.match(slot?.text ?? '', /In season.*Club round 12/s, 'something to come is in the season');
      const rounds = await visitor.open('/dashboard/rounds/');
      const past = rounds.document.querySelectorAll('#rounds-past a, [aria-labelledby=rounds-past] a');
      const after = await visitor.open(past[0]?.getAttribute('href') ?? '');
      assert.match(textOf(after, '.upsolve'), /You solved 3 in the round and 1 since.*Start.*Open/s);
      const [ahead] = await reader.selectFrom('rounds').selectAll().where('name', '=', 'Club round 12').execute();
      assert.ok(Date.parse(ahead?.starts_at ?? '') > now, 'a round is ahead');
      assert.ok(rounds.document.querySelector(`main a[href="/dashboard/rounds/${ahead?.id}/"]`));
      assert.match(textOf(await visitor.open('/dashboard/groups/1/season/'), 'h1'), /Season 2026/);
    });
  }

  test('started today', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const garden = await openGarden(t, databaseUrl);
    const { reader } = garden.store;
    await loadSample(garden.store);
    const { url } = await serveHere(t, { databaseUrl });
    const visitor = await browserOf(url, 'demo');

    await t.test('its coach sees who is behind, late and quiet in a club of twelve', async () => {
      assert.deepEqual(await clubFigures(visitor, reader), { people: 12, behind: 3, late: 2, quiet: 1 });
      assert.match(textOf(visitor.page(), '.table-tools'), /No activity on this list first \(1\)/);
    });

    await t.test('its year goes back to each year with something, and follows the chosen days', async () => {
      const { id } = await reader
        .selectFrom('members')
        .select('id')
        .where('username', '=', 'demo')
        .executeTakeFirstOrThrow();
      const rows = await readActivity(reader, id, await daysOfMember(reader, id), [0, 40_000]);
      const yearOf = (day: bigint) => new Date(Number(day) * dayMs).getUTCFullYear();
      const active = [...new Set(rows.map(({ day }) => yearOf(day)))].toSorted((a, b) => b - a);
      assert.ok(active.length >= 3, `${active}`);
      for (const path of ['/dashboard/', '/dashboard/progress/']) {
        const links = parseHtml((await visitor.open(path)).text).querySelectorAll('nav.years a');
        assert.deepEqual(
          links.map(({ text }) => Number(text)),
          active,
          path,
        );
        for (const link of links) {
          const shown = parseHtml((await visitor.open(link.getAttribute('href')?.split('#')[0] ?? '')).text);
          const solved = rows
            .filter(({ day, first_solves }) => yearOf(day) === Number(link.text) && first_solves > 0n)
            .map(({ day, first_solves }) => [new Date(Number(day) * dayMs).toISOString().slice(0, 10), first_solves]);
          const marks = shown.querySelectorAll('.year-map g[data-mode="first"] a').map((mark) => {
            const day = new URLSearchParams(mark.getAttribute('href')?.split('?')[1]).get('solved_from');
            return [day, BigInt(mark.getAttribute('data-count') ?? '')];
          });
          assert.deepEqual(marks, solved, link.text);
          assert.equal(shown.querySelector('nav.years [aria-current]')?.text, link.text);
          const fact = shown.querySelector('.year-facts a')?.getAttribute('data-count');
          assert.equal(
            BigInt(fact ?? ''),
            solved.reduce((all, [, count]) => all + BigInt(count ?? 0), 0n),
          );
        }
      }
      const last = parseHtml((await visitor.open('/dashboard/progress/?span=90')).text);
      const places = last
        .querySelectorAll('.year-map g[data-mode="first"] rect')
        .map((one) => Number(one.getAttribute('x')));
      assert.ok(places.length > 10 && Math.max(...places) <= 13 * 16, `${places}`);
    });

    await t.test('no judge is asked about its people, and its pages say so', async () => {
      const { store } = garden;
      const { stdout, code } = await gardenHere('sync --json', { databaseUrl });
      assert.deepEqual([code, stdout.trim()], [0, '[]']);
      assert.deepEqual(await listSourcesOfHandles(reader), []);
      const handle = await reader.selectFrom('handles').selectAll().executeTakeFirstOrThrow();
      await store.write((tx) =>
        requestSyncOf(tx, { source: handle.source, task: 'submissions', handle_id: handle.id }),
      );
      assert.deepEqual(await listDueHandles(reader, handle.source, 'wanted', 10), []);
      const page = await visitor.open('/authentication/account/handles/');
      const told = parseHtml(page.text).querySelectorAll('[data-handle]');
      assert.equal(told.length, 2);
      for (const line of told) assert.match(line.text, /Demo data\./);
    });
  });
});

test('DEMO=read-only shows the sample to everybody, without a secret address', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const baseUrl = 'https://demo.example.org';
  const { url } = await serveHere(t, { databaseUrl, env: { DEMO: 'read-only', BASE_URL: baseUrl } });
  const greeting = await greet({ baseUrl, databaseUrl, databaseFlag: undefined, sample: true, demo: true });
  assert.equal(greeting, `\nPractice Garden is at ${baseUrl}/, as a demo that nobody can change.`);
  assert.match((await browser(url).open('/')).text, /A demo with sample data/);
});
