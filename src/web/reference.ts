/** The reference of the nine operations as a page, written from the same table that routes them. */
import { html } from 'hono/html';
import type { Fields } from '../contract/common.ts';
import { exampleOf } from '../contract/openapi.ts';
import { type Operation, operationIds, operations, scopes } from '../contract/operations.ts';
import { errors } from '../errors.ts';
import type { Html } from './layout.ts';

export function referencePage(baseUrl: string): Html {
  return html`<h1>Reference</h1>
<p>Nine operations at <code>${baseUrl}</code>. Each needs a token: <code>garden token create NAME --name "my bot"</code>
makes one, and every request sends it as <code>Authorization: Bearer pgt_…</code>. The same in machine-readable form
is <a href="${baseUrl}/openapi.json">openapi.json</a>.</p>
<h2 id="scopes">Scopes</h2>
<dl>${Object.entries(scopes).map(([name, help]) => html`<dt><code>${name}</code></dt><dd>${help}</dd>`)}</dl>
<h2 id="operations">Operations</h2>
${operationIds.map((id) => operationSection(baseUrl, id, operations[id]))}
<h2 id="errors">Errors</h2>
<p>Every refusal is <code>{"error": number, "message": text}</code>; the number never changes its meaning.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.values(errors).map(
    ({ number, summary }) => html`<tr><td><code>${number}</code></td><td>${summary}</td></tr>`,
  )}</tbody>
</table></div>`;
}

function operationSection(baseUrl: string, id: string, operation: Operation): Html {
  const { method, path, summary, description, scope, row, query } = operation;
  const url = `${baseUrl}${path.replace('{id}', '7')}`;
  const flag = method === 'GET' ? '' : `-X ${method} `;
  return html`<section aria-labelledby="${id}">
<h3 id="${id}">${summary}</h3>
<p><span class="method">${method}</span> <code>${path}</code></p>
<p>${description} Scope: <code>${scope}</code>.</p>
${parameterList(query)}
<pre tabindex="0"><code>curl ${flag}-H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${row === null ? html`<p>Answers 204 without a body.</p>` : rowTable(operation, row)}
</section>`;
}

function parameterList(query: Fields): Html | string {
  const parameters = Object.entries(query.properties);
  if (parameters.length === 0) return '';
  return html`<details><summary>Optional parameters</summary><dl>${parameters.map(
    ([name, schema]) => html`<dt><code>${name}</code></dt><dd>${describe(schema)}</dd>`,
  )}</dl></details>`;
}

function rowTable({ kind }: Operation, row: Fields): Html {
  const example = exampleOf(row);
  const shown = JSON.stringify(kind === 'collection' ? [example] : example, null, 2);
  return html`<details><summary>${row.title}: fields and an example</summary>
<dl>${Object.entries(row.properties).map(
    ([name, schema]) => html`<dt><code>${name}</code></dt><dd>${describe(schema)}</dd>`,
  )}</dl>
<pre tabindex="0"><code>${shown}</code></pre></details>`;
}

function describe(schema: object): string {
  return (schema as { description?: string }).description ?? '';
}
