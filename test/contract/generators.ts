/**
 * Clients that two more generators make from the document for programs, in Python and in TypeScript, mark, read and undo. Their
 * packages are installed into a temporary folder (npm test generators). test/contract/client.test.ts has the third one.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importRows, memberWithToken, root, serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { findTool } from '../support/tools.ts';

const document = join(root, 'openapi-programs.json');
const expected = '["solved","hint","Parity.",3,"not_started"]\n';

interface Generated {
  /** Commands that install the generator and make the client in the folder. */
  made: readonly (readonly string[])[];
  file: string;
  source: string;
  run: readonly string[];
}

const generators: Readonly<Record<string, Generated>> = {
  'openapi-python-client': {
    made: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', 'openapi-python-client==0.29.1'],
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        document,
        '--output-path',
        'generated',
        '--meta',
        'none',
      ],
    ],
    file: 'run.py',
    source: `import json, sys
from generated.client import AuthenticatedClient
from generated.api.practice import change_mark, read_mark, read_problem, undo_change
from generated.models import MarkChange

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
version = read_mark.sync("7", client=client).version
body = MarkChange.from_dict({"status": "solved", "how": "hint", "add_note": "Parity.", "minutes": 30})
marked = change_mark.sync("7", client=client, body=body, if_match=f'"{version}"', idempotency_key="k1")
mark = read_problem.sync("7", client=client).mark
undone = undo_change.sync(marked.change, client=client)
after = read_mark.sync("7", client=client).status
print(json.dumps([mark.status, mark.how, mark.note, undone.changed, after], separators=(",", ":")))
`,
    run: ['venv/bin/python', 'run.py'],
  },
  '@hey-api/openapi-ts': {
    made: [
      ['npm', 'install', '--silent', '@hey-api/openapi-ts@0.95.0', 'typescript@5.9.3', 'tsx@4.23.15'],
      ['node_modules/.bin/openapi-ts', '-i', document, '-o', 'generated'],
    ],
    file: 'run.ts',
    source: `import { client } from './generated/client.gen';
import { changeMark, readMark, readProblem, undoChange } from './generated/sdk.gen';

const [baseUrl, auth] = process.argv.slice(2);
client.setConfig({ baseUrl, auth, throwOnError: true });
const path = { problem: '7' };
const before = await readMark({ path });
const headers = { 'If-Match': \`"\${before.data?.version}"\`, 'Idempotency-Key': 'k1' };
const body = { status: 'solved', how: 'hint', add_note: 'Parity.', minutes: 30 } as const;
const marked = await changeMark({ path, headers, body });
const { status, how, note } = (await readProblem({ path: { id: '7' } })).data!.mark;
const undone = await undoChange({ path: { change: marked.data!.change! } });
console.log(JSON.stringify([status, how, note, undone.data!.changed, (await readMark({ path })).data!.status]));
`,
    run: ['node_modules/.bin/tsx', 'run.ts'],
  },
};

for (const [name, { made, file, source, run }] of Object.entries(generators))
  test(`a client that ${name} generates marks, reads and undoes`, async (t) => {
    if (name.includes('python') && findTool(t, 'python3') === undefined) return;
    const cwd = await temporaryFolder(t);
    const call = ([program = '', ...args]: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
      assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}${stdout}`);
      return stdout;
    };
    await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
    for (const command of made) call(command);
    await writeFile(join(cwd, file), source);
    const databaseUrl = await temporaryDatabase(t);
    await importRows(databaseUrl, 'problems', [{ id: 7, title: 'P7', source: 'codeforces', source_key: '7A' }]);
    const { token } = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:mark'] });
    const server = await serve(t, { databaseUrl });
    assert.equal(call([...run, server.url, token]), expected);
  });
