/** The whole server put together: connections, protocol checks, the nine operations, the pages, and one shape for every refusal. */
import { createServer, type IncomingMessage, type ServerOptions } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Api } from '../api/context.ts';
import type { Exchange } from '../api/exchange.ts';
import { keptAnswers } from '../api/kept-answers.ts';
import { type Aside, matcher, versionHeader } from '../api/match.ts';
import { answer } from '../api/pipeline.ts';
import { refuse, sendHead } from '../api/send.ts';
import { bodies } from '../api/shared-bodies.ts';
import { guardOf } from '../auth/guard.ts';
import type { Allowance } from '../auth/limits.ts';
import type { Config } from '../config.ts';
import { AppError, endsConnection, refusalOf } from '../errors.ts';
import { backupFolder } from '../store/backup-folder.ts';
import type { Store } from '../store/store.ts';
import { pages } from '../web/pages.ts';
import { accessLog, loggableError, type RefusalLine } from './access-log.ts';
import { clientFinder } from './client-address.ts';
import { connectionLimit } from './connection-limit.ts';
import { answerOneAtATime, type Connections, cutOff, endAfter } from './connections.ts';
import { hasBody } from './heads.ts';
import { healthRoutes } from './health.ts';
import { headersLimit, targetLimit } from './oversize.ts';
import {
  checkRequest,
  guardProtocol,
  refuseMalformed,
  serverMethods,
  type Timeouts,
  timeouts as usualTimeouts,
} from './protocol.ts';
import { type Refuse, refuserFor } from './refusal-pages.ts';
import { type Counts, countAnswers, countFailure, countUnread } from './request-counts.ts';
import { originForm, readable, unknownPath } from './targets.ts';

/** Node's own limits; what it lets through is checked in protocol.ts. */
const serverOptions = ({ headersMs, requestMs, idleMs }: Timeouts): ServerOptions => ({
  keepAliveTimeout: idleMs,
  keepAliveTimeoutBuffer: 0,
  requestTimeout: requestMs,
  headersTimeout: headersMs,
  connectionsCheckingInterval: 1000,
  // The request line counts too; each part has a limit of its own.
  maxHeaderSize: targetLimit + headersLimit,
  // How much of an unread answer, and of what was sent ahead, waits on each connection.
  highWaterMark: 16 * 1024,
  requireHostHeader: false,
  // Requests without a body are no streams, which saves a tenth of a short answer.
  optimizeEmptyRequests: true,
});

/** What pages are asked with; Fastify sees nothing else. */
const pageMethods = ['GET', 'HEAD', 'POST'];
/** How often last-used dates of tokens are written down. */
const flushUsesMs = 10_000;

/** What the server is given beside its settings and its store. */
export interface Parts {
  log: FastifyBaseLogger;
  /** Counts a request against its token. */
  limit(tokenId: bigint): Allowance;
  /** Counts a request without a good token against its address, and says whether the limit allows it. */
  allowsStranger(address: string): boolean;
  /** Where its figures are counted; undefined: nowhere. */
  counts: Counts | undefined;
  /** Shorter ones let a test see in seconds what takes a client a quarter of a minute. */
  timeouts?: Timeouts;
}

type ToPages = (request: IncomingMessage, response: Exchange['response']) => void;

export interface GardenServer {
  app: FastifyInstance;
  connections: Connections;
}

/** The server, not listening yet. Closing it writes down what is left; the store stays open. */
export function buildServer(
  config: Config,
  store: Store,
  { log, limit, allowsStranger, counts, timeouts = usualTimeouts }: Parts,
): GardenServer {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const match = matcher(basePath);
  const refuseOutside = refuserFor({ basePath, baseUrl: config.baseUrl });
  const clientOf = clientFinder(config.trustedProxies);
  /** The exchanges that pages answer, by their requests. */
  const onPages = new WeakMap<IncomingMessage, Exchange>();
  const maxConnections = connectionLimit();
  let connections: Connections | undefined;

  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => onPages.get(request as IncomingMessage)?.id ?? '',
    // Longer than any target gets: what is too long is refused before.
    routerOptions: { maxParamLength: 3 * (targetLimit + headersLimit) },
    rewriteUrl: ({ url = '' }) => readable(originForm(url)),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error: unknown, socket) => refuseMalformed(error as Error, socket, noteRefusal),
    serverFactory: (toPages) => {
      const server = createServer(serverOptions(timeouts));
      // Otherwise Node drops the lines beyond a thousand in silence, and with them what frames the body.
      server.maxHeadersCount = 0;
      server.timeout = timeouts.idleMs;
      // What comes above it is closed at once, in a worker too; without the second line another worker would be asked.
      server.maxConnections = maxConnections;
      Object.assign(server, { dropMaxConnection: true });
      connections = answerOneAtATime(server, {
        polled: () => store.polled?.(),
        begin: (exchange) => begin(exchange, toPages),
        end,
      });
      return server;
    },
  });
  app.server.once('listening', () => {
    log.info(`takes at most ${maxConnections} connections at once, by the limit of open files`);
    // Node tells here what accepting a connection failed for; the next one is tried anyway.
    app.server.on('error', (error) =>
      log.error({ err: loggableError(error) }, 'a connection was not accepted'),
    );
  });
  const logRefusal = (line: RefusalLine) => log.info(line, 'refused');
  const noteRefusal = counts ? countUnread(counts, logRefusal) : logRefusal;
  guardProtocol(app.server, noteRefusal);
  const logAnswer = accessLog(log, config.logLevel, clientOf);
  const noteAnswer = counts ? countAnswers(counts, basePath, logAnswer) : logAnswer;
  if (counts) counts.inFlight = () => connections?.underWay ?? 0;
  const api: Api = {
    store,
    baseUrl: config.baseUrl,
    guard: guardOf(store),
    limit,
    allowsStranger: (request) => allowsStranger(clientOf(request).address),
    kept: keptAnswers(),
    bodies: bodies(),
    noteFailure,
  };

  /** A fault while a fault is answered costs one connection, never the process. */
  function begin(exchange: Exchange, toPages: ToPages) {
    const abandon = (error: unknown) => {
      noteFailure(error, exchange);
      cutOff(exchange.request.socket);
    };
    try {
      route(exchange, toPages)?.catch(abandon);
    } catch (error) {
      abandon(error);
    }
  }

  function route(exchange: Exchange, toPages: ToPages): Promise<void> | undefined {
    const { request, response, target } = exchange;
    // What a body brings is dropped, and so the next request cannot be found behind it.
    if (hasBody(request)) endAfter(exchange);
    const found = match(request.method ?? '', originForm(target));
    try {
      checkRequest(request, target);
    } catch (error) {
      if (endsConnection(error)) endAfter(exchange);
      if (found) exchange.headers.push(...versionHeader);
      (found ? refuse : refuseOutside)(exchange, error);
      return undefined;
    }
    if (target === '*') sendHead(exchange, 204, ['Allow', serverMethods]);
    else if (found === undefined && !pageMethods.includes(request.method ?? '')) answerWithoutPage(exchange);
    else if (found === undefined) {
      onPages.set(request, exchange);
      response.setHeader('X-Request-Id', exchange.id);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      toPages(request, response);
    } else if ('kind' in found) answerAside(exchange, found, versionHeader, refuse);
    else return answer(api, exchange, found);
    return undefined;
  }

  /** Where no page has this path and method. */
  function answerWithoutPage(exchange: Exchange) {
    const { request, target } = exchange;
    const { method = '' } = request;
    const [path = ''] = readable(originForm(target)).split('?', 1);
    const methods = pageMethods.filter((one) => app.hasRoute({ method: one, url: path }));
    const kind = method === 'OPTIONS' ? 'options' : 'wrongMethod';
    if (methods.length === 0) refuseOutside(exchange, unknownPath(target));
    else answerAside(exchange, { kind, method, allow: [...methods, 'OPTIONS'] }, [], refuseOutside);
  }

  function end({ request, response, target, id, startedAt }: Exchange) {
    if (!response.headersSent) return;
    const ms = performance.now() - startedAt;
    noteAnswer(request, { id, target, status: response.statusCode, ms });
  }

  function noteFailure(error: unknown, { id }: { id: string }) {
    if (counts && error instanceof AppError && error.status === 503) countFailure(counts, error.code);
    if (refusalOf(error).isFault) log.error({ reqId: id, err: loggableError(error) }, 'fault');
  }

  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  const flush = setInterval(() => {
    api.guard.flushUses().catch((error) => log.warn({ err: error }, 'last-used dates not written'));
  }, flushUsesMs);
  app.addHook('onClose', async () => {
    clearInterval(flush);
    await api.guard.flushUses().catch((error) => log.warn({ err: error }, 'last-used dates not written'));
  });

  // No page takes a body, so none is parsed: an empty one of any type is fine.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    noteFailure(error, request);
    const exchange = onPages.get(request.raw);
    if (exchange) refuseOutside(exchange, error);
  });
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    const exchange = onPages.get(request.raw);
    if (exchange) answerWithoutPage(exchange);
  });
  pages(app, basePath, config.baseUrl);
  const { databaseUrl, backupDir, backupEveryMs: everyMs } = config;
  const backups = everyMs ? { folder: backupFolder(databaseUrl, backupDir), everyMs } : undefined;
  healthRoutes(app, basePath, { store, isStopping: () => isStopping, backups });
  if (!connections) throw new Error('the server was not made');
  return { app, connections };
}

/** Answers a request to a known path that is no request for what stands there. */
function answerAside(exchange: Exchange, aside: Aside, headers: readonly string[], refuseWith: Refuse): void {
  exchange.headers.push(...headers);
  if (aside.kind === 'redirect') {
    sendHead(exchange, 308, ['Location', aside.location, 'Content-Length', '0']);
    return;
  }
  const { kind, method, allow } = aside;
  exchange.headers.push('Allow', allow.join(', '));
  if (kind === 'options') {
    sendHead(exchange, 204, []);
    return;
  }
  const use = `${allow.slice(0, -1).join(', ')} or ${allow.at(-1)}`;
  refuseWith(exchange, new AppError('wrongMethod', `${method} is not served here; use ${use}.`));
}
