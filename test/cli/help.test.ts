/** Every verb explains itself; a verb that does not exist is met with the one that was meant. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { garden } from '../support/garden.ts';

const verbs = [
  ...['serve', 'import', 'export', 'migrate', 'copy', 'backup', 'restore', 'config', 'openapi', 'doctor', 'sync'],
  ...['create', 'list', 'rename', 'disable', 'enable', 'delete'].map((name) => `member ${name}`),
  ...['create', 'list', 'revoke'].map((name) => `token ${name}`),
  ...['add', 'list', 'remove'].map((name) => `plant ${name}`),
  ...['load', 'remove'].map((name) => `sample ${name}`),
];

describe('--help', { concurrency: 2 }, () => {
  for (const verb of verbs) {
    test(`garden ${verb} --help shows how it is used, with examples`, async () => {
      const { code, stdout, stderr } = await gardenHere(`${verb} --help`);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^Usage: garden ${verb} `));
      assert.match(stdout, new RegExp(`\nExamples:\n( {2}\\$ .*garden ${verb}.*\n)+`));
      if (verb !== 'copy') assert.match(stdout, /--database-url <url> [^(]*\(DATABASE_URL,/);
    });
  }

  for (const name of ['member', 'token', 'plant', 'sample']) {
    test(`garden ${name} --help lists its verbs and shows an example of each`, async () => {
      const { code, stdout, stderr } = await gardenHere(`${name} --help`);
      assert.deepEqual([code, stderr], [0, '']);
      for (const verb of verbs.filter((verb) => verb.startsWith(`${name} `)))
        assert.match(stdout, new RegExp(`\nExamples:\n(?:.*\n)*.*garden ${verb}`));
    });
  }

  test('garden alone and garden --help list the verbs; garden help VERB is its --help', async () => {
    const [alone, asked, help, option] = await Promise.all(
      [[], ['--help'], ['help', 'import'], ['import', '--help']].map((args) => garden(args)),
    );
    assert.equal(alone?.code, 0);
    assert.deepEqual(alone, asked);
    for (const verb of verbs) assert.match(alone?.stdout ?? '', new RegExp(`^ {2}${verb.split(' ')[0]} `, 'm'));
    assert.deepEqual(help, option);
  });
});

describe('a wrong command line', { concurrency: 2 }, () => {
  const wrong: [command: string, says: RegExp][] = [
    ['imprt', /unknown command 'imprt'\n\(Did you mean import\?\)\n\(garden --help lists the commands\)/],
    ['help restor', /unknown command 'restor'\n\(Did you mean restore\?\)/],
    ['token creat', /unknown command 'creat'\n\(Did you mean create\?\)/],
    ['member list --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [
      'import problms x.csv',
      /'problms' is invalid for argument 'what'\. Did you mean problems\? Allowed choices are .*problems/,
    ],
    ['import codeforces-problem x', /Did you mean codeforces-problems\? Allowed choices are /],
    ['import problems x --format cvs', /Did you mean csv\? Allowed choices are /],
    ['export problem', /Did you mean problems\? Allowed choices are /],
    ['token create ada --name x --scope problem:read', /Did you mean problems:read\? Allowed/],
    ['import problems', /missing required argument 'file'/],
    ['import ada.zip ben.zip', /"ada.zip" is no kind of file, so name what ben.zip contains/],
    ['export problems a b', /too many arguments/],
    [
      'token create ada',
      /required option '--name <name>' not specified\n\(garden token create --help shows its arguments\)/,
    ],
    ['sync --judge foo', /'foo' is invalid\. Allowed choices are codeforces,/],
    ['plant add ada --name x --target 0', /Enter a whole number from 1 to 999999999/],
  ];
  for (const command of [...wrong.map(([command]) => command), 'member', 'member create']) {
    test(`garden ${command} --json is refused in JSON alone`, async () => {
      const { code, stdout, stderr } = await gardenHere(`${command} --json`);
      assert.deepEqual([code, stdout], [2, '']);
      const { error, message, ...more } = JSON.parse(stderr);
      assert.deepEqual([error, more], [40052, {}]);
      const words = command.split(' ');
      const isPath = (path: string) => verbs.some((verb) => `${verb} `.startsWith(`${path} `));
      const named = words.filter((_, at) => isPath(words.slice(0, at + 1).join(' ')));
      assert.match(message, /^[^\n]+\.$/);
      assert.ok(message.includes(`; ${['garden', ...named].join(' ')} --help `), message);
      assert.doesNotMatch(message, /^error|outputHelp/);
    });
  }

  for (const [command, says] of wrong) {
    test(`garden ${command} is refused with exit code 2 and what to do`, async () => {
      const { code, stdout, stderr } = await gardenHere(command);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /^ {4}at /m);
    });
  }
});
