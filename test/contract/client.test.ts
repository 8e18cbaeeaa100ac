/**
 * A client that others generate: openapi-typescript makes the types from openapi.json, the compiler accepts a program
 * that calls all nine operations through openapi-fetch, and the program runs against the real server. openapi-typescript
 * knows integers as numbers only: ids beyond 2^53 need the garden's own client. A collection is typed as its rows, without
 * a word of the program about media types.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import openapiTS, { astToString } from 'openapi-typescript';
import { programGarden } from '../programs/support.ts';
import { importRows, memberWithToken, root, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const program = `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
const path = { id: 7 };

const records = await client.GET('/authentication/api/records/', { params: { query: { role: 'member', limit: 10 } } });
const record = await client.GET('/authentication/api/records/{id}/', { params: { path: { id: 1 } } });
const bookmarks = await client.GET('/dashboard/api/bookmarks/', { params: { query: { order: '-created_at' } } });
const bookmark = await client.GET('/dashboard/api/bookmarks/{id}/', { params: { path } });
const problems = await client.GET('/problem_list/api/problems/', { params: { query: { tag: ['dp', 'math'], rating_min: 800 } } });
const problem = await client.GET('/problem_list/api/problems/{id}/', { params: { path } });
const statuses = await client.GET('/problem_list/api/status/', { params: { query: { status: 'complete' } } });
const status = await client.GET('/problem_list/api/status/{id}/', { params: { path, query: { user: 1 } } });
const deleted = await client.DELETE('/plants/{id}', { params: { path: { id: 1 } } });
const again = await client.DELETE('/plants/{id}', { params: { path: { id: 1 } } });

// The promises of the types, said once each so that the compiler checks them.
const rows: components['schemas']['Problem'][] = problems.data ?? [];
const rating: number | null | undefined = problem.data?.rating;
const said: 'not_started' | 'reading' | 'practicing' | 'complete' | 'skipped' | 'ignored' | undefined = status.data?.status;
const refusal: { error: number; message: string } | undefined = again.error;
// @ts-expect-error There is no such path.
const wrongPath = () => client.GET('/plants/{id}', { params: { path } });
// @ts-expect-error There is no such parameter.
const wrongQuery = () => client.GET('/problem_list/api/problems/', { params: { query: { limitt: 1 } } });

console.log(
  JSON.stringify({
    records: records.data?.map(({ username }) => username),
    record: record.data?.username,
    bookmarks: bookmarks.data?.map(({ problem }) => problem),
    bookmark: bookmark.data?.note,
    problems: rows.map(({ title, tags }) => [title, ...tags]),
    problem: rating,
    statuses: statuses.data?.map(({ status }) => status),
    status: said,
    deleted: deleted.response.status,
    again: [again.response.status, refusal?.error],
    unused: [typeof wrongPath, typeof wrongQuery],
  }),
);
`;

const marking = `import createClient from 'openapi-fetch';
import type { paths } from './openapi-programs.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
const params = { path: { problem: '7' } };

const before = await client.GET('/practice/v1/marks/{problem}', { params });
const body = { status: 'solved', how: 'hint', add_note: 'Parity.', minutes: 30 } as const;
const header = { 'If-Match': \`"\${before.data?.version}"\`, 'Idempotency-Key': 'k1' };
const marked = await client.PATCH('/practice/v1/marks/{problem}', { params: { ...params, header }, body });
const read = await client.GET('/practice/v1/problems/{id}', { params: { path: { id: '7' } } });
const change = marked.data?.change ?? '';
const undone = await client.POST('/practice/v1/undo/{change}', { params: { path: { change } } });
const after = await client.GET('/practice/v1/marks/{problem}', { params });
// @ts-expect-error There is no such status.
const wrongStatus = () => client.PATCH('/practice/v1/marks/{problem}', { params, body: { status: 'complete' } });

const { status, how, note } = read.data?.mark ?? {};
console.log(JSON.stringify([status, how, note, undone.data?.changed, after.data?.status, typeof wrongStatus]));
`;

const options = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
};

/** Runs Node in the folder; answers what it printed. */
async function runNode(cwd: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

/** Generates the types of both documents, and compiles a program for each at once; answers the folder. */
async function compile(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries({ openapi: program, 'openapi-programs': marking })) {
    const document = JSON.parse(await readFile(join(root, `${name}.json`), 'utf8'));
    await writeFile(join(folder, `${name}.ts`), astToString(await openapiTS(document)));
    await writeFile(join(folder, `${name}-client.ts`), text);
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  await runNode(folder, [compiler, '-p', '.']);
  return folder;
}

test('a client that is generated compiles, and', async (t) => {
  const folder = await compile(t);
  await t.test('from openapi.json calls all nine operations', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    await importRows(databaseUrl, 'records', [{ id: 1, username: 'ada' }]);
    await importRows(databaseUrl, 'problems', [
      { id: 7, title: 'P', source: 'here', source_key: '1', rating: 900, tags: ['dp', 'math'] },
    ]);
    await importRows(databaseUrl, 'bookmarks', [{ username: 'ada', problem: 7, note: 'mine' }]);
    await importRows(databaseUrl, 'statuses', [{ username: 'ada', problem: 7, status: 'complete', origin: 'self' }]);
    await importRows(databaseUrl, 'plants', [{ id: 1, username: 'ada', name: 'dp', target: 3 }]);
    const { token } = await memberWithToken(databaseUrl, 'ada');
    const server = await serveHere(t, { databaseUrl });
    const printed = await runNode(folder, ['openapi-client.ts', server.url, token]);
    assert.deepEqual(JSON.parse(printed), {
      records: ['ada'],
      record: 'ada',
      bookmarks: [7],
      bookmark: 'mine',
      problems: [['P', 'dp', 'math']],
      problem: 900,
      statuses: ['complete'],
      status: 'complete',
      deleted: 204,
      again: [404, 40401],
      unused: ['function', 'function'],
    });
  });

  await t.test('from openapi-programs.json marks, reads and undoes', async (t) => {
    const { server, tokens } = await programGarden(t);
    const printed = await runNode(folder, ['openapi-programs-client.ts', server.url, tokens.ada]);
    assert.deepEqual(JSON.parse(printed), ['solved', 'hint', 'Parity.', 3, 'not_started', 'function']);
  });
});
