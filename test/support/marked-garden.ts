/**
 * A garden of three members and one of staff, in which everything that is a member's own has a mark that nobody else
 * may see. Their public pages are open to everyone, and show none of it.
 */
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { makeToken } from '../../src/auth/tokens.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList, shareList } from '../../src/practice/lists.ts';
import { setNote, setStatus } from '../../src/practice/marks.ts';
import { saveView } from '../../src/practice/preferences.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { setOnBoard } from '../../src/store/boards.ts';
import { setBoard } from '../../src/store/groups.ts';
import { insertAccount } from '../../src/store/openid-accounts.ts';
import { saveProvider } from '../../src/store/openid-providers.ts';
import { insertReviews } from '../../src/store/reviews.ts';
import type { Store } from '../../src/store/store.ts';
import { startOpenId } from '../replay/openid.ts';
import { type Browser, browser, memberWithPassword, signIn } from './forms.ts';
import { importRows, temporaryDatabase, withStore } from './garden.ts';
import { serveHere } from './in-process.ts';
import { membersNamed } from './members.ts';
import { ponds } from './ponds.ts';

export const memberNames = ['ada', 'bob', 'eve'] as const;
export type MemberName = (typeof memberNames)[number];
export type VisitorName = MemberName | 'grace' | 'stranger';
export const visitorNames: readonly VisitorName[] = [...memberNames, 'grace', 'stranger'];

const numbered = [
  'members',
  'tokens',
  'sessions',
  'changes',
  'handles',
  'staff_log',
  'entry_links',
  'reviews',
  'lists',
];

const numberedToo = [
  ['groups', 15_234_000n],
  ['group_links', 25_234_000n],
] as const;

/** What the member alone may see; staff do not see notes, tokens, views and files either. */
export const secretOf = (name: MemberName) => `zq-secret-${name}-7f3`;
/** What staff may see as well: names, addresses, plants, handles. */
export const recordMarkOf = (name: MemberName) => `zq-record-${name}-7f3`;

/** The texts that no answer to this visitor may have. */
export function hiddenFrom(visitor: VisitorName): readonly string[] {
  const others = memberNames.filter((name) => name !== visitor);
  return visitor === 'grace'
    ? others.map(secretOf)
    : others.flatMap((name) => [secretOf(name), recordMarkOf(name)]);
}

export async function markedGarden(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  // Long and different in every table, so that an id in an answer is nothing else.
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      for (const [n, table_name] of numbered.entries())
        await tx
          .insertInto('id_counters')
          .values({ table_name, last_id: BigInt(n + 1) * 10_000_000n + 1_234_000n })
          .execute();
      for (const [table_name, last_id] of numberedToo)
        await tx.insertInto('id_counters').values({ table_name, last_id }).execute();
    }),
  );
  const ids = await membersNamed(databaseUrl, ...memberNames);
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  const problems = ponds(4, (n) => ({
    ...{ rating: 1000 + 200 * n, tags: ['dp'] },
    url: `https://codeforces.com/problemset/problem/${n + 1}/A`,
  }));
  await importRows(databaseUrl, 'problems', problems);
  await importRows(
    databaseUrl,
    'records',
    memberNames.map((username) => ({
      username,
      first_name: recordMarkOf(username),
      city: recordMarkOf(username),
    })),
  );
  await importRows(
    databaseUrl,
    'plants',
    memberNames.map((username, n) => ({
      id: 91_234_001 + n,
      username,
      name: recordMarkOf(username),
      target: 3,
    })),
  );
  const school = await startOpenId(t, 'RS256');
  await withStore(databaseUrl, async (store) => {
    await store.write((tx) =>
      saveProvider(tx, {
        ...{ key: 'school', name: 'School', issuer: school.url, admits: 'joined', claim: '', wanted: '' },
        ...{ client_id: school.client.id, client_secret: school.client.secret, makes_members: 0n },
        ...{ name_claim: 'preferred_username', changed_at: new Date().toISOString() },
      }),
    );
    for (const name of memberNames) await fill(store, ids[name], secretOf(name), recordMarkOf(name));
  });
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { PRIVATE_PLACES: school.url } });
  const visitors = {} as Record<VisitorName, Browser>;
  for (const name of visitorNames)
    visitors[name] = name === 'stranger' ? browser(url) : await signIn(url, name);
  // A second session each, which the others may try to end.
  for (const name of memberNames) await signIn(url, name);
  return { databaseUrl, url, stderr, ids, visitors };
}

async function fill(store: Store, memberId: bigint, secret: string, recordMark: string): Promise<void> {
  for (const scopes of [allScopes, allScopes.slice(0, 1)])
    await makeToken(store, { userId: memberId, name: secret, scopes, lifetimeMs: 86_400_000 });
  await store.write(async (tx) => {
    await setStatus(tx, { memberId, problemIds: [1n], status: 'reading' });
    await setStatus(tx, { memberId, problemIds: [1n, 2n], status: 'complete', how: 'hint' });
    await setNote(tx, memberId, 3n, `note with ${secret}`);
    await saveView(tx, memberId, { name: secret, query: `?rating_min=${1000 + secret.length}` });
    await addHandle(tx, memberId, 'codeforces', recordMark);
    const group = await makeGroup(tx, memberId, { name: `group ${secret}`, zone: 'UTC' });
    await setBoard(tx, group, true);
    await setOnBoard(tx, group, memberId, true);
    await showPageTo(tx, memberId, 'everyone');
    await makeGroupLink(tx, group, { uses: 9, lifetimeMs: 86_400_000 });
    await insertReviews(tx, [
      {
        user_id: memberId,
        problem_id: 2n,
        grade: 'good',
        made_at: new Date().toISOString(),
        undone_at: null,
      },
    ]);
    const items = [1n, 3n].map((problemId) => ({ problemId, memo: `memo with ${secret}` }));
    const content = [{ name: secret, items }];
    await makeList(tx, { ownerId: memberId, name: secret, content });
    const id = await makeList(tx, { ownerId: memberId, name: secret, content });
    await shareList(tx, { id, ownerId: memberId });
    const at = new Date().toISOString();
    const account = { provider: 'school', subject: secret, user_id: memberId, label: secret };
    await insertAccount(tx, { ...account, joined_at: at, used_at: at });
  });
}

/** A digest of all rows that are each member's, of every table that says whose its rows are. */
export async function digestsOf(
  store: Store,
  ids: Readonly<Record<MemberName, bigint>>,
): Promise<Record<MemberName, string>> {
  const db = store.reader;
  const tables = await db.introspection.getTables();
  const digests = {} as Record<MemberName, string>;
  for (const name of memberNames) {
    const sum = createHash('sha256');
    const add = (rows: readonly unknown[]) =>
      sum.update(JSON.stringify(rows.map((row) => JSON.stringify(row, digits)).toSorted()));
    add(await db.selectFrom('members').selectAll().where('id', '=', ids[name]).execute());
    const lists = db.selectFrom('lists').where('owner_id', '=', ids[name]);
    add(await lists.selectAll().execute());
    const items = db.selectFrom('list_items').where('list_id', 'in', lists.select('id'));
    add(await items.selectAll().execute());
    for (const table of tables) {
      if (!table.columns.some((column) => column.name === 'user_id')) continue;
      add(
        await db
          .selectFrom(table.name as 'changes')
          .selectAll()
          .where('user_id', '=', ids[name])
          .execute(),
      );
    }
    digests[name] = sum.digest('hex');
  }
  return digests;
}

const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
