/**
 * The code samples of each operation: one request in curl, JavaScript and Python, each a whole program that reads the
 * token from the environment. test/contract/samples.test.ts runs every one.
 */
import type { Operation } from './operations.ts';

export const sampleLanguages = { curl: 'Shell', javascript: 'JavaScript', python: 'Python' } as const;
export type SampleLanguage = keyof typeof sampleLanguages;

/** The operation's example request as programs. `baseUrl` has no trailing slash. */
export function codeSamples(
  operation: Operation,
  baseUrl: string,
  id: string,
): Record<SampleLanguage, string> {
  const { method, path, exampleQuery } = operation;
  const query = exampleQuery === undefined ? '' : `?${exampleQuery}`;
  // An apostrophe is the only character of an address that ends a quoted text in the three languages.
  const url = `${baseUrl}${path.replace('{id}', id)}${query}`.replaceAll("'", '%27');
  return operation.row === null
    ? { curl: curl(url, method, true), javascript: deletion(url), python: pythonDeletion(url) }
    : { curl: curl(url, method, false), javascript: reading(url), python: pythonReading(url) };
}

function curl(url: string, method: string, printsStatus: boolean): string {
  const flags = [
    'curl --silent --show-error --fail-with-body',
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...(printsStatus ? [String.raw`--write-out '%{http_code}\n'`] : []),
    '--header "Authorization: Bearer $TOKEN"',
    `'${url}'`,
  ];
  return flags.join(' \\\n  ');
}

// Node reads the token from the environment; in a browser the reader pastes it.
const javascriptToken = `const token = globalThis.process?.env.TOKEN ?? 'pgt_…';`;

function reading(url: string): string {
  return `${javascriptToken}
const response = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${token}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(JSON.stringify(await response.json(), null, 2));`;
}

function deletion(url: string): string {
  return `${javascriptToken}
const response = await fetch('${url}', {
  method: 'DELETE',
  headers: { Authorization: \`Bearer \${token}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(response.status);`;
}

function pythonReading(url: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`;
}

function pythonDeletion(url: string): string {
  return `import os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="DELETE",
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    print(response.status)`;
}
