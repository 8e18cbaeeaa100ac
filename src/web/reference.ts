/** The plain reference: the whole OpenAPI document as one page that needs no JavaScript. Its operations are in reference-operation.ts. */
import { html } from 'hono/html';
import { openapiDocument } from '../contract/openapi.ts';
import { scopes } from '../contract/operations.ts';
import { errors, statusOf } from '../errors.ts';
import { type Html, page, type Site } from './layout.ts';
import { definition, operationSection, type ReferenceDocument } from './reference-operation.ts';

export function referencePage(site: Site): Html {
  const { basePath, baseUrl } = site;
  // The same JSON that /openapi.json answers with.
  const document = JSON.parse(JSON.stringify(openapiDocument(baseUrl))) as ReferenceDocument;
  const sections = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return page(
    site,
    { title: 'Reference', path: '/docs/reference/' },
    html`<div class="with-toc">
<nav class="toc" aria-label="On this page"><ul>
<li><a href="#token">The token</a></li>
<li><a href="#headers">Headers of answers</a></li>
<li><a href="#operations">Operations</a>
<ul>${sections.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`)}</ul></li>
<li><a href="#errors">Errors</a></li>
</ul></nav>
<div>
<h1>Reference</h1>
<p class="lead">Version ${document.info.version} of the interface: nine operations at <code>${baseUrl}</code>.</p>
<p>How they behave where a list cannot say it is in the <a href="${basePath}/docs/api/">guide</a>. The same for programs:
<a href="${basePath}/openapi.json">openapi.json</a>, <a href="${basePath}/openapi.yaml">openapi.yaml</a>. To send requests
from the browser: <a href="${basePath}/docs/">try it</a>.</p>
<h2 id="token">The token</h2>
<p>Every operation needs a token, which acts for one member. <code>garden token create NAME --name 'my editor'</code>
makes one and shows it once; every request sends it as <code>Authorization: Bearer pgt_…</code>, never in the address.
The samples below read it from the environment: <code>export TOKEN=pgt_…</code>. A token has one or more scopes:</p>
<dl class="list">${Object.entries(scopes).map(([name, help]) => definition(html`<code>${name}</code>`, help))}</dl>
<h2 id="headers">Headers of answers</h2>
<dl class="list">${Object.entries(document.components.headers).map(([name, { description }]) =>
      definition(html`<code>${name}</code>`, description),
    )}</dl>
<h2 id="operations">Operations</h2>
${sections.map(({ path, method, operation }) => operationSection(document, path, method, operation))}
<h2 id="errors">Errors</h2>
<p>Every refusal is <code>{"error": number, "message": text}</code>. The number is the HTTP status and two digits more,
and never changes its meaning; what to do about each is in <a href="${basePath}/docs/errors/">the errors</a>.</p>
<dl class="list">${Object.values(errors)
      .filter(({ number }) => isOnTheWire(number))
      .map(({ number, summary }) => definition(html`<code>${number}</code>`, summary))}</dl>
</div>
</div>`,
  );
}

/** Details from 50 up, and name conflicts, are told on the command line only. */
function isOnTheWire(number: number): boolean {
  return number % 100 < 50 && statusOf(number) !== 409;
}
