/** The code samples of each operation; test/contract/samples.test.ts runs them. */
import type { Operation } from './operations.ts';

export function codeSamples({ method, path, exampleQuery }: Operation, baseUrl: string, id: string) {
  const query = exampleQuery === undefined ? '' : `?${exampleQuery}`;
  // An apostrophe is the only character of a URL that could end a string in one of the three languages.
  const url = `${baseUrl}${path.replace('{id}', id)}${query}`.replaceAll("'", '%27');
  const isRead = method === 'GET';
  const curl = [
    'curl --silent --show-error --fail-with-body',
    ...(isRead ? [] : [`--request ${method}`, String.raw`--write-out '%{http_code}\n'`]),
    '--header "Authorization: Bearer $TOKEN"',
    `'${url}'`,
  ].join(' \\\n  ');
  const javascript = `const token = globalThis.process?.env.TOKEN ?? 'pgt_…';
const response = await fetch('${url}', {${isRead ? '' : `\n  method: '${method}',`}
  headers: { Authorization: \`Bearer \${token}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(${isRead ? 'JSON.stringify(await response.json(), null, 2)' : 'response.status'});`;
  const python = `import ${isRead ? 'json, ' : ''}os, urllib.request

request = urllib.request.Request(
    "${url}",${isRead ? '' : `\n    method="${method}",`}
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    print(${isRead ? 'json.dumps(json.load(response), indent=2, ensure_ascii=False)' : 'response.status'})`;
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript },
    { lang: 'Python', label: 'Python', source: python },
  ];
}
