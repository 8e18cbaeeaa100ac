/** The routes of the website: each path with its content, which is built at the first request. */
import type { FastifyInstance } from 'fastify';
import { html } from 'hono/html';
import { openapiDocument } from '../contract/openapi.ts';
import { assets } from './assets.ts';
import { listDocuments, llmsText } from './documents.ts';
import { interactivePage, interactivePolicy } from './interactive.ts';
import { type Html, page, pagePolicy, type Site } from './layout.ts';
import { type Published, publish } from './publish.ts';

export function pages(app: FastifyInstance, basePath: string, baseUrl: string): void {
  const site = { basePath, baseUrl };
  const documents = listDocuments(baseUrl);
  const json = () => JSON.stringify(openapiDocument(baseUrl), null, 2);
  const published: [path: string, what: Published][] = [
    ['/', pageOf(async () => welcome(site))],
    ['/docs/', { ...pageOf(async () => interactivePage(site)), contentSecurityPolicy: interactivePolicy }],
    ['/openapi.json', { type: 'application/json; charset=utf-8', read: async () => json() }],
    ['/openapi.yaml', { type: 'application/yaml; charset=utf-8', read: () => yamlOf(json()) }],
    ['/llms.txt', { type: 'text/plain; charset=utf-8', read: () => llmsText(site, documents) }],
    ...assets(),
  ];
  for (const document of documents) {
    const render = async () => {
      const { documentPage } = await import('./markdown.ts');
      return documentPage(site, document, documents, await document.read());
    };
    published.push([document.markdownPath, { type: 'text/markdown; charset=utf-8', read: document.read }]);
    published.push([document.pagePath, pageOf(render)]);
  }
  for (const [path, what] of published) {
    publish(app, basePath + path, what);
    if (path === '/' || !path.endsWith('/')) continue;
    app.get(basePath + path.slice(0, -1), (request, reply) => {
      const [, query] = /(\?.*)$/s.exec(request.url) ?? [];
      return reply.redirect(basePath + path + (query ?? ''), 308);
    });
  }
}

function pageOf(render: () => Promise<Html>): Published {
  return {
    type: 'text/html; charset=utf-8',
    contentSecurityPolicy: pagePolicy,
    read: async () => String(await render()),
  };
}

async function yamlOf(json: string): Promise<string> {
  const { parse, stringify } = await import('yaml');
  // JSON is YAML, whose parser keeps the digits of integers that no double holds.
  return stringify(parse(json, { intAsBigInt: true }), { aliasDuplicateObjects: false, lineWidth: 0 });
}

function welcome(site: Site): Html {
  const { basePath } = site;
  const card = (path: string, name: string, text: string) =>
    html`<li><a href="${basePath}${path}"><strong>${name}</strong>${text}</a></li>`;
  return page(
    site,
    { title: 'Welcome', path: '/' },
    html`<h1>Practice Garden</h1>
<p class="lead">A practice tracker for competitive programmers: problems from many judges, how far you are with each,
and a garden of goals that grows with what you solve.</p>
<p>Programs read this garden through nine HTTP operations; data enters by the command line.</p>
<ul class="cards">
${card('/docs/', 'Try it', 'Send requests to this garden from the browser, with a token of yours.')}
${card('/docs/reference/', 'Reference', 'Every operation with its parameters, answers, errors and samples in curl, JavaScript and Python.')}
${card('/docs/api/', 'Guide', 'How the operations behave: ids, pages, order, filters, formats, limits.')}
${card('/docs/cli/', 'Command line', 'Import, export, members and tokens.')}
</ul>
<p>For programs: <a href="${basePath}/openapi.json">openapi.json</a>, <a href="${basePath}/openapi.yaml">openapi.yaml</a>
and <a href="${basePath}/llms.txt">llms.txt</a>.</p>`,
  );
}
