/** Builds the HTTP server from the API, the pages, the health checks and the log. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { answerCache } from '../api/answer-cache.ts';
import { refuse, sendHead } from '../api/answers.ts';
import { type Api, type Exchange, largeBodies } from '../api/context.ts';
import { matcher, versionHeader } from '../api/match.ts';
import { answer } from '../api/pipeline.ts';
import { entryThrottle } from '../auth/entry-throttle.ts';
import { type Allowance, networkLimiter } from '../auth/rate-limits.ts';
import { tokenGuard } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { AppError, refusalOf } from '../errors.ts';
import { createServer } from '../http/node-http.ts';
import { backupPlan, backupService } from '../jobs/backups.ts';
import type { EnqueueJob } from '../jobs/job-protocol.ts';
import type { Programs } from '../programs/context.ts';
import type { Store } from '../store/store.ts';
import { remoteHost, type Site } from '../web/request/site.ts';
import { pages } from '../web/routes.ts';
import { accessLog, loggableError, lowestLoggedStatus } from './access-log.ts';
import { clientFinder, proxyHeaderValues } from './client-address.ts';
import {
  connectionLimit,
  timeouts as defaultTimeouts,
  serverOptions,
  type Timeouts,
} from './connection-limits.ts';
import { answerOneAtATime, closeOrReset } from './connections.ts';
import { examine } from './doctor.ts';
import { databaseFault, healthRoutes } from './health.ts';
import type { ServerMetrics } from './metrics.ts';
import { answerWrongMethod, type PageRoutes, pageRoutes } from './page-routes.ts';
import { programRoute } from './program-routes.ts';
import { checkRequest, guardProtocol, serverMethods } from './protocol.ts';

const flushIntervalMs = 10_000;

export interface ServerParts {
  log: Logger;
  limitRequests(tokenId: bigint): Allowance;
  metrics: ServerMetrics | undefined;
  enqueueJob: EnqueueJob;
  timeouts?: Timeouts;
}

export type GardenServer = Awaited<ReturnType<typeof buildServer>>;

function makeServer(timeouts: Timeouts, log: Logger): Server {
  const server = createServer(serverOptions(timeouts));
  // By default Node silently drops header lines beyond a thousand, also those that frame the body.
  server.maxHeadersCount = 0;
  server.timeout = timeouts.idleMs;
  // Without dropMaxConnection another worker would get the connection.
  server.maxConnections = connectionLimit();
  Object.assign(server, { dropMaxConnection: true });
  server.once('listening', () => {
    const { maxConnections } = server;
    log.info(
      { event: 'start' },
      `takes at most ${maxConnections} connections at once, by the limit of open files`,
    );
    // Node emits the error of a connection that it could not accept, and goes on.
    server.on('error', (error) => log.error({ err: loggableError(error) }, 'a connection was not accepted'));
  });
  return server;
}

export async function buildServer(
  config: Config,
  store: Store,
  { log, limitRequests, metrics, enqueueJob, timeouts = defaultTimeouts }: ServerParts,
) {
  const { baseUrl } = config;
  const site = { basePath: new URL(baseUrl).pathname.replace(/\/$/, ''), baseUrl, language: config.language };
  const { basePath } = site;
  const clientOf = clientFinder(config.trustedProxies);
  const logAnswer = accessLog(log, clientOf);
  const allowsUnauthenticatedFrom = networkLimiter(config.rateLimit);
  const api: Api = {
    store,
    baseUrl,
    isDemo: config.demo,
    guard: tokenGuard(store, 'pgt'),
    limitRequests,
    allowsUnauthenticated: (request) => allowsUnauthenticatedFrom(clientOf(request).address),
    cache: answerCache(),
    bodies: largeBodies(),
    reportFailure,
  };
  const matchRequest = matcher(basePath);
  const programs = forPrograms(api, config);
  const routePrograms = config.programs ? programRoute(programs, basePath) : undefined;
  const server = makeServer(timeouts, log);
  const openSockets = answerOneAtATime(server, {
    onPoll: () => store.startPoll?.(),
    onBegin: begin,
    onEnd: end,
  });
  refuseUnread(server, log, metrics);
  const backups = await backupPlan(config, store.reader);
  const pageRouter = pageRoutes(site, reportFailure);
  const website = servePages(config, store, pageRouter, { site, clientOf, log, enqueueJob });
  healthRoutes(pageRouter, basePath, { store, isStopping: () => !server.listening, backups });
  await pageRouter.app.ready();

  /** A fault during a refusal costs one connection, never the process. */
  function begin(exchange: Exchange) {
    metrics?.inFlight.inc();
    const abandon = (error: unknown) => {
      reportFailure(error, exchange);
      closeOrReset(exchange.request.socket);
    };
    try {
      (routePrograms?.(exchange) ?? route(api, matchRequest, pageRouter, exchange))?.catch(abandon);
    } catch (error) {
      abandon(error);
    }
  }

  function end(exchange: Exchange) {
    metrics?.inFlight.dec();
    const { response, operation, startedAt } = exchange;
    const isLogged = response.statusCode >= lowestLoggedStatus(log);
    if (!response.headersSent || !(metrics || isLogged)) return;
    const ms = performance.now() - startedAt;
    metrics?.count(operation, response.statusCode, ms);
    if (isLogged) logAnswer(exchange, ms);
  }

  function reportFailure(error: unknown, { id }: Exchange) {
    if (error instanceof AppError && error.status === 503) metrics?.storeErrors.inc({ error: error.code });
    logFailure(log, id, error);
  }

  const flush = () =>
    Promise.all([api, programs].map(({ guard }) => guard.flushUses())).catch((error) =>
      log.warn({ err: error }, 'last-used dates not written'),
    );
  const flushTimer = setInterval(flush, flushIntervalMs);
  const finish = async () => {
    clearInterval(flushTimer);
    website.end();
    await flush();
  };
  return { server, openSockets, finish };
}

function logFailure(log: Logger, reqId: string, error: unknown): void {
  if (refusalOf(error).isFault) log.error({ reqId, err: loggableError(error) }, 'fault');
  else if (error instanceof AppError && error.status === 503)
    log.warn({ reqId, error: error.number }, error.message);
}

function refuseUnread(server: Server, log: Logger, metrics: ServerMetrics | undefined): void {
  guardProtocol(server, (line) => {
    metrics?.count('unread', line.status);
    log.info(line, 'refused');
  });
}

function forPrograms(api: Api, { judgeUrls, addedPerDay, addedPerMember, programWrites }: Config): Programs {
  return Object.assign({}, api, {
    guard: tokenGuard(api.store, 'pgw'),
    judgeUrls,
    addLimits: { perDay: addedPerDay, total: addedPerMember },
    writesPerMinute: programWrites,
  });
}

type WebsiteParts = Pick<ServerParts, 'log' | 'enqueueJob'> & {
  site: Site;
  clientOf: ReturnType<typeof clientFinder>;
};

function servePages(
  config: Config,
  store: Store,
  pageRouter: PageRoutes,
  { site, clientOf, log, enqueueJob }: WebsiteParts,
) {
  return pages(pageRouter.app, {
    site,
    store,
    throttle: entryThrottle(store),
    addressOf: (request) => clientOf(request).address,
    trustHeader: config.trustHeader,
    proxyHeaderValues: proxyHeaderValues(config.trustedProxies, config.trustHeader),
    isDemo: config.demo,
    hasPrograms: config.programs,
    backups: backupService(config, store, enqueueJob, (fault) => log.error(fault)),
    enqueueJob,
    databaseUrl: config.databaseUrl,
    judgeUrls: config.judgeUrls,
    addLimits: { perDay: config.addedPerDay, total: config.addedPerMember },
    privateOrigins: config.privatePlaces ?? new Set(),
    syncsJudges: config.sync,
    onFault: (fault) => log.error({ fault }, 'an import or a run broke off'),
    extendTimeout: (request) => {
      pageRouter.exchangeOf(request).hasLongBody = true;
    },
    examine: async (host) => {
      const port = ['good', `this server listens on ${config.host}:${config.port}`] as const;
      const openedAt = remoteHost(host, config.baseUrl);
      return examine(config, { store, fault: await databaseFault(store), port, openedAt });
    },
  });
}

function route(
  api: Api,
  matchRequest: ReturnType<typeof matcher>,
  pageRouter: PageRoutes,
  exchange: Exchange,
): Promise<void> | undefined {
  const { request, response, target, headers } = exchange;
  const match = matchRequest(request.method ?? '', target);
  if (match) exchange.operation = match.operationId;
  try {
    checkRequest(request, target);
  } catch (error) {
    // It is uncertain where the next request begins.
    response.shouldKeepAlive = false;
    if (match) headers.push(...versionHeader);
    (match ? refuse : pageRouter.refuse)(exchange, error);
    return undefined;
  }
  if (match && !('kind' in match)) return answer(api, exchange, match);
  if (match) headers.push(...versionHeader);
  if (target === '*') sendHead(exchange, 204, ['Allow', serverMethods]);
  else if (match?.kind === 'redirect') {
    sendHead(exchange, 308, ['Location', match.location, 'Content-Length', '0']);
  } else if (match) answerWrongMethod(exchange, match.method, match.allow, refuse);
  else pageRouter.answer(exchange);
  return undefined;
}
