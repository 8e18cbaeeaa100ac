/**
 * The code samples are run as they stand in the document: all of curl by the shell and of JavaScript in a browser, and one of each form
 * by Node and by Python, against a server whose rows are the document's examples. What it prints is what the document promises.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { exampleOf, openapiDocument } from '../../src/contract/openapi.ts';
import { type Operation, operationIds, operations } from '../../src/contract/operations.ts';
import { Plant } from '../../src/contract/plants.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { gardenOfExamples } from '../support/examples.ts';
import { importRows, root } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { freePort } from '../support/ports.ts';
import { findTool } from '../support/tools.ts';

interface Sample {
  lang: string;
  label: string;
  source: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into here.
const describe = (baseUrl: string, id: (typeof operationIds)[number]): any => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const document: any = JSON.parse(JSON.stringify(openapiDocument(baseUrl)));
  const { path, method }: Operation = operations[id];
  return document.paths[path][method.toLowerCase()];
};

async function run(command: string, args: readonly string[], input: string, token: string): Promise<string> {
  const env = { PATH: process.env['PATH'], TOKEN: token };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  assert.equal(code, 0, `${input}\n${stdout}${stderr}`);
  return stdout;
}

const formOf = (id: (typeof operationIds)[number]) => {
  const { method, exampleQuery }: Operation = operations[id];
  return `${method} ${exampleQuery !== undefined}`;
};

test('code samples', async (t) => {
  const { databaseUrl, token } = await gardenOfExamples(t);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/practice`;
  await serveHere(t, { databaseUrl, env: { PORT: String(port), BASE_URL: baseUrl } });

  const sampleOf = (id: (typeof operationIds)[number], label: string): string => {
    const samples: Sample[] = describe(baseUrl, id)['x-codeSamples'];
    const sample = samples.find((one) => one.label === label);
    assert.ok(sample, `${id} has a sample in ${label}`);
    return sample.source;
  };

  const assertOutcome = async (id: (typeof operationIds)[number], printed: string): Promise<void> => {
    const { responses } = describe(baseUrl, id);
    if (operations[id].kind === 'deletion') {
      assert.ok(responses['204']);
      assert.equal(printed, '204\n');
      await importRows(databaseUrl, 'plants', [exampleOf(Plant)]);
      return;
    }
    const [example] = Object.values<{ value: unknown }>(responses['200'].content['application/json'].examples);
    assert.ok(example);
    assert.deepEqual(JSON.parse(printed), example.value);
  };

  const runners = {
    curl: { tool: 'curl', command: () => 'sh', args: ['-s'] },
    JavaScript: { tool: undefined, command: () => process.execPath, args: ['--input-type=module', '-'] },
    Python: { tool: 'python3', command: (found: string) => found, args: ['-'] },
  } as const;
  for (const [label, { tool, command, args }] of Object.entries(runners)) {
    // One function writes them by method and query. The browser runs all nine in JavaScript.
    const asked =
      label === 'curl' ? operationIds : [...Map.groupBy(operationIds, formOf).values()].flatMap(([id]) => id ?? []);
    await t.test(`${label}: ${asked.length} of nine do what the document says`, async (t) => {
      const found = tool === undefined ? process.execPath : findTool(t, tool);
      if (found === undefined) return;
      for (const id of asked) {
        await assertOutcome(id, await run(command(found), args, sampleOf(id, label), token));
      }
    });
    await t.test(`${label}: a refusal is a failure, and says why`, async (t) => {
      const found = tool === undefined ? process.execPath : findTool(t, tool);
      if (found === undefined) return;
      const sample = sampleOf('getRecord', label);
      await assert.rejects(run(command(found), args, sample, 'pgt_wrong'), /401/);
    });
  }

  await t.test('JavaScript: all nine also in a browser', async (t) => {
    const browser = await openBrowser(t);
    if (!browser) return;
    const { page, complaints } = await openPage(browser, new URL(baseUrl).origin);
    // The page that may send requests.
    await page.goto(`${baseUrl}/docs/reference/`);
    for (const id of operationIds) {
      // Pasted in by hand there: a browser has no environment.
      const source = sampleOf(id, 'JavaScript').replace('pgt_…', token);
      assert.ok(source.includes(token));
      const printed = page.waitForEvent('console');
      await page.evaluate(`(async () => { ${source} })()`);
      await assertOutcome(id, `${(await printed).text()}\n`);
    }
    assert.deepEqual(complaints, []);
  });
});

test('the samples in docs/api.md are those of the document', async () => {
  const markdown = await readFile(join(root, 'docs', 'api.md'), 'utf8');
  const [, section = ''] = /^## An example$(.*?)^## /ms.exec(markdown) ?? [];
  const shown = [...section.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, , code]) => code);
  const samples: Sample[] = describe('http://localhost:8080', 'listProblems')['x-codeSamples'];
  assert.deepEqual(
    shown,
    samples.map(({ source }) => source),
  );
});
