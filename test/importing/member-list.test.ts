/** A class list is read as Excel, a sheet or a chat gives it, and nobody in it gets lost without a word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localizedText, message } from '../../src/errors.ts';
import {
  assertNoFaults,
  decodePeople,
  type ListedPerson,
  peopleCsv,
  personFields,
  readPeople,
} from '../../src/importing/member-list.ts';
import { ownMs } from '../support/processes.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const ada = 'ada/Ada/Lovelace/a@x.org';

const lists: [name: string, bytes: string | Uint8Array, people: string[], ignored?: string[]][] = [
  ['commas', 'username,first_name,last_name,email\nada,Ada,Lovelace,a@x.org\n', [ada]],
  ['semicolons', 'Username;First name;Last name;E-Mail\r\nada;Ada;Lovelace;a@x.org\r\n', [ada]],
  ['pasted tabs', 'Username\tFirst Name\tLast Name\tEmail\nada\tAda\tLovelace\ta@x.org', [ada]],
  ['empty cells between tabs', 'Username\tClass\tLast Name\n"ada"\t\tLovelace', ['ada//Lovelace/'], ['Class']],
  ['sep=', 'sep=;\r\nusername;first_name\r\nada;"Ada; Countess"\r\n', ['ada/Ada; Countess//']],
  ['UTF-16 of Excel', utf16('Username\tFirst name\tLast name\tEmail\r\nada\tAda\tLovelace\ta@x.org\r\n'), [ada]],
  [
    'Windows-1252, no usernames',
    Buffer.from('Vorname;Nachname\rJörg;Müller\r', 'latin1'),
    ['joerg.mueller/Jörg/Müller/'],
  ],
  ['umlauts that are not German', 'Nombre,Apellidos\nSergio,Agüero\n', ['sergio.aguero/Sergio/Agüero/']],
  [
    'a German list with a total, which gets no username',
    'Name;Vorname\nvon der Heide;Max\nSumme;1\n',
    ['max.von.der.heide/Max/von der Heide/', '/1/Summe/'],
  ],
  ['NFD', 'username,first_name\nzoe\u0308,Zoe\u0308\n', ['zoë/Zoë//']],
  [
    'further columns, empty lines, a title and trailing separators',
    'Class 10b;;;;\n\n;;;;\nNo.;Name;Login;Phone;\n1;Lovelace, Ada;ada;030;\n;;;;\n2;Grace Brewster Hopper;grace;;\n',
    ['ada/Ada/Lovelace/', 'grace/Grace Brewster/Hopper/'],
    ['No.', 'Phone'],
  ],
  ['no header', 'ada;a@x.org;Ada;Lovelace\n', [ada]],
  ['a line that is no number', '#line,username\nx,ada\n9.5,grace\n', ['ada///', 'grace///']],
  ['usernames alone', 'ada\n\ngrace\n', ['ada///', 'grace///']],
  ['names alone', 'Ada Lovelace\nŁukasz Żak\n', ['ada.lovelace/Ada/Lovelace/', 'lukasz.zak/Łukasz/Żak/']],
  [
    'a cell of two lines and a stray quote',
    'login,address,surname\nada,"1 Way\nTown",Lovelace\nbob,"x,Byron\ncy,,Young\n',
    ['ada//Lovelace/', 'bob//Byron/', 'cy//Young/'],
    ['address'],
  ],
  ['Chinese', '姓,名,用户名\n王,伟,wei\n', ['wei/伟/王/']],
  ['our own hand-out, protected from formulas', "\ufeffusername,name\r\n'-x,Ada\r\n", ['-x/Ada//']],
];

for (const [name, bytes, people, ignored = []] of lists) {
  test(`a class list is read: ${name}`, () => {
    const list = readPeople(decodePeople(typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
    assert.deepEqual(
      list.people.map(({ value }) => Object.values(value).join('/')),
      people,
    );
    assert.deepEqual(list.ignoredColumns, ignored);
    const again = readPeople(peopleCsv(list.people, personFields));
    assert.deepEqual(again.people, list.people, 'the list that a page carries reads as the same people');
  });
}

test('a list in the encoding of the country is read in its language', () => {
  const sjis = Uint8Array.of(0x8e, 0x81, 0x96, 0xbc, 0x0a, 0x89, 0xc0, 0x0a);
  assert.equal(readPeople(decodePeople(sjis, 'ja')).people[0]?.value.first_name, '佳');
});

test('the columns of a list, its lines and what is wrong with a row are known', () => {
  const shape = (text: string) => {
    const { people, columns, ignoredColumns, hasHeader } = readPeople(text);
    const shown = people.map(({ line, value, fault, wrongField }) => {
      const wrong = fault ? [fault.localized?.key, wrongField] : [];
      return [line, ...Object.values(value).map((text) => text ?? '-'), ...wrong].join('/');
    });
    return [
      hasHeader,
      columns.map(({ heading, column }) => `${heading}=${column}`).join(),
      ignoredColumns.join(),
      ...shown,
    ];
  };
  for (const [text, ...expected] of [
    [
      'E-Mail / Mail,Login,"Login, Phone",,#line\na@x,ada,1,2,17\nb@x,bob,,,',
      true,
      'E-Mail / Mail=email,Login=username',
      'Login, Phone',
      '3/bob/-/-/b@x',
      '17/ada/-/-/a@x',
    ],
    ['Login;Notes, of, all\nada;x', true, 'Login=username', 'Notes, of, all', '2/ada/-/-/-'],
    [
      'username,email\nada,a@x,,z,\nbob,b@x,,',
      true,
      'username=username,email=email',
      '',
      `2/ada/-/-/a@x/badRow.cells/username`,
      '3/bob/-/-/b@x',
    ],
    ['a\nb\nc\nd\nlogin,mail\nada,a@x', true, 'login=username,mail=email', '', '6/ada/-/-/a@x'],
    ['a\nb\n\nc\nlogin\nada', false, '', '', '1/a/-/-/-', '2/b/-/-/-', '4/c/-/-/-', '5/login/-/-/-', '6/ada/-/-/-'],
    ['login\n  Ada Countess ', true, 'login=username', '', '2/Ada Countess/-/-/-'],
    [
      'Vorname,Nachname\n.ÆßŒøłđðþı-,Ǿ Й!!1',
      true,
      'Vorname=first_name,Nachname=last_name',
      '',
      '2/aessoeolddthi-.o.й.1/.ÆßŒøłđðþı-/Ǿ Й!!1/-',
    ],
    [
      '"sep=;"\nfirstname;lastname\nAda;"Lovelace\n\nKing"',
      true,
      'firstname=first_name,lastname=last_name',
      '',
      '3/ada.lovelace.king/Ada/Lovelace\n\nKing/-',
    ],
  ] as const)
    assert.deepEqual(shape(text), expected, text);
});

test('a list has up to 500 people, with those who were corrected, below up to four other lines', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join('\n');
  const corrected = readPeople('ada').people;
  const count = (text: string, also: readonly ListedPerson[] = []) => readPeople(text, also).people.length;
  assert.deepEqual([count(`username\n${lines(500)}`), count(`username\n${lines(499)}`, corrected)], [500, 500]);
  const above = 'a\nb\nc\nd\nusername,email\n';
  assert.equal(count(above + lines(500)), 500);
  for (const [text, also] of [[above + lines(501)], [lines(501)], [lines(500), corrected]] as const)
    assert.throws(() => readPeople(text, also), { message: 'A list has at most 500 people: split it.' });
  const cell = (lines: number) => count(`username,first_name\nada,"${'\n'.repeat(lines - 1)}Ada"`);
  assert.deepEqual([cell(20), cell(21)], [1, 2]);
  for (const text of ['', 'username\n\n'])
    assert.throws(() => readPeople(text), { message: 'There is nobody in the list.' });
});

test('who cannot be added is named, up to ten of them', () => {
  const fault = localizedText(message('badFile.nobody'));
  const people = readPeople(Array.from({ length: 12 }, (_, at) => `p${at}`).join('\n')).people;
  const wrong = (count: number) => people.map((one, at) => ({ ...one, fault: at < count ? fault : undefined }));
  const sentence = (count: number) => {
    const lines = Array.from({ length: Math.min(count, 10) }, (_, at) => `\nLine ${at + 1}: ${fault.message}`);
    return `Nobody was added.${lines.join('')}`;
  };
  assertNoFaults(wrong(0));
  for (const [count, more] of [
    [1, ''],
    [10, ''],
    [11, '\n1 more line is wrong.'],
  ] as const)
    assert.throws(() => assertNoFaults(wrong(count)), { message: sentence(count) + more });
});

test('a hostile list takes no longer than others', async () => {
  const ms = await ownMs(() => {
    for (const piece of ['\t', ',"', ',""', '"', ' ', ';\t"', '\n,', '\n"" ,""'])
      readPeople(`ada\n${piece.repeat(500_000 / piece.length)}`);
    const quotes = `ada${'\n"'.repeat(250_000)}`;
    assert.throws(() => readPeople(quotes), { message: /more than 10000 rows/ });
  });
  assert.ok(ms < 5000, `${ms} ms`);
});
