/** An archive carries all that a garden has of a member into another garden, and nothing of anybody else. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Format, formats } from '../../src/contract/rows.ts';
import { partFile, partNames, readme } from '../../src/importing/archive.ts';
import { exportRows, memberKinds, rowKinds } from '../../src/importing/row-kinds.ts';
import { parseProblemAddress } from '../../src/judges/addresses.ts';
import { addProblems, noLimits } from '../../src/practice/added-problems.ts';
import type { JudgeAddresses } from '../../src/practice/judge-addresses.ts';
import { importFollow } from '../../src/practice/list-follows.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { startTimer } from '../../src/practice/timers.ts';
import { gardenHere } from '../support/commands.ts';
import { temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { idOf } from '../support/members.ts';
import { readZip, zipOf } from '../support/zips.ts';
import { another, archiveOf, lived, problems } from './lived-garden.ts';
import { assertAllRefused, assertRefused, codeforces, type Garden, gardenOf, openGarden, planted } from './support.ts';

const strict = { trustsIds: false } as const;

test('own code in an archive that is beyond the limits is left out and named; that of others is in none', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const files = readZip(await archiveOf(here));
  const path = partFile('solutions');
  const row = JSON.parse(files.get(path) ?? '');
  assert.equal(row.code, Buffer.from(Uint8Array.from({ length: 255 }, (_, place) => place + 1)).toString('base64'));
  const rows = Array.from({ length: 13 }, (_, n) => {
    return { ...row, file: `${n}.c`, code: Buffer.from(n === 3 ? '' : `${n % 12}`).toString('base64') };
  });
  files.set(path, rows.map((one) => JSON.stringify(one)).join('\n'));
  const zip = zipOf(files);
  const { report, notes } = await there.import('archive', zip, strict);
  assert.deepEqual([report.unmatched, report.new], [2, 36 + 10]);
  assert.equal(notes.at(-1), 'Own code: 10 added, 1 unchanged and 2 left out');
  assert.ok(
    notes.some((note) => /^2 files of code were not added: 3\.c, 11\.c\. .*up to 10 files/.test(String(note))),
    notes.join(),
  );
  const ofAnother = readZip(await archiveOf(here, 'carl')).get(path);
  assert.equal(ofAnother?.includes('"ada"'), false);
});

test('the archive of another username goes into an account that is named or agreed', async (t) => {
  const here = await lived(t);
  const archive = await archiveOf(here);
  for (const isOwner of [true, false]) {
    const there = await another(t);
    const who = isOwner ? { owner: await idOf(there.store, 'carl'), takesOtherName: true } : { member: 'carl' };
    const { report, notes } = await there.import('archive', archive, { ...strict, ...who });
    assert.deepEqual(report, { read: 42, new: 36, changed: 1, kept: 5, unmatched: 0, bad: 0 });
    assert.deepEqual(notes.slice(0, 3), [
      'This is the archive of ada. All of it goes to carl',
      'The role of carl stays as it is here; only administrators can change it',
      'Profile: 1 changed',
    ]);
    for (const [name, text] of readZip(await archiveOf(there, 'carl'))) {
      const expected = (readZip(archive).get(name) ?? '').replaceAll(/"(username|list_owner)":"ada"/g, '"$1":"carl"');
      assert.equal(text, expected.replace('"role":"staff"', '"role":"member"'), name);
    }
    assert.equal(await idOf(there.store, 'ada'), 0n);
  }
  const there = await another(t);
  await there.import('records', [{ username: 'bob', role: 'staff' }]);
  await there.import('archive', await archiveOf(here, 'bob'), strict);
  assert.equal((await there.rows('records')).find(({ username }) => username === 'bob')?.['role'], 'staff');
});

test('an archive of an earlier version is read by the former names of its fields', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const now = await archiveOf(here);
  const files = readZip(now);
  for (const part of ['submissions', 'statuses'] as const) {
    const path = partFile(part);
    let text = files.get(path) ?? '';
    for (const [former, name] of rowKinds[part].formerNames) {
      assert.ok(text.includes(`"${name}":`), name);
      text = text.replaceAll(`"${name}":`, `"${former}":`);
    }
    files.set(path, text);
  }
  await there.import('archive', zipOf(files), strict);
  assert.deepEqual(await archiveOf(there), now);
});

test('an archive has everything of its member, without ids, and nothing of others', async (t) => {
  const garden = await lived(t);
  const files = readZip(await archiveOf(garden));
  assert.deepEqual([...files.keys()], ['README.txt', ...partNames.map(partFile)]);
  assert.equal(files.get('README.txt'), readme);
  for (const name of partNames) assert.ok(readme.includes(`${partFile(name)} `), name);
  const all = [...files.values()].join('\n');
  assert.doesNotMatch(all, /bob/);
  const rowsOf = (name: string) =>
    (files.get(`${name}.ndjson`) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const name of partNames) {
    for (const row of rowsOf(name)) {
      assert.equal(row['username'], 'ada', name);
      for (const id of ['id', 'user', 'problem', 'user_id', 'batch_id']) assert.ok(!(id in row), `${name} ${id}`);
    }
  }
  assert.deepEqual(
    rowsOf('handles').map(({ source, name }) => `${source} ${name}`),
    ['codeforces ada_cf'],
  );
  assert.deepEqual(
    rowsOf('submissions').map(({ key, contest, verdict_class }) => `${key} ${contest} ${verdict_class}`),
    ['1A 1 tried', '1A 1 solved', '2B 2 solved', '9Z 9 solved'],
  );
  assert.deepEqual(
    rowsOf('statuses').map((row) => [row['source_key'], row['status'], row['how'], row['judge_status']].join()),
    ['1A,complete,hint,complete', '1B,reading,,', '2B,complete,hint,complete'],
  );
  assert.deepEqual(
    rowsOf('changes').map(
      ({ batch, kind, source_key, undone_at }) => `${batch} ${kind} ${source_key} ${undone_at !== null}`,
    ),
    [
      ...['1 status 2B false', '1 status 1A false', '1 status 1B false'],
      ...['2 status 1C true', '2 status 2A true'],
      ...['3 bookmark 2A false', '3 bookmark 1B false', '4 note 1B false', '5 status 1B false'],
    ],
  );
  assert.deepEqual(
    rowsOf('plants').map((row) =>
      [row['name'], row['target'], row['list'], row['source'], row['rating_min'], row['by_date']].join(),
    ),
    ['Trees,1,,,,', 'Trees,2,,,,', 'of ada,3,,,,', 'The camp,4,Camp of ada,,,2027-01-31', 'Up,3,,codeforces,1400,'],
  );
  assert.deepEqual(
    rowsOf('lists').map(({ name, visibility, content }) => {
      const { sections } = content as { sections: { name: string; problems: { source_key: string }[] }[] };
      return [name, visibility, ...sections.map((one) => [one.name, one.problems.map((p) => p.source_key)])];
    }),
    [['Camp of ada', 'garden', ['First', ['2B', '1A']], ['', ['1B']]]],
  );
  assert.deepEqual(
    rowsOf('preferences').map(({ name }) => name),
    ['hide_topics', 'problem_views'],
  );
});

test('a problem that the first garden did not have finds its submissions in the second', async (t) => {
  const here = await lived(t);
  const there = await another(t, ['9Z']);
  await there.import('archive', await archiveOf(here), strict);
  assert.equal((await there.rows('statuses')).length, 4);
});

/** A garden in which ada added problems by their links, follows a list, and has a problem of the garden's own. */
async function withAdded(t: TestContext): Promise<Garden> {
  const [garden, memberId] = [await gardenOf(t, 'ada'), 1n];
  await garden.import('codeforces-problems', codeforces(...problems.slice(0, 1)));
  await garden.import('problems', [{ source: 'club', source_key: 'x', title: 'Ours' }]);
  const links = ['https://www.spoj.com/problems/PRIME1/', 'https://oj.example/p/7', 'https://oj.example/p/8'];
  const wanted = links.map((link) => ({ ...parseProblemAddress(link, new Map()), title: `Pond of ${link.at(-1)}` }));
  const added = await addProblems(garden.store, memberId, wanted, noLimits);
  const ids = added.map(({ id }) => id);
  await setStatus(garden.store, { memberId, problemIds: [1n, 2n, ...ids.slice(0, 2)], status: 'complete' });
  const items = ids.map((problem) => ({ problem }));
  const id = await makeList(garden.store, { ownerId: memberId, name: 'Followed', content: [{ name: '', items }] });
  const seen = [
    { problem_id: ids[0] ?? 0n, came_at: null, is_gone: 0n },
    { problem_id: ids[1] ?? 0n, came_at: '2026-03-03T03:03:03.003Z', is_gone: 1n },
  ];
  const kept = { url: 'https://example.org/list.json', good_at: '2026-03-03T03:03:03.003Z', items: seen };
  assert.equal(await garden.store.write((tx) => importFollow(tx, { id, owner_id: memberId }, kept)), true);
  return garden;
}

test('an archive brings the problems that it names where their links name them, and what its lists follow', async (t) => {
  const here = await withAdded(t);
  const there = await openGarden(t);
  const archive = await archiveOf(here);
  const reason = /statuses\.ndjson, line 1, .*no problem of club has the key x/;
  await assertRefused(there, reason, 'archive', archive, strict);
  const first = await there.import('archive', archive, { ...strict, skipsBad: true });
  assert.ok(first.notes.includes('Problems: 4 added and 1 left out'), first.notes.join());
  assert.deepEqual([first.report.unmatched, first.badRows.length], [1, 2], 'the problem of the club');
  const titles = (await there.rows('problems')).map(({ source, source_key, title }) => [source, source_key, title]);
  assert.deepEqual(titles.toSorted(), [
    ['codeforces', '1A', '1A'],
    ['oj.example', 'p/7', 'Pond of 7'],
    ['oj.example', 'p/8', 'Pond of 8'],
    ['spoj', 'PRIME1', 'Pond of /'],
  ]);
  const adders = await there.store.reader.selectFrom('added_problems').select('member_id').execute();
  assert.deepEqual(adders, Array(4).fill({ member_id: 1n }));
  const followed = async (garden: Garden) => readZip(await archiveOf(garden)).get('lists.ndjson');
  assert.match((await followed(here)) ?? '', /"follows":\{"url":"https:\/\/example\.org\/list\.json"/);
  assert.equal(await followed(there), await followed(here));
  const again = await there.import('archive', archive, { ...strict, skipsBad: true });
  assert.equal(again.hasWritten, false);
  const back = await here.import('archive', await archiveOf(there), strict);
  assert.equal(back.hasWritten, false, 'back where it came from');
});

/** A garden whose DMOJ is a club's own site, in which ada solved a problem there and one of dmoj.ca, and has both in a list. */
async function withClubSite(t: TestContext, judgeAddresses: JudgeAddresses): Promise<Garden> {
  const [garden, memberId] = [await gardenOf(t, 'ada'), 1n];
  await garden.import('problems', [
    { source: 'dmoj', source_key: 'aplusb', title: 'Of the club', url: 'https://oj.club.example/problem/aplusb' },
  ]);
  const member = { username: 'ada', source: 'dmoj' };
  await garden.import('handles', [{ ...member, name: 'ada_club' }]);
  const sent = {
    handle: 'ada_club',
    submission_id: '7',
    verdict_class: 'solved',
    submitted_at: '2026-03-03T03:03:03Z',
  };
  await garden.import('submissions', [{ ...member, ...sent, key: 'aplusb' }]);
  const problem = { ...parseProblemAddress('https://dmoj.ca/problem/ccc00s2', judgeAddresses), title: 'Ponds' };
  const [added] = await addProblems(garden.store, memberId, [problem], noLimits);
  const problemIds = [1n, added?.id ?? 0n];
  await setStatus(garden.store, { memberId, problemIds, status: 'complete' });
  const items = problemIds.map((problem) => ({ problem }));
  await makeList(garden.store, { ownerId: memberId, name: 'Camp', content: [{ name: '', items }] });
  return garden;
}

test('an archive of a garden with another DMOJ finds its problems by their links, and leaves the handles there out', async (t) => {
  const club = { judgeAddresses: new Map([['dmoj', { url: 'https://oj.club.example', mayBePrivate: false }]]) };
  const here = await withClubSite(t, club.judgeAddresses);
  const there = await openGarden(t);
  const ofDmoj = ['aplusb', 'ccc00s2'].map((key) => {
    return { source: 'dmoj', source_key: key, title: key, url: `https://dmoj.ca/problem/${key}` };
  });
  await there.import('problems', ofDmoj);
  const archive = await archiveOf(here);
  const { report, notes, lines } = await there.import('archive', archive, strict);
  assert.equal(report.unmatched, 2);
  assert.ok(notes.includes('Problems: 1 added and 1 unchanged') && notes.includes('Lists: 1 added'), notes.join());
  assert.match(notes.join(), /Left out: 2 rows about handles at DMOJ/);
  assert.ok(lines.includes('unmatched submissions: dmoj'), lines.join('\n'));
  const files = readZip(await archiveOf(there));
  const keysIn = (part: string) => [...(files.get(part) ?? '').matchAll(/"source":"([^"]+)","source_key":"([^"]+)"/g)];
  for (const part of ['statuses.ndjson', 'lists.ndjson', 'changes.ndjson'])
    assert.deepEqual(
      keysIn(part)
        .map(([, source, key]) => `${source} ${key}`)
        .toSorted(),
      ['dmoj ccc00s2', 'oj.club.example problem/aplusb'],
      part,
    );
  assert.equal(files.get('handles.ndjson'), '');
  assert.equal((await there.import('archive', archive, strict)).hasWritten, false, 'the second time');
  const back = await here.import('archive', await archiveOf(there), { ...strict, ...club });
  assert.equal(back.hasWritten, false, back.notes.join());
  const alike = await openGarden(t);
  const same = await alike.import('archive', archive, { ...strict, ...club });
  assert.deepEqual([same.report.unmatched, await archiveOf(alike)], [0, archive], 'a garden with the same site');
});

test('a problem that an earlier version named by its host is the one of today', async (t) => {
  const [here, memberId] = [await gardenOf(t, 'ada'), 1n];
  const old = { source: 'cses.fi', source_key: 'problemset/task/1068,math', title: 'Weird' };
  await here.import('problems', [{ ...old, url: 'https://cses.fi/problemset/task/1068,math' }]);
  await setStatus(here.store, { memberId, problemIds: [1n], status: 'complete' });
  await makeList(here.store, { ownerId: memberId, name: 'Old', content: [{ name: '', items: [{ problem: 1n }] }] });
  const files = readZip(await archiveOf(here));
  const named = files.get('problems.ndjson') ?? '';
  for (const problems of [named, named.replace(/"url":"[^"]*"/, '"url":null'), '']) {
    const there = await openGarden(t);
    if (problems === '') await there.import('problems', [{ source: 'cses', source_key: '1068', title: 'Weird' }]);
    files.set('problems.ndjson', problems);
    await there.import('archive', await zipOf(files), strict);
    const kept = readZip(await archiveOf(there));
    for (const part of ['lists.ndjson', 'statuses.ndjson'])
      assert.match(kept.get(part) ?? '', /"source":"cses","source_key":"1068"/, part);
  }
});

test('an archive brings the problem of a timer that left no mark', async (t) => {
  const [here, there] = [await planted(t, '1A', '1B'), await openGarden(t)];
  await startTimer(here.store, 1n, 2n, new Date());
  const archive = await archiveOf(here);
  const { notes } = await there.import('archive', archive, strict);
  assert.ok(notes.includes('Problems: 1 added') && notes.includes('Timers: 1 added'), notes.join());
  assert.equal(readZip(await archiveOf(there)).get('timers.ndjson'), readZip(archive).get('timers.ndjson'));
});

test('an archive adds as many problems as its member may add, and says how the rest comes', async (t) => {
  const archive = await archiveOf(await withAdded(t));
  const there = await gardenOf(t, 'ada');
  const options = { ...strict, skipsBad: true, owner: 1n, limits: { perDay: 1, total: 9 } };
  await there.import('problems', [{ source: 'club', source_key: 'x', title: 'Ours' }]);
  const { notes, report } = await there.import('archive', archive, options);
  const raised = 'An administrator can raise it under Administration → Settings.';
  assert.deepEqual(notes, [
    '1 problem of Codeforces without the rating and topics of its catalogue: an administrator can sync it first (Administration → Judges)',
    `Not added: 3 problems, so everything about them waits. The limit is 1 in 24 hours: add the rest tomorrow. ${raised} Then import the archive again, on each of 3 days.`,
    'Profile: 1 changed',
    'Problems: 1 added, 1 unchanged and 3 waiting',
    'Statuses: 2 added and 2 waiting',
    'Lists: 1 added',
    'History: 2 added and 2 waiting',
  ]);
  assert.equal((await there.rows('problems')).length, 2);
  const { read, ...others } = report;
  assert.deepEqual([others.unmatched, others.bad], [7, 0]);
  assert.equal(
    read,
    Object.values(others).reduce((sum, count) => sum + count),
  );
  const few = { ...options, isDryRun: true, limits: { perDay: 1, total: 3 } };
  const { notes: fitting } = await there.import('archive', archive, few);
  assert.match(fitting[0] ?? '', /^Not added: 3 problems.* again, on each of 2 days\.$/);
  assert.match(fitting[1] ?? '', /^Only 2 of the waiting problems can be added: the limit in total is 3\./);
  const later = await there.import('archive', archive, { ...options, limits: { perDay: 9, total: 9 } });
  assert.ok(!later.notes.some((note) => /^Not added|waiting/.test(note)), later.notes.join());
  assert.equal((await there.rows('problems')).length, 5);
});

test('an archive gives no problem the name of another, and no list an address that is none', async (t) => {
  const files = readZip(await archiveOf(await withAdded(t)));
  const changed = (file: string, from: string, to: string) => {
    files.set(file, (files.get(file) ?? '').replaceAll(from, to));
    return zipOf(files);
  };
  const there = await openGarden(t);
  await there.import('problems', [{ source: 'club', source_key: 'x', title: 'Ours' }]);
  changed('problems.ndjson', 'https://codeforces.com/problemset/problem/1/A', 'https://www.spoj.com/problems/OTHER/');
  const spoofed = changed('problems.ndjson', '"source_key":"p/7"', '"source_key":"p/9"');
  await there.import('archive', spoofed, { ...strict, isDryRun: true });
  const moved = await openGarden(t);
  await moved.import('archive', spoofed, { ...strict, skipsBad: true });
  const keys = (await moved.rows('problems')).map(({ source, source_key: key }) => `${source} ${key}`);
  assert.deepEqual(keys.toSorted(), ['codeforces 1A', 'oj.example p/7', 'oj.example p/8', 'spoj PRIME1']);
  const wrong = changed('lists.ndjson', 'https://example.org/list.json', 'javascript:alert(1)');
  await assertRefused(there, /lists\.ndjson, line 1, .*link/i, 'archive', wrong, strict);
});

test('a row of another member in an archive is refused as it stands', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const files = readZip(await archiveOf(here));
  const refused: Parameters<typeof assertAllRefused>[1][number][] = [];
  for (const name of partNames) {
    const foreign = new Map(files);
    const text = files.get(partFile(name)) ?? '';
    foreign.set(partFile(name), text + text.split('\n')[0]?.replace('"username":"ada"', '"username":"eve"') + '\n');
    const reason =
      name === 'records'
        ? /an archive is of one member; "eve" is a second one/
        : /username is "eve", but this is the archive of ada/;
    const nobody = new Map(files);
    nobody.set(partFile(name), text.replace('"username":"ada",', ''));
    refused.push(
      [reason, 'archive', await zipOf(foreign), strict],
      [/username is null|has no valid row, so nothing says whose/, 'archive', await zipOf(nobody), strict],
    );
  }
  const options = { ...strict, owner: await idOf(there.store, 'carl') };
  for (const [name, reason] of [
    ['eve', /archive of eve, but your username here is carl/],
    ['two words', /archive of two words, but your username here is carl/],
  ] as const)
    refused.push([reason, 'archive', zipOf(new Map([['records.ndjson', `{"username":"${name}"}\n`]])), options]);
  await assertAllRefused(there, refused);
});

const wrongChanges: readonly [change: Record<string, unknown>, reason: RegExp][] = [
  [{ after: { status: 'hacked', at: null, how: null } }, /after is not valid/],
  [{ after: { status: 'reading', at: null, how: null, user_id: 1 } }, /after is not valid/],
  [{ before: { status: null, at: null, how: null } }, /before is not valid/],
  [{ kind: 'bookmark' }, /before is not valid/],
  [{ before: { status: null, at: 'now', how: null, judge: null } }, /before is not valid/],
  [{ after: JSON.parse('{"status":"reading","at":null,"__proto__":{"how":null}}') }, /after is not valid/],
  [{ kind: 'role' }, /kind is "role"/],
  [{ batch: undefined }, /batch, kind and made_at are needed/],
];

test('history that could not be undone is refused row by row', async (t) => {
  const garden = await lived(t);
  const row = {
    username: 'ada',
    batch: 1,
    source: 'codeforces',
    source_key: '1C',
    kind: 'status',
    before: { status: null, at: null, how: null, judge: null },
    after: { status: 'reading', at: '2026-03-03T03:03:03.003Z', how: null },
    made_at: '2026-03-03T03:03:03.003Z',
    undone_at: null,
  };
  await assertAllRefused(
    garden,
    wrongChanges.map(([change, reason]) => [reason, 'changes', [{ ...row, ...change }], strict]),
  );
  const star = { ...row, source_key: '1B', kind: 'bookmark', before: null, after: null };
  const reason = /one batch has changes of statuses or of bookmarks, not both/;
  await assertRefused(garden, reason, 'changes', [row, star], strict);
  assert.equal((await garden.import('changes', [row], strict)).report.new, 1);
});

test('rows of the other kinds that no page could have made are refused', async (t) => {
  const garden = await lived(t);
  const solve = {
    username: 'ada',
    source: 'codeforces',
    handle: 'ada_cf',
    submission_id: '1',
    key: '1A',
    verdict_class: 'tried',
    submitted_at: '2026-03-03T03:03:03.003Z',
  };
  const wrong: [Parameters<Garden['import']>[0], object, RegExp][] = [
    [
      'handles',
      { username: 'ada', source: 'cses', name: 'a b' },
      /A handle at CSES has 1 to 100 characters without spaces/,
    ],
    ['submissions', { ...solve, handle: 'eve_cf' }, /ada has no handle "eve_cf" at codeforces; import handles first/],
    ['submissions', { ...solve, submission_id: 'x'.repeat(5000) }, /submission_id is .*text of 1 to 100/],
    ['submissions', { ...solve, key: '' }, /key is .*text of 1 to 100/],
    ['submissions', { ...solve, verdict_class: undefined }, /verdict_class and submitted_at are needed/],
    ...[
      { at: 'now' },
      { at: 5 },
      { name: 5 },
      { name: '\ud800' },
      { target: '0' },
      { target: 1 },
      { by_date: '2026-02-30' },
    ].map((wrong): [Parameters<Garden['import']>[0], object, RegExp] => {
      const edit = { at: solve.submitted_at, name: 'Old', target: '1', by_date: null, ...wrong };
      return ['plants', { username: 'ada', name: 'p', target: 1, edits: { before: [edit] } }, /edits is not valid/];
    }),
    ['preferences', { username: 'ada', name: 'role', value: 'staff' }, /"role" with this value is not a preference/],
    ['preferences', { username: 'ada', name: 'problem_views', value: '"x"' }, /problem_views/],
  ];
  await assertAllRefused(
    garden,
    wrong.map(([what, row, reason]) => [reason, what, [row], strict]),
  );
});

test('each file of an archive is one that garden import reads by itself, in every format', async (t) => {
  const here = await lived(t);
  const fileOf = async (garden: Garden, name: (typeof memberKinds)[number], format: Format) => {
    const options = { memberId: await idOf(garden.store, 'ada'), isPortable: true };
    return text(exportRows(garden.store.reader, rowKinds[name], format, options));
  };
  for (const format of formats) {
    const there = await another(t);
    for (const name of memberKinds) {
      const { report } = await there.import(name, await fileOf(here, name, format), { ...strict, format });
      assert.ok(report.read > 0, name);
    }
    assert.equal(await fileOf(there, 'changes', format), await fileOf(here, 'changes', format));
  }
});

test('the command line writes and reads archives, by name and by their ending', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const folder = await temporaryFolder(t);
  const [first, second] = [join(folder, 'ada.zip'), join(folder, 'again.zip')];
  const written = await gardenHere(['export', 'archive', first, '--member', 'ada'], here);
  assert.match(written.stderr, /^42 rows of ada written to .*ada\.zip$/m);
  assert.deepEqual(await readFile(first), await archiveOf(here));
  const read = await gardenHere(['import', first, '--json'], there);
  assert.equal(read.code, 0, read.stderr);
  assert.equal(JSON.parse(read.stdout).read, 42);
  await gardenHere(['export', 'archive', second, '--member', 'ADA'], there);
  assert.deepEqual(await readFile(second), await readFile(first));
  const again = await gardenHere(['import', 'archive', second], there);
  assert.match(again.stdout, /^History: 9 unchanged$/m);
  assert.match(again.stdout, /Nothing changed/);
  const moved = await gardenHere(['import', second, '--member', 'carl', '--dry-run'], there);
  assert.match(moved.stdout, /^This is the archive of ada\. All of it goes to carl$/m);
  const databaseUrl = await temporaryDatabase(t);
  for (const [args, reason] of [
    [['export', 'archive', first], /An archive contains one member/],
    [['export', 'archive', first, '--member', 'ada', '--format', 'csv'], /An archive is a zip file/],
    [['import', 'archive', first, '--format', 'csv'], /--format works only for our own resources/],
  ] as const) {
    const { code, stderr } = await gardenHere(args, { databaseUrl });
    assert.equal(code, 2, stderr);
    assert.match(stderr, reason);
  }
  await writeFile(first, 'no archive');
  const refused = await gardenHere(['import', first], there);
  assert.deepEqual(
    [refused.code, /The archive cannot be unpacked \(End of central directory/.test(refused.stderr)],
    [3, true],
  );
});
