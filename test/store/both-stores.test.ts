/** The same data on both stores: the same answers byte for byte, tags and links included; and garden copy, which takes it there. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { formats, mediaTypes } from '../../src/contract/rows.ts';
import { loadSample } from '../../src/importing/sample.ts';
import { acceptDuel, makeDuel } from '../../src/practice/duels.ts';
import { addSolution } from '../../src/practice/solutions.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { putRealField } from '../../src/store/real-fields.ts';
import { findVisibleRound } from '../../src/store/rounds.ts';
import { openGarden, submissions } from '../importing/support.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { postgresDatabase } from '../support/databases.ts';
import { memberWithToken, temporaryFile, withStore } from '../support/garden.ts';
import { client, likeness, type Reply } from '../support/http.ts';
import { edges } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';
import { clubTeam } from '../support/teams.ts';

const texts = [
  ...['a', 'A', 'b', 'B', 'Z', 'z', 'ä', 'Ä', 'zz', 'a b', 'a-b', 'ab', 'a_b', 'a%b', '_', '%', '\\', '\\%'],
  ...['', ' ', ' a', 'é', 'e\u0301', 'ß', 'ẞ', 'SS', 'İ', 'i', 'I', 'ı', 'ſ', 'K', 'Ω', 'ω', '\u{10ffff}'],
  ...['\ue000', '🌱', '𝔄', '中', 'א', '"', "'", ',', '\n', '\u0001', '0', '10', '9', '-1', '=1', 'null'],
];
const raw = (id: bigint) => JSON.rawJSON(String(id));
const at = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toISOString();
const maybe = (n: number) => (n % 4 === 0 ? null : texts[n % texts.length]);
const addressOf = (text: string | null | undefined) =>
  text == null ? null : `https://here.test/${encodeURIComponent(text)}`;

async function fill(t: TestContext, databaseUrl: string): Promise<void> {
  const { store, ...made } = await openGarden(t, databaseUrl);
  await loadSample(store);
  await made.import(
    'records',
    texts.map((_, n) => ({
      username: `m${n}`,
      first_name: maybe(n),
      last_name: maybe(n + 1),
      email: maybe(n + 2),
      city: maybe(n + 3),
      role: n % 5 ? 'member' : 'staff',
      created_at: at(n % 3),
      updated_at: at(n % 7),
    })),
  );
  const hostile = texts.map((text, n) => ({
    id: raw(edges[n] ?? BigInt(n) - 1_000_000n),
    title: `${text} ${n % 3}`,
    source: n % 2 ? 'Zeta' : 'alpha',
    source_key: `k${n} ${text}`,
    rating: n % 3 ? (n % 5) * 100 - 200 : null,
    url: addressOf(maybe(n)),
    tags: [text, 'Tag', `t${n % 3}`].filter((tag) => tag !== ''),
    created_at: at(n),
    updated_at: at(n % 9),
  }));
  await made.import('problems', hostile);
  const many = Array.from({ length: 400 }, (_, n) => ({
    title: `Many ${n % 40}`,
    source: 'many',
    source_key: `x${n}`,
    rating: (n * 7) % 50,
    tags: ['dp'],
    created_at: at(n % 11),
    updated_at: at(n % 13),
  }));
  await made.import('problems', many);
  const pairs = hostile.map(({ id }, n) => ({ problem: id, username: `m${n % 4}` }));
  const words = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'];
  await made.import(
    'statuses',
    pairs.map((pair, n) => ({
      ...pair,
      status: words[n % 6],
      origin: n % 2 ? 'self' : 'judge',
      updated_at: at(n % 5),
    })),
  );
  await made.import(
    'bookmarks',
    pairs.map((pair, n) => ({ ...pair, note: maybe(n), created_at: at(n % 2), updated_at: at(n % 3) })),
  );
  await made.import('codeforces-submissions', submissions(['4A', 'OK', 1], ['77B', 'TESTING', 2]), {
    member: 'm1',
  });
  const task = {
    category: 'Trees',
    name: 'Distances',
    link: 'https://cses.fi/problemset/task/1130',
    solves: 9,
  };
  await made.import('cses-problems', [task]);
  const contest = { id: 4, name: 'Beta', phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds: 3 };
  await made.import('codeforces-contests', { status: 'OK', result: [contest] });
  await made.import(
    'plants',
    edges.map((id, n) => ({ id: raw(id), username: `m${n % 4}`, name: `p${n}`, tag: maybe(n), target: 1 })),
  );
}

function targets(): string[] {
  const list: string[] = [];
  const collections = {
    '/problem_list/api/problems/': {
      fields: ['id', 'title', 'source', 'source_key', 'url', 'rating', 'editorial_url', 'created_at', 'updated_at'],
      filters: [
        ...texts.filter((text) => text !== '').map((text) => `q=${encodeURIComponent(text)}`),
        ...['source=Zeta', 'source=zeta', 'tag=dp', 'tag=Tag&tag=t1', 'tag=tag', 'rating_min=100&rating_max=150'],
        ...['status=complete', 'status=not_started', 'bookmarked=true', 'bookmarked=false'],
        `updated_since=${at(5)}`,
      ],
    },
    '/authentication/api/records/': {
      fields: ['id', 'username', 'first_name', 'last_name', 'email', 'city', 'role', 'created_at', 'updated_at'],
      filters: ['q=M1', 'q=%C3%84', 'q=%25', 'role=staff', `updated_since=${at(3)}`],
    },
    '/problem_list/api/status/': {
      fields: ['id', 'user', 'problem', 'status', 'origin', 'updated_at'],
      filters: ['user=all', 'user=all&status=complete', 'user=2', 'user=999', `user=all&updated_since=${at(2)}`],
    },
    '/dashboard/api/bookmarks/': {
      fields: ['id', 'user', 'problem', 'note', 'created_at', 'updated_at'],
      filters: ['user=all', 'user=3', `user=all&updated_since=${at(1)}`],
    },
  };
  for (const [path, { fields, filters }] of Object.entries(collections)) {
    const all = path.includes('status') || path.includes('bookmarks') ? 'user=all&' : '';
    list.push(path);
    for (const [nth, filter] of filters.entries()) {
      list.push(`${path}?${filter}`);
      if (!filter.startsWith('q=') || nth % 3 === 0)
        list.push(`${path}?${filter}&count=true&limit=3&order=-updated_at`);
    }
    for (const field of fields) {
      for (const order of [field, `-${field}`, `${field},-updated_at`])
        list.push(`${path}?${all}limit=17&order=${order}`);
    }
    for (const id of [...edges, 1n, 42n, 999_999n]) list.push(`${path}${id}/`);
  }
  return list;
}

test('every read is the same on both stores, byte for byte, tags, links and refusals included', async (t) => {
  const sqlite = await temporaryFile(t);
  await memberWithToken(sqlite, 'root', { role: 'staff' });
  await fill(t, sqlite);
  const staff = await memberWithToken(sqlite, 'root');
  const ada = await memberWithToken(sqlite, 'm1');
  const postgres = await postgresDatabase(t, { isBare: true });
  await gardenJson(['copy', sqlite, postgres]);
  const env = { BASE_URL: 'http://garden.test/here', RATE_LIMIT: '0' };
  const servers = [sqlite, postgres].map((databaseUrl) => serveHere(t, { databaseUrl, env }));
  let pages = 0;
  for (const { token } of [staff, ada]) {
    const clients = (await Promise.all(servers)).map(({ url }) => client(url, token));
    const onBoth = async (target: string, accept?: string): Promise<Reply> => {
      const ask = accept === undefined ? {} : { headers: { Accept: accept } };
      const [one, other] = await Promise.all(clients.map((asIt) => asIt(`/here${target}`, ask)));
      assert.deepEqual(likeness(other as Reply), likeness(one as Reply), `${target} ${accept}`);
      return one as Reply;
    };
    // An order and a search do not depend on who asks.
    const all = targets();
    for (const target of token === staff.token ? all : all.filter((one) => !/limit=17&|problems\/\?q=/.test(one))) {
      let reply = await onBoth(target);
      for (let page = 0; page < 3; page++, pages++) {
        const [, next] = /<http:\/\/garden\.test\/here([^>]+)>/.exec(String(reply.headers['link'])) ?? [];
        if (next === undefined) break;
        reply = await onBoth(next);
      }
    }
    for (const { kind, path } of Object.values(operations)) {
      if (kind !== 'collection') continue;
      for (const format of formats) await onBoth(path, mediaTypes[format]);
    }
  }
  assert.ok(pages > 100, `${pages} pages`);
});

test('garden copy keeps everything, ids, tokens and tags included, from either store to either', async (t) => {
  const first = await temporaryFile(t);
  await memberWithToken(first, 'm2');
  await fill(t, first);
  const { token, memberId } = await memberWithToken(first, 'm2');
  const own = { problem: 1n, file: 'a.cpp', code: Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x20]) };
  await withStore(first, async (store) => {
    await addSolution(store, BigInt(memberId), own);
    const { id: demo = 0n } = (await findMemberByName(store.reader, 'demo')) ?? {};
    await clubTeam(store, demo, 'Trees');
    const plan = { source: 'codeforces', band: 'even', startsAt: new Date().toISOString(), minutes: 40 } as const;
    const id = await makeDuel(store, demo, plan, undefined);
    const { secret } = (await findVisibleRound(store.reader, id, demo)) ?? {};
    await acceptDuel(store, BigInt(memberId), { secret: secret ?? '' });
    await store.write((tx) => putRealField(tx, { round_id: id, due_at: null, failures: 0n, title: 'ß', field: '{}' }));
  });
  const stations = [
    await postgresDatabase(t, { isBare: true }),
    await postgresDatabase(t),
    await temporaryFile(t),
    await temporaryFile(t),
  ];
  interface Report {
    rows: number;
    tables: { table: string; rows: number; digest: string }[];
  }
  const reports: Report[] = [];
  let from = first;
  for (const to of stations) {
    reports.push(await gardenJson<Report>(['copy', from, to]));
    from = to;
  }
  const tables = reports.map((report) =>
    report.tables.map((one) => (one.table === 'settings' ? { ...one, digest: '' } : one)),
  );
  for (const other of tables) assert.deepEqual(other, tables[0]);
  assert.equal(tables[0]?.length, 83);
  const empty = tables[0]?.filter(({ rows }) => rows === 0).map(({ table }) => table);
  assert.deepEqual(empty, [
    'added_problems',
    'removed_problems',
    'deleted_plants',
    'uprooted_plants',
    'shared_addresses',
    'sessions',
    'entry_links',
    'attempts',
    'staff_log',
    'uploads',
    'member_settings',
    'time_models',
    'syncs',
    'live_feeds',
    'proof_tasks',
    'openid_providers',
    'openid_accounts',
    'openid_visits',
    'passkeys',
    'passkey_challenges',
    'handle_renames',
    'list_follows',
    'followed_items',
    'inboxes',
    'arrivals',
    'arrived_problems',
    'program_changes',
    'program_parts',
    'program_keys',
    'program_writes',
    'expected_people',
    'shared_notes',
    'gym_keys',
    'group_links',
    'group_removals',
    'webhooks',
    'webhook_deliveries',
    'program_feeds',
    'program_feed_items',
  ]);
  const tags: unknown[] = [];
  for (const databaseUrl of [first, from]) {
    const server = await serveHere(t, { databaseUrl, env: { BASE_URL: 'http://garden.test' } });
    tags.push((await client(server.url, token)('/problem_list/api/problems/')).headers.etag);
    assert.equal((await client(server.url, token)('/plants/1', { method: 'DELETE' })).status, 404);
  }
  assert.equal(tags[0], tags[1]);
  assert.equal(await (await openGarden(t, from)).everything(), await (await openGarden(t, first)).everything());
});

test('garden copy copies into nothing that has rows, and tells what it needs', async (t) => {
  const [one, other] = [await temporaryFile(t), await postgresDatabase(t)];
  await memberWithToken(one, 'ada');
  await memberWithToken(other, 'ben');
  const refused = await gardenHere(['copy', one, other]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^garden: postgres:.* is not empty \(it has members\); use a new database\.\n$/);
  const absent = await gardenHere(['copy', await temporaryFile(t), other]);
  assert.equal(absent.code, 4);
  assert.match(absent.stderr, /^garden: There is no database at sqlite:\S+; check the address to copy from\.\n$/);
  const odd = await gardenHere(['copy', one, 'mysql://ada:s3cret@h/g']);
  assert.equal(odd.code, 2);
  assert.match(odd.stderr, /^garden: The address to copy to is "mysql:\/\/ada:\*\*\*@h\/g", which names no database; /);
  const members = await gardenJson<{ username: string }[]>('member list', { databaseUrl: other });
  assert.deepEqual(
    members.map(({ username }) => username),
    ['ben'],
  );
  const told = await gardenHere(['copy', one, await postgresDatabase(t)]);
  assert.equal(told.code, 0);
  assert.match(told.stdout, /^table +rows +digest\nmembers +1 +[0-9a-f]{16}\n/);
  assert.match(told.stderr, /^\d+ rows copied from .* to postgres:.* and compared, in \d+\.\d\d s\.\n$/);
});
