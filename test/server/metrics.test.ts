/** The figures for Prometheus: every answer is counted once, by whatever way and process it was given. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { addHandle } from '../../src/practice/handles.ts';
import { holdPlants } from '../support/databases.ts';
import {
  garden,
  importPlants,
  importProblems,
  memberWithToken,
  root,
  serve,
  temporaryDatabase,
  withStore,
} from '../support/garden.ts';
import { problems, send, sendRaw } from '../support/http.ts';
import { freePort } from '../support/ports.ts';
import { findTool } from '../support/tools.ts';

async function figures(port: number): Promise<Map<string, number>> {
  const { status, text, headers } = await send(`http://127.0.0.1:${port}`, '/metrics');
  assert.equal(status, 200, text);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const alertsPath = join(root, 'deploy', 'monitoring', 'alerts.yaml');

interface Alerts {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

/** Each figure that the dashboard and the alerts of deploy/monitoring ask for is one that the server has. */
function assertHasWhatIsAsked(text: string): void {
  const names = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    ),
  );
  const { groups } = parse(readFileSync(alertsPath, 'utf8')) as Alerts;
  const dashboard = readFileSync(join(root, 'deploy', 'monitoring', 'dashboard.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as Dashboard;
  const rules = groups.flatMap((group) => group.rules);
  const queries = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const asked = new Set(queries.flatMap((query) => query.match(/\b(?:garden|process|nodejs)_\w+/g) ?? []));
  assert.ok(asked.size > 12);
  assert.deepEqual(
    [...asked].filter((name) => !names.has(name)),
    [],
  );
  for (const { alert, annotations } of rules) assert.match(annotations.summary, /^[A-Z].+\.$/, alert);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
}

describe('metrics', { concurrency: 2 }, () => {
  for (const workers of [1, 2]) {
    test(`${workers === 1 ? 'one process' : 'two processes'}: answers are counted by operation and status, with their times`, async (t) => {
      const databaseUrl = await temporaryDatabase(t);
      const { token } = await memberWithToken(databaseUrl, 'ada');
      await importProblems(databaseUrl, 3);
      const port = await freePort();
      const env = {
        METRICS_PORT: String(port),
        WORKERS: String(workers),
        BASE_URL: 'http://x.example/garden',
        ...(workers > 1 && { BACKUP_EVERY: '24h' }),
      };
      const { url } = await serve(t, { databaseUrl, env });
      while (workers > 1 && (await figures(port)).get('garden_workers') !== workers) await sleep(20);
      const ask = async (times: number, path: string, bearer: string | undefined = token) => {
        const headers = { Connection: 'close' };
        for (let time = 0; time < times; time++) await send(url, `/garden${path}`, { token: bearer, headers });
      };
      await ask(8, `${problems}2/`);
      await ask(3, `${problems}99/`);
      await ask(2, `${problems}?limit=1`);
      await ask(1, problems, 'no-token');
      await ask(2, '/livez');
      await ask(1, '/nowhere/at/all');
      for (let time = 0; time < 4; time++) await sendRaw(url, 'nonsense\r\n\r\n');
      const found = await figures(port);
      const answers = [...found].filter(([name]) => name.startsWith('garden_requests_total'));
      assert.deepEqual(
        Object.fromEntries(answers.map(([name, count]) => [name.replace(/^.*?operation=/, ''), count])),
        {
          '"listProblems",status="2xx"}': 2,
          '"listProblems",status="4xx"}': 1,
          '"getProblem",status="2xx"}': 8,
          '"getProblem",status="4xx"}': 3,
          '"health",status="2xx"}': 2,
          '"other",status="4xx"}': 1,
          '"unread",status="4xx"}': 4,
        },
      );
      assert.equal(found.get('garden_request_duration_seconds_count{operation="getProblem"}'), 11);
      assert.equal(found.get('garden_request_duration_seconds_bucket{le="+Inf",operation="getProblem"}'), 11);
      assert.ok((found.get('garden_request_duration_seconds_sum{operation="getProblem"}') ?? 0) > 0);
      assert.equal(found.get('garden_requests_in_flight'), 0);
      assert.ok((found.get('process_resident_memory_bytes') ?? 0) > workers * 30e6);
      assert.ok(found.has('nodejs_eventloop_lag_p99_seconds'));
      assert.equal(found.get('garden_workers'), workers === 1 ? undefined : workers);
      assert.ok(found.has('garden_sqlite_wal_bytes'));
      for (const [name, status] of [
        ['/', 404],
        ['/metrics?x', 200],
      ] as const) {
        assert.equal((await send(`http://127.0.0.1:${port}`, name)).status, status);
      }
      assert.equal((await send(url, '/garden/metrics')).status, 404);
      if (workers > 1) {
        const { text } = await send(`http://127.0.0.1:${port}`, '/metrics');
        await t.test('the dashboard and the alerts ask only for these figures', () => assertHasWhatIsAsked(text));
        return;
      }

      await t.test('a delete that waits is in flight, and its time is all that it waited', async () => {
        await importPlants(databaseUrl, 2);
        const release = await holdPlants(databaseUrl);
        const deleting = send(url, '/garden/plants/1', { method: 'DELETE', token });
        while ((await figures(port)).get('garden_requests_in_flight') !== 1) await sleep(20);
        await sleep(200);
        await release();
        assert.equal((await deleting).status, 204);
        const found = await figures(port);
        assert.ok((found.get('garden_request_duration_seconds_sum{operation="deletePlant"}') ?? 0) > 0.2);
        assert.equal(found.get('garden_requests_in_flight'), 0);
      });

      await t.test('what the database failed is counted by its name in the catalogue', async () => {
        const letGo = await holdPlants(databaseUrl);
        assert.equal((await send(url, '/garden/plants/2', { method: 'DELETE', token })).status, 503);
        await letGo();
        const found = await figures(port);
        assert.equal(found.get('garden_store_errors_total{error="databaseBusy"}'), 1);
        assert.equal(found.get('garden_requests_total{operation="deletePlant",status="5xx"}'), 1);
      });

      await t.test('health, figures and documents name no member and no handle', async () => {
        const { memberId, token: own } = await memberWithToken(databaseUrl, 'zq-ada');
        await withStore(databaseUrl, (store) =>
          store.write((tx) => addHandle(tx, BigInt(memberId), 'codeforces', 'zq_handle')),
        );
        const records = await send(url, '/garden/authentication/api/records/', { token: own });
        assert.match(records.text, /zq-ada/);
        const paths = ['/livez', '/readyz', '/', '/docs/reference/', '/docs/api/', '/openapi.json', '/llms.txt'];
        const replies = [await send(`http://127.0.0.1:${port}`, '/metrics')];
        for (const path of paths) replies.push(await send(url, `/garden${path}`));
        for (const { status, text } of replies) {
          assert.equal(status, 200);
          assert.doesNotMatch(text, /zq[-_]/);
        }
      });

      await t.test('a port for figures that is in use is said, and nothing is served', async () => {
        // With two workers, because the port is looked at before there are any.
        const args = ['serve', '--port', '0', '--metrics-port', String(port), '--workers', '2'];
        const { code, stdout, stderr } = await garden(args, { databaseUrl, env: { LOG_LEVEL: 'warn' } });
        assert.deepEqual([code, stdout], [2, ''], stderr);
        const sentence = `garden: 127.0.0.1:${port} is in use by another program; stop it, or choose another METRICS_PORT.\n`;
        assert.equal(stderr, sentence);
      });
    });
  }
});

test('Prometheus takes the alerts', (t) => {
  const promtool = findTool(t, 'promtool');
  if (promtool !== undefined) execFileSync(promtool, ['check', 'rules', alertsPath], { stdio: 'pipe' });
});
