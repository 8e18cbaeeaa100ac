/** Imports by upload, by forms over plain HTTP: what staff and members upload, the look at it first, and what stands in the garden after. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { importerOf } from '../../src/importing/resources.ts';
import { runMeter } from '../../src/jobs/upload-run.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf, textsOf } from '../support/elements.ts';
import { chunksOf } from '../support/files.ts';
import { memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { childrenOf } from '../support/processes.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { figuresOf, finished, holdTurn, imported, ownUploads, staffImports, uploaded } from '../support/uploads.ts';
import { until } from '../support/waiting.ts';
import { zipOf } from '../support/zips.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'looks for processes in /proc' };

async function worldOf(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const root = await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const grace = await memberWithPassword(databaseUrl, 'grace');
  const server = await serveHere(t, { databaseUrl });
  t.after(() => assert.doesNotMatch(server.stderr(), /Error: (?!The database|There is no database|Too many uploaded)/));
  const { url, stderr } = server;
  return { url, stderr, databaseUrl, ids: { root, ada, grace }, staff: await browserOf(url, 'root') };
}

const count = async (databaseUrl: string, from: string) =>
  Number((await rowsOf(databaseUrl, `SELECT count(*) AS n FROM ${from}`))[0]?.['n']);

const problems = 'source,source_key,title,tags\nmade,1,One,[]\nmade,2,Two,[]\nmade,3,Three,[]\n';

const plant = (name: string) => ({ name: 'plants.csv', bytes: `name,target\n${name},3\n` });

async function smallWorld(t: TestContext) {
  const world = await worldOf(t);
  await uploaded(world.staff, staffImports, { file: { name: 'problems.csv', bytes: problems } });
  await imported(world.staff);
  return { ...world, member: await browserOf(world.url, 'ada') };
}

const one = { source: 'made', source_key: '1' };

const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

test(
  'the real files: staff upload 11,363 problems and a member 1,557 submissions, of which 460 are solved',
  needsData,
  async (t) => {
    const catalogue = await readReal('codeforces/problemset.problems.2026-08.json');
    const twins = await readReal('codeforces/shared-problems.2026-08.json');
    const submissions = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
    const { staff, url, databaseUrl, ids } = await worldOf(t);
    const file = { name: 'problemset.problems.json', bytes: catalogue };
    const looked = await uploaded(staff, staffImports, { file });
    assert.match(textOf(looked, '.notice'), /Nothing has been imported yet/);
    assert.deepEqual(figuresOf(looked), { read: 11363, new: 11363, changed: 0, kept: 0, unmatched: 0, bad: 0 });
    assert.equal(await count(databaseUrl, 'problems'), 0);
    const done = await imported(staff);
    assert.match(textOf(done, '.notice'), /Imported/);
    assert.equal(await count(databaseUrl, 'problems'), 11363);
    const again = await uploaded(staff, staffImports, { file });
    assert.match(textOf(again, '.notice'), /everything is already here/);
    await uploaded(staff, staffImports, { file: { name: 'shared.json', bytes: twins } });
    await imported(staff);
    const log = await rowsOf(databaseUrl, 'SELECT what, actor_id FROM staff_log');
    const deeds = log.map(({ what, actor_id }) => `${actor_id} ${String(what).replace(/( \d+)+$/, '')}`);
    const names = ['codeforces-problems', 'codeforces-twins'];
    assert.deepEqual(
      deeds,
      names.map((name) => `${ids.root} file-imported ${name}`),
    );
    const member = await browserOf(url, 'ada');
    const own = await uploaded(member, ownUploads, { file: { name: 'user.status.json', bytes: submissions } });
    assert.equal(figuresOf(own)['read'], 1557);
    assert.equal(await count(databaseUrl, 'statuses'), 0);
    const kept = await imported(member);
    assert.match(textOf(kept, 'main'), /1,557 submissions: .* 460 of them solved \(complete\)/);
    const words = await rowsOf(
      databaseUrl,
      'SELECT user_id, judge_status, count(*) AS n FROM statuses GROUP BY user_id, judge_status ORDER BY judge_status',
    );
    const said = words.map(({ user_id, judge_status, n }) => `${user_id} ${judge_status} ${n}`);
    assert.deepEqual(said, [`${ids.ada} complete 460`, `${ids.ada} practicing 12`]);
    const list = await member.open('/problem_list/?status=complete');
    assert.match(textOf(list, 'main'), /460/);
  },
);

test('staff upload files, and the page of the judges says so', async (t) => {
  const { staff, databaseUrl, ids } = await worldOf(t);
  await t.test(
    'the page of the judges says what is here, what was imported when and by whom, and where files come from',
    async () => {
      const judges = '/authentication/staff/judges/';
      assert.match(textOf(await staff.open(judges), '[data-file=cses-problems]'), /Never imported/);
      const bytes = '[{"category":"Sorting","name":"One","link":"https://cses.fi/problemset/task/1068","solves":1}]';
      await uploaded(staff, staffImports, { file: { name: 'x', bytes } });
      assert.match(textOf(await staff.open(judges), '[data-file=cses-problems]'), /Never imported/);
      await uploaded(staff, staffImports, { file: { name: 'x', bytes } });
      await imported(staff);
      const page = await staff.open(judges);
      assert.match(textOf(page, '[data-file=cses-problems]'), /by root: 1 new, 0 changed\.\s*From your own file/);
      assert.match(textOf(page, '[data-judge=cses]'), /Problems1/);
      assert.match(textOf(page, '[data-file=codeforces-submissions]'), /Uploaded by each member/);
      const form = await staff.open(attributeOf(page, '[data-file=codeforces-twins] a[href*=imports]', 'href') ?? '');
      assert.equal(attributeOf(form, 'option[selected]', 'value'), 'codeforces-twins');
      await withStore(databaseUrl, async (store) => {
        const given = { open: async () => chunksOf(bytes), skipsBadRows: false, trustsIds: false };
        const checked = await checkFile(importerOf('cses-problems', 'json'), given);
        await applyFile(store, checked, { member: undefined, isDryRun: false });
      });
      assert.match(
        textOf(await staff.open(judges), '[data-file=cses-problems]'),
        /by command or sync: 0 new, 0 changed/,
      );
    },
  );

  await t.test('a checked file waits for the decision as long as it takes', async () => {
    await uploaded(staff, staffImports, { file: { name: 'problems.csv', bytes: problems } });
    await tamper(
      databaseUrl,
      "UPDATE uploads SET created_at = '2026-01-01T00:00:00.000Z', started_at = '2026-01-01T00:00:01.000Z'",
    );
    assert.match(textOf(await imported(staff), '.notice'), /Imported/);
    assert.equal(await count(databaseUrl, `problems WHERE source = 'made'`), 3);
  });

  await t.test(
    'rows that are not valid are told with line and column, and left out only where that is chosen',
    async () => {
      const bytes = `source,source_key,title\n${Array.from({ length: 13 }, () => 'made,,No key').join('\n')}\nmade,8,<b>Eight</b>\n`;
      const page = await uploaded(staff, staffImports, { file: { name: 'problems.csv', bytes } });
      assert.deepEqual([figuresOf(page)['bad'], figuresOf(page)['new']], [13, 1]);
      const told = textsOf(page, '.bad-rows li');
      assert.equal(told.length, 10);
      assert.match(told[0] ?? '', /^Line 2, column 1: /);
      assert.match(textOf(page, 'main'), /and 3 more/);
      assert.equal(page.document.querySelector('button[value=import]'), null);
      const { fields } = staff.filled({ name: 'act', value: 'import-valid' });
      fields.set('act', 'import');
      await staff.post(page.path, fields);
      const refused = await finished(staff);
      assert.match(textOf(refused, '.notice'), /Nothing was changed\./);
      assert.equal(await count(databaseUrl, `problems WHERE source_key = '8'`), 0);
      await uploaded(staff, staffImports, { file: { name: 'problems.csv', bytes } });
      await staff.submit({ name: 'act', value: 'import-valid' });
      assert.equal(figuresOf(await finished(staff))['bad'], 13);
      assert.equal(await count(databaseUrl, `problems WHERE source_key = '8'`), 1);
    },
  );

  await t.test('staff upload the submissions of a member, and the log says so', async () => {
    const problem = { contestId: 1, index: 'A', name: 'One' };
    const submission = { id: 1, creationTimeSeconds: 1700000000, verdict: 'OK', contestId: 1, problem };
    const file = { name: 'user.status', bytes: JSON.stringify({ status: 'OK', result: [submission] }) };
    const whose = await staff.submitAt(staffImports, { name: 'file' }, { file });
    assert.match(textOf(whose, '.fault'), /enter the member they belong to/);
    const nobody = await staff.submit({ name: 'file' }, { member: 'nobody', file });
    assert.match(textOf(nobody, '.fault'), /no member with this username/);
    const unclear = await uploaded(staff, staffImports, { member: 'ADA', file });
    assert.match(textOf(unclear, '.notice'), /enter it in the field “Handle”/);
    await uploaded(staff, staffImports, { member: 'ADA', handle: 'ada_cf', file });
    await imported(staff);
    const [handle] = await rowsOf(databaseUrl, 'SELECT user_id, name FROM handles');
    assert.deepEqual([BigInt(String(handle?.['user_id'])), handle?.['name']], [ids.ada, 'ada_cf']);
    const deed = textOf(await staff.open('/authentication/staff/log/'), '[data-deed=submissions-imported]');
    assert.match(deed, /root\s*imported submissions of ada\s*Codeforces submissions \(user\.status\)$/);
  });

  await t.test('the garden finds out what a file is, and asks where it cannot', async () => {
    for (const [bytes, title] of [
      ['username,name,target\nada,DP,10\n', /Plants/],
      [zipOf(new Map([['statuses.csv', 'not a zip archive']])), /Archive of a member/],
    ] as const) {
      const page = await uploaded(staff, staffImports, { file: { name: 'x', bytes } });
      assert.match(textOf(page, 'h2'), title);
    }
    const alike = '[{"problem_index":"A","contest_id":"abc","problem_id":"abc_a"}]';
    const send = (name: string, bytes: string | Uint8Array, what = '') =>
      staff.submitAt(staffImports, { name: 'file' }, { what, file: { name, bytes } });
    const asked = await send('contest-problem.json', alike);
    assert.equal(asked.status, 422);
    const between = /\(problems\.json\) or AtCoder contest problems \(contest-problem\.json\)\. Choose/;
    assert.match(textOf(asked, '#what-fault'), between);
    const file = { name: 'x', bytes: alike };
    const chosen = await uploaded(staff, staffImports, { what: 'atcoder-contest-problems', file });
    assert.equal(figuresOf(chosen)['unmatched'], 1);
    assert.match(textOf(await send('x.txt', 'Dear diary'), '#what-fault'), /file type was not recognised/);
    const wide = await send('x.csv', Buffer.from(`\ufeff${problems}`, 'utf16le'));
    assert.match(textOf(wide, '#file-fault'), /The file is UTF-16: save/);
    const failed = '{"status":"FAILED","comment":"handle: User with handle x not found"}';
    const solved = '{"user_name":"ada","num_solved":1,"stat_status_pairs":[]}';
    const links = '- [One](https://codeforces.com/problemset/problem/1/A)';
    const submissions = '{"result":[{"creationTimeSeconds":1,"problem":{}}]}';
    const elsewhere: readonly (readonly [name: string, bytes: string, says: RegExp, what?: string])[] = [
      ['all.json', solved, /list of solved problems, .*Add > Import your history/],
      ['week.md', links, /text with links\. Upload it under Add > List\./],
      ['9b.csv', 'Name;E-Mail\nAda Byron;ada@x.test\n', /list of people\. .* Members > Add several members\./],
      ['f.json', failed, /"handle: User with .* found"/],
      ['odd.json', '{"status":"FAILED","comment":"a\\q"}', /The file type was not recognised/],
      ['saved.html', '<!DOCTYPE html><title>Sign in</title>', /this is a web page, not JSON: get the file itself/],
      ['garden.db', `SQLite format 3\0${'\0\x84'.repeat(99)}https://x.test`, /SQLite database: .* DATABASE_URL/],
      ['p.csv', problems.replaceAll(',', ';'), /separated by semicolons/],
      ['s.json', submissions, /Codeforces submissions .*, not CSES problems \(problem list\): choose/, 'cses-problems'],
    ];
    for (const [name, bytes, says, what] of elsewhere)
      assert.match(textOf(await send(name, bytes, what), '.fault'), says, name);
  });
});

test('members upload files beside staff', async (t) => {
  const { staff, member, url, stderr, databaseUrl, ids } = await smallWorld(t);
  await t.test('a member brings own rows here, as they were taken out', async () => {
    const files = {
      statuses: lines(
        { username: 'ada', ...one, status: 'complete', origin: 'judge', updated_at: '2026-01-02T03:04:05.000Z' },
        { ...one, source_key: '2', status: 'reading' },
      ),
      bookmarks: 'username,source,source_key,note\nADA,made,1,again\n',
      plants: lines({ name: 'DP', target: 10, tag: 'dp' }),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const looked = await uploaded(member, ownUploads, { file: { name, bytes } });
      assert.equal(figuresOf(looked)['bad'], 0, textOf(looked, 'main'));
      assert.equal(await count(databaseUrl, name), 0);
      assert.match(textOf(await imported(member), '.notice'), /Imported/);
      assert.equal(await count(databaseUrl, `${name} WHERE user_id = ${ids.ada}`), name === 'statuses' ? 2 : 1);
      const taken = await member.ask(`/authentication/account/data/${name}/?format=ndjson`);
      const again = await uploaded(member, ownUploads, { file: { name: `${name}.ndjson`, bytes: taken.bytes } });
      assert.match(textOf(again, '.notice'), /everything is already here/, name);
    }
  });

  await t.test('only its member sees an upload, on the page where it was made, until it is discarded', async () => {
    await uploaded(member, ownUploads, { file: plant('DP') });
    const { path } = member.page();
    const id = path.split('/').at(-2);
    const grace = await browserOf(url, 'grace');
    const likeNone = (page: Page) => {
      const links = textsOf(page, 'form, .code, h1, .soft');
      return [page.status, page.headers['cache-control'], links];
    };
    for (const [other, at] of [
      [grace, path],
      [staff, path],
      [staff, `${staffImports}${id}/`],
      [grace, `${staffImports}${id}/`],
    ] as const) {
      const page = await other.open(at);
      assert.equal(page.status, 404, at);
      assert.deepEqual(likeNone(page), likeNone(await other.open(at.replace(`/${id}/`, '/999999/'))));
      const home = await other.open('/authentication/account/data/upload/');
      assert.equal(home.document.querySelector(`[data-upload="${id}"]`), null);
      const { fields = new URLSearchParams() } = other.filled({ within: 'form[action$="sign-out/"]' });
      fields.set('act', 'import');
      assert.equal((await other.post(at, fields)).status, 404);
    }
    const after = await member.submitAt(path, { name: 'act', value: 'discard' });
    assert.equal(after.path, ownUploads);
    const gone = await member.open(path);
    assert.deepEqual([gone.status, /no such upload, or it is no longer kept/.test(textOf(gone, 'main'))], [404, true]);
    for (let files = 0; files < 5; files++) await uploaded(member, ownUploads, { file: plant('DP') });
    const list = await member.open(ownUploads);
    assert.match(textOf(list, 'main'), /The newest 4 are kept, for an hour\./);
    assert.equal(list.document.querySelectorAll('[data-upload]').length, 4);
  });

  await t.test('a second upload while one is at work is refused, and runs take turns', async () => {
    await holdTurn(databaseUrl, async () => {
      await member.open(ownUploads);
      const file = plant('Trees');
      const waiting = await member.submit({ name: 'file' }, { file });
      assert.match(textOf(waiting, '[data-state]'), /Waiting/);
      const second = await member.submitAt(ownUploads, { name: 'file' }, { file });
      assert.equal(second.status, 409);
      assert.match(textOf(second, '.notice'), /Your previous upload is still running/);
      const others = await staff.submitAt(staffImports, { name: 'file' }, { file: { name: 'p.csv', bytes: problems } });
      assert.match(textOf(others, '[data-state]'), /Waiting/);
      await member.open(ownUploads);
      await member.open(attributeOf(member.page(), '[data-upload] a', 'href') ?? '');
    });
    assert.equal(figuresOf(await finished(member))['new'], 1);
    assert.equal(figuresOf(await finished(staff))['kept'], 3);
  });

  await t.test('a run whose process died says so, and its file is gone', async () => {
    await uploaded(member, ownUploads, { file: plant('Flows') });
    const { path } = member.page();
    await tamper(
      databaseUrl,
      `UPDATE uploads SET state = 'importing', started_at = '2026-01-01T00:00:00.000Z' WHERE id = ${path.split('/').at(-2)}`,
    );
    await member.open(path);
    const page = await finished(member);
    assert.match(textOf(page, '.notice'), /Nothing was changed. The server stopped during this import/);
    assert.equal(await count(databaseUrl, `plants WHERE name = 'Flows'`), 0);
    assert.equal(figuresOf(await uploaded(member, ownUploads, { file: plant('Flows') }))['new'], 1);
  });

  await t.test('runs share a process, and the one in which it dies says so', onLinux, async () => {
    const file = plant('Cycles');
    const ofRuns = () => childrenOf(process.pid);
    const end = async (pid: number | undefined) => {
      process.kill(pid ?? 0, 'SIGKILL');
      await until('the process is gone', () => ofRuns().length === 0);
    };
    await uploaded(member, ownUploads, { file });
    const [first, ...more] = ofRuns();
    await uploaded(member, ownUploads, { file });
    assert.deepEqual([ofRuns(), more], [[first], []]);
    await end(first);
    assert.match(textOf(await imported(member), '.notice'), /Imported/);
    const rows = Array.from({ length: 15_000 }, (_, at) => `many,${at},Problem ${at}`);
    const many = { name: 'problems.csv', bytes: `source,source_key,title\n${rows.join('\n')}\n` };
    await uploaded(staff, staffImports, { file: many });
    const [second] = ofRuns();
    await staff.submit({ name: 'act', value: 'import' });
    const isRunning = async () => (await count(databaseUrl, `uploads WHERE state = 'importing'`)) === 1;
    await until('the import runs', isRunning);
    process.kill(second ?? 0, 'SIGKILL');
    assert.match(textOf(await finished(staff), '.notice'), /Nothing was changed\. The import was interrupted/);
    const line = /the import of upload \d+ broke off: it ended by SIGKILL/;
    await until('its line in the log', () => line.test(stderr()));
    assert.equal(await count(databaseUrl, `problems WHERE source = 'many'`), 0);
    assert.equal(await count(databaseUrl, `plants WHERE name = 'Cycles'`), 1);
    assert.equal(figuresOf(await uploaded(member, ownUploads, { file }))['kept'], 1);
  });

  await t.test('who may not import any more by then imports nothing', async () => {
    const file = { name: 'p.csv', bytes: 'source,source_key,title\nmade,9,Nine\n' };
    const page = await uploaded(staff, staffImports, { file });
    const { fields } = staff.filled({ name: 'act', value: 'import' });
    await holdTurn(databaseUrl, async () => {
      await staff.post(page.path, fields);
      assert.doesNotMatch(textOf(await staff.open(page.path), '#what'), /%/, 'that of the check is over');
      await tamper(databaseUrl, `UPDATE members SET role = 'member' WHERE id = ${ids.root}`);
    });
    const isRefused = async () => (await count(databaseUrl, `uploads WHERE state = 'refused'`)) === 1;
    await until('the import is refused', isRefused);
    assert.equal(await count(databaseUrl, `problems WHERE source_key = '9'`), 0);
    assert.equal(await count(databaseUrl, `staff_log WHERE what LIKE 'file-imported %'`), 1);
    assert.equal((await member.open('/problem_list/')).status, 200);
  });
});

test('the progress of a run never falls, and ends with its last row', () => {
  const { read, applied } = runMeter(200);
  const shares = [read(100), read(200), applied(0.25), read(50), applied(1)];
  assert.deepEqual(shares, [0.1, 0.2, 0.4, 0.4, 1]);
});

test('no file of a member changes the catalogue or a row of anybody else', async (t) => {
  const { member, staff, databaseUrl, ids } = await smallWorld(t);
  const graces = {
    statuses: lines({ username: 'grace', ...one, status: 'reading' }),
    bookmarks: lines({ username: 'grace', ...one, note: 'mine' }),
    plants: lines({ id: 77, username: 'grace', name: 'DP', target: 10 }),
    handles: lines({ username: 'grace', source: 'codeforces', name: 'grace_cf' }),
    preferences: lines({ username: 'grace', name: 'hide_topics', value: 'true' }),
  };
  for (const [name, bytes] of Object.entries(graces)) {
    await uploaded(staff, staffImports, { file: { name, bytes } });
    await imported(staff);
  }
  const everything = async () => {
    const own = ['statuses', 'bookmarks', 'plants', 'handles', 'changes', 'member_settings'];
    const tables = [
      ...['members', 'problems', 'problem_keys', 'contests', 'solves'],
      ...own.map((name) => `${name} WHERE user_id != ${ids.ada}`),
      `id_counters WHERE table_name NOT IN ('uploads', 'plants')`,
    ];
    const rows = tables.map((from) => rowsOf(databaseUrl, `SELECT * FROM ${from}`));
    return (await Promise.all(rows)).map((some) =>
      some.map((row) => Object.values(row).map(String).join('|')).toSorted(),
    );
  };
  const before = await everything();
  const made_at = '2026-01-02T03:04:05.000Z';
  const sent = { handle: 'grace_cf', submission_id: '1', key: '1', verdict_class: 'solved', submitted_at: made_at };
  const rows: Readonly<Record<string, readonly object[]>> = {
    statuses: [
      ...['grace', 'GRACE', 'nobody'].map((username) => ({ username, ...one, status: 'complete' })),
      { user: Number(ids.grace), username: 'grace', ...one, status: 'complete' },
    ],
    bookmarks: [{ username: 'grace', ...one, note: 'stolen' }],
    plants: [
      { username: 'grace', name: 'DP', target: 1 },
      { id: 77, username: 'grace', name: 'DP', target: 1 },
    ],
    records: [
      { username: 'grace', first_name: 'Stolen' },
      { id: Number(ids.grace), username: 'GRACE', city: 'Stolen' },
      { id: Number(ids.grace), username: 'grace2', role: 'staff' },
      { username: 'newcomer', role: 'staff' },
    ],
    handles: [{ username: 'grace', source: 'cses', name: 'stolen' }],
    submissions: [
      { username: 'grace', source: 'codeforces', ...sent },
      { source: 'codeforces', ...sent },
    ],
    changes: [{ username: 'grace', batch: 1, ...one, kind: 'bookmark', before: null, after: null, made_at }],
    preferences: [{ username: 'grace', name: 'hide_topics', value: 'false' }],
  };
  for (const [name, some] of Object.entries(rows)) {
    const page = await uploaded(member, ownUploads, { what: name, file: { name, bytes: lines(...some) } });
    assert.deepEqual([figuresOf(page)['read'], figuresOf(page)['bad']], [some.length, some.length], name);
    assert.match(textOf(page, '.bad-rows'), /this is a row of .+, and you can import only your own/);
    assert.equal(page.document.querySelector('button[value^=import]'), null);
    const { fields } = member.filled({ name: 'act', value: 'discard' });
    for (const act of ['import', 'import-valid']) {
      fields.set('act', act);
      await member.post(page.path, fields);
      await finished(member);
    }
  }
  const file = { name: 'records', bytes: lines({ username: 'ada', city: 'x'.repeat(201) }) };
  const refused = await uploaded(member, ownUploads, { what: 'records', file });
  assert.match(textOf(refused, '.bad-rows'), /city has 201 characters; at most 200 are kept\./);
  const taken = lines(
    { id: 77, username: 'ada', name: 'DP', target: 5 },
    { id: 9007199254740990, username: 'Ada', name: 'Graphs', target: 5 },
  );
  await uploaded(member, ownUploads, { file: { name: 'plants.ndjson', bytes: taken } });
  await imported(member);
  const plants = await rowsOf(databaseUrl, `SELECT id, target FROM plants WHERE user_id = ${ids.ada} ORDER BY id`);
  assert.equal(plants.length, 2);
  for (const { id, target } of plants)
    assert.ok(Number(id) < 1000 && Number(id) !== 77 && Number(target) === 5, `${id} ${target}`);
  assert.deepEqual(await everything(), before);
  for (const what of ['problems', 'codeforces-problems', 'codeforces-contests']) {
    await member.open(ownUploads);
    const { parts = [] } = member.filled({ name: 'file' }, { file: { name: 'x.csv', bytes: problems } });
    const page = await member.upload(
      ownUploads,
      parts.map((part) => (part[0] === 'what' ? ['what', what] : part)),
    );
    assert.equal(page.status, 422, what);
    assert.match(textOf(page, '#what-fault'), /Choose one of the options/);
  }
  const unasked = await member.submitAt(ownUploads, { name: 'file' }, { file: { name: 'x.csv', bytes: problems } });
  assert.match(textOf(unasked, '#file-fault'), /Problems, as exported, which only administrators can import/);
  assert.deepEqual(await everything(), before);
});
