/** The kinds of files: by their starts, for whom they are, what their bare ids name; and an import's figures in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyReport, reportInWords } from '../../src/importing/import.ts';
import {
  guessFormat,
  guessKinds,
  type ImportName,
  importerOf,
  importNames,
  kindsForScope,
} from '../../src/importing/resources.ts';
import { resourceNames } from '../../src/importing/row-kinds.ts';

test('the start of a file says its format and which kinds it may be', () => {
  const starts: [start: string, format: string, kinds: string][] = [
    ['PK\u0003\u0004', 'csv', 'archive'],
    ['PK', 'csv', ''],
    ['', 'csv', ''],
    ['\ufeff [{"username":"ada","role":"staff"}]', 'json', 'records'],
    ['\ufeff"username",role\r\n"a","b"', 'csv', 'records'],
    ['username\nrole,', 'csv', ''],
    ['username,source,name\n', 'csv', 'handles'],
    ['username,source,name,target\n', 'csv', 'plants'],
    ['username,source,source_key,status,note', 'csv', 'statuses,bookmarks'],
    ['username,source,source_key,status\r\n', 'csv', 'statuses'],
    ['username,name,value\nada,hide_topics,true\n', 'csv', 'preferences'],
    ['source,source_key,title\nmade,1,One\n', 'csv', 'problems'],
    ['[{"username":"ada","source":"made","source_key":"1","note":null}]', 'json', 'bookmarks'],
    [
      '{"username":"ada","source":"made","handle":"x","submission_id":"1","verdict_class":"tried"}',
      'ndjson',
      'submissions',
    ],
    ['{"result":{"problems":[{"contestId":1,"index":"A","name":"One","tags":[]}]}}', 'ndjson', 'codeforces-problems'],
    ['{"result":[{"id":1,"name":"Round","phase":"FINISHED","durationSeconds":7200}]}', 'ndjson', 'codeforces-contests'],
    ['[{"id":"abc","start_epoch_second":1,"duration_second":60,"title":"ABC"}]', 'json', 'atcoder-contests'],
    ['[{"category":"Sorting","name":"One","link":"https://cses.fi/x","solves":1}]', 'json', 'cses-problems'],
    ['{"batch":1,"before":{"status":1,"source_key":2},"after":3}', 'ndjson', 'changes'],
    ['export const jsonData = {"shared":[],"contestId":1,"title":2,"source_key":3}', 'ndjson', 'codeforces-twins'],
  ];
  for (const [start, format, kinds] of starts)
    assert.deepEqual(
      [
        guessFormat(start),
        guessKinds(start)
          .map(({ what }) => what)
          .join(),
      ],
      [format, kinds],
      start,
    );
});

test('members may bring their own rows and submissions, staff everything', () => {
  const ofMember = kindsForScope('member').map(({ what }) => what);
  const submissions = importNames.filter((name) => name.endsWith('-submissions'));
  const expected = ['archive', ...submissions, ...resourceNames.filter((name) => name !== 'problems')];
  assert.deepEqual(ofMember, expected);
  assert.deepEqual(
    kindsForScope('staff')
      .map(({ what }) => what)
      .toSorted(),
    importNames.toSorted(),
  );
  const [problems, sent] = (['codeforces-problems', 'codeforces-submissions'] as const).map((name) => {
    const { lastImportName, isByJudge } = importerOf(name, 'json');
    return [lastImportName, isByJudge];
  });
  assert.deepEqual(
    [problems, sent],
    [
      ['codeforces-problems', false],
      [undefined, true],
    ],
  );
});

test('an id is bare where a part of the natural key beside it is missing', () => {
  const key = { source: 'cses', source_key: '1' };
  const rows: [what: ImportName, row: object, noun: string | undefined][] = [
    ['statuses', { user: 1n, username: 'ada', id: 1n, problem: 1n, ...key }, undefined],
    ['statuses', { user: 1n, ...key }, 'member'],
    ['statuses', { username: 'ada', problem: 1n, source: 'cses' }, 'problem'],
    ['plants', { id: 1n, username: 'ada' }, 'plant'],
    ['plants', { id: 1n, username: 'ada', name: 'Camp' }, undefined],
    ['records', { id: 1n, username: 'ada' }, undefined],
    ['problems', { ...key }, undefined],
  ];
  for (const [what, row, noun] of rows)
    assert.equal(importerOf(what, 'json').bareId?.(row), noun, JSON.stringify([what, Object.keys(row)]));
});

test('the figures of an import in words', () => {
  for (const [what, figures, expected] of [
    ['codeforces-problems', { read: 1504, new: 1500, kept: 4 }, '1,504 problems: 1,500 added and 4 unchanged'],
    ['atcoder-contest-problems', { read: 1, changed: 1 }, '1 contest problem: 1 changed'],
    ['codeforces-contests', { read: 2 }, '2 contests: nothing to import'],
    ['cses-submissions', { read: 1, new: 1 }, 'Statuses: 1 added'],
    ['submissions', { read: 3, new: 1, changed: 1, bad: 1 }, '3 rows: 1 added, 1 changed and 1 not valid and skipped'],
  ] as const)
    assert.equal(reportInWords(what, { ...emptyReport(), ...figures }), expected);
});
