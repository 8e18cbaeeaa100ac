/** What pages say of chances: in words, to the member alone, and not at all to those who hide them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chanceModels } from '../../src/judges/judges.ts';
import { readGardenCalibration } from '../../src/practice/calibration.ts';
import { joinGroup, makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { removeHandle } from '../../src/practice/handles.ts';
import { readContestsTaken } from '../../src/practice/performances.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { updateGroupMember } from '../../src/store/groups.ts';
import { findHandleByName } from '../../src/store/handles.ts';
import { saveRoundPerson, updateRound } from '../../src/store/rounds.ts';
import { performanceText } from '../../src/web/kit/chance.ts';
import { contestGarden, duringContest, type Sent } from '../support/contests-taken.ts';
import { crawl } from '../support/crawl.ts';
import { textOf } from '../support/forms.ts';
import { root } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { countStatements } from '../support/statements.ts';

const secretFiles = ['calibration', 'chance', 'performance', 'performances', 'strength'].map(
  (name) => `src/practice/${name}.ts`,
);

/** The files from which imports lead to a secret one. The list of routes leads to all pages, and nothing is read there. */
function filesThatMayKnow(): string[] {
  const importsOf = new Map(
    globSync('src/**/*.ts', { cwd: root }).map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return [path, [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) => join(dirname(path), to))] as const;
    }),
  );
  const known = new Set(secretFiles);
  for (const path of known)
    for (const [one, imports] of importsOf) if (imports.includes(path) && one !== 'src/web/routes.ts') known.add(one);
  return [...known];
}

/** At noon, because what begins before midnight and ends after it is on two days of a season. */
const start = (Math.floor(Date.now() / 86_400_000) - 20) * 86_400 + 43_200;
const during = duringContest(start);

const solvesOf = (id: number) => ['A', 'B', 'C'].map((letter, n): Sent => [`${id}${letter}`, 'OK', during(id, n)]);

async function world(t: TestContext) {
  const { garden, send, sendAs } = await contestGarden(t, start);
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  const take = (id: number) => send('ada_cf', ...solvesOf(id));
  const idOf = async (key: string) =>
    (await garden.rows('problems')).find(({ source_key }) => source_key === key)?.['id'];
  const problem = async (key: string) => `/problem_list/problem/${await idOf(key)}/`;
  return { garden, sendAs, take, url, problem };
}

test('the page of a problem says the chance in words and from what, or what is missing', async (t) => {
  const { garden, take, sendAs, url, problem } = await world(t);
  const ada = await browserOf(url, 'ada');
  const pageOf = async (key: string) => ada.open(await problem(key));
  const shown = async (selector: string, key = '8D') => textOf(await pageOf(key), selector);
  const odds = async (key: string) => {
    const page = await pageOf(key);
    return page.document.querySelector('.odds') ? textOf(page, '.odds') : undefined;
  };
  await take(1);
  assert.equal(await odds('9D'), undefined);
  assert.match(await shown('.page', '9D'), /after two contests, live or virtual. So far: 1\./);
  await take(2);
  assert.equal(await odds('9D'), 'In a contest: about 1 in 3');
  assert.match(await shown('.why', '9D'), /^Why this\? ?From your last 2 contests, live or virtual/);
  assert.equal(await odds('9A'), 'In a contest: more than 19 in 20');
  assert.equal(await odds('1A'), undefined, 'solved');
  assert.equal(await odds('7F'), undefined, 'without a rating');
  const times = { phase: 'CODING', durationSeconds: 7200, startTimeSeconds: Math.floor(Date.now() / 1000) - 60 };
  await garden.import('codeforces-contests', { status: 'OK', result: [{ id: 9, name: 'Round 9', ...times }] });
  assert.equal(await odds('9D'), undefined, 'its contest runs');
  assert.equal(await odds('8D'), 'In a contest: about 1 in 3');
  const wrong = (at: number, type = 'CONTESTANT'): Sent => ['3D', 'WRONG_ANSWER', at, type];
  for (const [sent, contests] of [
    [[wrong(during(2), 'PRACTICE'), wrong(during(6), 'PRACTICE')], 2],
    [[wrong(during(3))], 3],
  ] as const) {
    await sendAs('ada', 'ada_second', ...sent);
    assert.match(await shown('.why'), new RegExp(`your last ${contests} contests`), 'also if no status changes');
  }
  const handle = await findHandleByName(garden.store.reader, 1n, 'codeforces', 'ada_second');
  await garden.store.write((tx) => removeHandle(tx, handle?.id ?? 0n));
  assert.match(await shown('.why'), /your last 2 contests/);
  await setSwitch(garden.store, 1n, 'hidesRatings', true);
  assert.ok((await pageOf('8D')).document.querySelector('.reveal:not([open]) .odds'));
  await setSwitch(garden.store, 1n, 'hidesRatings', false);
  assert.equal((await pageOf('8D')).document.querySelector('.reveal .odds'), null);
  const settings = await ada.open('/authentication/account/appearance/');
  assert.match(textOf(settings, '.page'), /Only you can see it/);
  await ada.submit({ name: 'hidesChances', value: 'true' });
  assert.equal(await odds('8D'), undefined);
  assert.doesNotMatch(await shown('.page'), /chance|In a contest/i);
  await setSwitch(garden.store, 1n, 'hidesChances', false);
  assert.equal(await odds('8D'), 'In a contest: about 1 in 3');
});

test('a performance is said to the nearest ten, with its judge beside others', () => {
  const under = { bound: 'under', strength: 814.2, source: 'codeforces' } as const;
  const over = { bound: 'over', strength: 2605, source: 'atcoder' } as const;
  assert.deepEqual(
    [performanceText([under]), performanceText([over, under])],
    ['under 810', 'AC over 2,610, CF under 810'],
  );
});

test('no other way out can know: not the interface, exports, messages, files or shared pages', () => {
  const files = filesThatMayKnow();
  assert.deepEqual(
    files.filter((path) => !path.startsWith('src/web/')).toSorted(),
    [...secretFiles, 'src/practice/chance-suggestions.ts'].toSorted(),
  );
  const web = files.filter((path) => path.startsWith('src/web/'));
  assert.ok(web.length > 10 && web.includes('src/web/pages/rounds/round.ts'));
  assert.deepEqual(
    web.filter((path) =>
      /account|calendar|follow|inbox|members|notes|pictures|shared|staff|uploads|visitors|webhook/.test(path),
    ),
    [],
  );
});

/** A group of bob, who is an administrator too, with a round that is over and a season, in which ada and cleo take part. */
async function clubWorld(t: TestContext) {
  const { garden, sendAs, take, url, problem } = await world(t);
  const { store } = garden;
  const { reader } = store;
  const [ada, coachId, cleo, dora] = [1n, 2n, 3n, 4n];
  const groupId = await makeGroup(store, coachId, { name: 'Pond club', zone: 'UTC' });
  const secret = await makeGroupLink(store, { groupId, coachId }, { uses: 3, lifetimeMs: 60_000, madeBy: coachId });
  const problems = await reader.selectFrom('problems').select('id').where('source_key', 'like', '9%').execute();
  const contests = await reader.selectFrom('contests').select('id').where('key', 'in', ['1', '2', '3']).execute();
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const [startsAt, endsAt] = [during(12, 0), during(12, 3600)];
  const roundId = await store.write(async (tx) => {
    const plan = { name: 'Duel', rule: 'icpc', startsAt: iso(Date.now() / 1000 + 60), minutes: 60 } as const;
    const chosen = { groupId, problems: problems.map(({ id }) => id), limits: { perDay: 0, total: 0 } };
    const id = await makeRound(tx, coachId, { ...plan, freezeMinutes: 0, points: [] }, chosen);
    await updateRound(tx, id, { starts_at: iso(startsAt), ends_at: iso(endsAt) });
    return id;
  });
  for (const id of [1, 2]) await take(id);
  const practice = (letters: string, at: number) =>
    [...letters].map((letter, n): Sent => [`9${letter}`, 'OK', at + n, 'PRACTICE']);
  // 9F was solved before the round too, and 9E is solved after it.
  for (const sent of [practice('F', startsAt - 60), practice('ABF', startsAt), practice('E', endsAt)])
    await sendAs('ada', 'ada_cf', ...sent);
  await sendAs('cleo', 'cleo_cf', ['3A', 'OK', during(3)], ...practice('ABCD', startsAt));
  const team = { teamName: 'Frogs', members: [{ handle: 'dora_cf' }, { handle: 'ben' }] };
  await sendAs('dora', 'dora_cf', ['9A', 'OK', startsAt, 'PRACTICE', team]);
  const coach = { groupId, coachId };
  // What was sent before the season does not count in it: of the contests, this leaves the second.
  const days = { first_day: iso(during(2)).slice(0, 10), last_day: iso(endsAt).slice(0, 10) };
  await makeSeason(store, coach, { name: 'Autumn', ...days, points: 'problem', upsolve_days: 0n, best: null });
  const items = contests.map(({ id }) => ({ kind: 'contest' as const, item_id: id }));
  await addSeasonContests(store, coach, [{ kind: 'round', item_id: roundId }, ...items]);
  for (const id of [ada, cleo, dora]) {
    await joinGroup(store, id, secret);
    await store.write((tx) => updateGroupMember(tx, groupId, id, { in_season: 1n }));
    await store.write((tx) => saveRoundPerson(tx, { round_id: roundId, user_id: id, joined_at: iso(startsAt) }));
  }
  await store.write((tx) => tx.updateTable('members').set({ role: 'staff' }).where('id', '=', coachId).execute());
  const at = { second: during(2), round: startsAt };
  const [round, season] = [`/dashboard/rounds/${roundId}/`, `/dashboard/groups/${groupId}/season/`] as const;
  return { at, garden, url, problem, round, season };
}

test('nobody else learns a chance or performance on any page, and who hides them has no trace of them', async (t) => {
  const { garden, url, problem, at, round, season } = await clubWorld(t);
  const before = await garden.everything();
  const follow = '/dashboard/follow/?after=1970&';
  const [ada, bob, cleo] = [await browserOf(url, 'ada'), await browserOf(url, 'bob'), await browserOf(url, 'cleo')];
  const page = await ada.open('/dashboard/progress/ratings/');
  assert.match(
    textOf(page, '.rated-contests tbody'),
    /^Duel.*about 1,440.*Round 2.*about 1,790.*Round 1.*about 1,790$/,
  );
  assert.equal(page.document.querySelectorAll('.plot-full .diamond').length, 3);
  assert.equal(page.document.querySelectorAll('.plot-full .line').length, 0, 'no line joins performances');
  assert.equal(page.document.querySelectorAll('.as-table tbody tr').length, 3);
  assert.match((await ada.open(await problem('9D'))).text, /In a contest/);
  assert.ok((await ada.open('/dashboard/')).document.querySelector('.next .odds'));
  const worthOf = async (one: typeof ada, path: string) =>
    (await one.open(path)).document
      .querySelectorAll('[data-person]')
      .map((row) => `${row.getAttribute('data-person')} ${row.querySelector('.worth')?.textContent}`);
  const own = (id: number, rating: string) => `${id} Performance: about ${rating}`;
  assert.deepEqual(await worthOf(ada, round), ['3 undefined', own(1, '1,440'), '4 undefined']);
  assert.deepEqual(await worthOf(cleo, round), [own(3, '2,100'), '1 undefined', '4 undefined']);
  for (const one of [bob, await browserOf(url, 'dora')])
    assert.doesNotMatch((await one.open(round)).text, /Performance/, 'the coach, and who sent in a team');
  const takenAt = async (second: number) =>
    (await readContestsTaken(garden.store.reader, 1n, ['codeforces'], second * 1000)).map(({ title }) => title);
  assert.deepEqual([await takenAt(at.second), await takenAt(at.round)], [['Round 1'], ['Round 2', 'Round 1']], 'over');
  assert.deepEqual(await worthOf(ada, season), [own(1, '1,630')]);
  assert.deepEqual(await worthOf(cleo, season), [own(3, '1,630')]);
  const check = async (one: typeof ada, trace: RegExp) => {
    const { pages } = await crawl(one, { withIdAtMost: 3 });
    assert.ok(pages.size > 60, `${pages.size} pages`);
    const said = await one.ask(await problem('9D'));
    assert.equal(said.status, 200);
    assert.doesNotMatch(said.text, trace, 'where ada was told a chance');
    for (const [path, text] of pages)
      if (!/^\/(?:docs|authentication\/account\/appearance)\//.test(path)) assert.doesNotMatch(text, trace, path);
    for (const path of [`${round}csv/`, `${season}csv/`, `${follow}round=1`, `${follow}group=1`])
      assert.doesNotMatch((await one.ask(path)).text, /Performance|1,?440|1,?630/, path);
  };
  await check(bob, /In a contest|\b1816\b|\b(?:about|under|over) \d|class="(?:worth|diamond|odds)/);
  await check(cleo, /about 1,(?:790|440)/);
  assert.equal(await garden.everything(), before, 'nothing is stored, so no export has it');
  for (const name of ['showsChances', 'hidesChances'] as const) await setSwitch(garden.store, 1n, name, true);
  await check(ada, /In a contest|class="(?:worth|diamond|odds|c-chance)|>Performance|how often we were right|chance/i);
});

test('a list of problems has chances in a column that the member chooses', async (t) => {
  const { garden, take, url, problem } = await world(t);
  await take(1);
  const ada = await browserOf(url, 'ada');
  const statements = countStatements(t);
  const open = async () => {
    await ada.open('/problem_list/?per_page=100');
    const before = statements();
    const page = await ada.open('/problem_list/?per_page=100');
    return { page, count: statements() - before };
  };
  const without = await open();
  assert.doesNotMatch(without.page.text, /c-chance/);
  await ada.submit({ name: 'showsChances', value: 'true' });
  assert.match((await open()).page.text, /Codeforces: We can say your chance after two contests/);
  await take(2);
  const { page, count } = await open();
  assert.ok(count <= without.count + 4, `${without.count} and ${count} statements`);
  assert.equal(page.document.querySelector('th.c-chance a'), null, 'nobody sorts by it');
  const cellOf = async (key: string) => {
    const id = (await problem(key)).match(/\d+/)?.[0];
    return page.document.querySelector(`#p${id} .c-chance`)?.textContent.trim();
  };
  assert.match((await cellOf('9D')) ?? '', /^In a contest: about 1 in 3/);
  assert.deepEqual([await cellOf('1A'), await cellOf('7F')], ['', ''], 'solved, and without a rating');
  await setSwitch(garden.store, 1n, 'hidesChances', true);
  assert.doesNotMatch((await open()).page.text, /c-chance|showsChances/);
});

test('how often we were right is said from 30 predictions on, and of everybody from five people on', async (t) => {
  const { garden, take, sendAs, url } = await world(t);
  const path = '/dashboard/progress/chance/';
  const ada = await browserOf(url, 'ada');
  for (const id of [1, 2, 3]) await take(id);
  const few = await ada.open(path);
  assert.match(textOf(few, '.panel'), /needs 30 problems.*So far: 6\./);
  assert.match(textOf(few, '.one-sentence'), /Of 6 problems/);
  assert.match(
    textOf(few, '[aria-labelledby="everybody"]'),
    /^Everyone hereNot enough data yet\. All members together\./,
  );

  for (const id of [4, 5, 6, 8]) await take(id);
  for (const name of ['bob', 'cleo', 'dora'])
    for (const id of [1, 2, 3, 4, 5]) await sendAs(name, `${name}_cf`, ...solvesOf(id));
  const everybody = (day: number) =>
    readGardenCalibration(garden.store.reader, chanceModels, Date.now() + day * 86_400_000);
  assert.deepEqual(await everybody(1), [], 'four people');
  for (const id of [1, 2, 3, 4, 5]) await sendAs('emil', 'emil_cf', ...solvesOf(id));
  assert.deepEqual(await everybody(1), [], 'not again on the same day');
  const lines = await everybody(2);
  assert.ok(lines.length > 0 && lines.every(({ count }) => count >= 10));
  for (const [day, values] of [{ is_disabled: 1n }, { is_disabled: 0n, is_sample: 1n }].entries()) {
    await garden.store.write((tx) => tx.updateTable('members').set(values).where('username', '=', 'emil').execute());
    assert.deepEqual(await everybody(3 + day), [], `${Object.keys(values)}`);
  }
  const page = await ada.open(path);
  assert.match(
    textOf(page, '.one-sentence'),
    /Of 30 problems in your contests we expected you to solve \d+. You solved 15\./,
  );
  const rows = page.document.querySelectorAll('tbody tr');
  const pictured = page.document.querySelectorAll('.plot-wide .said');
  assert.ok(rows.length >= 1 && rows.length === pictured.length, `${rows.length} rows, ${pictured.length} columns`);
  assert.match(textOf(page, 'main'), /Phrases said of fewer than 10 problems are not shown\./);
  const misses = page.document.querySelectorAll('.plot-wide .off').length;
  assert.equal(/Outside the range: /.test(textOf(page, '.says')), misses > 0);
  await setSwitch(garden.store, 1n, 'hidesChances', true);
  assert.equal((await ada.open(path)).status, 404);
});

test('topics in contests stand beside what was expected of them, from ten problems on', async (t) => {
  const { garden, take, url } = await world(t);
  const path = '/dashboard/progress/';
  const ada = await browserOf(url, 'ada');
  const shown = async (query = '') => {
    const page = await ada.open(path + query);
    const rows = page.document.querySelectorAll('[aria-labelledby="contest-topics"] tbody tr');
    return rows.map((row) => row.querySelectorAll('th, td').map(({ textContent }) => textContent));
  };
  for (const id of [1, 2, 3, 4, 5]) await take(id);
  assert.deepEqual(await shown(), [], 'nine of each topic');
  assert.match(textOf(await ada.open(path), '[aria-labelledby="contest-topics"]'), /needs 10 problems of a topic/);
  await take(6);
  const lines = [
    ['dp12 problems', '12', '7', '8'],
    ['graphs12 problems', '12', '5', '4'],
  ];
  assert.deepEqual(await shown(), lines);
  assert.deepEqual(await shown('?span=90'), lines);
  assert.deepEqual(await shown('?to=2001-01-01'), []);
  await setSwitch(garden.store, 1n, 'hidesChances', true);
  assert.doesNotMatch(textOf(await ada.open(path), '.page'), /Topics in contests|expected|chance/i);
});

test('the page of an unrated problem counts who took its contest, from five others on', async (t) => {
  const { garden, sendAs, url, problem } = await world(t);
  const shown = async (name: string, key = '7F') => {
    const page = await (await browserOf(url, name)).open(await problem(key));
    return /In its contest, (.*) people here/.exec(textOf(page, '.page'))?.[1];
  };
  const send = (name: string, ...sent: Sent[]) => sendAs(name, `${name}_cf`, ...sent);
  await send('bob', ['7F', 'OK', during(7)]);
  await send('cleo', ['7A', 'WRONG_ANSWER', during(7)], ['7F', 'OK', during(7, 700), 'VIRTUAL']);
  await send('dora', ['7F', 'WRONG_ANSWER', during(9), 'VIRTUAL'], ['7F', 'OK', during(9, 8000), 'PRACTICE']);
  await send('emil', ['7F', 'COMPILATION_ERROR', during(7)]);
  await sendAs('emil', 'emil_second', ['7F', 'OK', during(8), 'VIRTUAL']);
  await send('finn', ['7A', 'OK', during(7), 'CONTESTANT', { teamName: 'Frogs' }]);
  await send('gwen', ['7F', 'OK', during(6), 'PRACTICE'], ['7F', 'OK', during(9), 'VIRTUAL']);
  await send('ada', ['7F', 'OK', during(7)]);
  assert.equal(await shown('ada'), undefined, 'four others took it: no team, nobody who had solved it before');
  assert.equal(await shown('gwen'), '3 of 5');
  const justNow = Math.floor(Date.now() / 1000) - 600;
  await sendAs('finn', 'finn_second', ['7B', 'OK', justNow, 'VIRTUAL']);
  assert.equal(await shown('gwen'), '3 of 5', 'a virtual contest that runs');
  await sendAs('finn', 'finn_second', ['7B', 'OK', during(9), 'VIRTUAL']);
  assert.equal(await shown('gwen'), '3 of 6');
  assert.equal(await shown('ada'), '2 of 5', 'without ada herself');
  assert.equal(await shown('ada', '7A'), undefined, 'it has a rating');
  const change = (values: { is_disabled?: bigint; is_sample?: bigint }) =>
    garden.store.write((tx) => tx.updateTable('members').set(values).where('username', '=', 'cleo').execute());
  await change({ is_disabled: 1n });
  assert.equal(await shown('ada'), undefined);
  await change({ is_disabled: 0n, is_sample: 1n });
  assert.equal(await shown('ada'), undefined);
});
