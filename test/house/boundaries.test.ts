/** Which room may import which: docs/architecture.md, the rules and the code agree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { root } from '../support/garden.ts';
import { read, sourceFiles, tableOf } from './support.ts';

interface Rule {
  name: string;
  from: { path?: string };
  to: { pathNot?: string[] };
}

const { forbidden, options } = JSON.parse(read('.dependency-cruiser.json')) as {
  forbidden: Rule[];
  options: ICruiseOptions;
};

const judged = (async (): Promise<ICruiseResult> => {
  const ruleSet = { forbidden } as unknown as IFlattenedRuleSet;
  const { output } = await cruise(['src'], { ...options, baseDir: root, validate: true, ruleSet });
  assert.ok(typeof output === 'object');
  return output;
})();

const ownModules = ({ modules }: ICruiseResult) =>
  modules.map(({ source }) => source).filter((source) => source.startsWith('src/') && source.endsWith('.ts'));

test('no room imports a room that the table does not allow, and every file was seen', async () => {
  const result = await judged;
  assert.deepEqual(ownModules(result).toSorted(), sourceFiles());
  const { violations } = result.summary;
  assert.deepEqual(
    violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    [],
  );
});

test('the rules of the rooms are those of the table in docs/architecture.md', () => {
  const told = tableOf(read('docs/architecture.md'), 'room').map(([room, , may = '']) => [
    room,
    may === 'nothing' ? [] : may.split(', ').toSorted(),
  ]);
  const nameOf = (pattern: string) => pattern.replace(/^\^src\//, '').replace(/\/$|\\\.(?:ts\$)?$/, '');
  const ruled = forbidden
    .filter((rule) => rule.name.startsWith('room-'))
    .map(({ name, from, to }) => {
      const room = name.replace('room-', '');
      assert.equal(nameOf(from.path ?? ''), room);
      const others = (to.pathNot ?? []).map(nameOf).filter((other) => other !== room);
      return [room, others.toSorted()];
    });
  assert.deepEqual(told, ruled);
});

test('every room of the source has its rule', async () => {
  const rooms = new Set(ownModules(await judged).map((source) => source.split('/')[1]?.replace(/\.ts$/, '')));
  for (const room of rooms)
    assert.ok(
      forbidden.some((rule) => rule.name === `room-${room}`),
      room,
    );
});

test('a thread of the store loads no kysely, which would take twice as long as all the rest of it', async () => {
  const { modules } = await judged;
  const dependenciesOf = new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
  const threads = ownModules(await judged).filter((source) => /^src\/store\/.*-thread\.ts$/.test(source));
  assert.ok(threads.length > 1);
  const reached = new Set(threads);
  for (const source of reached)
    for (const { resolved, dependencyTypes } of dependenciesOf.get(source) ?? [])
      if (!dependencyTypes.includes('type-only')) reached.add(resolved);
  assert.deepEqual(
    [...reached].filter((source) => source.includes('kysely')),
    [],
  );
});

/** Exports of the store that read, and constants and plain functions of it that pages may use. */
const reads = /^(?:find|list|count|get|read|has|is)[A-Z]/;
const plain = new Set([
  ...['busyStates', 'daySettingNames', 'plantIdField', 'problemSortFields', 'visibilities'],
  ...['exactFirst', 'fold', 'narrowSearch', 'problemCounter', 'shownStateOf'],
]);

test('the website changes nothing in the store by itself: every write is a function of practice or auth', () => {
  const found: string[] = [];
  for (const path of sourceFiles('src/web/')) {
    const text = read(path);
    const imports = [...text.matchAll(/^import (?!type )\{([^}]*)\} from '[./]+\/store\/[^']+';$/gm)];
    const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    const values = names.filter((name) => name !== '' && !name.startsWith('type '));
    found.push(...values.filter((name) => !reads.test(name) && !plain.has(name)).map((name) => `${path}: ${name}`));
    const types = text.match(/^import type \{[^}]*\} from '[./]+\/store\/[^']+';$/gm) ?? [];
    const mentions = text.match(/'(?:\.\.\/)+store\/[^']+'/g) ?? [];
    if (mentions.length !== imports.length + types.length) found.push(`${path}: another kind of import`);
    for (const [call] of text.matchAll(/\.(?:write|writeConcurrently|runChange)\(/g)) found.push(`${path}: ${call}`);
  }
  assert.deepEqual(found, []);
});

test('only the kit and markup.ts put text into a page as it stands, and the kit has no page', () => {
  const website = sourceFiles('src/web/');
  const raw = website.filter((path) => read(path).includes("'hono/html'"));
  assert.ok(raw.length > 0);
  assert.deepEqual(
    raw.filter((path) => path !== 'src/web/markup.ts' && !path.startsWith('src/web/kit/')),
    [],
  );
  const pages = website.filter((path) => /\bPageRoute\b/.test(read(path)));
  assert.deepEqual(
    pages.filter((path) => path.startsWith('src/web/kit/')),
    [],
  );
});

test('panels and notices are written by the kit alone', () => {
  const byHand = /<(?:section|div|details|ul|p) class="(?:panel|notice)[ "]/;
  assert.deepEqual(
    sourceFiles('src/web/').filter((path) => byHand.test(read(path))),
    ['src/web/kit/panel.ts'],
  );
});
