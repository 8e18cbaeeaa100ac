/**
 * The code samples of each operation: one request in curl, JavaScript and Python, each a whole program that reads the
 * token from the environment. test/contract/samples.test.ts runs every one.
 */
import type { Operation } from './operations.ts';

/** The operation's example request as programs, as documentation tools expect them in `x-codeSamples`. */
export function codeSamples({ method, path, exampleQuery }: Operation, baseUrl: string, id: string) {
  const query = exampleQuery === undefined ? '' : `?${exampleQuery}`;
  // An apostrophe is the only character of an address that ends a quoted text in the three languages.
  const url = `${baseUrl}${path.replace('{id}', id)}${query}`.replaceAll("'", '%27');
  return [
    { lang: 'Shell', label: 'curl', source: curl(url, method) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(url, method) },
    { lang: 'Python', label: 'Python', source: python(url, method) },
  ];
}

function curl(url: string, method: Operation['method']): string {
  const flags = [
    'curl --silent --show-error --fail-with-body',
    // A deletion answers without a body, so its sample prints the status.
    ...(method === 'GET' ? [] : [`--request ${method}`, String.raw`--write-out '%{http_code}\n'`]),
    '--header "Authorization: Bearer $TOKEN"',
    `'${url}'`,
  ];
  return flags.join(' \\\n  ');
}

/** Node reads the token from the environment; in a browser the reader pastes it. */
function javascript(url: string, method: Operation['method']): string {
  const isRead = method === 'GET';
  return `const token = globalThis.process?.env.TOKEN ?? 'pgt_…';
const response = await fetch('${url}', {${isRead ? '' : `\n  method: '${method}',`}
  headers: { Authorization: \`Bearer \${token}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(${isRead ? 'JSON.stringify(await response.json(), null, 2)' : 'response.status'});`;
}

function python(url: string, method: Operation['method']): string {
  const isRead = method === 'GET';
  return `import ${isRead ? 'json, ' : ''}os, urllib.request

request = urllib.request.Request(
    "${url}",${isRead ? '' : `\n    method="${method}",`}
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    print(${isRead ? 'json.dumps(json.load(response), indent=2, ensure_ascii=False)' : 'response.status'})`;
}
