/**
 * Runs schemathesis, which generates requests from the OpenAPI document and judges the answers, with all of its checks
 * against a served garden. It is a program in Python and is installed into a temporary folder (npm run test:schemathesis).
 * Arguments are passed on, such as --max-examples=500. docs/api.md says which of its findings are meant otherwise.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { garden, memberWithToken, serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { findTool } from '../support/tools.ts';

const version = '4.32.5';
/** Its checks that this contract answers otherwise on purpose; docs/api.md says why. */
const meantOtherwise = ['positive_data_acceptance'];

/** Installs it; answers its path. Throws where the Python package index cannot be reached. */
async function install(t: TestContext): Promise<string | undefined> {
  const given = process.env['SCHEMATHESIS_PATH'];
  if (given) return given;
  const python = findTool(t, 'python3');
  if (python === undefined) return undefined;
  const folder = await temporaryFolder(t);
  const made = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8' });
  const why = 'Or name an installed one in SCHEMATHESIS_PATH.';
  assert.equal(
    made.status,
    0,
    `python3 makes no virtual environment: apt-get install python3-venv. ${why}\n${made.stderr}`,
  );
  const asked = [join(folder, 'bin', 'pip'), 'install', '--quiet', `schemathesis==${version}`] as const;
  const [pip, ...args] = asked;
  const installed = spawnSync(pip, args, { encoding: 'utf8' });
  const isThere = installed.status === 0 && existsSync(join(folder, 'bin', 'schemathesis'));
  assert.ok(
    isThere,
    `schemathesis ${version} cannot be installed from the Python package index. ${why}\n${installed.stderr}`,
  );
  return join(folder, 'bin', 'schemathesis');
}

test('schemathesis finds nothing but what is meant', async (t) => {
  const program = await install(t);
  if (program === undefined) return;
  const databaseUrl = await temporaryDatabase(t);
  const loaded = await garden(['sample', 'load'], { databaseUrl });
  assert.equal(loaded.code, 0, loaded.stderr);
  const { token } = await memberWithToken(databaseUrl, 'boss', { role: 'staff' });
  const server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const args = [
    ...['run', `${server.url}/openapi.json`, '--url', server.url, '--checks=all'],
    `--exclude-checks=${meantOtherwise.join(',')}`,
    ...['--header', `Authorization: Bearer ${token}`, '--no-color', ...process.argv.slice(2)],
  ];
  // Its caches belong to the folder that it runs in.
  const child = spawn(program, args, { cwd: await temporaryFolder(t), stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  assert.equal(server.stderr(), '', 'the server logged a fault');
  assert.equal(code, 0, 'the findings stand above');
});
