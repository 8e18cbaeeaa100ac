/** The whole server put together: protocol checks, the nine operations, the pages, and one shape for every refusal. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type ApiContext, answer } from '../api/answer.ts';
import { useLog } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import {
  apiVersion,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from '../contract/operations.ts';
import type { Store } from '../store/open.ts';
import { pages } from '../web/pages.ts';
import { rateLimiter } from './limits.ts';
import {
  checkRequest,
  guardProtocol,
  headersLimit,
  refuseMalformed,
  targetLimit,
  timeouts,
} from './protocol.ts';
import { refusalOf } from './refusals.ts';
import { answerUnrouted, unknownPath } from './unrouted.ts';

/** How often last-used dates of tokens are written down. */
const flushUsesMs = 10_000;
const bodyLimit = 16 * 1024;

/** The server, not listening yet. Closing it writes down what is left; the store stays open. */
export function buildApp(config: Config, store: Store): FastifyInstance {
  const app = Fastify({
    logger: config.logLevel === 'silent' ? false : { level: config.logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit,
    // Longer than any target gets: what is too long is refused below, with the right status.
    routerOptions: { maxParamLength: targetLimit + headersLimit },
    keepAliveTimeout: timeouts.idleMs,
    requestTimeout: timeouts.requestMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      // The request line counts too; each part is checked on its own below.
      maxHeaderSize: targetLimit + headersLimit,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
    clientErrorHandler: (error: unknown, socket) => refuseMalformed(error as Error, socket),
    frameworkErrors: (error, request, reply) =>
      refuse(error, request, reply.header('API-Version', apiVersion)),
  });
  guardProtocol(app.server);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const api: ApiContext = {
    store,
    baseUrl: config.baseUrl,
    uses: useLog(store),
    limit: rateLimiter(config.rateLimit),
  };
  const flush = setInterval(() => {
    api.uses.flush().catch((error) => app.log.warn({ err: error }, 'last-used dates not written'));
  }, flushUsesMs);
  app.addHook('onClose', async () => {
    clearInterval(flush);
    await api.uses.flush().catch((error) => app.log.warn({ err: error }, 'last-used dates not written'));
  });

  const operationUrls = new Set(operationIds.map((id) => routeUrl(basePath, operations[id].path)));

  // Bodies are refused by those who answer, so none is parsed: an empty one of any type is fine.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (operationUrls.has(request.routeOptions.url ?? '')) reply.header('API-Version', apiVersion);
    if (hasBody(request.raw)) reply.header('Connection', 'close');
    checkRequest(request.raw);
    if (request.is404) answerUnrouted(basePath, request, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0];
    const { method, id } = request;
    const incomingId = request.headers['x-request-id'];
    const ms = Math.round(reply.elapsedTime);
    const isNamed = typeof incomingId === 'string' && /^[\w.-]{1,64}$/.test(incomingId);
    app.log.info(
      { reqId: id, ...(isNamed && { incomingId }), method, path, status: reply.statusCode, ms },
      'answered',
    );
  });
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  for (const operationId of operationIds) routeOperation(app, basePath, operationId, api);
  pages(app, basePath, config.baseUrl);
  return app;
}

/** A path of the contract as the router spells it. */
function routeUrl(basePath: string, path: string): string {
  return basePath + path.replace('{id}', ':id');
}

function routeOperation(
  app: FastifyInstance,
  basePath: string,
  operationId: OperationId,
  api: ApiContext,
): void {
  const { method, path }: Operation = operations[operationId];
  app.route<{ Params: { id?: string } }>({
    method: method === 'GET' ? ['GET', 'HEAD'] : [method],
    url: routeUrl(basePath, path),
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { id } = request.params;
      if (id === '') throw unknownPath(request);
      const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? [];
      const { status, body } = await answer(api, {
        operationId,
        id,
        query,
        headers: request.headers,
        hasBody: hasBody(request.raw) && (await bodyArrives(request.raw)),
        setHeader: (name, value) => reply.header(name, value),
      });
      reply.code(status);
      if (request.method !== 'HEAD' || body === undefined || Buffer.isBuffer(body)) return reply.send(body);
      body.destroy();
      return reply.send();
    },
  });
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body, isFault } = refusalOf(error);
  if (isFault) request.log.error({ err: error, reqId: request.id }, 'fault');
  // A refusal is told in JSON, and nobody keeps it.
  for (const name of ['Content-Encoding', 'ETag', 'Vary', 'Link', 'X-Total-Count']) reply.removeHeader(name);
  reply
    .code(status)
    .headers({
      ...headers,
      'X-Request-Id': request.id,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    })
    .send(JSON.stringify(body));
}

/** Whether the request says that a body follows (RFC 9112 §6). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the announced body has any bytes: a chunked one may be empty. Waits no longer than for the first. */
async function bodyArrives(request: IncomingMessage): Promise<boolean> {
  if (request.headers['transfer-encoding'] === undefined) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  request.once('data', () => resolve(true));
  request.once('end', () => resolve(false));
  request.once('close', () => resolve(true));
  return promise;
}
