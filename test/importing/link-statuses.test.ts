/** What a text says of its links decides which are solved: yes, no, a question to the member, or nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListText } from '../../src/importing/list-text.ts';
import { ownMs } from '../support/processes.ts';

const [a, b, c, d] = [1, 2, 3, 4].map((n) => `https://judge.example/p/${n}`) as [string, string, string, string];
const link = (address: string) => `<a href="${address}">A problem</a>`;

function answersIn(text: string): string {
  const links = readListText(text)?.sections.flatMap((section) => section.links) ?? [];
  const shown = new Map([
    [true, 'yes'],
    [false, 'no'],
    [undefined, 'ask'],
  ]);
  return links.map(({ status }) => (status ? shown.get(status.isSolved) : '–')).join(' ');
}

const cases: readonly [what: string, text: string, answers: string][] = [
  ['no status at all', `Graphs\n${a}\n| Problem | Link | Rating |\n| x | ${b} | 1200 |`, '– –'],
  ['ticks', `- [x] [A](${a})\n* [ ] <${b}>\n1. [X] ${c}\n+ \\[ \\] ${d}`, 'yes no yes no'],
  ['a tick that is none', `- [x](${a})\n- [-] ${b}\n- [] ${c}`, '– no no'],
  ['links below an item', `- [ ] Two\n  - ${a}\n- [x] Three\n    ${b}\n- ${c}`, 'no yes –'],
  ['links far below an item', `${'\n'.repeat(99)}- [ ] Two\n  - words\n  - ${a}\n- ${b}`, 'no –'],
  ['links below a solved link', `- [x] ${a}\n  - like ${b}\n- [ ] ${c}\n  - like ${d}`, 'yes – no no'],
  ['signs', `✅ ${a}\n${b} ❌\n⬜ Three\n${c}\n\n${d}`, 'yes no no –'],
  ['a sign that only one link has', `${a} ✔️\n${b}`, 'yes –'],
  ['two signs', `✅ read, ❌ solved: ${a}`, 'ask'],
  ['a sign in a label', `[✅ Done](${a})`, '–'],
  ['TRUE and FALSE', `Name,Link,Done\nx,${a},TRUE\ny,${b},FALSE\nz,${c},`, 'yes no no'],
  ['columns of other things', `Done,Bookmarked,URL\nFalse,True,${a}\nTrue,False,${b}`, 'no yes'],
  ['Done before Status', `Status\tDone\tURL\nx\tyes\t${a}\nx\tno\t${b}`, 'yes no'],
  ['who solved it', `Solved by,Solved count,Link\n12,3,${a}\n1,0,${b}`, '– –'],
  ['what is not done', `Not done,Link\nTRUE,${a}`, 'ask'],
  ['values not known', `Problem;Status;Link\nx;Stuck;${a}\ny;Solved;${b}`, 'ask yes'],
  ['a day', `Solved on,Link\n2026-03-05,${a}\n5.3.2026,${b}\n3/2026,${c}\n,${d}`, 'yes yes ask no'],
  ['verdicts', `Verdict\tLink\nAccepted\t${a}\nWRONG_ANSWER on test 2\t${b}\nPretests passed\t${c}`, 'yes no ask'],
  ['an x, which ticks or crosses out', `Link,Solved?\n${a},x\n${b},`, 'ask no'],
  ['a name that is not known', `Link,Premium\n${a},Yes\n${b},No\n${c},`, 'ask ask –'],
  ['no name, a clear value', `x,${a},TRUE\ny,${b},FALSE\nz,${c},0`, 'yes no –'],
  ['no name, two values', `x,${a},TRUE,FALSE\ny,${b},TRUE,TRUE`, 'ask yes'],
  ['notes of several lines', `Done,Notes,Link\n"False","a, b",${b}\nTrue,"a\n\nb, ""c""",${a}`, 'no yes'],
  ['a quote that stays open', `Done,Notes,Link\nTrue,"a,${a}\nFalse,b,${b}`, 'yes no'],
  ['a title with commas', `Problem,Link,Done\nPow(x, n),${a},TRUE\nx,${b},FALSE`, 'yes no'],
  ['a row that names a status', `Done,Problem,Link\nFALSE,Solved,\nFALSE,x,${a}`, 'no'],
  ['a tick below words with a comma', `Done, this week:\n- [ ] x, ${a}`, 'no'],
  ['rows above the header', `My sheet,,\nDone,3,of 9\nProblem,Link,Status\nx,${a},Todo`, 'no'],
  ['a Markdown table', `| Done | Problem |\n|--|--|\n| [x] | ${a} |\n| [ ] | ${b} |\n|  | ${c} |`, 'yes no no'],
  ['after a table', `Link,Done\n${a},TRUE\n\n${b}`, 'yes –'],
  ['a property', `# One\nStatus: Done\nLink: ${a}\n\n# Two\n**Solved**: No\n${b}\n\n${c}`, 'yes no –'],
  ['Org mode', `* DONE ${a}\n** TODO A pond\n${b}`, 'yes no'],
  ['a share', `Complete %;Link\n100%;${a}\n0%;${b}\n40%;${c}`, 'yes no ask'],
  ['headings', `## To do\n${a}\n## Done\n${b}\n## Graphs\n${c}`, 'no yes –'],
  [
    'JSON',
    JSON.stringify([{ t: [{ Done: true, URL: a, more: [b] }, { Done: false, q: { url: c } }, { url: d }] }]),
    'yes yes no –',
  ],
  [
    'JSON around a list',
    JSON.stringify({
      status: 'ok',
      list: [
        { url: a, isSolved: 0 },
        { url: b, status: 'x y', solved: 1 },
      ],
    }),
    'no yes',
  ],
  [
    'JSON lines',
    `{"url":"${a}","status":"todo"}\n{"url":"${b}","status":null}\n{"url":"${c}","state":"stuck"}`,
    'no no ask',
  ],
  [
    'an HTML table',
    `<table><tr><th>Solved<th>${link('?sort')}</tr><tr><td>Yes<td>${link(a)}<tr><td><b>No</b><td>${link(b)}</table>`,
    'yes no',
  ],
  [
    'boxes of HTML',
    `<ul><li><input type="checkbox" checked>${link(a)}<ul><li>${link(b)}</li></ul></li><li><input type=checkbox>${link(c)}</li><li>${link(d)}</li></ul>`,
    'yes – no –',
  ],
  [
    'boxes of Notion',
    `<html><ul><li><div class="checkbox checkbox-on"></div>${link(a)}</li></ul><table><tr><th>Name</th><th>Done</th></tr><tr><td>${link(b)}</td><td><div class="checkbox checkbox-off"></div></td></tr></table>`,
    'yes no',
  ],
  [
    'a spreadsheet as HTML',
    `<table><tr><th></th><th>A</th><th>B</th></tr><tr><th>1</th><td>Link</td><td>Done</td></tr><tr><th>2</th><td>${link(a)}</td><td><svg><use href="#checkedCheckboxId"></use></svg></td></tr><tr><th>3</th><td>${link(b)}</td><td>FALSE</td></tr></table>`,
    'yes no',
  ],
  [
    'rows of Codeforces',
    `<html><table><tr><th>#</th></tr><tr class="accepted-problem"><td>${link(a)}</td></tr><tr><td>${link(b)}</td></tr></table>`,
    'yes no',
  ],
  [
    'tasks of CSES',
    `<html><li>${link(a)}<span class="task-score icon full"></span></li><li>${link(b)}<span class="task-score icon "></span></li>`,
    'yes no',
  ],
];

for (const [what, text, answers] of cases)
  test(`links of a text are solved as it says: ${what}`, () => assert.equal(answersIn(text), answers));

test('columns and values are known in every language of the pages', () => {
  const words = [
    ['Done', 'TRUE', 'in progress'],
    ['完成情况', '已完成', '未完成'],
    ['是否解决', '是', '否'],
    ['状態', 'AC', '未着手'],
    ['Статус', 'Решено', 'Не решено'],
    ['Resuelto', 'Sí', 'No'],
    ['Concluído', 'VERDADEIRO', 'FALSO'],
    ['완료', '예', '미완료'],
    ['Erledigt', 'WAHR', 'FALSCH'],
    ['✅ Fait ?', 'Oui', 'Non'],
  ];
  for (const [name, yes, no] of words)
    assert.equal(answersIn(`Link;${name}\n${a};${yes}\n${b};${no}\n${c};🟢 ${yes}`), 'yes no yes', name);
});

test('a status is shown as the text has it, up to its limits', () => {
  const long = (length: number) => 'x'.repeat(length);
  for (const [text, shown, isSolved] of [
    [`Link,done ${long(35)}\n${a},TRUE`, `done ${long(25)}: TRUE`, true],
    [`Link,done ${long(36)}\n${a},TRUE`, `done ${long(25)}: TRUE`, undefined],
    [`Link,done ${long(35)}\n${a},${long(80)}`, `done ${long(25)}: ${long(28)}`, undefined],
    [`Done,Link\n${long(61)},${a}`, `Done: ${long(54)}`, undefined],
    [`Solved on,Link\n2026-03-05,${a}`, 'Solved on: YYYY-MM-DD', true],
    [`Done,Link\n,${a}`, 'Done: –', false],
    [`✅❌⬜✔✘☑🟢☐⬛🔲🔴✗✓✖ ${long(80)} ${a}`, '✅ · ❌ · ⬜ · ✔ · ✘ · ☑ · 🟢 · ☐ · ⬛ · 🔲 · 🔴 · ✗ · ✓', undefined],
    [`## In progress\n${a}`, 'In progress', false],
    [`- [✔] ${a}`, '[x]', true],
    [`Done,Notes,Link\nTrue,"${'\n'.repeat(29)}",${a}`, 'Done: True', true],
    [`Done,Notes,Link\nTrue,"${'\n'.repeat(30)}",${a}`, undefined, undefined],
  ] as const)
    assert.deepEqual(
      readListText(text)?.sections[0]?.links.map(({ status }) => [status?.text, status?.isSolved]),
      [[shown, isSolved]],
      text,
    );
});

test('hostile texts take no longer', async () => {
  const texts = [
    'a,"b,✅\n'.repeat(40_000),
    '<td><tr><table>'.repeat(30_000),
    '<li class="'.repeat(40_000),
    '- [ ] x\n '.repeat(40_000),
    `${'[{"a/":'.repeat(50)}${'"x/y",'.repeat(40_000)}`,
    `${'x | '.repeat(200)}\n`.repeat(400),
    ...['"'.repeat(4000), '<a href='.repeat(500), '['.repeat(4000), ',"'.repeat(2000)].map(
      (row) => `title,link\n${`${row}\n`.repeat(250)}${`${row}${a}\n`.repeat(200)}`,
    ),
  ];
  for (const text of texts) {
    const ms = await ownMs(() => void readListText(text));
    assert.ok(ms < 2000, `${ms} ms: ${text.slice(0, 30)}`);
  }
});
