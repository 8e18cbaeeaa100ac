/**
 * A garden and its copy on the other store show the same bytes on every page and answer every form alike, until the end.
 * Pages and forms are found by following links, so a new page is compared without a line here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/web/routes.ts';
import { gardenJson } from '../support/commands.ts';
import { crawl, type FoundForm, routeOf, tokenField } from '../support/crawl.ts';
import { postgresDatabase } from '../support/databases.ts';
import { browser } from '../support/forms.ts';
import { temporaryFile, withStore } from '../support/garden.ts';
import type { Ask, Reply } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { fillGarden } from '../support/shown.ts';

const aboutTheStore = ['', 'health/', 'backups/'].map((page) => `/authentication/staff/${page}`);
const isApart = (path: string) => /^\/authentication\/openid\/|\/proof\/$/.test(path);
const origin = 'http://garden.test';
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin };

const withPage = new Set<string | undefined>(
  Object.values(routes).flatMap((some) => some.filter(({ get }) => get).map(({ path }) => path)),
);

/** One key in some hundreds has no digit. */
const secret = (text: string) => (/[A-Z]/.test(text) ? 'SECRET' : text);

function linesOf({ status, headers, text }: Reply): string[] {
  const { location = '', 'content-type': type = '', 'cache-control': caching = '' } = headers;
  const said = text.replace(String(headers['x-request-id']), 'REQUEST');
  const shown = `${status} ${type} ${caching}\n${location}\n${said}`;
  return shown.replaceAll(/(?<=<svg class="qr".*?<path d=")[^"]+/gs, 'SECRET').split(/(?=<)|\n/);
}

const masked = (line: string | undefined) =>
  line
    ?.replaceAll(/(?<=\/(?:calendar|inbox|picture)\/)[\w-]{5}(?=…)/g, 'SECRET')
    .replaceAll(/[\w-]{16}\.[\w-]{43}/g, 'TOKEN')
    .replaceAll(/[\w+/-]{32,}=?/g, secret);

/** The first difference with the lines before it, so that a failure can be read. */
function difference(ours: Reply, theirs: Reply): [string[], string[]] | undefined {
  const [one, other] = [linesOf(ours), linesOf(theirs)];
  const place = one.findIndex((line, n) => line !== other[n] && masked(line) !== masked(other[n]));
  if (place < 0 && one.length === other.length) return undefined;
  const around = (lines: string[]) => lines.slice(Math.max(0, place - 12), place + 3);
  return [around(one), around(other)];
}

function kindOf({ path, fields }: FoundForm): string {
  const [, last = ''] = [...fields].filter(([name]) => name !== tokenField).at(-1) ?? [];
  return `${routeOf(path)} ${[...fields.keys()]} ${last.replaceAll(/\d+/g, '').slice(0, 20)}`;
}

const lateness = ({ path, fields }: FoundForm) =>
  /sign-out|account\/delete/.test(path) ? 2 : /uproot|delete|remove|end/.test(`${path} ${fields}`) ? 1 : 0;

test('a garden and its copy on the other store show the same pages and answer the same forms', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const sqlite = await temporaryFile(t);
  const { sessions } = await withStore(sqlite, fillGarden);
  const postgres = await postgresDatabase(t, { isBare: true });
  await gardenJson(['copy', sqlite, postgres]);
  const env = { BASE_URL: origin };
  const urls: string[] = [];
  for (const databaseUrl of [sqlite, postgres]) urls.push((await serveHere(t, { databaseUrl, env })).url);
  let [compared, sent] = [0, 0];
  /** What one who is signed in has sent, no other sends again. */
  const known = new Set<string>();
  for (const visitor of ['nobody', 'demo', 'staff'] as const) {
    const [one, other] = urls.map((url) => browser(url, { Host: 'garden.test' }));
    assert(one && other);
    if (visitor !== 'nobody') for (const { cookies } of [one, other]) cookies.set('session', sessions[visitor]);
    const compare = async (path: string, ask: Ask = {}, told?: Reply) => {
      const [ours, theirs] = await Promise.all([told ?? one.ask(path, ask), other.ask(path, ask)]);
      assert.deepEqual(difference(ours, theirs), undefined, `${visitor}: ${path} ${ask.body ?? ''}`);
    };
    const told = new Map<string, Reply>();
    const ask: typeof one.ask = async (path, ...rest) => {
      const reply = await one.ask(path, ...rest);
      told.set(path, reply);
      return reply;
    };
    const { pages, forms } = await crawl({ ...one, ask }, { withIdAtMost: 1 });
    for (const [name, value] of one.cookies) other.cookies.set(name, value);
    const paths = [...pages.keys()].filter((path) => !aboutTheStore.includes(path));
    const kinds = Map.groupBy(forms, kindOf)
      .entries()
      .flatMap(([kind, [form]]) => (form && !known.has(kind) ? [form] : []))
      .filter(({ path }) => !aboutTheStore.includes(path) && !isApart(path))
      .toArray();
    t.diagnostic(`${visitor}: ${paths.length} pages, ${kinds.length} forms`);
    compared += paths.length;
    sent += kinds.length;
    if (visitor !== 'nobody') for (const form of kinds) known.add(kindOf(form));
    for (const path of paths) await compare(path, {}, told.get(path));
    for (const { path, fields, typed } of kinds.toSorted((a, b) => lateness(a) - lateness(b))) {
      for (const name of typed) if (fields.get(name) === '') fields.set(name, `new ${name}`);
      await compare(path, { method: 'POST', headers: formHeaders, body: String(fields) });
      if (withPage.has(routeOf(path))) await compare(path);
    }
    for (const path of paths) if (!path.includes('?')) await compare(path);
  }
  assert.ok(compared > 150 && sent > 60, `${compared} pages, ${sent} forms`);
});
