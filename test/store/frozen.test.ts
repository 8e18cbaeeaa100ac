/**
 * Rows of a database that an earlier program wrote (`frozen/`), with the figures that its pages showed of them: after the upgrade
 * all figures are the same, and to settle everything anew changes nothing.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { daysOfMember, readActivity, readStreak } from '../../src/practice/activity.ts';
import { readGarden } from '../../src/practice/garden.ts';
import { readBoard } from '../../src/practice/leaderboard.ts';
import { readLevels } from '../../src/practice/level.ts';
import { reachedOf } from '../../src/practice/progress.ts';
import { settle } from '../../src/practice/settling.ts';
import type { Migration } from '../../src/store/engine.ts';
import { newestVersion, schemaVersion } from '../../src/store/migrate.ts';
import { migrateStore, openStore } from '../../src/store/open.ts';
import { readCatalogue } from '../../src/store/problems.ts';
import type { Store } from '../../src/store/store.ts';
import { tamper, testStore } from '../support/databases.ts';
import { root, temporaryDatabase, temporaryFile } from '../support/garden.ts';

const frozenVersion = 14;
const now = Date.parse('2026-11-24T12:00:00.000Z');
const countedScopes = ['bookmarks:1', 'credentials', 'problems', 'records', 'statuses', 'statuses:1'];
const goneScopes = ['days', 'lists', 'pages', 'pages:1', 'plants:1', 'plants:2'];
const frozen = (name: string) => readFileSync(join(import.meta.dirname, 'frozen', name), 'utf8');

async function frozenDatabase(t: TestContext): Promise<string> {
  const databaseUrl = await (testStore === 'postgres' ? temporaryDatabase(t) : temporaryFile(t));
  const folder = join(root, 'src', 'store', 'migrations');
  const versions = 'CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT, applied_at TEXT);';
  const empty =
    testStore === 'sqlite' ? 'PRAGMA application_id = 1196573774' : 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';
  const made = [empty, versions];
  for (const [place, file] of readdirSync(folder).sort().slice(0, frozenVersion).entries()) {
    const [migration] = Object.values((await import(join(folder, file))) as Record<string, Migration>);
    assert.ok(migration);
    made.push(migration[testStore], `INSERT INTO schema_migrations VALUES (${place + 1}, '${migration.name}', '');`);
  }
  const revisions = `INSERT INTO revisions (scope, revision) VALUES ${[...countedScopes, ...goneScopes].map((scope) => `('${scope}', 7)`)}
    ON CONFLICT (scope) DO UPDATE SET revision = 7`;
  await tamper(databaseUrl, ...made, frozen(`rows-${frozenVersion}.sql`), revisions);
  return databaseUrl;
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? Number(one) : one)));

async function figuresOf({ reader }: Store) {
  const ids = (await reader.selectFrom('members').select('id').orderBy('id').execute()).map(({ id }) => id);
  const { id: group } = await reader.selectFrom('groups').select('id').executeTakeFirstOrThrow();
  const board = (await readBoard(reader, group, ids[0] ?? 0n, now)).lines.map(
    ({ person: { username }, week, month, streak, days: { first, last } }) => ({
      username,
      week,
      month,
      streak,
      first,
      last,
    }),
  );
  const members = [];
  for (const id of ids) {
    const days = await daysOfMember(reader, id);
    members.push({
      days: (await readActivity(reader, id, days, [0, 40_000])).map((row) => [
        ...[row.day, row.submissions, row.solved, row.first_solves, row.reviews, row.hardest],
      ]),
      streak: await readStreak(reader, id, days, days.at(now)),
      plants: (await readGarden(reader, id, days, new Date(now))).map((one) => [
        ...[one.done, one.today, one.quietDays, one.lastAt],
      ]),
      levels: await readLevels(reader, id),
      reached: (await reachedOf(reader, id, days)).map((one) => [
        ...[one.id, one.isSolved, one.at, one.day, one.tries],
      ]),
    });
  }
  const { total, sources, topics } = await readCatalogue(reader);
  return plain({ catalogue: { total, sources, topics }, members, board });
}

test(`a database of schema ${frozenVersion} shows the same figures after the upgrade`, async (t) => {
  const databaseUrl = await frozenDatabase(t);
  const options = { create: false, lockTimeoutMs: 5_000 };
  await migrateStore(databaseUrl, options, false);
  const store = await openStore(databaseUrl, options);
  t.after(() => store.close());
  assert.equal(await schemaVersion(store.reader), newestVersion);
  const figures = JSON.parse(frozen(`figures-${frozenVersion}.json`));
  // Submissions to a problem that is not solved were counted as its tries then; no page ever showed them.
  for (const { reached } of figures.members) for (const one of reached) if (!one[1]) one[4] = 0;
  assert.ok(figures.members.every(({ days, reached }: Record<string, unknown[]>) => days?.[9] && reached?.[9]));
  const revisions = await store.reader.selectFrom('revisions').selectAll().orderBy('scope').execute();
  assert.deepEqual(
    revisions,
    countedScopes.map((scope) => ({ scope, revision: 7n })),
  );
  assert.deepEqual(await figuresOf(store), figures);
  const derived = async () => ({
    first: await store.reader.selectFrom('first_solves').selectAll().orderBy('user_id').orderBy('problem_id').execute(),
    cards: await store.reader.selectFrom('review_cards').selectAll().orderBy('user_id').orderBy('problem_id').execute(),
  });
  const before = await derived();
  assert.ok(before.cards.length > 40);
  const problems = await store.reader.selectFrom('problems').select('id').execute();
  for (const { id } of await store.reader.selectFrom('members').select('id').execute())
    await store.write((tx) =>
      settle(
        tx,
        id,
        problems.map((one) => one.id),
      ),
    );
  assert.deepEqual(await derived(), before);
  assert.deepEqual(await figuresOf(store), figures);
});
