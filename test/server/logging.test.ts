/** The log: a request id finds its line, unless a flood is sampled (log-flood.test.ts), and no line at any level has a token, a password or a personal field. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationIds, operations } from '../../src/contract/operations.ts';
import { gardenHere } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import {
  importProblems,
  importRows,
  memberWithToken,
  root,
  type Server,
  serve,
  temporaryDatabase,
} from '../support/garden.ts';
import { parseRaw, problems, records, send, sendRaw } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { logLineOf } from '../support/logs.ts';
import { until } from '../support/waiting.ts';

const personal = {
  first_name: 'Xanthippe',
  last_name: 'Quackenbush',
  email: 'xq@quackenbush.example',
  phone: '+1 555 0137 4242',
  address: '17 Zwetschgen Lane',
  city: 'Ouagadougou',
  state: 'Kanem-Bornu',
  zipcode: 'QX9 7ZZ',
};

test('logging', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const staff = await memberWithToken(databaseUrl, 'boss', { role: 'staff' });
  const few = await memberWithToken(databaseUrl, 'few', { scopes: ['plants:delete'] });
  await importRows(databaseUrl, 'records', [{ id: 900, username: 'xanthippe-q', ...personal }]);
  const ada = await memberWithToken(databaseUrl, 'xanthippe-q');
  await importProblems(databaseUrl, 2);
  await importRows(databaseUrl, 'bookmarks', [{ username: 'boss', problem: 1, note: 'Rumpelstilzchen' }]);
  await importRows(databaseUrl, 'plants', [{ id: 5, username: 'boss', name: 'Vergissmeinnicht', target: 3 }]);

  const tokens = [staff.token, few.token, ada.token];
  const cut = staff.token.slice(0, 25);
  const wrongSum = staff.token.slice(0, -1) + (staff.token.endsWith('0') ? '1' : '0');
  const secrets = [
    ...tokens,
    ...tokens.map((token) => token.slice(4, 34)),
    ...tokens.map((token) => token.slice(4)),
    cut,
    wrongSum,
    ...Object.values(personal),
    ...Object.values(personal).map((value) => encodeURIComponent(value)),
    'Rumpelstilzchen',
    'Vergissmeinnicht',
    'xanthippe-q',
    'hunter2 in a header',
  ];

  const provoke = async (
    url: string,
    ids: readonly string[],
    asked: readonly (keyof typeof operations)[],
  ): Promise<{ refused: string[]; served: string[] }> => {
    const refused: string[] = [];
    const served: string[] = [];
    const ask = async (target: string, ask: Parameters<typeof send>[2] = {}) => {
      const { headers, status } = await send(url, target, ask);
      assert(headers['x-request-id'], `${status} ${target}`);
      (status < 400 ? served : refused).push(String(headers['x-request-id']));
    };
    for (const id of asked) {
      const { method, path } = operations[id];
      for (const token of [undefined, ...tokens, cut, wrongSum, `${staff.token}x`, `${staff.token} x`]) {
        for (const value of ids) {
          await ask(path.replace('{id}', value), { method, ...(token !== undefined && { token }) });
        }
      }
      await ask(path.replace('{id}', staff.token), { method, token: staff.token });
      await ask(path.replace('{id}', encodeURIComponent(personal.email)), { method, token: staff.token });
      await ask(path.replace('{id}', `%ff${cut}`), { method, token: staff.token });
      await ask(`${path.replace('{id}', '1')}?access_token=${staff.token}`, { method, token: staff.token });
      await ask(`${path.replace('{id}', '1')}?token=${cut}`, { method });
      await ask(path.replace('{id}', '1'), { method: 'POST', token: staff.token, body: staff.token });
      await ask(path.replace('{id}', '1'), { method, token: staff.token, body: personal.email });
    }
    for (const q of Object.values(personal)) {
      await ask(`${records}?q=${encodeURIComponent(q)}`, { token: staff.token });
      await ask(`${records}?${encodeURIComponent(q)}=1`, { token: staff.token });
      await ask(`${records}?order=${encodeURIComponent(q)}`, { token: staff.token });
      await ask(`${problems}?cursor=${encodeURIComponent(q)}`, { token: staff.token });
    }
    const authorizations = [
      `Basic ${Buffer.from(`x:${staff.token}`).toString('base64')}`,
      staff.token,
      `Bearer  ${staff.token}`,
      `bearer ${cut}`,
      `Token ${staff.token}`,
      `Bearer "${staff.token}"`,
    ];
    for (const Authorization of authorizations) await ask(problems, { headers: { Authorization } });
    for (const name of [
      'X-Request-Id',
      'X-Api-Key',
      'Cookie',
      'User-Agent',
      'Referer',
      'If-None-Match',
      'Accept',
      'X-Forwarded-For',
      'Forwarded',
      'Accept-Encoding',
    ]) {
      for (const value of [
        staff.token,
        staff.token.slice(4),
        `a=${ada.token}`,
        personal.email,
        'hunter2 in a header',
      ]) {
        await ask(problems, { token: staff.token, headers: { [name]: value } });
      }
    }
    for (const path of [
      `/${staff.token}`,
      `/x/${cut}/y`,
      `/${personal.email}`,
      '/members/xanthippe-q/',
      '/members/xanthippe-q/garden/',
      '/%',
      `/%zz${staff.token}`,
      '/',
      '/docs/',
      '/openapi.json',
      `/docs/?t=${staff.token}`,
      problems.slice(0, -1) + `?t=${cut}`,
    ])
      await ask(path);
    await ask(problems, { method: 'OPTIONS', token: staff.token });
    await ask(`${problems}${'a'.repeat(9000)}${staff.token}`);
    await ask(problems, { headers: { 'X-Pad': staff.token.repeat(450) } });
    const auth = `Authorization: Bearer ${staff.token}\r\n`;
    for (const bytes of [
      `GET ${staff.token}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${auth}Host : x\r\n\r\n`,
      `GET /?${staff.token} HTTP/1.1\r\nHost: x\r\n${auth} folded\r\n\r\n`,
      `BREW /${staff.token} HTTP/1.1\r\nHost: x\r\n${auth}\r\n`,
      `CONNECT ${staff.token}:443 HTTP/1.1\r\nHost: x\r\n${auth}\r\n`,
      `GET /?${staff.token} HTTP/9.9\r\nHost: x\r\n${auth}\r\n`,
      `GET ${problems} HTTP/1.1\r\nHost: x\r\nExpect: ${staff.token}\r\n${auth}\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Pad: ${staff.token.repeat(2500)}\r\n\r\n`,
      `GET ${problems} HTTP/1.1\r\nHost: ${staff.token}@x\r\nConnection: close\r\n${auth}\r\n`,
      `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n${auth}Transfer-Encoding: chunked\r\n\r\n${staff.token}\r\n`,
    ]) {
      const { headers, status } = parseRaw(await sendRaw(url, bytes));
      assert(status >= 400, bytes.slice(0, 60));
      assert(headers['x-request-id'], bytes.slice(0, 60));
      refused.push(String(headers['x-request-id']));
    }
    return { refused, served };
  };

  /** Breaks the database for a moment, so that every read of records that is not kept in memory is a fault. */
  const provokeFault = async (url: string): Promise<string[]> => {
    await tamper(databaseUrl, 'ALTER TABLE members RENAME TO lost');
    const replies = [];
    for (const target of [
      `${records}?limit=7`,
      `${records}?limit=7&q=${encodeURIComponent(personal.email)}`,
      `${records}901/`,
    ])
      replies.push(await send(url, target, { token: staff.token }));
    await tamper(databaseUrl, 'ALTER TABLE lost RENAME TO members');
    for (const { status } of replies) assert.equal(status, 500);
    return replies.map(({ headers }) => String(headers['x-request-id']));
  };

  /** A well-formed X-Request-Id is logged beside ours, any other is not. */
  const provokeIncoming = async (server: Pick<Server, 'url' | 'stderr'>): Promise<string[]> => {
    const given: [incoming: string, isLogged: boolean][] = [
      ['0190a5c2-7b1e-7cc3-98c4-dc0c0c07398f', true],
      ['4bf92f3577b34da6a3ce929d0e0e4736', true],
      ['job-17.retry_2', true],
      ['01J9Z3NDEKTSV4RRFFQ69G5FAV', true],
      ['a b', false],
      ['a"b', false],
      ['x'.repeat(65), false],
      [staff.token, false],
      [staff.token.slice(4), false],
      [staff.token.toUpperCase(), false],
    ];
    const ids: string[] = [];
    for (const [incoming, isLogged] of given) {
      const { headers } = await send(server.url, '/nowhere', { headers: { 'X-Request-Id': incoming } });
      const { incomingId } = await logLineOf<{ incomingId?: string }>(server, headers['x-request-id']);
      assert.equal(incomingId, isLogged ? incoming : undefined, incoming);
      ids.push(String(headers['x-request-id']));
    }
    return ids;
  };

  for (const level of ['fatal', 'warn', 'info', 'trace'] as const) {
    const more = level === 'info' ? ', and of given request ids only well-formed ones' : '';
    await t.test(`at ${level} nothing secret is logged${more}`, async (t) => {
      const env = { LOG_LEVEL: level, RATE_LIMIT: '0', TRUSTED_PROXIES: '127.0.0.1' };
      // At info some lines are only counted, which a process of its own does.
      const server = await (level === 'info' ? serve : serveHere)(t, { databaseUrl, env });
      // What these two log of a request is in the log of the others as well.
      const isSparse = ['fatal', 'warn'].includes(level);
      const incoming = level === 'info' ? await provokeIncoming(server) : [];
      const { refused, served } = isSparse
        ? await provoke(server.url, ['900'], ['getRecord'])
        : await provoke(server.url, ['1', '900', 'abc', '404'], operationIds);
      refused.push(...incoming);
      assert(refused.length > (isSparse ? 60 : 300) && served.length > 60);
      const faults = await provokeFault(server.url);
      await sleep(100);
      if ('stop' in server) assert.equal(await server.stop(), 0);
      const log = server.stderr();
      for (const secret of secrets) {
        assert(!log.includes(secret), `${secret} in ${log.split('\n').find((line) => line.includes(secret))}`);
      }
      const lines = log
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { reqId?: string; msg?: string; leftOut?: number });
      const said = Map.groupBy(lines, (line) => line.reqId ?? '');
      if (level === 'trace') {
        for (const id of [...refused, ...faults, ...served]) assert(said.has(id), `no line of ${id}`);
        assert.match(log, /"path":"\/problem_list\/api\/problems\/","status":401/);
      }
      if (level === 'info') {
        // More refusals than a person makes by hand: some are only counted.
        const logged = [...refused, ...faults].filter((id) => said.has(id));
        assert(logged.length > 20);
        const leftOut = lines.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
        assert.equal(logged.length + leftOut, refused.length + faults.length);
        for (const id of served) assert(!said.has(id), id);
      }
      if (level !== 'fatal') {
        for (const id of faults)
          assert(
            said.get(id)?.some(({ msg }) => msg === 'fault'),
            `no fault of ${id}`,
          );
      } else assert.equal(log, '');
      if (level === 'warn') assert.equal(lines.length, faults.length);
    });
  }

  await t.test('the command line shows no password of the database’s address', async () => {
    const address = 'postgres://ada:hunter2@127.0.0.1:1/garden?password=hunter3&sslpassword=hunter4';
    const commands = ['config', 'config --json', 'doctor', 'doctor --json', 'serve --port 0', 'member list'];
    for (const command of [...commands, 'token list --json']) {
      const env = { LOG_LEVEL: 'trace' };
      const { stdout, stderr } = await gardenHere(command, { databaseUrl: address, env });
      assert.doesNotMatch(stdout + stderr, /hunter/, command);
    }
  });
});

const onTerminal = spawnSync('script', ['--version']).error ? { skip: 'script is not installed here' } : {};

test(
  'on a terminal a person reads the log, and none of it is between the addresses that are printed',
  onTerminal,
  async (t) => {
    const command = `${process.execPath} ${join(root, 'bin', 'garden')} serve --sample --port 0`;
    const own = { DATABASE_URL: await temporaryDatabase(t), WORKERS: '2', SYNC: 'off' };
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, ...own },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    t.after(() => child.kill());
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text.replaceAll('\r', '');
    });
    await until('the greeting', () => shown.includes('Stop with Ctrl+C.'));
    const url = /^listening on (\S+)$/m.exec(shown)?.[1] ?? '';
    await send(url, '/plants/7', { method: 'DELETE' });
    await until('the refusal', () => shown.includes('status=401'));
    child.stdin.write('\u0003');
    await once(child, 'close');
    assert.match(shown, /^\d\d:\d\d:\d\d answered DELETE \/plants\/7 \(reqId=.+, status=401, ms=\d+\)$/m);
    assert.doesNotMatch(shown, /^\{|"msg"|hostname/m);
    assert.doesNotMatch(shown.slice(0, shown.indexOf('Stop with Ctrl+C.')), /^\d\d:/m);
  },
);
