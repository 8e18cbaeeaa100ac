/** The paths beside the interface: Fastify finds the page or the check of a path and runs it. It sees no other requests. */
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Exchange } from '../api/context.ts';
import { originForm } from '../api/match.ts';
import { sendHead } from '../api/send.ts';
import { AppError } from '../errors.ts';
import { headersLimit, targetLimit } from './protocol.ts';
import type { Refuse } from './refusal-pages.ts';

const pageMethods = ['GET', 'HEAD', 'POST'];

export interface PageRoutes {
  app: FastifyInstance;
  /** The exchange of a request that Fastify runs. */
  exchangeOf(request: IncomingMessage): Exchange;
  answer(exchange: Exchange): void;
}

function noSchemas(): never {
  throw new Error('a page has no schema');
}

/** Makes routes without any path; they answer once `app.ready()` has resolved. */
export function pageRoutes(
  refuse: Refuse,
  noteFailure: (error: unknown, exchange: Exchange) => void,
): PageRoutes {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (request: IncomingMessage) => exchanges.get(request) as Exchange;
  const app = Fastify({
    // No page has a schema. Without these Fastify loads its two compilers of schemas, which takes a tenth of a second.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Longer than any target gets: what is too long is refused before.
    routerOptions: { maxParamLength: 3 * (targetLimit + headersLimit) },
    rewriteUrl: ({ url = '' }) => readable(originForm(url)),
  });
  // No page takes a body, so none is parsed: an empty one of any type is fine.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler((error, { raw }, reply) => {
    reply.hijack();
    noteFailure(error, exchangeOf(raw));
    refuse(exchangeOf(raw), error);
  });
  app.setNotFoundHandler(({ raw }, reply) => {
    reply.hijack();
    answerWithoutPage(exchangeOf(raw));
  });

  /** Where no page has this path and method. */
  function answerWithoutPage(exchange: Exchange) {
    const { request, target } = exchange;
    const [path = ''] = readable(originForm(target)).split('?', 1);
    const methods = pageMethods.filter((method) => app.hasRoute({ method, url: path }));
    if (methods.length === 0) refuse(exchange, unknownPath(target));
    else answerOtherMethod(exchange, request.method, [...methods, 'OPTIONS'], refuse);
  }

  return {
    app,
    exchangeOf,
    answer: (exchange) => {
      const { id, request, response } = exchange;
      if (!pageMethods.includes(request.method ?? '')) {
        answerWithoutPage(exchange);
        return;
      }
      exchanges.set(request, exchange);
      response.setHeader('X-Request-Id', id);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      app.routing(request, response);
    },
  };
}

/** Answers OPTIONS, or a method that the path does not have. */
export function answerOtherMethod(
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
  const use = `${allow.slice(0, -1).join(', ')} or ${allow.at(-1)}`;
  refuse(exchange, new AppError('wrongMethod', `${method} is not served here; use ${use}.`));
}

/** The target as Fastify's router can read it: one whose path is no encoded UTF-8 keeps its text and is found nowhere. */
function readable(target: string): string {
  const [path = ''] = target.split('?', 1);
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function unknownPath(target: string): AppError {
  const [path = ''] = originForm(target).split('?', 1);
  if (!isDecodable(path)) {
    return new AppError(
      'malformedPath',
      'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.',
    );
  }
  return new AppError(
    'unknownPath',
    `Nothing lives at ${JSON.stringify(path.slice(0, 100))}; the operations are listed at /docs/.`,
  );
}
