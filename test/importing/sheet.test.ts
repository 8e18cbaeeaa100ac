/** Marks in the sheet of a school's own system: every byte outside of the filled cells stays, whatever wrote the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fillColumn, readSheet, rowValues, usesDecimalComma, valueAt } from '../../src/importing/sheet.ts';
import {
  filledRows,
  identityColumns,
  isReadWithNext,
  markColumn,
  matchRows,
  namesakeFinder,
} from '../../src/importing/sheet-people.ts';

const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text) => Buffer.from(text.replaceAll(/[^\0-\x7f\xa1-\xff]/gu, 'ü'), 'latin1'),
};
const read = (text: string, encoding = 'utf-8', language = 'en') =>
  readSheet(encoders[encoding]?.(text) ?? Buffer.alloc(0), language);

test('only the filled cells of any table change', () => {
  const plain = fc.stringMatching(/^[a-zéü=;,.\t 0-9-]{0,6}$/);
  const quoted = fc.stringMatching(/^[a-zé;,\t\r\n"=]{0,8}$/).map((text) => `"${text.replaceAll('"', '""')}"`);
  const table = fc
    .tuple(fc.constantFrom(';', ',', '\t'), fc.constantFrom(...Object.keys(encoders)))
    .chain(([separator, encoding]) => {
      const cell = fc.oneof(
        plain.map((text) => text.replaceAll(/[;,\t]/g, '')),
        quoted,
      );
      const ending = fc.constantFrom('\r\n', '\n', '\r');
      const row = fc.record({ cells: fc.array(cell, { minLength: 2, maxLength: 5 }), ending, isFilled: fc.boolean() });
      const rest = {
        rows: fc.array(row, { maxLength: 12 }),
        column: fc.integer({ min: 0, max: 5 }),
        isCut: fc.boolean(),
      };
      return fc.record({ separator: fc.constant(separator), encoding: fc.constant(encoding), ...rest });
    });
  fc.assert(
    fc.property(table, ({ separator, encoding, rows, column, isCut }) => {
      const encode = encoders[encoding] as (text: string) => Buffer;
      const head = { cells: 'abcdef'.split(''), ending: '\n', isFilled: false };
      const all = [...rows, { cells: ['z'], ending: '\n', isFilled: false }];
      const text = (isAfter: boolean) => {
        const lines = all.map(({ cells, ending, isFilled }) => {
          const some = [...cells];
          while (isFilled && isAfter && some.length <= column) some.push('');
          if (isFilled && isAfter) some[column] = / *"/y.test(cells[column] ?? '') ? '"8.5"' : '8.5';
          return some.join(separator) + ending;
        });
        const whole = `sep=${separator}\n${head.cells.join(separator)}\n${lines.join('')}`;
        return encode(isCut ? whole.slice(0, -1) : whole);
      };
      const sheet = readSheet(text(false), 'en');
      const marks = new Map(all.flatMap(({ isFilled }, at) => (isFilled ? [[at + 1, '8.5']] : [])));
      assert.deepEqual(fillColumn(sheet, column, marks), text(true));
      assert.equal(fillColumn(sheet, column, new Map()).equals(text(false)), true);
    }),
    { numRuns: 500 },
  );
});

const person = (id: number, first: string, last: string, number: string | null = null) => ({
  user_id: BigInt(id),
  username: `${first}${id}`.toLowerCase(),
  first_name: first,
  last_name: last,
  student_number: number,
  expected_name: null,
});
const byName = { column: 0, kind: 'name' } as const;
const people = [
  person(1, 'Ana', 'Kovač', '21-0403'),
  person(2, 'Ben', 'Okafor', '21-0405'),
  person(3, 'Chloé', 'Martin'),
];

/** What the sheet says after everybody whose row is certain got their number as mark. */
async function filled(text: string, encoding = 'utf-8') {
  const sheet = read(text, encoding);
  const [who] = await identityColumns(sheet, people);
  assert.ok(who);
  const matches = matchRows(sheet, people, who);
  const column = markColumn(sheet, 'Winter camp', matches) ?? -1;
  const found = matches.flatMap(({ row, kind, person: one }) =>
    kind === 'found' ? [[row, `${one?.user_id}`] as const] : [],
  );
  const bytes = fillColumn(sheet, column, new Map(found));
  const kinds = matches.map(({ row, kind }) => `${row} ${kind}`);
  return { who, column, kinds, bytes, encoded: (after: string) => encoders[encoding]?.(after) };
}

test('exports of Moodle, Canvas, Blackboard and Google are filled in as their systems write them', async () => {
  const moodle = (mark: string) =>
    `"First name","Last name","ID number","Email address","Assignment: Winter camp (Real)","Course total (Real)"\n` +
    `Ana,Kovač,21-0403,ana@school.example,${mark},"71.4"\nChloé,Martin,21-0411,chloe@school.example,-,12.5\n`;
  const one = await filled(moodle('-'), 'utf-8 with a mark');
  assert.deepEqual([one.who.kind, one.who.column, one.column], ['number', 2, 4]);
  assert.deepEqual(one.bytes, one.encoded(moodle('1')));
  const byEmail = await identityColumns(read(moodle('-')), [person(4, 'Jo', 'Doe', 'CHLOE@school.example')]);
  assert.deepEqual(byEmail, [{ column: 3, kind: 'number', count: 1, all: 1 }], 'who entered it as their number');

  const names = [person(5, 'Jo', 'Doe'), { ...person(6, 'Jo', 'Doe'), expected_name: 'Ida Lund' }];
  assert.deepEqual(
    matchRows(read('Name,Mark\nIda Lund,5\nJo Doe,\n'), names, byName).map((row) => row.person),
    names.toReversed(),
    'the class list names somebody, whatever their profile says',
  );

  const canvas = (marks: string[]) =>
    'Student,ID,SIS User ID,SIS Login ID,Section,Winter camp (87568490),Current Score\r\n' +
    ',,,,,Manual Posting,\r\n    Points Possible,,,,,10.00,(read only)\r\n' +
    `"Kovač, Ana",101,,ana1,A,${marks[0]},\r\n"Okafor, Ben",102,,ben2,A,${marks[1]},\r\n"Student, Test",,,,A,,\r\n`;
  const two = await filled(canvas(['', '9']));
  assert.deepEqual([two.who.kind, two.column], ['username', 5]);
  assert.deepEqual(two.kinds, ['1 heading', '2 heading', '3 found', '4 found', '5 heading']);
  assert.deepEqual(two.bytes, two.encoded(canvas(['1', '2'])));

  const blackboard = (marks: string[]) =>
    `"Last Name"\t"First Name"\t"Username"\t"Winter camp [Total Pts: 10] |123"\r\n` +
    `"Kovač"\t"Ana"\t"ana1"\t"${marks[0]}"\r\n"Martin"\t"Chloé"\t"chloé3"\t"${marks[1]}"`;
  const three = await filled(blackboard(['', '4']), 'utf-16le');
  assert.deepEqual(three.bytes, three.encoded(blackboard(['1', '3'])));

  const google = (mark: string) =>
    `Nom;Prénom;Total;Winter camp\nDate;;;\nPoints;;;10\nMartin;Chloé;=SUM(D4:F4);${mark}\nDoe;Jo;7,5;`;
  const four = await filled(google(''), 'windows-1252');
  assert.deepEqual([four.who.kind, four.kinds], ['name', ['1 heading', '2 heading', '3 found', '4 unknown']]);
  assert.deepEqual(four.bytes, four.encoded(google('3')), 'formulas of others stay');
  assert.equal(usesDecimalComma(read(google(''))), true);
});

test('nobody is taken for a row that fits two, is there twice or has only the same name', async () => {
  const rows = 'ID;Name;Mark\n21-0403;Ana Kovac;\n21-0403;;\n21-0405;x;\n99;Martin, Chloe;\n98;Ben Okafor;\n';
  const { kinds } = await filled(rows);
  assert.deepEqual(kinds, ['1 twice', '2 twice', '3 found', '4 unknown', '5 unknown']);
  assert.equal(namesakeFinder(read(rows), people)(4), people[2]);
  const twins = [person(1, 'Kim', 'Lee'), person(2, 'Kim', 'Lee')];
  const sheet = read('Name,Mark\nKim Lee,\n="kim1",\n');
  assert.deepEqual(
    matchRows(sheet, twins, byName).map(({ kind }) => kind),
    ['two', 'unknown'],
  );
  const [who] = await identityColumns(sheet, twins);
  assert.deepEqual(who, { column: 0, kind: 'username', count: 1, all: 2 });
  const waiting = ['Lee, Kim', 'Ben Okafor', 'Ben Okafor', 'Ida Lund'].map((expected_name, at) => ({
    ...person(at, '', '', at === 3 ? '21-0405' : null),
    expected_name,
  }));
  const listed = { ...person(9, 'Ida', 'Lund', '7'), expected_name: 'Kim Lee' };
  const group = [...people, person(8, 'Kim', 'Lee', '8'), listed];
  const list = read('ID,Name,Mark\n7,Kim Lee,\n8,Kim Lee,\n21-0405,,\n,Ben Okafor,\n21-0403,Ana Kovac,\n,Ida Lund,');
  const rowsBy = (kind: 'number' | 'name', column: number) =>
    matchRows(list, group, { column, kind }, waiting).map((row) => row.expected ?? row.person?.username ?? row.kind);
  assert.deepEqual(rowsBy('number', 0), ['ida9', 'Lee, Kim', 'Ida Lund', 'heading', 'ana1', 'Ida Lund']);
  assert.deepEqual(
    rowsBy('name', 1),
    ['Lee, Kim', 'Lee, Kim', 'unknown', 'Ben Okafor', 'ana1', 'Ida Lund'],
    'nobody gets a row of somebody on the class list by the name of their profile',
  );
});

test('the separator, the names of the columns and the column of marks are what most rows have', () => {
  const shape = ({ separator, head, rows, width }: ReturnType<typeof read>) => [separator, head, rows.length, width];
  for (const [text, expected] of [
    ['a,1\nb,2\nx;1,5;z\nx;2,5;z\nx;3,5;z\n', [';', 2, 5, 3]],
    ['a;b;c;d;e\n1,2;3\n4,5;6\n7,8;9', [';', 0, 4, 5]],
    [`a,b,c,d;e\n${'1;2\n'.repeat(29)}`, [';', 0, 30, 2]],
    [`${'1\t,\n'.repeat(16)}${'1,2,3\n'.repeat(40)}`, ['\t', 0, 56, 2]],
    ['a\n\nb\n,c\nName,Mark\n1,2,3', [',', 4, 6, 3]],
    ['a,\nb,\nc,\nd,\ne,\nName,Mark\n', [',', 0, 6, 2]],
  ] as const)
    assert.deepEqual(shape(read(text)), expected, text);
  const sheet = read('Mark,Name,,Rest\n,Ana Kovač,,1\n-,Ben Okafor,,-');
  assert.deepEqual(
    [valueAt(sheet, 1, 9), valueAt(sheet, 9, 0), rowValues(sheet, 0)],
    ['', '', ['Mark', 'Name', '', 'Rest']],
  );
  const matches = matchRows(sheet, people, { column: 1, kind: 'name' });
  assert.deepEqual(
    [0, 1, 2, 3].map((column) => filledRows(sheet, column, matches)),
    [0, 2, 0, 1],
  );
  assert.deepEqual(
    ['RES', 'none'].map((title) => markColumn(sheet, title, matches)),
    [3, 0],
  );
  const full = read('Name,,Mark\nAna Kovač,,1\nBen Okafor,,2');
  assert.equal(markColumn(full, 'none', matchRows(full, people, byName)), undefined);
});

test('where no column has the title, it is one for marks that is not full, in each language of the exports', () => {
  for (const [heads, expected] of [
    ['Vorname;ID-Nummer;Abteilung;Aufgabe: Blatt 3 (Punkte);Kurs gesamt (Punkte)', 3],
    ['ID;Feedback;Bestwertung;Bewertung;Bewertung kann geändert werden', 3],
    ['Full name;Maximum Grade;Grade;Last modified (grade)', 2],
    ['Prénom;Département;Note maximale;Note', 3],
    ['Apellido(s);Número de ID;Calificación máxima;Calificación', 3],
    ['Sobrenome;Turma;Nota máxima;Nota', 3],
    ['Фамилия;Отдел;Высшая оценка;Оценка', 3],
    ['姓;IDナンバー;最大評点;評点', 3],
    ['姓名;班级;总成绩;成绩', 3],
    ['이름;부서;최고 성적;성적', 3],
    ['Student;SIS User ID;Trees (875);Current Score', 2],
    ['Username;Weighted Total [Total Pts: 90];HW 3 [Total Pts: 10 Score] |123', 2],
    ['Name;Camp 12;Summer quiz (points);Camp 1', 3],
    ['Name;Camp 12 total;Mark', 2],
    ['Name;Group;Total', undefined],
  ] as const) {
    const sheet = read(`${heads}\nAna Kovač`);
    assert.equal(markColumn(sheet, 'Camp 1', matchRows(sheet, people, byName)), expected, heads);
  }
  const partly = read('Name;Project;Mark\nAna Kovač;;5\nBen Okafor;;');
  assert.equal(markColumn(partly, 'x', matchRows(partly, people, byName)), 2);
  const long = read(`Name${`;${'Ж'.repeat(1000)}`.repeat(499)}\nAna Kovač`);
  const start = performance.now();
  markColumn(long, 'x', matchRows(long, people, byName));
  assert.ok(performance.now() - start < 1_500, 'a megabyte of names');
});

test('a name can be in two columns', () => {
  const texts = ['Vorname;Nachname\nAna;Kovac', 'Name;Nachname\nAna Kovac;x', 'ID;x\n21-0403;'];
  const kinds = ['name', 'name', 'number'] as const;
  const isPaired = texts.map((text, at) =>
    isReadWithNext(read(text), people, { column: 0, kind: kinds[at] ?? 'name' }),
  );
  assert.deepEqual(isPaired, [true, false, false]);
});

test('who it is stands in one of the first thirty columns, and a name counts half', async () => {
  const wide = (columns: number) => read(`${','.repeat(columns)}ID\n${','.repeat(columns)}21-0403\n`);
  const number = { column: 29, kind: 'number', count: 1, all: 2 };
  assert.deepEqual([await identityColumns(wide(29), people), await identityColumns(wide(30), people)], [[number], []]);
  assert.equal(namesakeFinder(read(`${','.repeat(30)}\n${','.repeat(30)}Ana Kovac\n`), people)(1), undefined);
  const columns = await identityColumns(
    read('Name,ID\nAna Kovac,\nBen Okafor,\n"Martin, Chloe",21-0403\n,21-0405\n'),
    people,
  );
  assert.deepEqual(columns, [
    { column: 1, kind: 'number', count: 2, all: 2 },
    { column: 0, kind: 'name', count: 3, all: 3 },
  ]);
});

test('hostile sheets are refused in a sentence, or read', () => {
  const refused = (text: string | Buffer, sentence: RegExp) =>
    assert.throws(() => readSheet(Buffer.from(text), 'en'), { code: 'badFile', message: sentence });
  for (const text of ['', ' \r\n', '\ufeff\n']) refused(text, /empty/);
  refused('just\none\ncolumn\n', /one column/);
  refused(`a,b\n${','.repeat(10_000)}\n`, /at most/);
  refused(`a,b\n${'\n'.repeat(2_001)}`, /at most/);
  refused('a,b\n"Ana,1\nBen,2\n', /line 2 .*never closed/);
  refused('PK\x03\x04', /workbook: save the sheet as CSV, and upload/);
  refused(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /./);
  const twoMarks = 'Name,Mark,Mark\nAna,1,\nBen,,2';
  const doubled = read(twoMarks);
  assert.equal(fillColumn(doubled, 2, new Map([[1, '7']])).toString(), twoMarks.replace('Ana,1,', 'Ana,1,7'));
  refused(Buffer.from('a,b\nAna,1\n', 'utf16le'), /UTF-16/);
  assert.equal(valueAt(read('a,b\nAn\0a,1\n'), 1, 0), 'An\0a');
  assert.equal(valueAt(read(`a,b\n${'x'.repeat(100_000)},1\n`), 1, 1), '1');
  const long = read(`a,b\n"${'""'.repeat(5_000)}",1\n`);
  assert.deepEqual(
    [valueAt(long, 1, 0).length, valueAt(long, 1, 1), fillColumn(long, 1, new Map([[1, '2']])).length],
    [1_999, '1', 10_009],
  );
  assert.deepEqual(rowValues(read('a,b\r"A\r\nB",1\nC,2\r\n\ufeffD,3'), 1), ['A\r\nB', '1']);
  assert.equal(valueAt(read('a,b\nC,2\r\n\ufeffD,3'), 2, 0), 'D');
  refused(Buffer.concat([encoders['utf-16le']?.('a\tb\nAna\t') ?? Buffer.alloc(0), Buffer.from([7])]), /UTF-16/);
  const shiftJis = readSheet(Buffer.from('96bc914f2c935f0a835c2c310a', 'hex'), 'ja');
  assert.deepEqual([valueAt(shiftJis, 0, 0), valueAt(shiftJis, 1, 0)], ['名前', 'ソ']);
});
