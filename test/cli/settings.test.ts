/** Settings: where they come from, what is refused, and what config, doctor and openapi say. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig, type SettingFlags } from '../../src/config.ts';
import { commandLine, gardenHere, gardenJson } from '../support/commands.ts';
import { pathOf } from '../support/databases.ts';
import { garden, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

interface Setting {
  setting: string;
  value: string;
  source: string;
}

describe('settings', { concurrency: 2 }, () => {
  test('a flag goes before the environment, the environment before the default', async () => {
    const settings = await gardenJson<Setting[]>('config --database-url sqlite:/flag.db', {
      databaseUrl: 'sqlite:/environment.db',
      env: { PORT: '9000', HOST: '', RATE_LIMIT: '0' },
    });
    assert.deepEqual(
      settings.map(({ setting, value, source }) => [setting, value, source]),
      [
        ['HOST', '127.0.0.1', 'default'],
        ['PORT', '9000', 'environment'],
        ['BASE_URL', 'http://localhost:9000', 'default'],
        ['DATABASE_URL', 'sqlite:/flag.db', 'flag'],
        ['DATABASE_POOL', 'auto', 'default'],
        ['WORKERS', 'auto', 'default'],
        ['RATE_LIMIT', '0', 'environment'],
        ['LANGUAGE', 'en', 'default'],
        ['ADDED_PER_DAY', '50', 'default'],
        ['ADDED_PER_MEMBER', '2000', 'default'],
        ['PROGRAMS', 'on', 'default'],
        ['PROGRAM_WRITES', '60', 'default'],
        ['TRUSTED_PROXIES', 'none', 'default'],
        ['TRUST_HEADER', 'none', 'default'],
        ['METRICS_PORT', 'none', 'default'],
        ['METRICS_HOST', '127.0.0.1', 'default'],
        ['BACKUP_EVERY', 'none', 'default'],
        ['BACKUP_KEEP', '7', 'default'],
        ['BACKUP_DIR', 'auto', 'default'],
        ['SYNC', 'on', 'default'],
        ['LIVE_MB_PER_DAY', '250', 'default'],
        ['JUDGE_URLS', 'none', 'default'],
        ['PRIVATE_PLACES', 'none', 'default'],
        ['DEMO', 'off', 'default'],
        ['LOG_LEVEL', 'info', 'default'],
        ['ADMIN_USERNAME', 'none', 'default'],
        ['ADMIN_PASSWORD', 'none', 'default'],
        ['ADMIN_PASSWORD_FILE', 'none', 'default'],
      ],
    );
  });

  test('--database-url goes before DATABASE_URL', async (t) => {
    const [flagged, inEnvironment] = [await temporaryDatabase(t), await temporaryDatabase(t)];
    const create = ['member', 'create', 'ada', '--database-url', flagged];
    assert.equal((await gardenHere(create, { databaseUrl: inEnvironment })).code, 0);
    assert.doesNotMatch((await gardenHere('member list', { databaseUrl: inEnvironment })).stdout, /ada/);
    assert.match((await gardenHere('member list', { databaseUrl: flagged })).stdout, / ada /);
  });

  for (const [url, shown] of [
    ['postgres://ada:secret@db.example/garden', 'postgres://ada:***@db.example/garden'],
    ['postgres://:s3:cr@et@db.example/garden', 'postgres://:***@db.example/garden'],
    ['postgres://db.example/g?user=ada&password=secret&x=1', 'postgres://db.example/g?user=ada&password=***&x=1'],
  ] as const) {
    test(`config shows ${shown} for an address with a password`, async () => {
      for (const command of ['config', 'config --json']) {
        const { code, stdout } = await gardenHere(command, { databaseUrl: url });
        assert.equal(code, 0);
        assert.ok(stdout.includes(shown), stdout);
        assert.doesNotMatch(stdout, /secret|s3|cr@et/);
      }
    });
  }

  const refused: [env: Record<string, string>, says: string][] = [
    [{ PORT: 'abc' }, 'PORT is "abc"; it must be an integer from 0 to 65535.'],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL is "mysql://x", which names no database; use sqlite: and a path, such as sqlite:./data/garden.db, or postgres://user@host/garden.',
    ],
    [
      { HOST: 'conda-linux-gnu.invalid' },
      'HOST is conda-linux-gnu.invalid, which is no address of this computer (ENOTFOUND). If conda or a shell has set it, use --host 127.0.0.1.',
    ],
    [
      { PORT: '0', METRICS_HOST: '192.0.2.1', METRICS_PORT: '9464' },
      '192.0.2.1:9464 cannot be used for listening (EADDRNOTAVAIL); choose another METRICS_HOST or METRICS_PORT.',
    ],
  ];
  for (const [env, says] of refused) {
    test(`serve refuses ${JSON.stringify(env)} with exit code 2 and says what is allowed`, async (t) => {
      const cwd = await temporaryFolder(t);
      const run = await garden(['serve'], { env, cwd });
      assert.deepEqual(run, { code: 2, stdout: '', stderr: `garden: ${says}\n` });
      assert.deepEqual(await readdir(cwd), []);
    });
  }

  test('every setting has bounds, and a password in a bad one is not repeated', () => {
    const bad: [SettingFlags, RegExp][] = [
      [{ port: '65536' }, /^--port is "65536"; it must be an integer from 0 to 65535\.$/],
      [{ port: '1e3' }, /^--port is "1e3"/],
      [{ rateLimit: '-1' }, /^--rate-limit is "-1"; it must be an integer from 0 to 1000000\.$/],
      [{ metricsPort: '8080' }, /^METRICS_PORT and PORT are both 8080; choose another METRICS_PORT\.$/],
      [{ baseUrl: 'ftp://x' }, /^--base-url is "ftp:\/\/x"; it must be an http or https address without query, /],
      [{ workers: '0' }, /^--workers is "0"; it must be auto or an integer from 1 to 64\.$/],
      [{ backupEvery: '0h' }, /^--backup-every is "0h"; it must be none or a number with s, m, h or d from 1s/],
      [{ metricsPort: 'on' }, /^--metrics-port is "on"; it must be none or an integer from 1 to 65535\.$/],
      [{ host: 'a b' }, /^--host is "a b"; it must be a host name or an IP address\.$/],
      [{ logLevel: 'loud' }, /^--log-level is "loud"; it must be one of fatal, error, /],
      [{ trustedProxies: '10.0.0.0/33' }, /^--trusted-proxies is "10\.0\.0\.0\/33"; it must be none or IP /],
      [{ trustedProxies: 'localhost' }, /^--trusted-proxies is "localhost"/],
      [{ trustedProxies: '1.2.3.4,,::1' }, /^--trusted-proxies/],
      [{ trustedProxies: '::ffff:10.0.0.0/90' }, /^--trusted-proxies/],
      [{ trustedProxies: 'fe80::1%eth0' }, /^--trusted-proxies/],
      [{ trustHeader: 'Remote-User' }, /^TRUST_HEADER needs TRUSTED_PROXIES; set it to the addresses of the proxy/],
      [
        { trustHeader: 'Remote_User', trustedProxies: '::1' },
        /^--trust-header is "Remote_User"; it must be none or the/,
      ],
      [{ trustHeader: 'Remote-User:', trustedProxies: '::1' }, /^--trust-header/],
      ...['xx-a', 'de-u-co', 'de-DE-DE-DE', '../../x', '__proto__', 'a-'.repeat(3000)].map(
        (language): [SettingFlags, RegExp] => [{ language }, /^--language is ".+"; it must be one of en, zh-CN, /],
      ),
      [{ demo: 'on' }, /^--demo is "on"; it must be off or read-only\.$/],
      [{ baseUrl: 'https://a:secret@x/' }, /^--base-url is "https:\/\/a:\*\*\*@x\/"; it must be /],
      [{ baseUrl: 'https://x/?a=1' }, /without query, fragment or password/],
    ];
    for (const [flags, message] of bad) assert.throws(() => readConfig(flags), { code: 'invalidValue', message });
    const sites = 'contest-hive=http://127.0.0.1:1/hive,atcoder-ratings=http://127.0.0.1:1/a';
    assert.deepEqual(
      [...(readConfig({ judgeUrls: sites }).judgeUrls?.keys() ?? [])],
      ['contest-hive', 'atcoder-ratings'],
    );
    assert.throws(() => readConfig({ judgeUrls: 'codeforces-ratingz=http://127.0.0.1:1' }), { code: 'invalidValue' });
    assert.equal(readConfig({ demo: 'read-only' }).sync, false);
    assert.equal(readConfig({ baseUrl: 'https://x/garden//' }).baseUrl, 'https://x/garden');
  });

  test('--json tells refusals as JSON with their number', async () => {
    const asJson = await gardenHere('config --json', { env: { PORT: 'x' } });
    assert.deepEqual(
      [asJson.code, JSON.parse(asJson.stderr)],
      [2, { error: 40052, message: 'PORT is "x"; it must be an integer from 0 to 65535.' }],
    );
  });

  test('openapi prints the document with the configured address, or writes it to a file', async (t) => {
    const file = join(await temporaryFolder(t), 'openapi.json');
    const command = 'openapi --base-url https://garden.example.org/';
    const printed = await gardenHere(command);
    const document = JSON.parse(printed.stdout);
    assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.0.0']);
    assert.deepEqual(
      document.servers.map(({ url }: { url: string }) => url),
      ['https://garden.example.org'],
    );
    const written = await gardenHere([...command.split(' '), '--output', file]);
    assert.deepEqual([written.code, written.stdout], [0, '']);
    assert.equal(await readFile(file, 'utf8'), printed.stdout);
    const nowhere = await gardenHere('openapi --output /no/such/openapi.json');
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /^garden: \/no\/such\/openapi\.json cannot be written \(ENOENT\); choose /);
  });

  test('doctor says what is good, what to do, and ends with 1 where something is bad', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const cli = commandLine(databaseUrl);
    const empty = await cli.run('doctor --port 0 --json');
    const results = (run: { stdout: string }) =>
      Object.fromEntries(
        (JSON.parse(run.stdout) as { check: string; result: string }[]).map((one) => [one.check, one.result]),
      );
    assert.equal(empty.code, 0);
    assert.deepEqual(results(empty), { runtime: 'good', disk: 'good', database: 'good', port: 'good' });
    const first = await cli.run('member create ada');
    const advice = 'No account is an administrator; garden member create NAME --role staff makes one.\n';
    assert.ok(first.stderr.endsWith(advice), first.stderr);
    const sound = await cli.run('doctor --port 0');
    assert.equal(sound.code, 0);
    assert.ok(sound.stdout.includes(`warning  members   ${advice}`));
    assert.match(
      sound.stdout,
      /^good {5}database .*: SQLite 3\.\d+\.\d+, schema \d+ of \d+, 1 member, 0 problems, 0 working tokens$/m,
    );
    const path = pathOf(databaseUrl);
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(7, 8192, 40_000));
    const damaged = await cli.run('doctor --port 0 --json');
    assert.equal(damaged.code, 1);
    assert.equal(results(damaged)['database'], 'bad');
  });

  test('names in JUDGE_URLS that no judge has are refused with a guess, and all that the document lists are taken', async () => {
    const configWith = (names: string[]) =>
      gardenHere('config', { env: { JUDGE_URLS: names.map((name) => `${name}=http://x`).join() } });
    const names = [...(await readFile('docs/config.md', 'utf8')).matchAll(/^\| (`[^|]+`) \| (?:`https|lists|those)/gm)]
      .flatMap(([, cell = '']) => cell.split(', '))
      .map((name) => name.slice(1, -1));
    assert.equal((await configWith(names)).code, 0);
    const { code, stderr } = await configWith(['cses', 'codeforce']);
    assert.deepEqual(/It takes (.+)\.$/m.exec(stderr)?.[1]?.split(', ').sort(), names.sort());
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^garden: JUDGE_URLS has codeforce, which is no judge here\. Did you mean codeforces\? It takes /,
    );
  });

  test('doctor knows its own server under another path, and says that a proxy with TLS needs TRUSTED_PROXIES', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const server = await serveHere(t, { databaseUrl, env: { BASE_URL: 'https://garden.example.org/club' } });
    const { port } = new URL(server.url);
    const doctor = (env: Record<string, string>) => gardenHere(`doctor --port ${port}`, { databaseUrl, env });
    const strange = await doctor({});
    assert.match(
      strange.stdout,
      /^warning {2}port .* server is running on .*, under another path than that of BASE_URL;/m,
    );
    assert.doesNotMatch(strange.stdout, /proxies/);
    const own = await doctor({ BASE_URL: 'https://x/club' });
    assert.match(own.stdout, /^warning {2}proxies .*all visitors have one address/m);
    assert.match(own.stdout, /^good {5}port +a Practice Garden server is running on/m);
    assert.doesNotMatch((await doctor({ BASE_URL: 'https://x/', TRUSTED_PROXIES: '::1' })).stdout, /proxies/);
  });

  test('every verb that reads says where a database would come from when there is none', async (t) => {
    const cwd = await temporaryFolder(t);
    await mkdir(join(cwd, 'data'));
    for (const args of [
      ['member', 'list'],
      ['export', 'problems'],
    ]) {
      const { code, stdout, stderr } = await garden(args, { cwd });
      assert.deepEqual([code, stdout], [4, '']);
      assert.equal(
        stderr,
        `garden: There is no database at ${join(cwd, 'data', 'garden.db')}; garden serve or garden import creates one, or set another one in DATABASE_URL.\n`,
      );
    }
  });
});
