/** Routes of everything but the API. A refusal is a page for a browser and the Error body for other clients. */

import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { refuse, sendHead } from '../api/answers.ts';
import type { Exchange } from '../api/context.ts';
import { originForm } from '../api/match.ts';
import { longestTarget } from '../contract/parameters.ts';
import { AppError, refusalOf } from '../errors.ts';
import { prefersHtml } from '../http/negotiation.ts';
import { errorPage } from '../web/kit/error-page.ts';
import { viewerOf } from '../web/request/cookies.ts';
import { pagePolicy, type Site } from '../web/request/site.ts';
import { endsWithSlash, redirectToSlash } from '../web/request/static-routes.ts';
import { pageNotFound } from '../web/request/visits.ts';
import { withViewer } from '../web/words/viewer.ts';
import { headersLimit } from './connection-limits.ts';

const pageMethods = ['GET', 'HEAD', 'POST'];

type Refuse = (exchange: Exchange, error: unknown) => void;

export interface PageRoutes {
  app: FastifyInstance;
  exchangeOf(request: IncomingMessage): Exchange;
  answer(exchange: Exchange): void;
  refuse: Refuse;
}

function noSchemas(): never {
  throw new Error('a page has no schema');
}

function fastifyForPages(): FastifyInstance {
  const app = Fastify({
    // Otherwise Fastify loads two schema compilers, which takes a tenth of a second.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: {
      maxParamLength: 3 * (longestTarget + headersLimit),
      // The hook below redirects to the address with a slash.
      ignoreTrailingSlash: true,
    },
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '' }) => originForm(url),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions;
    if (route === undefined || config.paths) return done();
    const isPage = route.endsWith('/');
    // There is no path below a file, and none that ends in two slashes.
    if (/^[^?]*\/\/(?:\?|$)/.test(request.url) || (!isPage && endsWithSlash(request.url)))
      reply.callNotFound();
    else if (!isPage || endsWithSlash(request.url)) done();
    // A hidden page checks first whether the visitor may know of it.
    else if (config.isHidden) done();
    else redirectToSlash(request, reply);
  });
  return app;
}

export function pageRoutes(
  site: Site,
  reportFailure: (error: unknown, exchange: Exchange) => void,
): PageRoutes {
  const { basePath } = site;
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (request: IncomingMessage) => exchanges.get(request) as Exchange;
  const app = fastifyForPages();
  const routes: { method: string; parts: readonly string[] }[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    // The methods of a hidden page would reveal that it exists.
    if (config?.isHidden) return;
    for (const pageMethod of [method].flat())
      for (const path of config?.paths ?? [url]) routes.push({ method: pageMethod, parts: path.split('/') });
  });
  app.setErrorHandler((error, { raw }, reply) => {
    reply.hijack();
    reportFailure(error, exchangeOf(raw));
    refuseByAccept(exchangeOf(raw), error);
  });
  app.setNotFoundHandler(({ raw }, reply) => {
    reply.hijack();
    answerUnmatched(exchangeOf(raw));
  });

  function answer(exchange: Exchange) {
    const { id, request, response } = exchange;
    // Fastify would refuse an undecodable path with its own message.
    if (!pageMethods.includes(request.method ?? '') || !isDecodable(pathOf(exchange))) {
      answerUnmatched(exchange);
      return;
    }
    exchanges.set(request, exchange);
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    app.routing(request, response);
  }

  function answerUnmatched(exchange: Exchange) {
    const path = pathOf(exchange);
    const parts = path.split('/');
    const methods = pageMethods.filter((pageMethod) =>
      routes.some((route) => route.method === pageMethod && isOfRoute(route.parts, parts)),
    );
    if (!isDecodable(path)) {
      const sentence = 'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.';
      refuseByAccept(exchange, new AppError('malformedPath', sentence));
    } else if (methods.length === 0) refuseByAccept(exchange, pageNotFound(path));
    else answerWrongMethod(exchange, exchange.request.method, [...methods, 'OPTIONS'], refuseByAccept);
  }

  function refuseByAccept(exchange: Exchange, thrown: unknown) {
    const isMissing = thrown instanceof AppError && thrown.localized?.key === 'unknownPath.page';
    // A page knows its path below the base path alone.
    const error = isMissing ? pageNotFound(pathOf(exchange), basePath) : thrown;
    exchange.headers.push('Vary', 'Accept');
    if (exchange.response.headersSent || !prefersHtml(exchange.request.headers.accept)) {
      refuse(exchange, error);
    } else sendRefusalPage(site, exchange, error).catch((fault) => refuse(exchange, fault));
  }

  return { app, exchangeOf, answer, refuse: refuseByAccept };
}

export function answerWrongMethod(
  exchange: Exchange,
  method: string | undefined,
  allow: readonly string[],
  refuse: Refuse,
): void {
  exchange.headers.push('Allow', allow.join(', '));
  if (method === 'OPTIONS') {
    sendHead(exchange, 204, []);
    return;
  }
  const allowedMethods = `${allow.slice(0, -1).join(', ')} or ${allow.at(-1)}`;
  refuse(exchange, new AppError('wrongMethod', `This path does not allow ${method}; use ${allowedMethods}.`));
}

async function sendRefusalPage(site: Site, { id, request, response, headers }: Exchange, error: unknown) {
  const { status, headers: refusalHeaders, body } = refusalOf(error);
  const localized = error instanceof AppError ? error.localized : undefined;
  const refusal = { status, ...body, localized, requestId: id, headers: request.headers };
  const viewer = viewerOf(site, request.headers);
  const text = String(await withViewer(viewer, () => errorPage(site, refusal)));
  response.writeHead(status, [
    ...headers,
    ...refusalHeaders,
    ...['Content-Language', viewer.language.tag, 'Vary', 'Accept-Language, Cookie'],
    ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Content-Security-Policy', pagePolicy, 'Referrer-Policy', 'same-origin', 'Cache-Control', 'no-store'],
  ]);
  response.end(request.method === 'HEAD' ? undefined : text);
}

function pathOf({ target }: Exchange): string {
  return originForm(target).split('?', 1)[0] ?? '';
}

function isOfRoute(route: readonly string[], path: readonly string[]): boolean {
  const isWithoutSlash = route.at(-1) === '' && path.at(-1) !== '';
  if (route.length !== path.length + (isWithoutSlash ? 1 : 0)) return false;
  return path.every((part, index) => part === route[index] || (route[index]?.startsWith(':') && part !== ''));
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
