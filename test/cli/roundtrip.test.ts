/** An export that is imported into an empty database is exported again byte for byte. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formats } from '../../src/contract/rows.ts';
import type { ResourceName } from '../../src/importing/row-kinds.ts';
import { exported, type Garden, openGarden, report, withoutKeys } from '../importing/support.ts';
import { gardenHere } from '../support/commands.ts';
import { testStore } from '../support/databases.ts';
import { temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { exactJson } from '../support/http.ts';

const hostile = [
  ...['=1+1', '+1', '-1', '@cmd', '\ttab', '\rreturn', "'", "''", "'=1", "''=1", "'quoted'"],
  ...['', ' ', ' spaces ', '"', '""', 'a"b', ',', 'a,b', '\n', 'a\nb', 'a\r\nb', '\r', 'a\r', '\ufeffmark'],
  ...['null', 'true', '0', '1e3', '[]', '["a"]', '{}', '\\', '\\n', '%', '_', "'; DROP TABLE problems; --"],
  ...['<script>', '&amp;', '🌱', '👩‍💻', 'é', 'e\u0301', 'שלום', '\u202eoverride', '\u0001'],
  ...['\u2028', '\u0085', 'İ', 'ß', 'x'.repeat(9_999)],
];
const ids = ['-9223372036854775808', '-1', '0', '1', '9007199254740993', '9223372036854775807'];
const at = (n: number) => new Date(Date.UTC(2000, 0, 1) + n * 86_399_999).toISOString();

const idOf = (n: number) => ids[n] ?? String(n + 1000);
const raw = (digits: string) => JSON.rawJSON(digits);
const maybe = (n: number) => (n % 3 === 0 ? null : (hostile[n % hostile.length] ?? ''));
/** An address with a hostile text in it, where browsers would not drop it. */
const linked = (n: number) => {
  const text = maybe(n)?.replaceAll(/[\s\p{C}\\]/gu, '');
  return text === undefined ? null : `https://a.example/${text}`;
};
const named = (n: number) => hostile[n]?.trim() || `name ${n}`;
const listed = (n: number) => hostile.slice(n, n + 3).filter((text) => text !== '');

type Shown = Exclude<
  ResourceName,
  'handles' | 'submissions' | 'ratings' | 'changes' | 'reviews' | 'timers' | 'lists' | 'preferences'
>;

const content: Record<Shown, object[]> = {
  records: hostile.map((_, n) => ({
    id: raw(idOf(n)),
    username: `m${n}🌱'=`,
    first_name: maybe(n),
    last_name: maybe(n + 1),
    email: maybe(n + 2),
    phone: maybe(n + 3),
    address: maybe(n + 4),
    city: maybe(n + 5),
    state: maybe(n + 6),
    zipcode: maybe(n + 7),
    role: n % 2 ? 'staff' : 'member',
    created_at: at(n),
    updated_at: at(n + 1),
  })),
  problems: hostile.map((text, n) => ({
    id: raw(idOf(n)),
    title: named(n),
    source: n % 2 ? '=judge' : 'a b',
    source_key: `${n} ${text}`,
    url: linked(n),
    rating: n % 3 ? n * 50_000_000 - 2_000_000_000 : null,
    tags: listed(n),
    aliases: listed(n).map((key) => `${n} alias ${key}`),
    editorial_url: linked(n + 1),
    video_url: linked(n + 2),
    created_at: at(n),
    updated_at: at(n + 1),
  })),
  statuses: hostile.map((_, n) => ({
    user: raw(idOf(n % 7)),
    problem: raw(idOf(n)),
    origin: n % 2 ? 'self' : 'judge',
    updated_at: at(n),
    status: ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'][n % 6],
  })),
  bookmarks: hostile.map((text, n) => ({
    user: raw(idOf(n % 5)),
    problem: raw(idOf(n)),
    note: n % 4 ? text : null,
    created_at: at(n),
    updated_at: at(n + 1),
  })),
  plants: hostile.map((_, n) => ({
    id: raw(idOf(n)),
    user: raw(idOf(n % 5)),
    name: named(n),
    tag: maybe(n),
    target: raw(n % 2 ? '9223372036854775807' : '1'),
    planted_at: at(n),
    species: 'meadow',
    list: null,
    list_owner: null,
    list_made_at: null,
    edits: null,
    by_date: n % 3 ? null : '2026-12-31',
    rating_min: n % 2 ? raw('-10000') : null,
    rating_max: n % 4 ? null : raw('10000'),
  })),
};
const resources = Object.keys(content) as Shown[];

/** Each is written from the same rows, whichever store has them. */
for (const format of testStore === 'sqlite' ? formats : (['json'] as const)) {
  test(`export → import into an empty database → export is the same, byte for byte, as ${format}`, async (t) => {
    const [first, second] = [await filled(t), await openGarden(t)];
    for (const what of resources) {
      const before = await exported(first.store, what, format);
      const { report: figures } = await second.import(what, before, { format, trustsIds: false });
      const count = content[what].length;
      assert.deepEqual(figures, report({ read: count, new: count }), what);
      assert.equal(await exported(second.store, what, format), before, what);
    }
    for (const what of resources) assertWhole(what, await exported(second.store, what, 'json'));
  });
}

test('the command line’s export and import make the same round trip, by file and by pipe', async (t) => {
  const first = await filled(t);
  const folder = await temporaryFolder(t);
  const databaseUrl = await temporaryDatabase(t);
  for (const what of resources) {
    const file = join(folder, `${what}.csv`);
    await run(first.databaseUrl, ['export', what, file]);
    assert.equal(await readFile(file, 'utf8'), await exported(first.store, what, 'csv'), what);
    await run(databaseUrl, ['import', what, file]);
  }
  const piped = await run(first.databaseUrl, ['export', 'bookmarks', '-', '--format', 'ndjson']);
  const again = await run(databaseUrl, ['import', 'bookmarks', '-', '--format', 'ndjson'], piped);
  assert.match(again, /Nothing changed\./);
  const second = await openGarden(t, databaseUrl);
  assert.equal(await second.everything(), await first.everything());
});

async function filled(t: TestContext): Promise<Garden> {
  const garden = await openGarden(t);
  for (const what of resources) await garden.import(what, content[what]);
  return garden;
}

function assertWhole(what: Shown, text: string): void {
  const rows = exactJson(text) as Record<string, unknown>[];
  const expected = exactJson(JSON.stringify(content[what])) as Record<string, unknown>[];
  const keyOf = (row: Record<string, unknown>) => `${row['user']} ${row['problem']} ${row['id']}`;
  const isPair = what === 'statuses' || what === 'bookmarks';
  const whole = expected.map((row) => (isPair ? { ...row, id: row['problem'] } : row));
  const keyed = (list: Record<string, unknown>[]) => new Map(list.map((row) => [keyOf(row), row]));
  assert.deepEqual(keyed(rows.map((row) => withoutKeys(what, row))), keyed(whole), what);
}

async function run(databaseUrl: string, args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await gardenHere(args, {
    databaseUrl,
    ...(input !== undefined && { input }),
  });
  assert.equal(code, 0, stderr);
  return stdout;
}
