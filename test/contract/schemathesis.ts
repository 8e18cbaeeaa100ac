/**
 * Runs schemathesis, which generates requests from the OpenAPI document and judges the answers, with all of its checks
 * against a served garden. It is a program in Python and is installed into a temporary folder (npm test schemathesis).
 * Arguments are passed on, such as --max-examples=500. docs/api.md says what is meant otherwise than its checks expect.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openapiDocument } from '../../src/contract/openapi.ts';
import { programDocument } from '../../src/contract/programs/document.ts';
import { allProgramScopes } from '../../src/contract/programs/operations.ts';
import { garden, memberWithToken, serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { findTool } from '../support/tools.ts';

const version = '4.32.5';
/** Its own lists of statuses with 414, because no schema says how long several parameters are together. */
const config = `
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "414", "415", "422", "428", "429", "5xx"]
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "414", "429", "5xx"]
`;
/** It refuses every generated cursor, because a cursor belongs to one collection and one order. */
const needsNoCursor = 'positive_data_acceptance';

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

/** The two interfaces, each with a token of its own. No schema says how the fields of a body fit together. */
const interfaces = [
  { path: '/openapi.json', document: openapiDocument, scopes: undefined, parameters: ['cursor'], accepted: [] },
  {
    path: '/practice/openapi.json',
    document: programDocument,
    scopes: allProgramScopes,
    parameters: ['after', 'cursor', 'url'],
    accepted: ['--include-method=GET'],
  },
];

for (const { path, document, scopes, parameters, accepted } of interfaces)
  test(`schemathesis finds nothing in ${path} but what is meant`, async (t) => {
    const program = await install(t);
    if (program === undefined) return;
    const databaseUrl = await temporaryDatabase(t);
    const loaded = await garden(['sample', 'load'], { databaseUrl });
    assert.equal(loaded.code, 0, loaded.stderr);
    const { token } = await memberWithToken(databaseUrl, 'boss', { role: 'staff', ...(scopes && { scopes }) });
    const server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', PROGRAM_WRITES: '0' } });
    const cwd = await temporaryFolder(t);
    await writeFile(join(cwd, 'schemathesis.toml'), config);
    await writeFile(join(cwd, 'without-cursor.json'), without(parameters, document(server.url)));
    const runs = [
      [`${server.url}${path}`, '--checks=all', `--exclude-checks=${needsNoCursor}`],
      ['without-cursor.json', `--checks=${needsNoCursor}`, ...accepted],
    ];
    for (const run of runs) {
      const args = ['run', ...run, '--url', server.url, '--header', `Authorization: Bearer ${token}`];
      const passed = ['--no-color', ...process.argv.slice(2)];
      const child: ChildProcess = spawn(program, [...args, ...passed], { cwd, stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      assert.equal(server.stderr(), '', 'the server logged a fault');
      assert.equal(code, 0, `${run.join(' ')}: the findings stand above`);
    }
  });

type Operations = { get?: { parameters: { name: string }[] } };

function without(names: readonly string[], document: { paths: object }): string {
  const dropped = new Set<string>();
  for (const { get } of Object.values<Operations>(document.paths as Record<string, Operations>)) {
    const isDropped = ({ name }: { name: string }) => names.includes(name);
    for (const { name } of get?.parameters.filter(isDropped) ?? []) dropped.add(name);
    if (get) get.parameters = get.parameters.filter((parameter) => !isDropped(parameter));
  }
  assert.deepEqual([...dropped].toSorted(), names);
  return JSON.stringify(document);
}
