/** Which room may import which: docs/architecture.md, the rules and the code agree, and a violation is found. */
import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { root, temporaryFolder } from '../support/garden.ts';
import { read, tableOf } from './support.ts';

interface Rule {
  name: string;
  from: { path?: string };
  to: { pathNot?: string[] };
}

const { forbidden, options } = JSON.parse(read('.dependency-cruiser.json')) as {
  forbidden: Rule[];
  options: ICruiseOptions;
};

/** Follows every import in the `src` of a folder and judges it by the rules. */
async function judge(baseDir: string): Promise<ICruiseResult> {
  const ruleSet = { forbidden } as unknown as IFlattenedRuleSet;
  const { output } = await cruise(['src'], { ...options, baseDir, validate: true, ruleSet });
  assert.ok(typeof output === 'object');
  return output;
}

const violationsOf = ({ summary }: ICruiseResult) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

test('no room imports a room that the table does not allow', async () => {
  const result = await judge(root);
  const own = result.modules.filter(({ source }) => source.startsWith('src/'));
  assert.ok(own.length > 30, `${own.length} modules`);
  const imports = own.flatMap(({ dependencies }) => dependencies);
  assert.ok(imports.filter(({ resolved }) => resolved.startsWith('src/')).length > 100);
  assert.deepEqual(violationsOf(result), []);
});

test('the rules of the rooms are those of the table in docs/architecture.md', () => {
  const told = tableOf(read('docs/architecture.md'), 'room').map(([room, , may = '']) => [
    room,
    may === 'nothing' ? [] : may.split(', ').toSorted(),
  ]);
  const nameOf = (pattern: string) => pattern.replace(/^\^src\//, '').replace(/\/$|\\\.ts\$$/, '');
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
  const { modules } = await judge(root);
  const own = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'));
  const rooms = new Set(own.map((source) => source.split('/')[1]?.replace(/\.ts$/, '')));
  for (const room of rooms)
    assert.ok(
      forbidden.some((rule) => rule.name === `room-${room}`),
      room,
    );
});

const planted = [
  { rule: 'room-web', path: 'src/web/planted.ts', text: `import '../api/pipeline.ts';\n` },
  {
    rule: 'room-store',
    path: 'src/store/planted.ts',
    text: `import type { Actor } from '../auth/tokens.ts';\nexport type P = Actor;\n`,
  },
  {
    rule: 'sql-in-store',
    path: 'src/practice/planted.ts',
    text: `import { sql } from 'kysely';\nexport const p = sql;\n`,
  },
  {
    rule: 'web-pages-apart',
    path: 'src/web/pages/lists/planted.ts',
    text: `import '../groups/routes.ts';\n`,
  },
  { rule: 'web-kit', path: 'src/web/kit/planted.ts', text: `import '../pages/today/today.ts';\n` },
  { rule: 'no-circle', path: 'src/judges/planted.ts', text: `import './planted-too.ts';\n` },
];

test('violations planted in a copy are found', async (t) => {
  const folder = await temporaryFolder(t);
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const { path, text } of planted) await writeFile(join(folder, path), text);
  await writeFile(join(folder, 'src/judges/planted-too.ts'), `import './planted.ts';\n`);
  const { summary } = await judge(folder);
  const found = summary.violations.map(({ rule, from }) => `${rule.name} ${from.replace('-too', '')}`);
  for (const { rule, path } of planted) assert.ok(found.includes(`${rule} ${path}`), `${rule}: ${found}`);
});
