/**
 * Id, problem, time and verdict make a submission: whatever else a judge sends is cut or left out, and never costs a solve. One odd
 * entry never stops a list.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aoj } from '../../src/judges/aoj.ts';
import { atcoder } from '../../src/judges/atcoder.ts';
import { cses } from '../../src/judges/cses.ts';
import { dmoj } from '../../src/judges/dmoj.ts';
import { entriesIn, readAnswerRows, rowsIn } from '../../src/judges/faults.ts';
import { cutText, cutTextOf, topicsJson } from '../../src/judges/fields.ts';
import type { JudgeFile, Submission } from '../../src/judges/judge.ts';
import { leetcode } from '../../src/judges/leetcode.ts';
import { uva } from '../../src/judges/uva.ts';
import { yukicoder } from '../../src/judges/yukicoder.ts';
import { aojRow } from '../replay/aoj.ts';
import { acceptedRow } from '../replay/leetcode.ts';
import { solvedRow } from '../replay/yukicoder.ts';

const second = 1_767_268_800;
const date = '2026-01-01T12:00:00Z';
const atcoderRow = { id: 1, epoch_second: second, problem_id: 'abc1_a', result: 'AC' };
const csesRow = { id: 1, task: '1068', time: date, outcome_status: 'pass' };
const question = { title: 'Two Sum', translatedTitle: '两数之和', titleSlug: 'two-sum', questionFrontendId: '1' };

/** A good row of each judge, and the fields that decide nothing. */
const judges: [JudgeFile<string, Submission>, row: object, fields: (string | number)[]][] = [
  [aoj.files.submissions, aojRow(1, 'GRL_6_A', 4, second), ['language', 'problemTitle', 'userId']],
  [atcoder.files.submissions, atcoderRow, ['language', 'user_id', 'contest_id', 'point', 'execution_time']],
  [cses.files.submissions, csesRow, ['language', 'user']],
  [dmoj.files.submissions, { id: 1, problem: 'p', date, result: 'AC' }, ['language', 'user', 'contest', 'points']],
  [leetcode.files.submissions, acceptedRow('two-sum', second), ['title', 'lang']],
  [leetcode.files['cn-submissions'], question, ['title', 'translatedTitle', 'questionFrontendId']],
  [uva.files.submissions, [1, 36, 90, 0, second], [3, 5, 6, 7]],
  [yukicoder.files.submissions, solvedRow(1, second), ['Title', 'Level', 'Tags']],
];

const odd = [null, undefined, '', ' ', 7, true, {}, [], [null], 'x'.repeat(3000), '😀'.repeat(600), 'a\0b\ud800'];

test('title, language, topics and names of any kind leave the submission as it is', () => {
  for (const [file, row, fields] of judges) {
    const entryOf = (changed: object) =>
      file.entryOf(row === question ? { submitTime: second, question: changed } : changed);
    const { id, key, submittedAt } = entryOf(row);
    for (const field of fields)
      for (const value of odd) {
        const found = entryOf(Object.assign(structuredClone(row), { [field]: value }));
        const name = `${key} ${field}: ${JSON.stringify(value)?.slice(0, 40)}`;
        const deciding = [found.id, found.key, found.submittedAt, found.verdictClass];
        assert.deepEqual(deciding, [id, key, submittedAt, 'solved'], name);
        const { title = 'x', tags = '[]' } = found.problem ?? {};
        for (const text of [title, found.language ?? 'x', found.contest ?? 'x', ...found.handles])
          assert.ok(text.trim() !== '' && text.length <= 1000 && text.isWellFormed() && !text.includes('\0'), name);
        assert.ok(Array.isArray(JSON.parse(tags)), name);
      }
  }
});

test('what only describes a submission is cut at its own length', () => {
  const lengths = judges.map(([file, row, fields]) => {
    const long = (field: string | number) => [
      field,
      field === 'contest' ? { key: 'x'.repeat(3000) } : 'x'.repeat(3000),
    ];
    const changed = Object.assign(structuredClone(row), Object.fromEntries(fields.map(long)));
    const { problem, language, contest, handles } = file.entryOf(
      row === question ? { submitTime: second, question: changed } : changed,
    );
    return [problem?.title, language, contest, handles[0], problem?.tags].map((text) => text?.length);
  });
  const none = undefined;
  assert.deepEqual(lengths, [
    [500, 200, none, 100, none],
    [none, 200, none, 100, none],
    [none, none, none, 100, none],
    [none, 200, 100, 100, none],
    [500, 200, none, none, none],
    [500, none, none, none, none],
    [none, none, none, 100, none],
    [1000, none, none, none, 104],
  ]);
});

test('text is cut at its limit and between characters', () => {
  const cut = [' abc ', 'abcd', 'ab😀', 'a\0b', 'ab ', ' '].map((text) => cutText(text, 3));
  assert.deepEqual(cut, ['abc', 'abc', 'ab', 'ab', 'ab', null]);
  assert.throws(() => cutTextOf('  ', 'name', 3), /name is " {2}"; expected text of 1 to 3 characters/);
  assert.equal(topicsJson(['DP', ' dp', null, 7, '', 'x'.repeat(101)]), JSON.stringify(['dp', 'x'.repeat(100)]));
  assert.equal(topicsJson('dp'), '[]');
});

test('a list with an odd entry is read, and one of odd entries alone is another answer', () => {
  const entries = [{ id: 1 }, null, 7, {}, [1]];
  assert.deepEqual(rowsIn(entries, 'X', 'id'), [{ id: 1 }]);
  assert.equal(entriesIn(entries, 'X', 'id'), entries);
  assert.deepEqual(entriesIn([], 'X', 'id'), []);
  for (const other of [{}, 'x', null, entries.slice(1)])
    assert.throws(() => entriesIn(other, 'X', 'id'), /X sent .*: its answer is not a list of rows with “id”/);
  const read = (row: unknown) => cutTextOf(row, 'name', 9);
  const { values, skipped } = readAnswerRows('X', ['a', 7, 'b'], read);
  assert.deepEqual(values, ['a', 'b']);
  assert.match(skipped.map(({ message }) => message).join(), /^name is 7; expected text of 1 to 9 characters\.$/);
  assert.throws(() => readAnswerRows('X', [7], read), /X sent an unexpected answer: name is 7/);
  assert.deepEqual(readAnswerRows('X', [], read).values, []);
});
