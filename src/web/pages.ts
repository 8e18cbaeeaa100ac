/** The routes of the website. */
import type { FastifyInstance } from 'fastify';
import { html } from 'hono/html';
import { openapiDocument } from '../contract/openapi.ts';
import { page, pageHeaders } from './layout.ts';
import { referencePage } from './reference.ts';

export function pages(app: FastifyInstance, basePath: string, baseUrl: string): void {
  const home = String(page(basePath, 'Welcome', welcome(basePath)));
  const reference = String(page(basePath, 'Reference', referencePage(baseUrl)));
  const document = JSON.stringify(openapiDocument(baseUrl), null, 2);
  app.get(`${basePath}/`, (_request, reply) => reply.headers(pageHeaders).send(home));
  app.get(`${basePath}/docs/`, (_request, reply) => reply.headers(pageHeaders).send(reference));
  app.get(`${basePath}/docs`, (_request, reply) => reply.redirect(`${basePath}/docs/`, 308));
  app.get(`${basePath}/openapi.json`, (_request, reply) =>
    reply.headers({ 'Content-Type': 'application/json; charset=utf-8' }).send(document),
  );
}

function welcome(basePath: string) {
  return html`<h1>Practice Garden</h1>
<p>A practice tracker for competitive programmers: problems from many judges, how far you are with each, and a garden
of goals that grows with what you solve.</p>
<p>Programs read this garden through <a href="${basePath}/docs/">nine operations</a>, described in
<a href="${basePath}/openapi.json">openapi.json</a>.</p>`;
}
