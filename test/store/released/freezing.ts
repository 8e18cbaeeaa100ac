/** Freezes today's schema: fills a database, copies it to the other store, and writes both as text. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { makeEntryLink } from '../../../src/auth/entry.ts';
import { makeToken } from '../../../src/auth/tokens.ts';
import { allScopes } from '../../../src/contract/operations.ts';
import type { RealField } from '../../../src/judges/real-field.ts';
import { getMemberByName, removeMember } from '../../../src/practice/members.ts';
import { removeAnyPlant } from '../../../src/practice/planting.ts';
import { addSolution } from '../../../src/practice/solutions.ts';
import { insertAddedProblems } from '../../../src/store/added-problems.ts';
import { insertExpectedPerson } from '../../../src/store/groups.ts';
import { saveRename } from '../../../src/store/handles.ts';
import { freshFeed, saveLiveFeed } from '../../../src/store/live-feeds.ts';
import { newestVersion } from '../../../src/store/migrate.ts';
import { insertAccount } from '../../../src/store/openid.ts';
import { insertPasskey } from '../../../src/store/passkeys.ts';
import { deletePlant, insertSharedAddress } from '../../../src/store/plants.ts';
import { beginFeed } from '../../../src/store/program-feeds.ts';
import { insertProgramChange } from '../../../src/store/program-writes.ts';
import { putRealField } from '../../../src/store/real-fields.ts';
import { insertSeasonPoints } from '../../../src/store/seasons.ts';
import { insertStaffAction } from '../../../src/store/staff-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { freshSync, pauseSubject, saveSync } from '../../../src/store/syncs.ts';
import { gardenJson } from '../../support/commands.ts';
import { pathOf, postgresDatabase, tamper } from '../../support/databases.ts';
import { memberWithPassword } from '../../support/forms.ts';
import { importRows, memberWithToken, temporaryFile, withStore } from '../../support/garden.ts';
import { fillGarden } from '../../support/shown.ts';
import { dump, type FrozenTexts } from './dump.ts';
import { frozenPath } from './released.ts';

/** Tables of what lasts minutes or a day, in the order of copies. */
const shortLived = [
  ...['removed_problems', 'attempts', 'uploads', 'proof_tasks', 'openid_visits'],
  ...['passkey_challenges'],
];

/** People of the sample's club who are left out, so that a frozen database is small. */
const left = ['dmitri', 'elif', 'farid', 'goran', 'hana', 'ines', 'jonas', 'kavya', 'liam'];

/** Problems of the sample that stand in no list, round, bookmark, review or arrival: a tenth of them shows what all would. */
const spare = `SELECT id FROM problems WHERE id BETWEEN 1 AND 999 AND id % 10 > 0 AND id NOT IN (
  ${['list_items', 'bookmarks', 'round_problems', 'reviews', 'arrived_problems']
    .map((table) => `SELECT problem_id FROM ${table} WHERE problem_id IS NOT NULL`)
    .join(' UNION ')})`;
const thinning = [
  `DELETE FROM solves WHERE problem_id IN (${spare})`,
  `DELETE FROM contest_problems WHERE problem_id IN (${spare})`,
  `DELETE FROM problems WHERE id IN (${spare})`,
  ...['problem_keys', 'problem_tags'].map(
    (table) => `DELETE FROM ${table} WHERE problem_id NOT IN (SELECT id FROM problems)`,
  ),
  'DELETE FROM upcoming_contests WHERE id > 9',
];

/** Writes the newest schema of both stores and its rows to a folder. Needs PostgreSQL with pg_dump. */
export async function freeze(t: Pick<TestContext, 'after'>, folder: string): Promise<void> {
  const file = await temporaryFile(t);
  const server = await postgresDatabase(t, { isBare: true });
  const token = await fill(file);
  const { tables } = await gardenJson<{ tables: { table: string; rows: number }[] }>(['copy', file, server]);
  const empty = tables.filter(({ rows }) => rows === 0).map(({ table }) => table);
  assert.deepEqual(empty, shortLived, 'tables without rows, which test/store/released/freezing.ts fills');
  const about = `Schema ${newestVersion} as it was released, written by npm run freeze:schema; never changed. A token of ada's: ${token}`;
  for (const [text, written] of Object.entries(dump(pathOf(file), server, about)))
    writeFileSync(frozenPath(folder, newestVersion, text as keyof FrozenTexts), written);
}

/** Fills a database that is not there yet with the sample, and with a row in every other table; answers a token of ada's, who is staff. */
async function fill(databaseUrl: string): Promise<string> {
  await withStore(databaseUrl, async (store) => {
    await fillGarden(store);
    for (const name of left) await store.write((tx) => removeMember(tx, name));
  });
  await tamper(databaseUrl, ...thinning);
  for (const name of ['ada', 'demo']) await memberWithPassword(databaseUrl, name);
  await memberWithToken(databaseUrl, 'Bën', { scopes: ['plants:delete'] });
  await importHostile(databaseUrl);
  return withStore(databaseUrl, fillTheRest);
}

/** The ends of int64, texts of all kinds and nulls. */
async function importHostile(databaseUrl: string): Promise<void> {
  await importRows(databaseUrl, 'records', [
    { username: 'ada', first_name: 'Ada', last_name: "O'Hara; --", city: '東京', email: 'ada@example.org' },
  ]);
  const ids = [-(2n ** 63n), -1n, 2n ** 40n, 2n ** 53n + 1n, 2n ** 63n - 2n];
  const titles = ['“Quoted”, with\nlines', 'Ünïcödé 🌱', "it's", 'plain', 'NULL'];
  await importRows(
    databaseUrl,
    'problems',
    ids.map((id, n) => ({
      id,
      title: titles[n],
      source: 'here',
      source_key: `k${n}`,
      tags: n % 2 ? ['dp', 'müsli'] : [],
      ...(n === 1 && { rating: 1900, url: 'https://example.org/1', aliases: ['k1b'] }),
    })),
  );
  const own = ids.map((id, n) => ({ username: n % 2 ? 'ada' : 'Bën', problem: id }));
  const words = ['reading', 'practicing', 'complete', 'skipped', 'not_started'];
  const statuses = own.map((row, n) => ({ ...row, status: words[n] }));
  await importRows(databaseUrl, 'statuses', statuses);
  const bookmarks = own.map((row, n) => ({ ...row, note: n ? `note ${n}` : null }));
  await importRows(databaseUrl, 'bookmarks', bookmarks);
  const plants = ids.map((id, n) => ({ id, username: 'ada', name: `plant ${n}`, tag: n ? 'dp' : null, target: n + 1 }));
  await importRows(databaseUrl, 'plants', plants);
}

async function fillTheRest(store: Store): Promise<string> {
  const [credentials = 0n] = await store.revisions(['credentials']);
  await deletePlant(store, 2n ** 53n + 1n, undefined, credentials);
  const { id: staff } = await getMemberByName(store.reader, 'ada');
  const at = new Date().toISOString();
  const never = BigInt(Date.parse('2099-01-01'));
  const list = { list_id: 1n, entity_tag: null, due_at: never, tried_at: null, good_at: null, fault: null };
  await store.write(async (tx) => {
    await removeAnyPlant(tx, -1n);
    await makeEntryLink(tx, { kind: 'invitation', role: 'member', uses: 9, lifetimeMs: 86_400_000 });
    await insertStaffAction(tx, { what: 'member-made', actor_id: staff, member_id: 1n });
    await insertSharedAddress(tx, {
      secret: 'a-garden-that-was-shared',
      user_id: 1n,
      kind: 'garden',
      used_at: null,
      made_at: at,
    });
    await beginFeed(tx, staff);
    await insertAddedProblems(tx, [{ problem_id: -1n, member_id: staff, added_at: at }]);
    await saveSync(tx, { ...freshSync(pauseSubject('codeforces')), due_at: never });
    const account = { provider: 'school', subject: 'kept', user_id: staff, label: null, joined_at: at, used_at: at };
    await insertAccount(tx, account);
    const device = { credential_id: 'kept', host: 'garden.test', public_key: 'kept', counter: 0n, transports: '' };
    await insertPasskey(tx, { ...device, user_id: staff, name: 'Telephone', made_at: at, used_at: null });
    await saveRename(tx, 1n, { from: 'earlier', to: 'demo~sample', at });
    const points = { season_id: 1n, group_id: 1n, user_id: 2n, halves: -1n, reason: 'late', made_at: at };
    await insertSeasonPoints(tx, points);
    const gymKey = { group_id: 1n, user_id: 1n, session_id: 1n, sealed: 'kept', made_at: at };
    await tx.insertInto('gym_keys').values(gymKey).execute();
    const imported = { what: 'problems', made_at: at, user_id: null, read: 5n, added: 5n, changed: 0n };
    await tx.insertInto('imports').values(imported).execute();
    const follow = { ...list, url: 'https://example.org/list.json', missing: '{"count":0,"some":[]}' };
    await tx.insertInto('list_follows').values(follow).execute();
    const item = { list_id: 1n, problem_id: 1n, came_at: null, is_gone: 0n };
    await tx.insertInto('followed_items').values(item).execute();
    await tx.insertInto('time_models').values({ problem_id: 1n, slope: -1n, intercept: 1n }).execute();
    await saveLiveFeed(tx, 'codeforces', freshFeed);
    const group = await tx.selectFrom('groups').select('id').executeTakeFirstOrThrow();
    const removal = { group_id: group.id, user_id: 1n, removed_at: '2026-01-01T00:00:00.000Z' };
    await tx.insertInto('group_removals').values(removal).execute();
    const person = { group_id: group.id, name: 'Ada Lovelace', student_number: '22-0101' };
    await insertExpectedPerson(tx, person);
    const write = { user_id: staff, minute: 1n, writes: 1n };
    await tx.insertInto('program_writes').values(write).execute();
    const [token] = await tx.selectFrom('tokens').select('id').execute();
    const key = { key: 'kept', digest: 'kept', answer: '{}', bytes: 2n, made_at: at };
    await tx
      .insertInto('program_keys')
      .values({ ...key, token_id: token?.id ?? 0n })
      .execute();
    const change = { user_id: staff, token_id: token?.id ?? 0n, kind: 'changeMark', made_at: at };
    await insertProgramChange(tx, change, [{ kind: 'problem', part_id: 1n, before: null, after: null }]);
    await tx.insertInto('round_invitations').values({ round_id: 1n, user_id: 1n, is_declined: 1n }).execute();
    const rules = { seconds: 3600, positions: ['A', 'B'], worth: [], wrongMinutes: 20 };
    const field: RealField = { total: 1, step: 1, ...rules, rows: [[[60, 0], 1]] };
    const shown = { due_at: null, failures: 1n, title: 'Kept', field: JSON.stringify(field) };
    await putRealField(tx, { round_id: 1n, ...shown });
    await addSolution(tx, staff, { problem: -1n, file: 'a.cpp', code: Buffer.from([0x69, 0xff]) });
  });
  return (await makeToken(store, { userId: staff, name: 'kept', scopes: allScopes, lifetimeMs: undefined })).token;
}
