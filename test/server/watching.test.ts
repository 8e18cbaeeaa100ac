/** The dashboard and the alerts of deploy/monitoring: each figure that they ask for is one that the server has. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { root, serve, temporaryFile } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { findTool } from '../support/tools.ts';

const alertsPath = join(root, 'deploy', 'monitoring', 'alerts.yaml');

interface Alerts {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

test('the dashboard and the alerts ask only for figures that the server has', async (t) => {
  const port = await freePort();
  const env = { METRICS_PORT: String(port), WORKERS: '2', BACKUP_EVERY: '24h' };
  await serve(t, { databaseUrl: await temporaryFile(t), env });
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  let text = await ask();
  while (!/^garden_workers 2$/m.test(text)) {
    await sleep(50);
    text = await ask();
  }
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
});

test('Prometheus takes the alerts', (t) => {
  const promtool = findTool(t, 'promtool');
  if (promtool !== undefined) execFileSync(promtool, ['check', 'rules', alertsPath], { stdio: 'pipe' });
});
