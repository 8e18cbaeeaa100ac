/** The whole server put together: protocol checks, the nine operations, the pages, and one shape for every refusal. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiContext, answer } from '../api/answer.ts';
import { useLog } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { apiVersion, type Operation, type OperationId, operationIds, operations } from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import type { Store } from '../store/open.ts';
import { pages } from '../web/pages.ts';
import { rateLimiter } from './limits.ts';
import { checkRequest, guardProtocol, headersLimit, refuseMalformed, targetLimit, timeouts } from './protocol.ts';
import { refusalOf } from './refusals.ts';

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
    routerOptions: { maxParamLength: targetLimit },
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
    frameworkErrors: (error, request, reply) => refuse(error, request, reply),
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

  // Bodies are refused by those who answer, so none is parsed: an empty one of any type is fine.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
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
    app.log.info({ reqId: id, ...(isNamed && { incomingId }), method, path, status: reply.statusCode, ms }, 'answered');
  });
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  for (const operationId of operationIds) routeOperation(app, basePath, operationId, api);
  pages(app, basePath, config.baseUrl);
  return app;
}

function routeOperation(app: FastifyInstance, basePath: string, operationId: OperationId, api: ApiContext): void {
  const { method, path }: Operation = operations[operationId];
  app.route<{ Params: { id?: string } }>({
    method: method === 'GET' ? ['GET', 'HEAD'] : [method],
    url: basePath + path.replace('{id}', ':id'),
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      reply.header('API-Version', apiVersion);
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

/** What the router has no route for: OPTIONS and wrong methods on known paths, and paths that lack their slash. */
function answerUnrouted(basePath: string, request: FastifyRequest, reply: FastifyReply): void {
  const [path = '', ...query] = request.url.split('?');
  const known = operationIds.map((id): Operation => operations[id]).find((operation) => matches(operation, path));
  const slashed = operationIds
    .map((id): Operation => operations[id])
    .find((operation) => operation.method === 'GET' && matches(operation, `${path}/`));
  const operation = known ?? slashed;
  if (!operation) return;
  const allow = operation.method === 'GET' ? 'GET, HEAD, OPTIONS' : `${operation.method}, OPTIONS`;
  reply.header('API-Version', apiVersion).header('Allow', allow);
  if (request.method === 'OPTIONS') {
    reply.code(204).send();
  } else if (slashed && !known && (request.method === 'GET' || request.method === 'HEAD')) {
    reply.removeHeader('Allow');
    reply.code(308).header('Location', [`${path}/`, ...query].join('?')).send();
  } else {
    throw new AppError('wrongMethod', `${request.method} is not served here; use ${allow.replace(/, (\w+)$/, ' or $1')}.`);
  }

  function matches({ path: pattern }: Operation, text: string): boolean {
    const [before = '', after] = `${basePath}${pattern}`.split('{id}');
    if (after === undefined) return text === before;
    const id = text.slice(before.length, text.length - after.length);
    return text.startsWith(before) && text.endsWith(after) && id !== '' && !id.includes('/') && text.length > before.length + after.length;
  }
}

function unknownPath(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0] ?? '';
  return new AppError(
    'unknownPath',
    `Nothing lives at ${JSON.stringify(path.slice(0, 100))}; the operations are listed at /docs/.`,
  );
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body, isFault } = refusalOf(error);
  if (isFault) request.log.error({ err: error, reqId: request.id }, 'fault');
  reply.removeHeader('Content-Encoding');
  // A refusal is told in JSON, and nobody keeps it.
  reply.removeHeader('ETag').removeHeader('Cache-Control').removeHeader('Vary');
  reply
    .code(status)
    .headers({ ...headers, 'X-Request-Id': request.id, 'Content-Type': 'application/json; charset=utf-8' })
    .send(JSON.stringify(body));
}

/** Whether the request says that a body follows (RFC 9112 §6). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the announced body has any bytes: a chunked one may be empty. Reads no further than the first. */
async function bodyArrives(request: IncomingMessage): Promise<boolean> {
  if (request.headers['transfer-encoding'] === undefined) return true;
  for await (const chunk of request) if ((chunk as Buffer).length > 0) return true;
  return false;
}
