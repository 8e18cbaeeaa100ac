/** The class list of a group: no row is lost without a word, each link lets one person in once, and ticks that person off. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addClass, checkClass, renewAccountSlips, renewSlipOf } from '../../src/importing/class-list.ts';
import { classFields, familyFirstOf, peopleCsv, readList } from '../../src/importing/member-list.ts';
import {
  accountOfSlip,
  archiveGroup,
  findOwnSlipGroup,
  forgetExpected,
  joinGroup,
  leaveGroup,
  makeGroup,
  makeGroupLink,
  removeFromGroup,
  removeGroup,
  renewSlips,
  type Slip,
  setGroupRole,
  setOwnStudentNumber,
  setStudentNumber,
} from '../../src/practice/groups.ts';
import { listExpectedPeople, listGroupLinks } from '../../src/store/groups.ts';
import { findMembersByIds } from '../../src/store/members.ts';
import { rowsOf } from '../support/databases.ts';
import { gardenOf } from './support.ts';

const read = (text: string) => readList(text, [], classFields);

const lists: [name: string, text: string, people: string[]][] = [
  ['a header', 'Vorname;Name;Matrikel;Mail\nMila;Andersson;22-0101;m@x.org\n', ['Mila Andersson/22-0101']],
  ['names in other scripts', '学号,姓,名\n0103,李,明\n0104,田中,さくら\n', ['李 明/0103', '田中 さくら/0104']],
  [
    'whole names',
    'name\tID number\nعمر حداد\t5\n李 明\t6\nLovelace, Ada\t7\n',
    ['عمر حداد/5', '李 明/6', 'Ada Lovelace/7'],
  ],
  [
    'no header',
    '1,Mila Andersson,22-0101\n2,Tom O’Neill 2nd,22-0102\n',
    ['Mila Andersson/22-0101', 'Tom O’Neill 2nd/22-0102'],
  ],
  [
    'a family name, a comma and a given name',
    'Nr.;Nachname, Vorname;Matrikelnummer\n1;Weiß, Jürgen;7\n',
    ['Jürgen Weiß/7'],
  ],
  ['a heading of no known name', 'Nr.;Schülerin oder Schüler;Matrikel\n1;Jürgen Weiß;7\n', ['Jürgen Weiß/7']],
  [
    'headings of no known language',
    'العدد;الاسم;رقم\n١;عمر حداد;١٢\n٢;سارة علي;١٣\n',
    ['الاسم/رقم', 'عمر حداد/١٢', 'سارة علي/١٣'],
  ],
  ['a number that does not count the rows', 'Nr.;Rufname;Nachname\n41;Mila;Lund\n', ['Mila Lund/41']],
  [
    'a number that counts the rows',
    'Nr.;Vorname;Nachname\n1;Mila;Lund\n2;Bo;Li\n;Summe;2\n',
    ['Mila Lund/', 'Bo Li/', '/'],
  ],
  ['no header, no number', 'Mila;Andersson\nTom;O’Neill\n', ['Mila Andersson/', 'Tom O’Neill/']],
  [
    'a number before whole names',
    '22-0101,"Lovelace, Ada"\n22-0102,Bo Li\n',
    ['Ada Lovelace/22-0101', 'Bo Li/22-0102'],
  ],
  ['two rows, of which one name has a digit', 'Mila,a\nTom 2nd,5\n', ['Mila/', 'Tom 2nd/']],
  ['the row of the total', 'Name;Vorname;Matrikel\nDemir;Yusuf;1\nSumme;1;\n', ['Yusuf Demir/1', '/']],
];
for (const [name, text, people] of lists)
  test(`a class list for a group is read: ${name}`, () => {
    const list = read(text).people;
    assert.deepEqual(
      list.map(({ value }) => Object.values(value).join('/')),
      people,
    );
    assert.deepEqual(read(peopleCsv(list, classFields)).people, list);
  });

test('a column of student numbers is known by its heading in each language, and by those of Moodle', () => {
  const headings =
    "Schüler-Nr. Schülernummer Schüler-ID Nummer Personalnummer ID-Nummer Numéro_d'identification Número_de_ID Номер 번호 编号 IDナンバー";
  for (const heading of headings.split(' '))
    assert.equal(read(`${heading};Name\n4711;Bo Li\n`).people[0]?.value.student_number, '4711', heading);
});

test('coaches order people by the family name on their list, or else in the profile', () => {
  const person = (expected_name: string | null, first_name: string | null, last_name: string | null) =>
    familyFirstOf({ expected_name, first_name, last_name });
  assert.deepEqual(
    [
      person('Max Krüger', 'Ben', 'Lehmann'),
      person('Vera van Dam', 'Vera', 'van Dam'),
      person('田中 さくら', 'さくら', '田中'),
      person('Ana', null, null),
      person(null, 'Ben', 'Lehmann'),
      person(null, null, null),
    ],
    ['Krüger Max', 'van Dam Vera', '田中 さくら', 'Ana', 'Lehmann Ben', ''],
  );
});

async function world(t: TestContext) {
  const { databaseUrl, store, import: bring } = await gardenOf(t, 'ada', 'bob', 'cy', 'dan');
  const ids = { ada: 1n, bob: 2n, cy: 3n, dan: 4n };
  const groupId = await makeGroup(store, ids.ada, { name: 'Thursday club', zone: 'UTC' });
  const coach = { groupId, coachId: ids.ada };
  const link = (uses = 1) => makeGroupLink(store, coach, { uses, lifetimeMs: 60_000, madeBy: ids.ada });
  const add = async (text: string): Promise<Slip[]> => (await addClass(store, coach, read(text).people, ids.ada)).slips;
  const state = async () => {
    const people = await listExpectedPeople(store.reader, groupId, new Date().toISOString());
    return people.map(({ name, username, expires_at }) => `${name}: ${username ?? (expires_at ? 'waits' : 'no link')}`);
  };
  const numbers = async () => {
    const rows = await rowsOf(
      databaseUrl,
      "SELECT student_number FROM group_members WHERE role = 'member' ORDER BY user_id",
    );
    return rows.map((row) => Object.values(row)[0]);
  };
  return { databaseUrl, ids, store, bring, groupId, coach, link, add, state, numbers };
}

const isInvalid = (key: string) => (error: { localized?: { key: string } }) => {
  assert.equal(error.localized?.key, `invalidValue.${key}`);
  return true;
};

test('nobody comes on the class list twice, and each row that is left out says why and where it can be mended', async (t) => {
  const { bring, store, ids, groupId, coach, link, add, state, numbers } = await world(t);
  await add('name,student_number\nAna,21-04\nNia,\nOla,\n');
  for (const id of [ids.bob, ids.cy]) await joinGroup(store, id, await link(9));
  await setOwnStudentNumber(store, groupId, ids.bob, 'B-7');
  const named = [
    { username: 'cy', first_name: 'Cyrus', last_name: 'Ng' },
    { username: 'dan', first_name: 'Dan', last_name: 'Ray' },
    { username: 'bob', first_name: 'Dan', last_name: 'Ray' },
  ];
  await bring('records', named);
  const long = (length: number) => 'x'.repeat(length);
  const rows = [
    ...['Ana,21-04', 'Ana,', 'Nia,', 'Bob,b-7', 'Mila,22-01', 'Mila,22-01', 'Tom,22-01', 'Kim,', 'Kim,', 'Kim,22-02'],
    ...[',22-03', '12,', `${long(201)},22-04`, `Li,${long(81)}`, `${long(200)},${long(80)}`],
    ...['Ana,22-05', 'Lu,22-06,,', 'Ola,22-07', 'cyrus ng,22-08'],
  ];
  const checked = await checkClass(store.reader, groupId, read(`name,student_number\n${rows.join('\n')}`).people);
  const key = ({ fault, wrongField, note }: (typeof checked)[number]) =>
    fault ? `${fault.localized?.key} ${wrongField ?? ''}`.trim() : (note?.localized?.key ?? 'ready');
  assert.deepEqual(checked.map(key), [
    'class.isExpected',
    'class.isExpected',
    'class.isExpected',
    'class.isMember',
    'ready',
    'class.sameRow',
    'class.sameNumber student_number',
    'ready',
    'class.sameName student_number',
    'ready',
    'class.noName name',
    'class.noName name',
    'class.long name',
    'class.long student_number',
    'ready',
    'ready',
    'ready',
    'class.getsNumber',
    'class.isMember',
  ]);
  const { slips, refused } = await addClass(store, coach, checked, ids.ada);
  assert.deepEqual([slips.length, refused.length], [6, 10]);
  assert.deepEqual((await state()).slice(0, 5), ['Ana: waits', 'Nia: waits', 'Ola: waits', 'Bob: bob', 'Mila: waits']);
  assert.deepEqual([(await state()).at(-1), await numbers()], ['cyrus ng: cy', ['B-7', '22-08']]);
  const again = await addClass(store, coach, read('name,id\nOla,22-07\ncyrus ng,22-08\nBob,b-7').people, ids.ada);
  assert.deepEqual(again.refused.map(key), Array(3).fill('class.isExpected'), 'with the number that it got');
  for (const [isByStaff, username] of [
    [false, undefined],
    [true, 'dan'],
  ] as const) {
    const [slip] = (await addClass(store, coach, read('Dan Ray').people, ids.ada, isByStaff)).slips;
    assert.equal(slip?.username, username, 'coaches alone do not read who has an account');
    assert.equal(accountOfSlip(slip?.secret ?? ''), undefined, 'a name that members choose binds no slip');
    await forgetExpected(store, coach, slip?.id ?? 0n);
  }
  const [dan] = (await addClass(store, coach, read('name,id\nDan Ray,9').people, ids.ada)).slips;
  const other = await makeGroup(store, ids.ada, { name: 'Other', zone: 'UTC' });
  const accountBeside = async (row?: string) => {
    if (row) await addClass(store, { groupId: other, coachId: ids.ada }, read(row).people, ids.ada);
    const [slip] = await renewAccountSlips(store, coach, ids.ada, dan?.id);
    return `${slip?.account?.username} ${slip?.isUnsure}`;
  };
  assert.equal(await accountBeside('Dan Ray,9'), 'dan false', 'one person in two groups');
  assert.equal(await accountBeside('Dan Ray,8'), 'undefined true', 'the account could be that of a namesake');
  await archiveGroup(store, { groupId: other, coachId: ids.ada }, true);
  assert.equal(await accountBeside(), 'dan false', 'nobody waits in an archived group');
  await forgetExpected(store, coach, dan?.id ?? 0n);
  await add('name,student_number\nDan Ray,\nCyrus Ng,22-09\n');
  const renewed = (await findMembersByIds(store.reader, [ids.dan, ids.cy])).map((one) =>
    store.write(async (tx) => `${one.username} ${typeof (await renewSlipOf(tx, ids.ada, one))}`),
  );
  assert.deepEqual((await Promise.all(renewed)).toSorted(), ['cy undefined', 'dan string'], 'not of a namesake');
  const many = (count: number) => Array.from({ length: count }, (_, at) => `N${at}x,A${at}`).join('\n');
  await assert.rejects(add(`name,student_number\n${many(188)}`), isInvalid('expected'));
  assert.equal((await add(`name,student_number\n${many(187)}`)).length, 187);
});

test('a link lets in one person, once, ticks them off and gives the number, and nothing else of them changes', async (t) => {
  const { store, ids, groupId, coach, link, add, state, numbers, databaseUrl } = await world(t);
  const [mila, tom, kim] = await add('name,student_number\nMila,22-01\nTom,22-02\nKim,\n');
  assert.ok(mila && tom && kim);
  const members = 'SELECT username, first_name, last_name, email FROM members ORDER BY id';
  const before = await rowsOf(databaseUrl, members);
  assert.equal(await joinGroup(store, ids.bob, mila.secret), groupId);
  assert.equal(await joinGroup(store, ids.cy, mila.secret), undefined, 'used');
  assert.equal(await joinGroup(store, ids.bob, tom.secret), groupId);
  assert.equal(await joinGroup(store, ids.ada, tom.secret), groupId);
  const only = ['Mila: bob', 'Tom: waits', 'Kim: waits'];
  assert.deepEqual(await state(), only, 'not by a coach or somebody else of the list');
  await joinGroup(store, ids.cy, await link());
  await setOwnStudentNumber(store, groupId, ids.cy, 'own');
  await archiveGroup(store, coach, true);
  assert.equal(await joinGroup(store, ids.cy, tom.secret), groupId);
  await assert.rejects(joinGroup(store, ids.dan, tom.secret), isInvalid('groupArchived'));
  assert.equal((await state())[1], 'Tom: waits');
  await archiveGroup(store, coach, false);
  await joinGroup(store, ids.cy, tom.secret);
  assert.deepEqual(await state(), ['Mila: bob', 'Tom: cy', 'Kim: waits'], 'a member who is there already');
  assert.deepEqual(await numbers(), ['22-01', 'own']);
  assert.deepEqual(await rowsOf(databaseUrl, members), before);

  assert.equal(await removeFromGroup(store, coach, ids.bob), true);
  await leaveGroup(store, groupId, ids.cy);
  assert.deepEqual(await state(), ['Mila: no link', 'Tom: no link', 'Kim: waits']);
  await assert.rejects(joinGroup(store, ids.bob, kim.secret), isInvalid('removedFromGroup'));
  const [anew, ...others] = await renewSlips(store, coach, ids.ada, mila.id);
  assert.deepEqual(others, []);
  await joinGroup(store, ids.bob, anew?.secret ?? '');
  const renewed = await renewSlips(store, coach, ids.ada, undefined);
  assert.deepEqual(
    renewed.map(({ name }) => name),
    ['Tom', 'Kim'],
  );
  assert.equal(await joinGroup(store, ids.dan, kim.secret), undefined, 'ended by the new one');
  assert.deepEqual(await renewSlips(store, coach, ids.ada, mila.id), [], 'of somebody who has joined');

  assert.equal(await findOwnSlipGroup(store.reader, ids.bob, anew?.secret ?? ''), groupId);
  assert.equal(await findOwnSlipGroup(store.reader, ids.cy, anew?.secret ?? ''), undefined);
  const last = renewed[1]?.secret ?? '';
  const other = await makeGroup(store, ids.ada, { name: 'Another club', zone: 'UTC' });
  assert.equal(await forgetExpected(store, { groupId: other, coachId: ids.ada }, kim.id), false);
  assert.deepEqual(await listExpectedPeople(store.reader, other, ''), []);
  assert.equal((await listGroupLinks(store.reader, groupId, '')).length, 0, 'slips are no join links');
  assert.equal(await forgetExpected(store, coach, kim.id), true);
  assert.equal(await joinGroup(store, ids.dan, last), undefined, 'taken off the list');
  await forgetExpected(store, coach, mila.id);
  assert.deepEqual(await state(), ['Tom: waits']);
  assert.deepEqual(await numbers(), ['22-01'], 'who has joined stays');
});

test('the student number of the list ticks off who enters it, until another person uses the slip', async (t) => {
  const { store, ids, groupId, coach, link, add, state, numbers } = await world(t);
  const [mila] = await add('name,student_number\nMila,22-01\nTom,22-02a\n');
  await joinGroup(store, ids.bob, await link());
  await setOwnStudentNumber(store, groupId, ids.bob, ' 22-02A');
  assert.deepEqual(await state(), ['Mila: waits', 'Tom: bob']);
  await setOwnStudentNumber(store, groupId, ids.bob, '22-01');
  assert.deepEqual(await state(), ['Mila: waits', 'Tom: bob'], 'nobody becomes another person');
  await setStudentNumber(store, coach, ids.bob, '22-01');
  assert.deepEqual(await state(), ['Mila: bob', 'Tom: waits']);
  await joinGroup(store, ids.dan, mila?.secret ?? '');
  assert.deepEqual([...(await state()), ...(await numbers())], ['Mila: dan', 'Tom: waits', '22-01', '22-01']);
});

test('slips end with their half year, with their coach and with the group', async (t) => {
  const { store, ids, groupId, coach, link, add, state, databaseUrl } = await world(t);
  const [mila] = await add('Mila\n');
  const [slip] = await rowsOf(databaseUrl, 'SELECT created_at, expires_at FROM group_links');
  const [created = 0, expires = 0] = Object.values(slip ?? {}).map((at) => Date.parse(String(at)));
  assert.equal(expires - created, 180 * 86_400_000);
  await joinGroup(store, ids.bob, await link());
  await setGroupRole(store, coach, ids.bob, 'coach');
  await setGroupRole(store, { groupId, coachId: ids.bob }, ids.ada, 'member');
  assert.deepEqual(await state(), ['Mila: no link']);
  assert.equal(await joinGroup(store, ids.cy, mila?.secret ?? ''), undefined);
  for (const work of [renewSlips(store, coach, ids.ada, undefined), addClass(store, coach, [], ids.ada)])
    await assert.rejects(work, { code: 'unknownPath' });
  await removeGroup(store, { groupId, coachId: ids.bob });
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM expected_people'), []);
});
