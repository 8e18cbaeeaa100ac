/** Serves the pages; sessions, anti-forgery, queueing and caching are decided here for all routes. */

import { once } from 'node:events';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../auth/rate-limits.ts';
import { sealingBy } from '../../auth/sealing.ts';
import { secretDigest } from '../../auth/tokens.ts';
import { AppError, localizedError } from '../../errors.ts';
import { setZone } from '../../practice/activity.ts';
import { canonicalZone, type Days, daysOf } from '../../practice/days.ts';
import { dayRuleOf } from '../../practice/preferences.ts';
import { fold } from '../../store/case-folding.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import { listRunningUploads } from '../../store/uploads.ts';
import type { Language } from '../../words/catalogue.ts';
import { html } from '../markup.ts';
import { signInPath } from '../paths.ts';
import { withViewer } from '../words/viewer.ts';
import {
  bodyParserError,
  type FormKey,
  foreignForm,
  formKeyOf,
  hasEarlierToken,
  hasValidToken,
  tokenField,
} from './anti-forgery.ts';
import { cookiesOf, languageIn, viewerOf } from './cookies.ts';
import { localPath, readParts, type UploadedFile } from './fields.ts';
import { sendFile, sendHtml, sendPicture, setHeaders } from './responses.ts';
import { isLocal, type Site, type Website } from './site.ts';
import { endsWithSlash, redirectToSlash } from './static-routes.ts';
import { visitorOf } from './visitor.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound, type Visit } from './visits.ts';

/* One client's further pages and files wait, so that they do not delay those of others. */

const pagesAtMost = 2;
const downloadsAtMost = 1;
/** Without a bound, hundreds of abandoned connections would keep the server rendering for minutes. */
const waitingAtMost = 200;
/** A form that waits this long for a judge, or a visitor for a provider, no longer delays the client's next page. */
const slowMs = 250;

interface ClientQueue {
  running: number;
  waiting: (() => void)[];
}

/** Throws tooManyRequests. `work` gets whether the request has waited in the queue. */
function concurrencyLimit(
  concurrentAtMost: number,
): <T>(turn: { name: string; mayEndEarly: boolean }, work: (hasWaited: boolean) => Promise<T>) => Promise<T> {
  const queues = new Map<string, ClientQueue>();
  return async ({ name, mayEndEarly }, work) => {
    const queue = queues.get(name) ?? { running: 0, waiting: [] };
    queues.set(name, queue);
    const mustWait = queue.running >= concurrentAtMost;
    if (queue.waiting.length >= waitingAtMost) throw localizedError('tooManyRequests.pages');
    if (mustWait) await new Promise<void>((begin) => queue.waiting.push(begin));
    else queue.running++;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // Rendering often blocks the event loop, so requests that arrived meanwhile are answered first.
      setImmediate(() => {
        const next = queue.waiting.shift();
        if (next) next();
        else if (--queue.running === 0) queues.delete(name);
      });
    };
    const timer = mayEndEarly ? setTimeout(end, slowMs) : undefined;
    try {
      return await work(mustWait);
    } finally {
      end();
    }
  };
}

/** The longest note fits, each character as nine bytes of percent-encoding. */
const usualFormBytes = 640 * 1024;
/** Pages have forms of a thousand fields; parsing 300,000 would block the event loop for seconds. */
const fieldsAtMost = 10_000;

interface PageContext {
  website: Website;
  cookies: ReturnType<typeof cookiesOf>;
  limitPages: ReturnType<typeof concurrencyLimit>;
  limitDownloads: ReturnType<typeof concurrencyLimit>;
}

interface GuardedRoute<V extends Visit> {
  route: PageRoute<V>;
  /** The visit, or the redirect of a visitor who may not see the page. */
  guard(visit: Visit): V | PageResult;
  isHidden?: boolean;
  isForEveryone?: boolean;
}

type Handler<V> = (visit: V, file?: UploadedFile) => Promise<PageResult>;

interface PageRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  visit: Visit;
  form: FormKey;
}

export function serveWebsite(
  app: FastifyInstance,
  website: Website,
  routes: {
    everyone: readonly PageRoute[];
    member: readonly PageRoute<MemberVisit>[];
    staff: readonly PageRoute<MemberVisit>[];
  },
): void {
  const { basePath } = website.site;
  const context: PageContext = {
    website,
    cookies: cookiesOf(website.site),
    limitPages: concurrencyLimit(pagesAtMost),
    limitDownloads: concurrencyLimit(downloadsAtMost),
  };

  app.register(async (pages) => {
    await pages.register(cookie);
    await pages.register(formbody, {
      parser: (text) =>
        (text.split('&', fieldsAtMost + 1).length > fieldsAtMost ? undefined : new URLSearchParams(text)) as never,
    });
    await pages.register(multipart);
    pages.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, { routeOptions }) => {
      const isBusy = error instanceof AppError && error.code === 'databaseBusy';
      if (isBusy && (await listRunningUploads(website.store.reader)).length > 0)
        throw localizedError('databaseBusy.importing', {}, error);
      throw bodyParserError(error, routeOptions.bodyLimit);
    });

    function serve<V extends Visit>(guarded: GuardedRoute<V>): void {
      const { path, get: showPage, post: changeData, usesUpItsLink } = guarded.route;
      const config = { isHidden: guarded.isHidden ?? false };
      const url = basePath + path;
      const run = (work: Handler<V>) => (request: FastifyRequest, reply: FastifyReply) =>
        handleInQueue(context, request, reply, guarded.route.isDownload ?? false, (pageRequest) =>
          handle(context, guarded, work, pageRequest),
        );
      const reads = usesUpItsLink ? ['GET'] : ['GET', 'HEAD'];
      if (showPage) pages.route({ method: reads, url, config, handler: run(showPage) });
      const { formBytesAtMost: bodyLimit = usualFormBytes } = guarded.route;
      if (changeData) pages.route({ method: 'POST', url, config, bodyLimit, handler: run(changeData) });
    }

    for (const route of routes.everyone) serve({ route, guard: (visit) => visit, isForEveryone: true });
    for (const route of routes.member) serve({ route, guard: requireMember });
    for (const route of routes.staff) serve({ route, guard: requireStaff, isHidden: true });
  });
}

async function visitOf(
  { website, cookies }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageRequest> {
  const { site, store } = website;
  const client = {
    browser: request.headers['user-agent'] ?? '',
    network: networkOf(website.addressOf(request.raw)),
    device: cookies.read(request, 'device'),
  };
  const visitor = await visitorOf(website, cookies, request, reply, client);
  const { session, byProxy: proxyIdentity } = visitor;
  const zone = await newZone(website, request, visitor.member);
  const member = zone === undefined ? visitor.member : visitor.member && { ...visitor.member, time_zone: zone };
  if (zone !== undefined) cookies.setChoice(reply, 'zone', newZoneMark);
  const form = formKeyOf(session, cookies.read(request, 'form'));
  // A demo's member is shared by all its visitors.
  const memberLanguage = website.isDemo ? undefined : (member?.language ?? undefined);
  // Pages without a session, such as guides, read the cookie.
  if (memberLanguage !== undefined && memberLanguage !== languageIn(request.headers.cookie))
    cookies.setChoice(reply, 'language', memberLanguage);
  const { language, theme } = viewerOf(site, request.headers, memberLanguage);
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const visit: Visit = {
    website,
    site,
    store,
    member,
    previousPath: previousPathOf(site, request.headers.referer),
    days: daysOfVisit(member, language),
    hasNewZone: zone !== undefined || (member !== undefined && request.cookies['zone'] === newZoneMark),
    language,
    theme,
    path: path.slice(site.basePath.length),
    query: queryOf(query),
    params: request.params as Record<string, string>,
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    client,
    leftProvider: cookies.read(request, 'left'),
    proxyIdentity,
    isLocal: isLocal(request.raw, site.baseUrl),
    host: request.raw.headers.host,
    browserHashes: (attempt) =>
      [form.secret, form.earlierSecret ?? form.secret].map((one) => secretDigest(`visit ${one} ${attempt}`)),
    sealing: sealingBy(form.secret),
    antiForgery: html`<input type="hidden" name="${tokenField}" value="${form.token}">`,
    signal: signalOf(reply),
    readFlash: () => {
      if (request.method === 'HEAD') return undefined;
      const flash = cookies.read(request, 'once');
      if (flash !== undefined) cookies.clear(reply, 'once');
      return flash;
    },
  };
  return { request, reply, visit, form };
}

/** Stands for the zone in the cookie until a page has said that it was taken. */
const newZoneMark = 'new';

/** The browser's zone for a member whom somebody else made, such as staff or a provider. */
async function newZone({ store, isDemo }: Website, { method, cookies }: FastifyRequest, member?: SignedInRow) {
  const zone = canonicalZone(cookies['zone'] ?? '');
  if (!member || member.time_zone !== null || zone === undefined || method !== 'GET' || isDemo) return undefined;
  try {
    await setZone(store, member.user_id, zone);
  } catch (error) {
    // Pages stay readable while nothing can be written.
    if (!(error instanceof AppError) || error.status !== 503) throw error;
    return undefined;
  }
  return zone;
}

/** Keyboards of phones type ’ for an apostrophe, and some systems send a letter and its accent apart. */
function queryOf(text: string): URLSearchParams {
  const query = new URLSearchParams(text);
  const q = query.get('q') ?? '';
  const plain = q.normalize('NFC').replaceAll(/[‘’]/g, "'");
  if (plain !== q) query.set('q', plain);
  return query;
}

/** A visitor's weeks begin as is usual where their language is spoken. */
function daysOfVisit(member: SignedInRow | undefined, { tag }: Language): Days {
  if (!member) return daysOf(dayRuleOf(undefined, undefined, undefined, tag));
  return daysOf(dayRuleOf(member.time_zone, member.day_start, member.week_start, member.language));
}

/** Our pages send the whole Referer to their own garden alone; the path of another site does no harm. */
function previousPathOf(site: Site, referer = ''): string {
  const { pathname = '/', search = '' } = URL.parse(referer) ?? {};
  return localPath(site, pathname + search);
}

async function send(
  { website, cookies }: PageContext,
  { request, reply, visit, form }: PageRequest,
  answer: PageResult,
  isCacheable: boolean,
): Promise<FastifyReply> {
  setHeaders(reply, isCacheable, 'html' in answer ? answer.connectsTo : undefined);
  if ('leftProvider' in answer) {
    if (answer.leftProvider) cookies.set(reply, 'left', answer.leftProvider);
    else if (cookies.read(request, 'left') !== undefined) cookies.clear(reply, 'left');
  }
  if ('to' in answer) {
    const { to, isPermanent, session, flash, language } = answer;
    if (flash !== undefined) cookies.set(reply, 'once', flash);
    if (language !== undefined) cookies.setChoice(reply, 'language', language);
    if ('theme' in answer) cookies.setChoice(reply, 'theme', answer.theme);
    if (session === null) cookies.clear(reply, 'session');
    else if (session) {
      cookies.set(reply, 'session', session.session);
      if (session.device) cookies.set(reply, 'device', session.device);
    }
    return reply.redirect(website.site.basePath + to, isPermanent ? 308 : 303);
  }
  if ('file' in answer) return sendFile(reply, answer);
  if ('picture' in answer) return sendPicture(request, reply, answer.picture);
  const text = String(await answer.html);
  if (visit.hasNewZone) cookies.setChoice(reply, 'zone', undefined);
  const hasForm = text.includes(form.token);
  if (hasForm && form.isNew) cookies.set(reply, 'form', form.secret);
  const { status = 200, refreshSeconds, goesTo } = answer;
  if (refreshSeconds !== undefined) reply.header('Refresh', String(refreshSeconds));
  // Our policy (form-action) keeps a form's redirect from leading to another site.
  if (goesTo !== undefined) reply.header('Refresh', `0; url=${goesTo}`);
  return sendHtml(request, reply, {
    text,
    status,
    isCacheable: isCacheable && status === 200,
    form: hasForm ? form : undefined,
  });
}

/** The turn of a download ends when the client has it or has left, and so does the work. */
async function handleInQueue(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  isDownload: boolean,
  answer: (pageRequest: PageRequest) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const pageRequest = await visitOf(context, request, reply);
  const { member, client, signal } = pageRequest.visit;
  const name = member ? `member ${member.user_id}` : `network ${client.network}`;
  const mayEndEarly = !isDownload && (!member || request.method === 'POST');
  const limit = isDownload ? context.limitDownloads : context.limitPages;
  return limit({ name, mayEndEarly }, async (hasWaited) => {
    if (hasWaited && request.raw.socket.destroyed) return reply.hijack();
    try {
      // The session may have ended while the request waited.
      const sent = await answer(hasWaited ? await visitOf(context, request, reply) : pageRequest);
      if (isDownload && !reply.raw.closed) await once(reply.raw, 'close');
      return sent;
    } catch (error) {
      if (isDownload && signal.aborted) return reply.hijack();
      throw error;
    }
  });
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => raw.writableFinished || controller.abort());
  return controller.signal;
}

async function handle<V extends Visit>(
  context: PageContext,
  { route, guard, isHidden = false, isForEveryone = false }: GuardedRoute<V>,
  work: Handler<V>,
  pageRequest: PageRequest,
): Promise<FastifyReply> {
  const { website } = context;
  const { request, reply, visit, form } = pageRequest;
  const { isUncached = false, dropsEmptyFields = false, takesFile = false } = route;
  const isForm = request.method === 'POST';
  // Checked first, so that a hidden page's redirect to the slash reveals nothing.
  const guardResult = guard(visit);
  if (isHidden && !endsWithSlash(request.url)) return redirectToSlash(request, reply);
  try {
    let file: UploadedFile | undefined;
    if (takesFile && 'website' in guardResult && request.isMultipart()) {
      website.extendTimeout(request.raw);
      ({ form: visit.form, file } = await readParts(request));
    }
    // The form of a visitor who must sign in first changes nothing, so it needs no token.
    if (isForm && 'website' in guardResult && !hasValidToken(visit.form, form)) {
      if (!isForEveryone || !hasEarlierToken(visit.form, form)) throw foreignForm(request, website.site.baseUrl);
      if (visit.member && !namesOtherMember(visit, visit.member)) {
        const then = visit.form.get('then');
        const to = then === null && !route.get ? visit.previousPath : localPath(website.site, then ?? visit.path);
        return send(context, pageRequest, { to }, false);
      }
    }
    const isCacheable = !isUncached && !isForm;
    const query = dropsEmptyFields && !isForm ? withoutEmpty(request.url) : undefined;
    if (query !== undefined && 'website' in guardResult)
      return send(context, pageRequest, { to: visit.path + query }, isCacheable);
    const { days, language, theme } = visit;
    reply.header('Content-Language', language.tag);
    return await withViewer({ days, language, theme }, async () => {
      if ('website' in guardResult) return send(context, pageRequest, await work(guardResult, file), isCacheable);
      // The page of the form, which comes back after signing in, may have another address than the form.
      const isOfOtherPage = isForm && (!route.get || request.headers.referer !== undefined);
      return send(
        context,
        pageRequest,
        isOfOtherPage ? redirectToSignIn(visit.previousPath) : guardResult,
        isCacheable,
      );
    });
  } finally {
    // A refused file is read to its end and dropped.
    if (request.isMultipart()) request.raw.unpipe().resume();
  }
}

/** Somebody else may sign in on a page from before the member did. */
const namesOtherMember = ({ path, form }: Visit, { username }: SignedInRow): boolean =>
  path === signInPath && fold(form.get('username')?.trim().normalize('NFC') ?? '') !== fold(username);

function withoutEmpty(address: string): string | undefined {
  const [, query = ''] = address.split(/\?(.*)/s);
  const pairs = query.split('&');
  const filled = pairs.filter((pair) => /=./s.test(pair));
  if (query === '' || filled.length === pairs.length) return undefined;
  return filled.length === 0 ? '' : `?${filled.join('&')}`;
}

/** For other members a page of staff does not exist. */
function requireStaff(visit: Visit): MemberVisit | PageResult {
  if (visit.member && visit.member.role !== 'staff') throw pageNotFound(visit.path);
  return requireMember(visit);
}

/** Percent-encoding triples it; servers refuse longer addresses, such as one with a shared text. */
const thenCharactersAtMost = 6000;

function requireMember(visit: Visit): MemberVisit | PageResult {
  if (visit.member) return visit as MemberVisit;
  const { path, query } = visit;
  return redirectToSignIn(`${path}${query.size > 0 ? `?${query}` : ''}`);
}

function redirectToSignIn(address: string): PageResult {
  const then = encodeURIComponent(address);
  const [path = ''] = address.split('?', 1);
  return { to: `${signInPath}?then=${then.length > thenCharactersAtMost ? encodeURIComponent(path) : then}` };
}
