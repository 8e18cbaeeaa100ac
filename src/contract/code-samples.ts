/** The code samples of each operation; test/contract/samples.test.ts runs them. */

interface SampledOperation {
  method: string;
  path: string;
  exampleQuery?: string | undefined;
  exampleBody?: object | undefined;
  /** For operations that need If-Match. */
  exampleTag?: string | undefined;
}

export function codeSamples(operation: SampledOperation, baseUrl: string, id: string) {
  const { method, path, exampleQuery, exampleBody, exampleTag } = operation;
  const query = exampleQuery === undefined ? '' : `?${exampleQuery}`;
  // An apostrophe is the only character of a URL that could end a string in one of the three languages.
  const url = `${baseUrl}${path.replaceAll(/\{\w+\}/g, id)}${query}`.replaceAll("'", '%27');
  const isRead = method === 'GET';
  const hasAnswer = method !== 'DELETE';
  const body = exampleBody && JSON.stringify(exampleBody);
  const curl = [
    'curl --silent --show-error --fail-with-body',
    ...(isRead ? [] : [`--request ${method}`]),
    ...(hasAnswer ? [] : [String.raw`--write-out '%{http_code}\n'`]),
    '--header "Authorization: Bearer $TOKEN"',
    ...(exampleTag ? [`--header 'If-Match: ${exampleTag}'`] : []),
    ...(body ? [`--json '${body}'`] : []),
    `'${url}'`,
  ].join(' \\\n  ');
  const prefix = path.startsWith('/practice/') ? 'pgw' : 'pgt';
  const jsBody = body ? `\n  body: JSON.stringify(${body}),` : '';
  const jsHeaders = `Authorization: \`Bearer \${token}\`${body ? ", 'Content-Type': 'application/json'" : ''}${exampleTag ? `, 'If-Match': '${exampleTag}'` : ''}`;
  const javascript = `const token = globalThis.process?.env.TOKEN ?? '${prefix}_…';
const response = await fetch('${url}', {${isRead ? '' : `\n  method: '${method}',`}
  headers: { ${jsHeaders} },${jsBody}
});
if (!response.ok) throw new Error(await response.text());
console.log(${hasAnswer ? 'JSON.stringify(await response.json(), null, 2)' : 'response.status'});`;
  const pythonHeaders = `"Authorization": "Bearer " + os.environ["TOKEN"]${body ? ', "Content-Type": "application/json"' : ''}${exampleTag ? `, "If-Match": '${exampleTag}'` : ''}`;
  const python = `import ${hasAnswer ? 'json, ' : ''}os, urllib.request

request = urllib.request.Request(
    "${url}",${isRead ? '' : `\n    method="${method}",`}
    headers={${pythonHeaders}},${body ? `\n    data='''${body}'''.encode(),` : ''}
)
with urllib.request.urlopen(request) as response:
    print(${hasAnswer ? 'json.dumps(json.load(response), indent=2, ensure_ascii=False)' : 'response.status'})`;
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript },
    { lang: 'Python', label: 'Python', source: python },
  ];
}
