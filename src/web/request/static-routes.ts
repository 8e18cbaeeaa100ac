/** Serves bytes that depend on no visitor but their language and theme. They are compressed once if they fit. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Coding, chooseCoding, encode } from '../../http/codings.ts';
import { entityTagOf, isNotModified } from '../../http/preconditions.ts';
import { defaultViewer, type ViewerSettings, withViewer } from '../words/viewer.ts';
import { viewerOf } from './cookies.ts';
import type { Site } from './site.ts';

/** One route for GET and HEAD: Fastify's own HEAD route would take as long again at every start. */
export function serveGetAndHead(
  app: FastifyInstance,
  url: string,
  handler: RouteHandlerMethod,
  config?: FastifyContextConfig,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler, ...(config && { config }) });
}

export function endsWithSlash(address: string): boolean {
  return address.split('?', 1)[0]?.endsWith('/') ?? false;
}

export function redirectToSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return redirectPermanently(`${request.url.split('?', 1)[0]}/`, request, reply);
}

function redirectPermanently(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [, query = ''] = request.url.split(/(\?.*)/s);
  return reply.redirect(path + query, 308);
}

export interface StaticResource {
  type: string;
  read(): Promise<string | Buffer>;
  /** The default allows nothing. */
  contentSecurityPolicy?: string;
  variesByViewer?: boolean;
  isImmutable?: boolean;
  /** The Server header (RFC 9110 §10.2.4). */
  server?: string;
}

export type StaticRoute = readonly [path: string, resource: StaticResource | { to: string }];

interface Variant {
  tag: string;
  bytes: string | Buffer;
}

/** All documents in all languages, themes and codings would take 184 MB. */
const variantBytesAtMost = 24 * 1024 * 1024;
const variants = new LRUCache<string, Variant, () => Promise<Variant>>({
  maxSize: variantBytesAtMost,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  fetchMethod: async (_key, _stale, { context: render }) => render(),
  // A variant that is evicted while it is rendered is sent all the same.
  ignoreFetchAbort: true,
});
let resourceCount = 0;

const decompress = promisify(gunzip);
const strictestPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A folder of many paths is one route, because a route takes time at every start. */
export function publish(app: FastifyInstance, site: Site, published: readonly StaticRoute[]): void {
  const { basePath } = site;
  const redirectTo = (to: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    redirectPermanently(basePath + to, request, reply);
  const routes = Map.groupBy(published, ([path]) => path.replace(/^(\/[^/]+\/).+/, '$1*'));
  for (const [route, all] of routes) {
    const handlers = new Map(
      all.map(([path, resource]) => [
        basePath + path,
        'to' in resource ? redirectTo(resource.to) : respondWith(site, resource),
      ]),
    );
    serveGetAndHead(
      app,
      basePath + route,
      (request, reply) => {
        const path = decodeURIComponent(request.url.split('?', 1)[0] ?? '');
        const handle = handlers.get(path);
        if (handle) return handle(request, reply);
        return handlers.has(`${path}/`) ? redirectToSlash(request, reply) : reply.callNotFound();
      },
      { paths: [...handlers.keys()] },
    );
  }
}

function respondWith(
  site: Site,
  { type, read, contentSecurityPolicy = strictestPolicy, variesByViewer, isImmutable, server }: StaticResource,
) {
  const resourceNumber = resourceCount++;

  async function render(coding: Coding, viewer: Partial<ViewerSettings>) {
    const plain = Buffer.from(await withViewer(viewer, read));
    return { tag: entityTagOf(plain, coding), bytes: await encode(plain, coding) };
  }

  function compressedFor(coding: Coding, viewer: Pick<ViewerSettings, 'language' | 'theme'>) {
    const key = `${resourceNumber} ${coding} ${viewer.language.tag} ${viewer.theme}`;
    return variants.forceFetch(key, { context: () => render(coding, viewer) });
  }

  /** Plain bytes are not stored: the largest take megabytes, and few clients ask for them. */
  async function uncompressedFor(viewer: Pick<ViewerSettings, 'language' | 'theme'>) {
    const { bytes: compressed } = await compressedFor('gzip', viewer);
    const bytes = await decompress(compressed);
    return { tag: entityTagOf(bytes, 'identity'), bytes };
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const coding = chooseCoding(request.headers['accept-encoding']);
    const viewer = variesByViewer ? viewerOf(site, request.headers) : defaultViewer;
    const { tag, bytes } = await (coding === 'identity' ? uncompressedFor(viewer) : compressedFor(coding, viewer));
    reply.headers({
      ETag: tag,
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: `${variesByViewer ? 'Cookie, ' : ''}Accept-Encoding${variesByViewer ? ', Accept-Language' : ''}`,
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    });
    if (variesByViewer) reply.header('Content-Language', viewer.language.tag);
    if (server) reply.header('Server', server);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    return reply.header('Content-Type', type).send(bytes);
  };
}
