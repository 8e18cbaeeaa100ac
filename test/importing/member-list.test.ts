/** A class list is read as Excel, a sheet or a chat gives it, and nobody in it gets lost without a word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePeople, peopleCsv, personFields, readPeople } from '../../src/importing/member-list.ts';

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
    ['jorg.muller/Jörg/Müller/'],
  ],
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

test('a hostile list takes no longer than others', () => {
  const started = performance.now();
  for (const piece of ['\t', ',"', ',""', '"', ' ', '\n"', ';\t"'])
    readPeople(`ada\n${piece.repeat(500_000 / piece.length)}`);
  assert.ok(performance.now() - started < 5000);
});
