/**
 * Serves bytes that are the same for every visitor of one language and theme: pages, documents, assets. They are
 * compressed once and have entity tags. The rules for all addresses of pages stand here too.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type Coding, chooseCoding, encode } from '../../http/codings.ts';
import { isNotModified, tagOfBytes } from '../../http/preconditions.ts';
import { everybody, madeFor, type ReaderSettings } from '../words/reader.ts';
import { readerOf } from './cookies.ts';
import type { Site } from './site.ts';

/* Rules for all addresses of pages: the methods that read, and the slash at the end. */

/** Serves GET and HEAD as one route. Fastify would make a second one for HEAD, which takes as long at every start. */
export function serveReads(
  app: FastifyInstance,
  url: string,
  handler: RouteHandlerMethod,
  config?: FastifyContextConfig,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler, ...(config && { config }) });
}

/** Whether the path of this address, which may have a query, ends with a slash. */
export function hasSlash(address: string): boolean {
  return address.split('?', 1)[0]?.endsWith('/') ?? false;
}

export function leadToSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return leadTo(`${request.url.split('?', 1)[0]}/`, request, reply);
}

/** Leads to the path for good, and keeps the query. */
function leadTo(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [, query = ''] = request.url.split(/(\?.*)/s);
  return reply.redirect(path + query, 308);
}

export interface Published {
  type: string;
  read(): Promise<string | Buffer>;
  /** In place of a policy that allows nothing. */
  contentSecurityPolicy?: string;
  /** Whether it has words, or colours that a visitor chooses. */
  isForReader?: boolean;
  /** Whether the path changes with the bytes. */
  isImmutable?: boolean;
  /** The program that wrote it (RFC 9110 §10.2.4), where clients may want to know. */
  server?: string;
}

/** A path below the base path, and what is there; or the path where it is now. */
export type Publication = readonly [path: string, what: Published | { to: string }];

const unpack = promisify(gunzip);
const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves GET and HEAD at these paths below the base path; the server itself answers OPTIONS and refuses other methods.
 * A folder of many is one route, because a route takes time at every start.
 */
export function publish(app: FastifyInstance, site: Site, published: readonly Publication[]): void {
  const { basePath } = site;
  const leadOn = (to: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    leadTo(basePath + to, request, reply);
  const routes = Map.groupBy(published, ([path]) => path.replace(/^(\/[^/]+\/).+/, '$1*'));
  for (const [route, all] of routes) {
    const answers = new Map(
      all.map(([path, what]) => [basePath + path, 'to' in what ? leadOn(what.to) : answerWith(site, what)]),
    );
    serveReads(
      app,
      basePath + route,
      (request, reply) => {
        const path = decodeURIComponent(request.url.split('?', 1)[0] ?? '');
        const answer = answers.get(path);
        if (answer) return answer(request, reply);
        return answers.has(`${path}/`) ? leadToSlash(request, reply) : reply.callNotFound();
      },
      { paths: [...answers.keys()] },
    );
  }
}

function answerWith(
  site: Site,
  { type, read, contentSecurityPolicy = nothingAllowed, isForReader, isImmutable, server }: Published,
) {
  const compressed = new Map<string, ReturnType<typeof make>>();

  async function make(coding: Coding, reader: Partial<ReaderSettings>) {
    const plain = Buffer.from(await madeFor(reader, read));
    return { tag: tagOfBytes(plain, coding), bytes: await encode(plain, coding) };
  }

  function kept(coding: Coding, reader: Pick<ReaderSettings, 'language' | 'theme'>) {
    const key = `${coding} ${reader.language.tag} ${reader.theme}`;
    const making = compressed.get(key) ?? make(coding, reader);
    compressed.set(key, making);
    // A failed attempt is not kept, because the next one may succeed.
    making.catch(() => compressed.delete(key));
    return making;
  }

  /**
   * Plain bytes are unpacked for the few clients that ask for them: the largest take megabytes, and to make some anew
   * takes long.
   */
  async function plainFor(reader: Pick<ReaderSettings, 'language' | 'theme'>) {
    const { bytes: packed } = await kept('gzip', reader);
    const bytes = await unpack(packed);
    return { tag: tagOfBytes(bytes, 'identity'), bytes };
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const coding = chooseCoding(request.headers['accept-encoding']);
    const reader = isForReader ? readerOf(site, request.headers) : everybody;
    const { tag, bytes } = await (coding === 'identity' ? plainFor(reader) : kept(coding, reader));
    reply.headers({
      ETag: tag,
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: `${isForReader ? 'Cookie, ' : ''}Accept-Encoding${isForReader ? ', Accept-Language' : ''}`,
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    });
    if (isForReader) reply.header('Content-Language', reader.language.tag);
    if (server) reply.header('Server', server);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    return reply.header('Content-Type', type).send(bytes);
  };
}
