/**
 * The website's road: each page is a path, who may open it, what it shows and what its forms change. Sessions, anti-forgery
 * tokens, caching and compression are decided here, once for all pages.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'hono/html';
import { networkOf } from '../auth/limits.ts';
import { type Opening, readSession, sessionMs } from '../auth/sessions.ts';
import type { SignInThrottle } from '../auth/throttle.ts';
import { AppError, documentedError } from '../errors.ts';
import { encode } from '../http/codings.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { chooseCoding } from '../http/negotiation.ts';
import type { SignedInRow } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Html, Site } from './layout.ts';

/** What all pages of one server share. */
export interface Website {
  site: Site;
  store: Store;
  throttle: SignInThrottle;
  addressOf(request: IncomingMessage): string;
  /** Looks at the garden for the health page of staff. */
  examine(): Promise<Finding[]>;
}

/** What a look at one part of the garden found. */
export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}

/** One request for a page, and what is known of its visitor. */
export interface Visit {
  website: Website;
  site: Site;
  store: Store;
  /** The member who is signed in. */
  member: SignedInRow | undefined;
  /** Below the base path. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  /** The fields of a form that was sent. */
  form: URLSearchParams;
  /** Where a session would be opened from. */
  opening: Opening;
  /** Whether it comes from the computer where the garden runs, and through no proxy. */
  isLocal: boolean;
  /** The hidden field that every form has. */
  antiForgery: Html;
}

/** A visit of somebody who is signed in. */
export type MemberVisit = Visit & { member: SignedInRow };

/** A page, or the address below the base path where the browser goes on, with a session that begins or ends (null). */
export type Answer = { html: Html; status?: number } | { to: string; session?: string | null };

export interface PageRoute<V extends Visit = Visit> {
  /** Below the base path; it ends in a slash. */
  path: string;
  show?(visit: V): Promise<Answer>;
  /** What a form that is sent here does. */
  change?(visit: V): Promise<Answer>;
  /** Whether no copy of it may be kept anywhere, not even for the back button. */
  isSecret?: boolean;
}

/** Allows our own script under Trusted Types, and nothing from elsewhere. */
export const websitePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const formBytesAtMost = 256 * 1024;
const fieldName = '_csrf';

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
  const { baseUrl, basePath } = website.site;
  const isSecure = baseUrl.startsWith('https:');
  // A name with __Host- may be set by this very host only, and needs https (RFC 6265bis §4.1.3.2).
  const named = (name: string) => (isSecure ? `__Host-${name}` : name);
  const sessionCookie = named('session');
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;

  app.register(async (pages) => {
    await pages.register(cookie);
    await pages.register(formbody, {
      bodyLimit: formBytesAtMost,
      parser: (text) => new URLSearchParams(text) as never,
    });
    await pages.register(csrf, {
      cookieKey: named('form'),
      cookieOpts: cookieOptions,
      getToken: ({ body }) => (body instanceof URLSearchParams ? body.get(fieldName) : null) ?? undefined,
    });

    pages.setErrorHandler((error: Error & { code?: string }, request) => {
      throw error.code?.startsWith('FST_CSRF') ? foreignForm(request, baseUrl) : error;
    });

    async function visitOf(
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<{ visit: Visit; token: string }> {
      const token = reply.generateCsrf();
      const [path = '', query = ''] = request.url.split(/\?(.*)/s);
      const visit: Visit = {
        website,
        site: website.site,
        store: website.store,
        member: await readSession(website.store, request.cookies[sessionCookie]),
        path: path.slice(basePath.length),
        query: new URLSearchParams(query),
        params: request.params as Record<string, string>,
        form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
        opening: {
          browser: request.headers['user-agent'] ?? '',
          network: networkOf(website.addressOf(request.raw)),
        },
        isLocal: isLocal(request.raw),
        antiForgery: html`<input type="hidden" name="${fieldName}" value="${token}">`,
      };
      return { visit, token };
    }

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      answer: Answer,
      token: string,
      isSecret: boolean,
    ): Promise<FastifyReply> {
      reply.headers({
        'Content-Security-Policy': websitePolicy,
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Referrer-Policy': 'same-origin',
        Vary: 'Cookie, Accept-Encoding',
        'Cache-Control': isSecret || request.method === 'POST' ? 'no-store' : 'private, no-cache',
      });
      if ('to' in answer) {
        const { to, session } = answer;
        if (session === null) reply.clearCookie(sessionCookie, cookieOptions);
        else if (session !== undefined) {
          reply.setCookie(sessionCookie, session, { ...cookieOptions, maxAge: sessionMs / 1000 });
        }
        return reply.redirect(basePath + to, 303);
      }
      const text = String(await answer.html);
      const coding = chooseCoding(request.headers['accept-encoding']);
      if (!isSecret && request.method !== 'POST' && answer.status === undefined) {
        // Each page has a token of its own; an older one is as good.
        const digest = hash('sha256', text.replaceAll(token, ''), 'base64url').slice(0, 27);
        const tag = `"${digest}-${coding}"`;
        reply.header('ETag', tag);
        if (isNotModified(request.headers, tag)) return reply.code(304).send();
      }
      if (coding !== 'identity') reply.header('Content-Encoding', coding);
      const body = await encode(text, coding);
      return reply
        .code(answer.status ?? 200)
        .header('Content-Type', 'text/html; charset=utf-8')
        .send(body);
    }

    function serve<V extends Visit>(route: PageRoute<V>, admit: (visit: Visit) => V | Answer): void {
      const { path, show, change, isSecret = false } = route;
      const run =
        (work: (visit: V) => Promise<Answer>) => async (request: FastifyRequest, reply: FastifyReply) => {
          const { visit, token } = await visitOf(request, reply);
          const admitted = admit(visit);
          const answer = 'website' in admitted ? await work(admitted) : admitted;
          return send(request, reply, answer, token, isSecret);
        };
      if (show) {
        pages.get(basePath + path, run(show));
        if (path !== '/')
          pages.get(basePath + path.slice(0, -1), (request, reply) => {
            const [, query = ''] = /(\?.*)$/s.exec(request.url) ?? [];
            return reply.redirect(request.url.split('?', 1)[0] + '/' + query, 308);
          });
      }
      if (change) {
        pages.post(basePath + path, { preValidation: pages.csrfProtection }, run(change));
      }
    }

    for (const route of routes.everyone) serve(route, (visit) => visit);
    for (const route of routes.member) serve(route, asMember);
    for (const route of routes.staff) {
      serve(route, (visit) => {
        // A member cannot tell a page of staff from none.
        if (visit.member && visit.member.role !== 'staff') throw nothingHere(visit.path);
        return asMember(visit);
      });
    }
  });
}

function asMember(visit: Visit): MemberVisit | Answer {
  if (visit.member) return visit as MemberVisit;
  const { path, query } = visit;
  const then = `${path}${query.size > 0 ? `?${query}` : ''}`;
  return { to: `/authentication/sign-in/?then=${encodeURIComponent(then)}` };
}

/** That nothing is at this path, or nothing that the visitor may see: both look the same. */
export function nothingHere(path: string): AppError {
  return new AppError('unknownPath', `Nothing is at ${JSON.stringify(path.slice(0, 100))}.`);
}

/** A path below the base path that a form may send the browser to; the home page for any address outside this garden. */
export function ownPath({ baseUrl, basePath }: Site, text: string | null): string {
  const url = text === null ? undefined : URL.parse(text, `${baseUrl}/`);
  const home = new URL(`${baseUrl}/`);
  if (url?.origin !== home.origin || !text?.startsWith('/')) return '/';
  const path = url.pathname + url.search;
  return path.startsWith('//') ? '/' : path.slice(path.startsWith(`${basePath}/`) ? basePath.length : 0);
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}

function foreignForm({ raw }: FastifyRequest, baseUrl: string): AppError {
  const seen = JSON.stringify((raw.headers.origin ?? raw.headers.host ?? '').slice(0, 100));
  return new AppError(
    'foreignForm',
    `This form is too old, or was not sent from a page of this garden, and nothing was changed: open the page again. It came from ${seen}; BASE_URL says ${baseUrl}. If these differ, set BASE_URL to the address that members use.`,
  );
}

/** One field of a form; a field that is missing is empty. Throws badSetting for a text of more characters. */
export function field(form: URLSearchParams, name: string, longest: number): string {
  const text = form.get(name) ?? '';
  if (text.length <= longest) return text;
  throw new AppError('badSetting', `The field "${name}" has more than ${longest} characters; shorten it.`);
}

/** An id in a path. Throws malformedId. */
export function idIn(text: string | undefined, read: (text: string) => bigint | undefined): bigint {
  const id = read(text ?? '');
  if (id === undefined) throw documentedError('malformedId', text ?? '');
  return id;
}
