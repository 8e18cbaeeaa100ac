/** garden member, token and plant: what they print, what they keep, what they refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, newCommandLine } from '../support/commands.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { problems } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const allScopes = ['records:read', 'bookmarks:read', 'problems:read', 'status:read', 'plants:delete'];
const hourMs = 3_600_000;

type Printed = Record<string, unknown>;

test('member create prints the record, with the fields of the contract', async (t) => {
  const cli = await newCommandLine(t);
  const ada = await cli.json<Printed>('member create ada --first-name Ada --last-name L --email a@b.example');
  const { created_at, updated_at, ...rest } = ada;
  assert.deepEqual(rest, {
    id: 1,
    username: 'ada',
    first_name: 'Ada',
    last_name: 'L',
    email: 'a@b.example',
    phone: null,
    address: null,
    city: null,
    state: null,
    zipcode: null,
    role: 'member',
  });
  assert.match(String(created_at), time);
  assert.equal(updated_at, created_at);
  const grace = await cli.json<Printed>('member create grace --role staff');
  assert.deepEqual([grace['id'], grace['role'], Object.keys(grace)], [2, 'staff', Object.keys(ada)]);
  const words = await cli.run('member create bob');
  assert.match(words.stdout, /^id {10}3\nusername {4}bob\nfirst_name {2}-\n/);
  assert.match(words.stderr, /^To let bob in, run garden member password bob, or make a one-time link on .*\n$/);

  const taken = await cli.run('member create ADA');
  assert.deepEqual([taken.code, taken.stdout], [1, '']);
  assert.equal(taken.stderr, 'garden: The username ADA is taken; choose another.\n');
  for (const name of ['two words', '']) {
    assert.equal((await cli.run(['member', 'create', name])).code, 2, name);
  }
  const members = await cli.json<Printed[]>('member list');
  assert.deepEqual(
    members.map(({ id, username, role, disabled }) => [id, username, role, disabled]),
    [
      [1, 'ada', 'member', false],
      [2, 'grace', 'staff', false],
      [3, 'bob', 'member', false],
    ],
  );
});

test('names that look alike are one name, at every door', async (t) => {
  const cli = await newCommandLine(t);
  for (const name of ['ace', 'ВАТА', 'josé', '李明Lee', 'Ωμέγα', '서연', 'a.b'])
    await cli.json<Printed>(`member create ${name}`);
  const impossible = [
    ...['ace\u3164', 'a\u034fce', 'ace\ufe0f', '\u2800', 'ａｃｅ', 'jose\u0301', '\u0301a', '.', '..'],
    ...['\u0430ce', 'a\u03bf', 'xЯ'],
  ];
  const taken = ['\u0430\u0441\u0435', 'BATA', 'BaTA', '\u0392\u0391\u03a4\u0391'];
  const atEveryDoor = new Set(['ace\u3164', '..', 'xЯ', 'BATA']);
  for (const name of [...impossible, ...taken]) {
    const isTaken = taken.includes(name);
    const said = JSON.stringify(name);
    const made = await cli.run(['member', 'create', name]);
    assert.equal(made.code, isTaken ? 1 : 2, said);
    assert.match(made.stderr, isTaken ? /in another alphabet/ : /of one alphabet/, said);
    if (!atEveryDoor.has(name)) continue;
    assert.notEqual((await cli.run(['member', 'rename', 'a.b', name])).code, 0, said);
    const input = `${JSON.stringify({ username: name })}\n`;
    const imported = await cli.run('import records - --format ndjson', { input });
    assert.notEqual(imported.code, 0, said);
    assert.match(imported.stderr, isTaken ? /looks like that of another/ : /of one alphabet/, said);
  }
  assert.equal((await cli.json<Printed[]>('member list')).length, 7);
});

test('a text of a new member has at most 200 characters, as in every form and file', async (t) => {
  const cli = await newCommandLine(t);
  const tooLong = 'x'.repeat(201);
  for (const flag of ['--first-name', '--last-name', '--email']) {
    const { code, stdout, stderr } = await cli.run(['member', 'create', 'ada', flag, tooLong]);
    assert.deepEqual([code, stdout], [2, ''], flag);
    assert.match(
      stderr,
      /^garden: The text that begins with "x{20}" is too long; a field has at most 200 characters\.\n$/,
    );
  }
  const longest = 'x'.repeat(200);
  const ada = await cli.json<Printed>(['member', 'create', 'ada', '--first-name', longest]);
  assert.deepEqual([ada['id'], ada['first_name']], [1, longest]);
});

test('token create prints token and id, by default with all scopes for 90 days', async (t) => {
  const cli = await newCommandLine(t);
  await cli.run('member create ada');
  const create = 'token create ada --name editor';
  const made = await cli.json<Printed>(create);
  assert.match(String(made['token']), /^pgt_[0-9A-Za-z]{36}$/);
  assert.deepEqual([made['id'], made['scopes'], made['name'], made['username']], [1, allScopes, 'editor', 'ada']);
  assert.ok(Math.abs(Date.parse(String(made['expires_at'])) - Date.now() - 90 * 24 * hourMs) < hourMs);

  const scopes = ['status:read', 'problems:read'];
  const some = '--scope status:read --scope problems:read --scope status:read';
  const narrow = await cli.json<Printed>(`${create} ${some} --no-expiry`);
  assert.deepEqual([narrow['scopes'], narrow['expires_at']], [scopes, null]);
  for (const [expires, lifetimeMs] of [
    ['90s', 90_000],
    ['365d', 365 * 24 * hourMs],
  ] as const) {
    const before = Date.now();
    const { expires_at } = await cli.json<Printed>(`${create} --expires ${expires}`);
    const madeAt = Date.parse(String(expires_at)) - lifetimeMs;
    assert.ok(madeAt >= before && madeAt <= Date.now(), expires);
  }
  const refused: [flags: string, says: RegExp][] = [
    ['--expires 366d', /365 days, or without limit with --no-expiry/],
    ['--expires 90', /Enter a number with s, m, h or d/],
    ['--expires 5d --no-expiry', /cannot be used with/],
    ['--scope problems:write', /Allowed choices are records:read, /],
    ['--name \t', /needs a name of 1 to 100 characters/],
  ];
  const runs = refused.map(async ([flags, says]) => {
    const { code, stdout, stderr } = await cli.run(`${create} ${flags}`);
    assert.deepEqual([code, stdout], [2, ''], flags);
    assert.match(stderr, says);
  });
  await Promise.all(runs);
  const tokens = await cli.json<Printed[]>('token list ada');
  assert.deepEqual(
    tokens.map(({ id }) => id),
    [1, 2, 3, 4],
  );
  assert.deepEqual(Object.keys(tokens[0] ?? {}).toSorted(), [
    ...['created_at', 'expires_at', 'id', 'last_used_at', 'name', 'revoked_at', 'scopes', 'username'],
  ]);
  const { stdout } = await cli.run('token list');
  assert.doesNotMatch(JSON.stringify(tokens) + stdout, /pgt_|[0-9a-f]{64}/);
});

test('a running server obeys what other processes do: tokens made and revoked, members disabled', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const cli = commandLine(databaseUrl);
  await cli.run('member create grace');
  const server = await serveHere(t, { databaseUrl });
  await cli.run('member create ada');
  const { token, id } = await cli.json<{ token: string; id: number }>('token create ada --name x');
  const get = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()] as const;
  };
  assert.deepEqual(await get(problems), [200, []]);
  const input = '{"id":9007199254740993,"title":"New","source":"cses","source_key":"1"}\n';
  await cli.run('import problems - --format ndjson', { input });
  const [status, body] = await get(`${problems}9007199254740993/`);
  assert.deepEqual([status, (body as Printed)['title']], [200, 'New']);
  assert.equal((await cli.run('member disable ada')).code, 0);
  assert.equal((await get(problems))[0], 401);
  assert.equal((await cli.run('member enable ada')).code, 0);
  assert.equal((await get(problems))[0], 200);
  const revoked = await cli.run(`token revoke ${id} --json`);
  assert.deepEqual(JSON.parse(revoked.stdout), { id, revoked: true });
  assert.equal((await get(problems))[0], 401);
  for (const unknown of ['99', 'abc']) {
    const { code, stderr } = await cli.run(`token revoke ${unknown}`);
    assert.equal(code, 1);
    assert.equal(stderr, `garden: There is no token ${unknown}; garden token list shows all of them.\n`);
  }
  assert.equal(server.stderr(), '');
});

test('plants are added and listed, by member or all, with ids that no import took', async (t) => {
  const cli = await newCommandLine(t);
  for (const name of ['ada', 'bob']) await cli.run(`member create ${name}`);
  const input = [1, 2, '9223372036854775807', '-9223372036854775808']
    .map((id) => `{"id":${id},"user":2,"name":"imported","target":1,"planted_at":"2026-01-01T00:00:00Z"}`)
    .join('\n');
  await cli.run('import plants - --format ndjson --ids-of-this-garden', { input });
  const problem = '[{"title":"t","source":"cses","source_key":"1","tags":["graphs"]}]';
  await cli.run('import problems -', { input: problem });
  const add = 'plant add ada --name =Graphs --tag graphs --target 25 --planted-at 2026-02-02T02:02:02+02:00';
  const plant = await cli.json<Printed>(add);
  assert.deepEqual(plant, {
    id: 3,
    user: 1,
    name: '=Graphs',
    tag: 'graphs',
    target: 25,
    planted_at: '2026-02-02T00:02:02.000Z',
  });
  assert.deepEqual(await cli.json<Printed[]>('plant list ada'), [plant]);
  const all = await cli.run('plant list --json');
  assert.deepEqual(
    [...all.stdout.matchAll(/"id": (-?\d+)/g)].map(([, id]) => id),
    ['3', '-9223372036854775808', '1', '2', '9223372036854775807'],
  );
  for (const command of ['plant list carl', 'plant add carl --name x', 'token list carl']) {
    const { code, stderr } = await cli.run(command);
    assert.equal(code, 1);
    assert.match(stderr, /^garden: There is no member called carl; garden member list shows all members.*\.\n$/);
  }
});

test('a tag that no problem has is refused with the nearest one, and nothing is planted', async (t) => {
  const cli = await newCommandLine(t);
  await cli.run('member create ada');
  const add = (tag: string) => cli.run(`plant add ada --name x --tag ${tag}`);
  const input = '[{"title":"t","source":"cses","source_key":"1","tags":["dp","graphs"]}]';
  const none = await add('graphs');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /^garden: No problem has the topic \(tag\) "graphs"\. \(Leave --tag out /);
  await cli.run('import problems -', { input });
  for (const [typed, meant] of [
    ['dpp', 'dp'],
    ['grpahs', 'graphs'],
    ['Graphs', 'graphs'],
  ] as const) {
    const { code, stdout, stderr } = await add(typed);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, `garden: No problem has the topic (tag) "${typed}". (Did you mean ${meant}?)\n`);
  }
  assert.match((await add('quantum')).stderr, /No problem has the topic \(tag\) "quantum"/);
  assert.deepEqual(await cli.json('plant list'), []);
  assert.deepEqual([(await add('graphs')).code, (await add('graphs')).stderr], [0, '']);
});

test('garden plant add takes a judge, ratings, a date and a list, and refuses what makes no goal', async (t) => {
  const cli = await newCommandLine(t);
  await cli.run('member create ada');
  const input = '[{"title":"t","source":"cses","source_key":"1","rating":1500}]';
  await cli.run('import problems -', { input });
  const add = (flags: string) => cli.run(`plant add ada --name x ${flags}`);
  const part = '--judge cses --rating-min 1400 --rating-max 1600 --by 2026-12-31';
  assert.deepEqual([(await add(part)).code, (await add(part)).stderr], [0, '']);
  const [row] = await cli.json<Printed[]>('export plants');
  assert.deepEqual(
    [row?.['source'], row?.['rating_min'], row?.['rating_max'], row?.['by_date']],
    ['cses', 1400, 1600, '2026-12-31'],
  );
  const refused: [flags: string, said: RegExp][] = [
    ['--judge csess', /no problems of the judge "csess"\. \(Did you mean cses\?\)/],
    ['--rating-min 2 --rating-max 1', /enter the lower one first/],
    ['--by 2026-02-30', /"2026-02-30" is not a date; enter one such as 2026-12-31/],
    ['--list 7', /ada sees no list 7/],
    ['--list 7 --judge cses', /A plant of a list counts all of it/],
  ];
  for (const [flags, said] of refused) {
    const { code, stderr } = await add(flags);
    assert.notEqual(code, 0);
    assert.match(stderr, said);
  }
});

test('control characters in names cannot command the terminal or break the table', async (t) => {
  const cli = await newCommandLine(t);
  await cli.run('member create ada');
  const name = 'a\u001b[2Jb\nc';
  const refused = await cli.run(['plant', 'add', 'ada', '--name', name]);
  assert.notEqual(refused.code, 0);
  const input = JSON.stringify({ username: 'ada', name, target: 1 });
  await cli.run('import plants - --format ndjson', { input });
  const { stdout } = await cli.run('plant list');
  assert.match(stdout, /a \[2Jb c/);
  assert.equal(stdout.split('\n').length, 3);
});

test('a list of people makes all of them or nobody, each with a one-time address to hand out', async (t) => {
  const cli = await newCommandLine(t);
  const add = (input: string | Buffer, ...flags: string[]) =>
    cli.run(['member', 'create', '--from', '-', ...flags], { input });
  const made = await add('username,first_name,last_name\nada,Ada,Lovelace\n"grace",,\n');
  const [head, ...rows] = made.stdout.split('\r\n');
  assert.equal(head, '\ufeffusername,name,address');
  assert.match(rows[0] ?? '', /^ada,Ada Lovelace,http:.*\/authentication\/reset\/[\w-]{43}\/$/);
  assert.match(rows[1] ?? '', /^grace,,http:/);
  const wrong = await add('username\nbob\nGrace\na/b\ncy,x\n');
  assert.equal(wrong.code, 3);
  assert.match(
    wrong.stderr,
    /Nobody was added\.\nLine 3: .*\nLine 4: .*\nLine 5: Cells in the row: 2; in the header: 1\.\n$/,
  );
  const email = /Enter an address like ada@example\.org/;
  assert.match((await add('username,email\nbob,a(at)b\nGrace\n')).stderr, /Line 2: Enter an address.*\nLine 3: /);
  assert.match((await cli.run('member create bob --email a(at)b')).stderr, email);
  const taken = await add('username\nbob\nGrace\na/b\nbob\nbob3\nbob\nbob2\n');
  assert.match(
    taken.stderr,
    /Nobody was added\.\nLine 3: The username Grace is taken.*\nLine 4: "a\/b" cannot be.*\nLine 5: The username bob is in the list twice; choose another, such as bob4\.\nLine 7: .* bob5\.\n$/,
  );
  assert.match((await add('username\n')).stderr, /There is nobody in the list/);
  assert.match((await add('PK\x03\x04')).stderr, /save the sheet as CSV, or copy its cells/);
  assert.match((await add('username\nx\n', '--email', 'a@b')).stderr, /are columns of the file/);
  assert.match((await cli.run('member create')).stderr, /Give a username, or --from/);
  assert.match((await add('username\nx\n', 'x')).stderr, /^garden: With --from, usernames are a column of the file; /);
  const members = await cli.json<Printed[]>('member list');
  assert.deepEqual(
    members.map(({ username }) => username),
    ['ada', 'grace'],
  );
  const windows1252 = Buffer.from('sep=;\r\nVorname;Nachname\r\nJörg;Müller\r\n', 'latin1');
  assert.match((await add(windows1252)).stdout, /^\ufeff.*\r\njoerg\.mueller,Jörg Müller,http/);
  const json = JSON.parse((await add('username\nhedy\n', '--json')).stdout);
  assert.match(json[0].address, /reset/);
});
