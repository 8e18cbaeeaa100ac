/**
 * Members are kept apart (WEBSITE §7): whatever addresses, ids, forms and tokens of others a member sends, no answer has anything
 * of another's, nothing of another's changes, and what is another's looks like what does not exist. Pages and forms are found
 * from the table of routes, so a new page is tested without a line here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { seeded } from '../../bench/catalogue.ts';
import { openGarden } from '../importing/support.ts';
import { crawl, type FoundForm, meaningOf, routeOf, routePaths, tokenField, tokenOf } from '../support/crawl.ts';
import type { Browser } from '../support/forms.ts';
import type { Reply } from '../support/http.ts';
import {
  digester,
  hiddenFrom,
  type MemberName,
  markedGarden,
  memberNames,
  recordMarkOf,
  secretOf,
  type VisitorName,
  visitorNames,
} from '../support/marked-garden.ts';

/** `npm test fuzz` tries each id of others; `npm test` one of each kind. */
const isEach = process.env['GARDEN_FUZZ_RUNS'] !== undefined;
const requestsAtLeast = isEach ? 10_000 : 1_000;
/** In each, one member acts and the others’ rows must stay. */
const rounds = isEach ? 12 : 3;
const atOnce = 12;
const seed = Number(process.env['GARDEN_FUZZ_SEED'] ?? (isEach ? Date.now() % 1e9 : 1));
const noId = '99999999';
const idPattern = /\b\d{8}\b/;
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

const post = (one: Browser, path: string, fields: URLSearchParams) =>
  one.ask(path, { method: 'POST', headers: formHeaders, body: String(fields) });

function taken(form: FoundForm, visitor: VisitorName, token: string): URLSearchParams {
  const own = visitor === 'grace' || visitor === 'stranger' ? undefined : visitor;
  const retyped = (name: string, value: string) =>
    own && form.typed.includes(name) ? value.replace(/(zq-\w+)-\w+-/g, `$1-${own}-`) : value;
  return new URLSearchParams(
    [...form.fields].map(([name, value]): [string, string] => [
      name,
      name === tokenField ? token : retyped(name, value),
    ]),
  );
}

function core({ status, headers, text }: Reply, ...ids: readonly string[]): unknown {
  const { date, 'x-request-id': request, etag, 'content-length': length, ...rest } = headers;
  const withoutIds = (said: string) => ids.reduce((rest, id) => rest.replaceAll(id, 'ID'), said);
  const same = text.replaceAll(String(request), 'REQUEST').replaceAll(/"[\w-]{16}\.[\w-]{43}"/g, 'TOKEN');
  return { status, text: withoutIds(same), headers: withoutIds(JSON.stringify(rest)) };
}

test('members are kept apart', async (t) => {
  t.diagnostic(`GARDEN_FUZZ_SEED=${seed}`);
  const { databaseUrl, ids, visitors, stderr } = await markedGarden(t);
  const { store } = await openGarden(t, databaseUrl);
  const digests = await digester(store, ids);
  const found = {} as Record<VisitorName, Awaited<ReturnType<typeof crawl>>>;
  const depth = { withIdAtMost: isEach ? 12 : 3 };
  // Of three members who have the same, one does not need a second look at each page by its parameters.
  for (const name of visitorNames)
    found[name] = await crawl(visitors[name], { ...depth, isBrief: name === 'eve' && !isEach });
  const tokens = {} as Record<VisitorName, string>;
  for (const name of visitorNames) {
    const [form] = found[name].forms;
    assert.ok(form, `${name} finds a form`);
    tokens[name] = tokenOf(form);
  }
  const ownForms = (name: VisitorName) => new Set(found[name].forms.map(meaningOf));
  const formsOf = Object.fromEntries(visitorNames.map((name) => [name, ownForms(name)]));
  const foreignForms = (name: VisitorName) =>
    visitorNames
      .filter((other) => other !== name)
      .flatMap((other) => found[other].forms.filter((form) => !formsOf[name]?.has(meaningOf(form))));

  await t.test('members see all of their own data, and administrators what they may see', () => {
    for (const name of memberNames) {
      const pages = [...found[name].pages];
      const routesWith = (mark: string) =>
        new Set(pages.filter(([, text]) => text.includes(mark)).map(([address]) => routeOf(address)));
      assert.ok(routesWith(secretOf(name)).size >= 4, [...routesWith(secretOf(name))].join());
      assert.ok(routesWith(recordMarkOf(name)).size >= 4);
      assert.ok([...found.grace.pages.values()].some((text) => text.includes(recordMarkOf(name))));
    }
    for (const name of visitorNames)
      for (const [address, text] of found[name].pages)
        for (const mark of hiddenFrom(name)) assert.ok(!text.includes(mark), `${name} sees ${mark} at ${address}`);
  });

  const asked = new Set<string>();
  let requests = 0;

  function check(name: VisitorName, what: string, sent: string, reply: Reply): Reply {
    const { status, text, headers } = reply;
    requests++;
    asked.add(`${name} ${what}`);
    assert.ok(status < 500, `${name} ${what}: ${status}`);
    const all = `${text} ${headers.location} ${headers['set-cookie']}`;
    for (const mark of hiddenFrom(name))
      assert.ok(!all.includes(mark) || sent.includes(mark), `${name} sees ${mark} at ${what}`);
    return reply;
  }

  const read = async (name: VisitorName, address: string) =>
    check(name, `GET ${routeOf(address)}`, '', await visitors[name].ask(address));

  const act = async (name: MemberName, { path }: FoundForm, fields: URLSearchParams) =>
    check(name, `act ${routeOf(path)}`, String(fields), await post(visitors[name], path, fields));

  async function compare(name: MemberName): Promise<number> {
    let compared = 0;
    const own = new Set(found[name].forms.flatMap(({ path, fields }) => [...path.split('/'), ...fields.values()]));
    for (const [address, text] of found[name].pages) {
      const [id] = text.includes(secretOf(name)) ? (idPattern.exec(address) ?? []) : [];
      if (id !== undefined) own.add(id);
    }
    const seen = new Set<string>();
    for (const form of foreignForms(name)) {
      for (const [field, value] of form.fields) {
        const isId = idPattern.test(value) && !own.has(value);
        if ((!isId && !value.startsWith('zq-')) || form.typed.includes(field)) continue;
        if (field === 'from') continue;
        const key = `${routeOf(form.path)} ${field} ${isId && isEach ? value : isId}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const fields = taken(form, name, tokens[name]);
        const theirs = await act(name, form, fields);
        const absent = isId ? value.replace(idPattern, noId) : 'zq-nobody';
        fields.set(field, absent);
        const none = await act(name, form, fields);
        // An address among the fields has the id in it, and the form's own address may have it too.
        const [id = value] = (isId && idPattern.exec(value)) || [];
        const shown = isId ? [id, noId] : [value, absent];
        assert.deepEqual(core(theirs, ...shown), core(none, ...shown), `${name}: ${key}`);
        assert.notEqual(theirs.status, 200, key);
        compared++;
      }
    }
    const addresses = new Set(visitorNames.flatMap((other) => [...found[other].pages.keys()]));
    const foreignIds = foreignForms(name).flatMap(({ path, fields }) =>
      [...fields]
        .filter(([, value]) => /^\d{8}$/.test(value) && !own.has(value))
        .map(([field, id]): [kind: string, id: string] => [`${routeOf(path)} ${field} ${isEach ? id : ''}`, id]),
    );
    for (const id of new Set(new Map(foreignIds).values())) {
      for (const path of ['/problem_list/', '/dashboard/history/']) addresses.add(`${path}?changed=${id}`);
      for (const path of routePaths) if (path.includes(':')) addresses.add(path.replace(/:\w+/g, id));
    }
    const nothings = new Map<string, unknown>();
    for (const address of addresses) {
      const [id] = idPattern.exec(address) ?? [];
      if (id === undefined || own.has(id) || address.includes('before=')) continue;
      const empty = address.replace(id, noId);
      if (!isEach && nothings.has(empty)) continue;
      const theirs = core(await read(name, address), id);
      // Anew where they differ, because a page may tell how long ago something was.
      if (!isDeepStrictEqual(theirs, nothings.get(empty))) nothings.set(empty, core(await read(name, empty), noId));
      assert.deepEqual(theirs, nothings.get(empty), `${name}: ${address}`);
      compared++;
    }
    return compared;
  }

  await t.test('data of another member looks like data that does not exist', async () => {
    const before = await digests();
    const compared = await Promise.all(memberNames.slice(0, isEach ? 3 : 1).map(compare));
    t.diagnostic(`${compared} compared in ${requests} requests`);
    for (const count of compared) assert.ok(count > 60, `${count} compared`);
    assert.deepEqual(await digests(), before, 'and nothing changed');
  });

  await t.test(`${requestsAtLeast} mixed requests show and change nothing of another’s`, async () => {
    const below = seeded(seed);
    const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const byRoute = <T>(list: readonly T[], path: (one: T) => string) => [
      ...Map.groupBy(list, (one) => routeOf(path(one))).values(),
    ];
    const addresses = byRoute(
      [...new Set(visitorNames.flatMap((name) => [...found[name].pages.keys()])), ...routePaths],
      (one) => one,
    );
    const forms = byRoute(
      visitorNames.flatMap((name) => found[name].forms),
      (one) => one.path,
    );
    const foreign = Object.fromEntries(
      memberNames.map((name) => [
        name,
        byRoute(
          foreignForms(name).filter(({ hasPassword }) => !hasPassword),
          (one) => one.path,
        ),
      ]),
    );
    const marks = Object.fromEntries(
      memberNames.map((name) => [
        name,
        found[name].forms.filter(({ path }) => routeOf(path) === '/problem_list/problem/:id/'),
      ]),
    );
    let [mixed, refused, marked] = [0, 0, 0];

    async function forge(name: VisitorName, form: FoundForm): Promise<void> {
      const other = oneOf(visitorNames.filter((one) => one !== name));
      const fields = taken(form, name, tokens[other]);
      const reply = await post(visitors[name], form.path, fields);
      const isLedToSignIn = name === 'stranger' && /\/sign-in\/\?then=/.test(reply.headers.location ?? '');
      assert.ok([403, 404].includes(reply.status) || isLedToSignIn, `${name} POST ${form.path}: ${reply.status}`);
      refused++;
      check(name, `POST ${routeOf(form.path)}`, String(fields), reply);
    }

    async function swap(name: MemberName, form: FoundForm): Promise<void> {
      const { status } = await act(name, form, taken(form, name, tokens[name]));
      if (form.path.startsWith('/authentication/staff/')) assert.equal(status, 404, form.path);
    }

    async function mark(name: MemberName): Promise<void> {
      const form = oneOf(marks[name] ?? []);
      const fields = taken(form, name, tokens[name]);
      fields.delete('version');
      if ((await act(name, form, fields)).status === 303) marked++;
    }

    async function doRest(active: MemberName): Promise<void> {
      for (const [form] of foreign[active] ?? [])
        if (form && !asked.has(`${active} act ${routeOf(form.path)}`)) await swap(active, form);
      for (const name of visitorNames) {
        for (const [address] of addresses)
          if (address && !asked.has(`${name} GET ${routeOf(address)}`)) await read(name, address);
        for (const [form] of forms)
          if (form && !asked.has(`${name} POST ${routeOf(form.path)}`)) await forge(name, form);
      }
    }

    const left = requestsAtLeast - requests;
    let before = await digests();
    for (let round = 0; round < rounds; round++) {
      const active = memberNames[round % memberNames.length] ?? 'ada';
      const worker = async () => {
        while (mixed < ((round + 1) * left) / rounds) {
          mixed++;
          const name = oneOf(visitorNames);
          const kind = below(20);
          if (kind < 10) await read(name, oneOf(oneOf(addresses)));
          else if (kind < 16) await forge(name, oneOf(oneOf(forms)));
          else if (kind < 18) await swap(active, oneOf(oneOf(foreign[active] ?? [])));
          else await mark(active);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      if (round >= rounds - memberNames.length) await doRest(active);
      const after = await digests();
      for (const name of memberNames)
        if (name !== active) assert.equal(after[name], before[name], `round ${round}: ${name} is as before`);
      assert.notEqual(after[active], before[active], `${active} can change what is their own`);
      before = after;
    }
    assert.ok(requests >= requestsAtLeast && refused > mixed / 10 && marked > mixed / 100);
    const formRoutes = new Set(forms.flat().map(({ path }) => routeOf(path)));
    const all = visitorNames.flatMap((name) => [
      ...routePaths.map((path) => `${name} GET ${path}`),
      ...[...formRoutes].map((path) => `${name} POST ${path}`),
    ]);
    const swaps = memberNames.flatMap((name) =>
      (foreign[name] ?? []).flat().map(({ path }) => `${name} act ${routeOf(path)}`),
    );
    assert.deepEqual(
      [...all, ...swaps].filter((one) => !asked.has(one)),
      [],
      'nothing was left out',
    );
    for (const name of memberNames) {
      const { status, text } = await visitors[name].ask('/authentication/account/');
      assert.equal(status, 200, `${name} is still signed in`);
      assert.ok(text.includes(recordMarkOf(name)));
    }
    t.diagnostic(`${requests} requests, ${refused} forged, ${marked} marks, ${formRoutes.size} routes of forms`);
  });
  assert.doesNotMatch(stderr(), /"level":(?:50|60)/, 'no fault is logged');
});
