/** The whole server put together: protocol checks, the nine operations, the pages, and one shape for every refusal. */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type ApiContext, answer } from '../api/answer.ts';
import { bodies } from '../api/collections.ts';
import { plainDeletions } from '../api/deletions.ts';
import { guardOf } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import { useLog } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import {
  apiVersion,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import { backupFolder } from '../store/backup-folder.ts';
import type { Store } from '../store/open.ts';
import { pages } from '../web/pages.ts';
import { clientTeller } from './clients.ts';
import { type Counts, countAnswers, countFailure, countUnread } from './counting.ts';
import { departing } from './departures.ts';
import { healthRoutes } from './health.ts';
import { answerTeller, loggableError, type RefusalLine } from './logging.ts';
import { headersLimit, targetLimit } from './overflow.ts';
import { answerOneAtATime } from './pipelining.ts';
import {
  bodyArrives,
  checkRequest,
  endAfter,
  guardProtocol,
  hasBody,
  isEnding,
  refuseMalformed,
  timeouts,
} from './protocol.ts';
import { type ReadyAnswers, readyAnswers } from './ready.ts';
import { refusalOf } from './refusals.ts';
import { answerUnrouted, routable, unknownPath } from './unrouted.ts';

/** How often last-used dates of tokens are written down. */
const flushUsesMs = 10_000;
const bodyLimit = 16 * 1024;

/** What the server is given beside its settings and its store. */
export interface Parts {
  /** Counts a request against its token. */
  limit(tokenId: bigint): Allowance;
  /** Where its figures are counted; undefined: nowhere. */
  counts: Counts | undefined;
}

/** The server, not listening yet. Closing it writes down what is left; the store stays open. */
export function buildApp(config: Config, store: Store, { limit, counts }: Parts): FastifyInstance {
  const app = Fastify({
    logger: config.logLevel === 'silent' ? false : { level: config.logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit,
    // Longer than any target gets: what is too long is refused below, with the right status.
    routerOptions: { maxParamLength: 3 * (targetLimit + headersLimit) },
    rewriteUrl: ({ url = '' }) => routable(url),
    keepAliveTimeout: timeouts.idleMs,
    // Also for a connection that says nothing at all, and for an answer that nobody takes.
    connectionTimeout: timeouts.idleMs,
    requestTimeout: timeouts.requestMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      // The request line counts too; each part is checked on its own below.
      maxHeaderSize: targetLimit + headersLimit,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeoutBuffer: 0,
      // How much of an unread answer, and of what was sent ahead, waits on each connection.
      highWaterMark: 16 * 1024,
      requireHostHeader: false,
    },
    clientErrorHandler: (error: unknown, socket) => refuseMalformed(error as Error, socket, tell),
    frameworkErrors: (error, request, reply) => {
      reply.header('API-Version', apiVersion);
      try {
        checkRequest(request.raw, request.originalUrl);
        refuse(error, request, reply);
      } catch (refusal) {
        refuse(refusal, request, reply);
      }
    },
  });
  const log = (line: RefusalLine) => app.log.info(line, 'refused');
  const tell = counts ? countUnread(counts, log) : log;
  guardProtocol(app.server, tell);
  const connections = answerOneAtATime(app.server);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const api: ApiContext = {
    store,
    baseUrl: config.baseUrl,
    uses: useLog(store),
    guard: guardOf(store),
    limit,
    bodies: bodies(),
  };
  const logAnswer = answerTeller(app.log, config.logLevel, clientTeller(config.trustedProxies));
  const tellAnswer = counts ? countAnswers(counts, basePath, logAnswer) : logAnswer;
  if (counts) counts.inFlight = () => connections.underWay;
  let isStopping = false;
  const ready = readyAnswers({
    ...api,
    headers: ['x-content-type-options', 'nosniff', 'api-version', apiVersion],
    tellAnswer,
    deletionAt: plainDeletions(store, basePath),
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    ready.stepAside();
  });
  ready.standBefore(app.server, connections);
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
    if (isEnding(request.raw)) {
      reply.hijack();
      return;
    }
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (operationUrls.has(request.routeOptions.url ?? '')) {
      reply.header('API-Version', apiVersion);
      // It would be refused where it is malformed, but it tells of nothing: an empty body of any type is fine.
      delete request.raw.headers['content-type'];
    }
    if (hasBody(request.raw)) {
      reply.header('Connection', 'close');
      endAfter(request.raw);
    }
    checkRequest(request.raw, request.originalUrl);
    if (request.is404) answerUnrouted(basePath, request, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { id, originalUrl, raw } = request;
    const ms = performance.now() - (ready.begunFor(raw)?.since ?? performance.now() - reply.elapsedTime);
    tellAnswer(raw, { id, target: originalUrl, status: reply.statusCode, ms });
  });
  app.setErrorHandler((error, request, reply) => {
    if (counts && error instanceof AppError && error.status === 503) countFailure(counts, error.code);
    refuse(error, request, reply);
  });
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  for (const operationId of operationIds) routeOperation(app, basePath, operationId, api, ready);
  pages(app, basePath, config.baseUrl);
  const { databaseUrl, backupDir, backupEveryMs: everyMs } = config;
  const backups = everyMs ? { folder: backupFolder(databaseUrl, backupDir), everyMs } : undefined;
  healthRoutes(app, basePath, { store, isStopping: () => isStopping, backups });
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
  answers: ReadyAnswers,
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
      const departure = departing(request.raw, reply.raw);
      const answered = await answer(api, {
        operationId,
        id,
        query,
        headers: request.headers,
        hasBody: hasBody(request.raw) && (await bodyArrives(request.raw)),
        signal: () => departure.signal,
        begun: answers.begunFor(request.raw),
        tell: (headers) => setHeaders(reply, headers),
      }).catch(departure.forgive);
      if (!answered) return reply.hijack();
      const { status, headers, body, release, ready } = answered;
      if (ready) answers.keep(request.raw, ready);
      setHeaders(reply, headers);
      if (release) {
        if (reply.raw.closed) release();
        else reply.raw.once('close', release);
      }
      reply.code(status);
      if (request.method !== 'HEAD' || body === undefined || Buffer.isBuffer(body)) return reply.send(body);
      body.destroy();
      return reply.send();
    },
  });
}

/** Sets headers: names and values in turn. */
function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let place = 0; place < headers.length; place += 2) {
    reply.header(headers[place] as string, headers[place + 1]);
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body, isFault } = refusalOf(error);
  if (headers['Connection'] === 'close') endAfter(request.raw);
  if (isFault) request.log.error({ err: loggableError(error) }, 'fault');
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
