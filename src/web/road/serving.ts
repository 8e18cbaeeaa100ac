/**
 * The website's road: each page is a path, who may open it, what it shows and what its forms change. Sessions,
 * anti-forgery tokens, caching and compression are decided here, once for all pages.
 */

import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../auth/rate-limits.ts';
import { sealingBy } from '../../auth/sealing.ts';
import { secretDigest } from '../../auth/tokens.ts';
import { localizedError } from '../../errors.ts';
import { type Days, daysOf } from '../../practice/days.ts';
import { dayRuleOf } from '../../practice/preferences.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import type { Language } from '../../words/catalogue.ts';
import { html } from '../markup.ts';
import { signInPath } from '../paths.ts';
import { madeFor } from '../words/reader.ts';
import { type FormKey, foreignForm, formKeyOf, isOwnForm, refusalOfForm, tokenField } from './anti-forgery.ts';
import { cookiesOf, languageIn, readerOf } from './cookies.ts';
import { ownPath, readParts, type SentFile } from './fields.ts';
import { hasSlash, leadToSlash } from './publish.ts';
import { sendFile, sendHtml, sendPicture, setHeaders } from './sending.ts';
import { isLocal, type Site, type Website } from './site.ts';
import { visitorOf } from './visitor.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute, type Visit } from './visits.ts';

/* Pages take turns: a few pages of one member are made at once, and the rest wait behind those of others. */

const atOnce = 2;
/** Several hundred connections that ask and leave again would have pages made for minutes that nobody reads. */
const waitingAtMost = 200;
/** A page that waits for a judge or a disk this long keeps none of its asker's other pages waiting. */
const longestMs = 250;

interface ClientQueue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Answers a function that does the work in its asker's turn, and tells it whether it has waited. It throws
 * tooManyRequests.
 */
function concurrencyLimit(): <T>(name: string, work: (hasWaited: boolean) => Promise<T>) => Promise<T> {
  const askers = new Map<string, ClientQueue>();
  return async (name, work) => {
    const asker = askers.get(name) ?? { running: 0, waiting: [] };
    askers.set(name, asker);
    const waits = asker.running >= atOnce;
    if (asker.waiting.length >= waitingAtMost) throw localizedError('tooManyRequests.pages');
    if (waits) await new Promise<void>((begin) => asker.waiting.push(begin));
    else asker.running++;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // A page is often made in one go. The next one begins in another turn of the event loop, once requests of others
      // that have arrived meanwhile are answered.
      setImmediate(() => {
        const next = asker.waiting.shift();
        if (next) next();
        else if (--asker.running === 0) askers.delete(name);
      });
    };
    const timer = setTimeout(end, longestMs);
    try {
      return await work(waits);
    } finally {
      end();
    }
  };
}

/** A note of the longest, each character as nine bytes in an address, fits. */
const formBytesAtMost = 640 * 1024;
/** Pages have forms of a thousand. To read 300,000, which also fit, would hold everybody up for seconds. */
const fieldsAtMost = 10_000;

interface PageContext {
  website: Website;
  cookies: ReturnType<typeof cookiesOf>;
  limit: ReturnType<typeof concurrencyLimit>;
}

/** A page with its rule: `admit` answers the visit, or what a visitor gets who may not open the page. */
interface GuardedRoute<V extends Visit> {
  route: PageRoute<V>;
  guard(visit: Visit): V | Answer;
  isHidden?: boolean;
}

type Work<V> = (visit: V, file?: SentFile) => Promise<Answer>;

interface PageRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  visit: Visit;
  form: FormKey;
}

/** Serves the pages that everybody, members, and staff alone may open. */
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
  const road = { website, cookies: cookiesOf(website.site), limit: concurrencyLimit() };

  app.register(async (pages) => {
    await pages.register(cookie);
    await pages.register(formbody, {
      bodyLimit: formBytesAtMost,
      parser: (text) =>
        (text.split('&', fieldsAtMost + 1).length > fieldsAtMost ? undefined : new URLSearchParams(text)) as never,
    });
    // It marks the body and reads nothing; readParts does, for pages that take files.
    await pages.register(multipart);
    pages.setErrorHandler((error: Error & { code?: string; statusCode?: number }) => {
      throw refusalOfForm(error);
    });

    function serve<V extends Visit>(door: GuardedRoute<V>): void {
      const { path, show, change, isOnce, formBytesAtMost: bodyLimit } = door.route;
      const config = { isHidden: door.isHidden ?? false };
      const url = basePath + path;
      const run = (work: Work<V>) => (request: FastifyRequest, reply: FastifyReply) =>
        withinLimit(road, request, reply, (asked) => handle(road, door, work, asked));
      const reads = isOnce ? ['GET'] : ['GET', 'HEAD'];
      if (show) pages.route({ method: reads, url, config, handler: run(show) });
      const bounds = bodyLimit === undefined ? {} : { bodyLimit };
      if (change) pages.route({ method: 'POST', url, config, ...bounds, handler: run(change) });
    }

    for (const route of routes.everyone) serve({ route, guard: (visit) => visit });
    for (const route of routes.member) serve({ route, guard: asMember });
    for (const route of routes.staff) serve({ route, guard: asStaff, isHidden: true });
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
  const { session, member, byProxy } = await visitorOf(website, cookies, request, reply, client);
  const form = formKeyOf(session, cookies.read(request, 'form'));
  // The member of a demo is many people.
  const own = website.isDemo ? undefined : (member?.language ?? undefined);
  // Pages that know no member, such as guides, go by the cookie.
  if (own !== undefined && own !== languageIn(request.headers.cookie)) cookies.setChoice(reply, 'language', own);
  const { language, theme } = readerOf(site, request.headers, own);
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const visit: Visit = {
    website,
    site,
    store,
    member,
    cameFrom: cameFrom(site, request.headers.referer),
    days: daysOfVisit(member, language),
    language,
    theme,
    path: path.slice(site.basePath.length),
    query: new URLSearchParams(query),
    params: request.params as Record<string, string>,
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    client,
    byProxy,
    isLocal: isLocal(request.raw, site.baseUrl),
    browser: secretDigest(`visit ${form.secret}`),
    sealing: sealingBy(form.secret),
    antiForgery: html`<input type="hidden" name="${tokenField}" value="${form.token}">`,
    shownOnce: () => {
      if (request.method === 'HEAD') return undefined;
      const shown = cookies.read(request, 'once');
      if (shown !== undefined) cookies.clear(reply, 'once');
      return shown;
    },
  };
  return { request, reply, visit, form };
}

/** The days of the member, or those of a visitor, whose weeks begin as is usual where the language is spoken. */
function daysOfVisit(member: SignedInRow | undefined, { tag }: Language): Days {
  if (!member) return daysOf(dayRuleOf(undefined, undefined, undefined, tag));
  return daysOf(dayRuleOf(member.time_zone, member.day_start, member.week_start, member.language));
}

/**
 * The page that led here. Ours name themselves to their own garden alone (Referrer-Policy), and the path of another
 * site does no harm here.
 */
function cameFrom(site: Site, referer = ''): string {
  const { pathname = '/', search = '' } = URL.parse(referer) ?? {};
  return ownPath(site, pathname + search);
}

async function send(
  { website, cookies }: PageContext,
  { request, reply, form }: PageRequest,
  answer: Answer,
  isKept: boolean,
): Promise<FastifyReply> {
  setHeaders(reply, isKept, 'html' in answer ? answer.connectsTo : undefined);
  if ('to' in answer) {
    const { to, isPermanent, session, once, language } = answer;
    if (once !== undefined) cookies.set(reply, 'once', once);
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
  const hasForm = text.includes(form.token);
  if (hasForm && form.isNew) cookies.set(reply, 'form', form.secret);
  const { status = 200, refreshSeconds, goesTo } = answer;
  if (refreshSeconds !== undefined) reply.header('Refresh', String(refreshSeconds));
  // A form's own redirect could lead to no other site under our policy.
  if (goesTo !== undefined) reply.header('Refresh', `0; url=${goesTo}`);
  return sendHtml(request, reply, {
    text,
    status,
    isKept: isKept && status === 200,
    form: hasForm ? form : undefined,
  });
}

/** Answers a request once its member, or the network of somebody who is not signed in, has a turn. */
async function withinLimit(
  road: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (asked: PageRequest) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const asked = await visitOf(road, request, reply);
  const { member, client } = asked.visit;
  const asker = member ? `member ${member.user_id}` : `network ${client.network}`;
  return road.limit(asker, async (hasWaited) => {
    if (!hasWaited) return answer(asked);
    if (request.raw.socket.destroyed) return reply.hijack();
    // Somebody may have ended the session meanwhile.
    return answer(await visitOf(road, request, reply));
  });
}

/** Answers a request by what its page shows, or by what its form changes. */
async function handle<V extends Visit>(
  road: PageContext,
  { route, guard: admit, isHidden = false }: GuardedRoute<V>,
  work: Work<V>,
  asked: PageRequest,
): Promise<FastifyReply> {
  const { website } = road;
  const { request, reply, visit, form } = asked;
  const { isSecret = false, isAsked = false, takesFile = false } = route;
  const isForm = request.method === 'POST';
  // First, so that a member who may not see the page gets the same answer as for none.
  const admitted = admit(visit);
  if (isHidden && !hasSlash(request.url)) return leadToSlash(request, reply);
  try {
    let file: SentFile | undefined;
    if (takesFile && 'website' in admitted && request.isMultipart()) {
      website.allowTime(request.raw);
      ({ form: visit.form, file } = await readParts(request));
    }
    if (isForm && !isOwnForm(visit.form, form)) throw foreignForm(request, website.site.baseUrl);
    const isKept = !isSecret && !isForm;
    const short = isAsked && !isForm ? withoutEmpty(request.url) : undefined;
    if (short !== undefined && 'website' in admitted) return send(road, asked, { to: visit.path + short }, isKept);
    const { days, language, theme } = visit;
    reply.header('Content-Language', language.tag);
    return await madeFor({ days, language, theme }, async () => {
      if ('website' in admitted) return send(road, asked, await work(admitted, file), isKept);
      // An address that takes forms alone has nothing to show once somebody has signed in.
      return send(road, asked, isForm && !route.show ? toSignIn(visit.cameFrom) : admitted, isKept);
    });
  } finally {
    // The rest of a file that was refused is read and dropped.
    if (request.isMultipart()) request.raw.unpipe().resume();
  }
}

/** The query of this address without parameters that have no value; undefined where each has one. */
function withoutEmpty(address: string): string | undefined {
  const [, query = ''] = address.split(/\?(.*)/s);
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => /=./s.test(pair));
  if (query === '' || kept.length === pairs.length) return undefined;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** A member cannot tell a page of staff from none. */
function asStaff(visit: Visit): MemberVisit | Answer {
  if (visit.member && visit.member.role !== 'staff') throw nothingHere(visit.path);
  return asMember(visit);
}

/**
 * Inside another address each sign takes three; a longer address, such as a text that was shared, would be refused as a
 * whole.
 */
const longestThen = 6000;

function asMember(visit: Visit): MemberVisit | Answer {
  if (visit.member) return visit as MemberVisit;
  const { path, query } = visit;
  return toSignIn(`${path}${query.size > 0 ? `?${query}` : ''}`);
}

/** Leads to the sign-in page, and from there to this address. */
function toSignIn(address: string): Answer {
  const then = encodeURIComponent(address);
  const [path = ''] = address.split('?', 1);
  return { to: `${signInPath}?then=${then.length > longestThen ? encodeURIComponent(path) : then}` };
}
