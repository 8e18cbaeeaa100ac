/** A garden of three members and one of staff. All private data of a member has a mark that nobody else may see. */
import { hash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { makeToken } from '../../src/auth/tokens.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList, setVisibility } from '../../src/practice/lists.ts';
import { setLabel, setNote, setStatus } from '../../src/practice/marks.ts';
import { saveView } from '../../src/practice/preferences.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { addSolution } from '../../src/practice/solutions.ts';
import { setBoard, setOnBoard } from '../../src/store/groups.ts';
import { insertAccount, saveProvider } from '../../src/store/openid.ts';
import { insertReviews } from '../../src/store/reviews.ts';
import type { Store } from '../../src/store/store.ts';
import { startOpenId } from '../replay/openid.ts';
import { testStore } from './databases.ts';
import { type Browser, browser, memberWithPassword, signIn } from './forms.ts';
import { importRows, temporaryDatabase, withStore } from './garden.ts';
import { browserOf, serveHere } from './in-process.ts';
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
  ['solutions', 35_234_000n],
] as const;

/** A text that the member alone may see; staff do not see notes, tokens, views and files either. */
export const secretOf = (name: MemberName) => `zq-secret-${name}-7f3`;
/** A text that staff may see as well: names, addresses, plants, handles. */
export const recordMarkOf = (name: MemberName) => `zq-record-${name}-7f3`;

export function hiddenFrom(visitor: VisitorName): readonly string[] {
  const others = memberNames.filter((name) => name !== visitor);
  return visitor === 'grace' ? others.map(secretOf) : others.flatMap((name) => [secretOf(name), recordMarkOf(name)]);
}

export async function markedGarden(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  // Long and different in every table, so that an id in an answer is recognised.
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
    rating: 1000 + 200 * n,
    tags: ['dp'],
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
        key: 'school',
        name: 'School',
        issuer: school.url,
        admits: 'joined',
        claim: '',
        wanted: '',
        client_id: school.client.id,
        client_secret: school.client.secret,
        makes_members: 0n,
        name_claim: 'preferred_username',
        changed_at: new Date().toISOString(),
      }),
    );
    for (const name of memberNames) await fill(store, ids[name], secretOf(name), recordMarkOf(name));
  });
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { PRIVATE_PLACES: school.url } });
  const visitors = {} as Record<VisitorName, Browser>;
  for (const name of visitorNames) visitors[name] = name === 'stranger' ? browser(url) : await signIn(url, name);
  // A second session, which other members may try to end.
  for (const name of memberNames) await browserOf(url, name);
  return { databaseUrl, url, stderr, ids, visitors };
}

async function fill(store: Store, memberId: bigint, secret: string, recordMark: string): Promise<void> {
  for (const scopes of [allScopes, allScopes.slice(0, 1)])
    await makeToken(store, { userId: memberId, name: secret, scopes, lifetimeMs: 86_400_000 });
  await store.write(async (tx) => {
    await setStatus(tx, { memberId, problemIds: [1n], status: 'reading' });
    await setStatus(tx, { memberId, problemIds: [1n, 2n], status: 'complete', how: 'hint' });
    await setNote(tx, memberId, 3n, `note with ${secret}`);
    await setLabel(tx, memberId, 3n, secret, true);
    const code = Buffer.from(`code with ${secret}`);
    await addSolution(tx, memberId, { problem: 2n, file: `${secret}.cpp`, code, about: secret, submission: secret });
    await saveView(tx, memberId, { name: secret, query: `?rating_min=${1000 + secret.length}` });
    await addHandle(tx, memberId, 'codeforces', recordMark);
    const group = await makeGroup(tx, memberId, { name: `group ${secret}`, zone: 'UTC' });
    await setBoard(tx, group, true);
    await setOnBoard(tx, group, memberId, true);
    await showPageTo(tx, memberId, 'everyone');
    await makeGroupLink(
      tx,
      { groupId: group, coachId: memberId },
      { uses: 9, lifetimeMs: 86_400_000, madeBy: memberId },
    );
    await insertReviews(tx, [
      {
        user_id: memberId,
        problem_id: 2n,
        grade: 'good',
        made_at: new Date().toISOString(),
        undone_at: null,
      },
    ]);
    const items = [1n, 3n].map((problem) => ({ problem, memo: `memo with ${secret}` }));
    const content = [{ name: secret, items }];
    await makeList(tx, { ownerId: memberId, name: secret, content });
    const id = await makeList(tx, { ownerId: memberId, name: secret, content });
    await setVisibility(tx, { id, owner_id: memberId }, 'secret');
    const at = new Date().toISOString();
    const account = { provider: 'school', subject: secret, user_id: memberId, label: secret };
    await insertAccount(tx, { ...account, joined_at: at, used_at: at });
  });
}

const everyones = ['settings', 'entry_links'];
const ownersOf: Readonly<Record<string, string>> = {
  members: 'id',
  lists: 'owner_id',
  list_items: '(SELECT owner_id FROM lists WHERE lists.id = list_id)',
};

export type Digests = Readonly<Record<MemberName | 'others', string>>;

/** Digests of each member's rows, and of common rows. It is one statement, because tests compare after each request. */
export async function digester(
  store: Store,
  ids: Readonly<Record<MemberName, bigint>>,
): Promise<() => Promise<Digests>> {
  const tables = await store.reader.introspection.getTables();
  const selects = tables.flatMap(({ name, columns }) => {
    const names = columns.map((column) => column.name);
    const isEveryones = everyones.includes(name);
    const owner = ownersOf[name] ?? (names.includes('user_id') ? 'user_id' : isEveryones && 'NULL');
    if (owner === false) return [];
    // Each value as the database writes it, so that no type is lost.
    const row =
      testStore === 'postgres' ? 't::text' : names.map((column) => `quote(t."${column}")`).join(" || ',' || ");
    return [`SELECT '${name} ' || ${row} AS said, CAST(${owner} AS TEXT) AS owner FROM ${name} t`];
  });
  const statement = sql.raw<{ said: string; owner: string | null }>(selects.join(' UNION ALL '));
  const nameOf = new Map(memberNames.map((name) => [String(ids[name]), name]));
  return async () => {
    const { rows } = await statement.execute(store.reader);
    const said: Record<keyof Digests, string[]> = { ada: [], bob: [], eve: [], others: [] };
    for (const row of rows) said[nameOf.get(row.owner ?? '') ?? 'others'].push(row.said);
    const digestOf = (lines: string[]) => hash('sha256', lines.toSorted().join('\n'));
    return {
      ada: digestOf(said.ada),
      bob: digestOf(said.bob),
      eve: digestOf(said.eve),
      others: digestOf(said.others),
    };
  };
}
