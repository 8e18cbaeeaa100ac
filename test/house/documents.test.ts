/** The documents say what the program does: verbs, settings, error numbers, operations and links are compared with the code. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { invitationDays, linkLifetimesMs } from '../../src/auth/entry.ts';
import { tokenDays } from '../../src/auth/tokens.ts';
import { exitCodes } from '../../src/cli/terminal.ts';
import { settings } from '../../src/config.ts';
import { allScopes, operationIds, operations } from '../../src/contract/operations.ts';
import { hourMs, minuteMs } from '../../src/durations.ts';
import { errors } from '../../src/errors.ts';
import { importNames } from '../../src/importing/resources.ts';
import { resourceNames } from '../../src/importing/row-kinds.ts';
import { roundSeconds } from '../../src/jobs/sync-intervals.ts';
import { slipDays } from '../../src/practice/groups.ts';
import { anchorOf } from '../support/documents.ts';
import { root, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { matchesIn } from '../support/matches.ts';
import { committedFiles, everyVerb, read, tableOf } from './support.ts';

const cli = read('docs/cli.md');
const readme = read('README.md');

function sections(markdown: string): Map<string, string> {
  const parts = markdown.replaceAll(/^```.*?^```$/gms, '').split(/^#+ /m);
  return new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part]));
}

test('every verb has its section in docs/cli.md, which names every flag it takes', async () => {
  const verbs = await everyVerb();
  assert.ok(verbs.length >= 15, `${verbs.length} verbs`);
  const parts = sections(cli);
  for (const { name, flags } of verbs) {
    const section = parts.get(`garden ${name}`);
    assert.ok(section, `docs/cli.md has no section "garden ${name}"`);
    const own = flags.filter((flag) => !['--database-url', '--json'].includes(flag));
    for (const flag of own) {
      assert.match(section, new RegExp(`\`${flag}(?![\\w-])`), `garden ${name} takes ${flag}`);
    }
  }
});

test('docs/cli.md has no section of a verb that does not exist, and no flag either', async () => {
  const verbs = await everyVerb();
  const names = verbs.map((verb) => verb.name);
  for (const heading of sections(cli).keys()) {
    const verb = /^garden (.+)$/.exec(heading)?.[1];
    if (verb === undefined) continue;
    assert.ok(
      names.some((name) => name === verb || name.startsWith(`${verb} `)),
      `there is no garden ${verb}`,
    );
  }
  const flags = new Set(['--help', ...verbs.flatMap((verb) => verb.flags)]);
  for (const [flag] of matchesIn(cli, /(?<![\w-])--[a-z][a-z-]*/g)) assert.ok(flags.has(flag), flag);
});

test('every verb can say what it takes', async () => {
  for (const { name, help } of await everyVerb()) {
    assert.ok(help().includes('Usage:'), name);
  }
});

test('README names every verb', async () => {
  const names = new Set((await everyVerb()).map((verb) => verb.name.split(' ')[0]));
  for (const name of names) assert.ok(readme.includes(`garden ${name}`), `garden ${name}`);
});

test('docs/cli.md tells every kind of file, every resource and every scope', () => {
  for (const name of [...importNames, ...resourceNames, ...allScopes]) {
    assert.ok(cli.includes(`\`${name}\``), name);
  }
});

test('docs/cli.md tells the exit codes', () => {
  const told = tableOf(cli, 'code').map(([code, name]) => [name, Number(code)]);
  assert.deepEqual(Object.fromEntries(told), { done: 0, ...exitCodes });
});

test('docs/errors.md and src/errors.ts have the same numbers under the same names', () => {
  const told = tableOf(read('docs/errors.md'), 'number').map(([number, name]) => [name, Number(number)]);
  const known = Object.entries(errors).map(([name, { number }]) => [name, number]);
  const byNumber = (one: (string | number | undefined)[], other: (string | number | undefined)[]) =>
    Number(one[1]) - Number(other[1]);
  assert.deepEqual(told, known.toSorted(byNumber));
  assert.equal(new Set(known.map(([, number]) => number)).size, known.length);
});

test('docs/config.md and README have every setting with its flag and default, and no other', () => {
  const known = Object.values(settings).map(({ env, flag, default: byDefault }) => [
    env,
    flag === undefined ? 'none' : `--${flag}`,
    byDefault,
  ]);
  for (const path of ['docs/config.md', 'README.md']) {
    const told = tableOf(read(path), 'variable').map((cells) => cells.slice(0, 3));
    assert.deepEqual(told, known, path);
  }
});

test('README has the nine operations with their methods and paths', () => {
  const told = tableOf(readme, 'operation').map((cells) => cells.slice(0, 2));
  assert.deepEqual(
    told,
    operationIds.map((id) => [id, `${operations[id].method} ${operations[id].path}`]),
  );
});

test('README in other languages has the same commands, code and links', () => {
  const others = committedFiles().filter((path) => /^README\..+\.md$/.test(path));
  assert.ok(others.length >= 2);
  const partsOf = (text: string) => {
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
      block.replaceAll(/^# .*$/gm, '#'),
    );
    const rest = text.replaceAll(/^```.*?^```$/gms, '');
    const code = [...rest.matchAll(/`[^`]+`/g)].map(([part]) => part);
    const links = [...rest.matchAll(/\]\(([^)]+)\)|src="([^"]+)"|<(http[^>]+)>/g)].map((found) =>
      found.slice(1).join(''),
    );
    return [...blocks, ...code, ...links.filter((link) => !link.startsWith('README'))].toSorted();
  };
  const sectionsOf = (text: string) => text.match(/^## /gm)?.length;
  for (const path of others) {
    assert.deepEqual(partsOf(read(path)), partsOf(readme), path);
    assert.equal(sectionsOf(read(path)), sectionsOf(readme), path);
    for (const page of ['README.md', ...others])
      if (page !== path) assert.ok(read(path).includes(`](${page})`) && read(page).includes(`](${path})`), path);
  }
});

test('CI runs the README’s test command, and then the tests on real data', () => {
  const [, command = ''] = /^To run every check and test:\n\n```sh\n(.+)\n```$/m.exec(readme) ?? [];
  assert.match(command, /npm test/);
  const ci = read('.ci/run');
  assert.ok(ci.indexOf(`\n(${command}) `) < ci.indexOf('npm --silent test real'), command);
  assert.ok(ci.includes(`\n(${command}) `), command);
});

test('documents say how often a running round is checked', () => {
  for (const path of ['docs/members.md', 'docs/operations.md', 'CHANGELOG.md'])
    assert.ok(read(path).includes(`about every ${roundSeconds} seconds`), path);
});

test('documents say how long links and tokens last', () => {
  const text = cli.replaceAll(/\s+/g, ' ');
  for (const sentence of [
    `stops working after ${linkLifetimesMs.setup / hourMs} hours`,
    `The link works for ${linkLifetimesMs.demo / minuteMs} minutes`,
    `one-time link to choose a password, valid for ${slipDays} days`,
    `up to ${Math.max(...invitationDays)}d (${invitationDays[0]}d by default)`,
    `expires after ${tokenDays.usual} days. \`--expires\` takes a number with \`s\`, \`m\`, \`h\` or \`d\`, at most \`${tokenDays.longest}d\``,
  ])
    assert.ok(text.includes(sentence), sentence);
});

test('every decision is in the list of decisions', () => {
  const list = read('docs/decisions/README.md');
  const pages = committedFiles().filter((path) => /^docs\/decisions\/\d/.test(path));
  assert.ok(pages.length >= 8);
  for (const path of pages) assert.ok(list.includes(`(${path.split('/').at(-1)})`), path);
});

test('every promise of docs/privacy.md names a test that is there', () => {
  const promises = tableOf(read('docs/privacy.md'), 'promise');
  assert.ok(promises.length >= 30, `${promises.length} promises`);
  for (const [promise = '', where = '', test = ''] of promises) {
    assert.ok(promise !== '' && where !== '', test);
    const [, file = '', title = ''] = /^`(test\/[\w/-]+\.test\.ts)`: (.+)$/.exec(test) ?? [];
    assert.ok(read(file).includes(title), `${promise} ${test}`);
  }
});

test('no text speaks of a way to sign in that is not there', () => {
  const absent = /single sign-on|\boidc\b|\boauth\b|magic link|by e-?mail|log(?:s|ged|ging)?[ -]in\b/i;
  const shown = /^(?:README|SECURITY|CHANGELOG)\.md$|^docs\/[\w-]+\.md$|^client\/|^src\/|^openapi\.json$|^deploy\//;
  const paths = committedFiles().filter((path) => shown.test(path) && !path.startsWith('src/importing/sample/'));
  assert.ok(paths.length > 100);
  for (const path of paths) {
    const line = read(path)
      .split('\n')
      .find((text) => absent.test(text));
    assert.equal(line, undefined, path);
  }
});

function anchorsOf(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

test('every room, folder and file that docs/architecture.md names is there', () => {
  const document = read('docs/architecture.md');
  const rooms = new Set(tableOf(document, 'room').map(([room]) => room));
  const named = [...document.matchAll(/`([a-z]+)\/([\w./-]*)`/g)].filter(([, room]) => rooms.has(room ?? ''));
  assert.ok(named.length > 60, `${named.length} names`);
  const missing = named.filter(([, ...parts]) => {
    const path = join(root, 'src', ...parts);
    return !existsSync(path) && !existsSync(`${path}.ts`);
  });
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  );
});

test('pages of one name in the documents are there', async (t) => {
  const { url } = await serveHere(t, { databaseUrl: await temporaryDatabase(t) });
  for (const path of committedFiles().filter((one) => /^(?:README|docs\/[\w-]+)\.md$/.test(one)))
    for (const [, name = ''] of read(path).matchAll(/`(\/[\w-]+(?:\.\w+)?)`/g))
      if (!['/opt', '/data', '/log', '/metrics'].includes(name))
        assert.equal((await fetch(url + name)).status, 200, `${path}: ${name}`);
});

test('every link between the documents leads somewhere', () => {
  const pages = committedFiles().filter((path) => path.endsWith('.md'));
  let count = 0;
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      count++;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      assert.ok(existsSync(join(root, file)), `${page} links to ${target}`);
      if (anchor !== undefined) assert.ok(anchorsOf(read(file)).has(anchor), `${page} links to ${target}`);
    }
  }
  assert.ok(count >= 30, `${count} links`);
});
