/**
 * The cookies: a known `device` may try passwords while others are throttled, `form` signs the forms of a browser
 * without a session, `once` is a text that the next page shows, and `left` is the provider of who signed out here.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionMs } from '../../auth/sessions.ts';
import { dayMs, daySeconds, minuteMs } from '../../durations.ts';
import { preferredLanguages } from '../../http/negotiation.ts';
import { english, languageOf } from '../../words/catalogue.ts';
import type { Theme, ViewerSettings } from '../words/viewer.ts';
import type { Site } from './site.ts';

export function viewerOf(
  site: Pick<Site, 'language'>,
  { cookie = '', 'accept-language': accepted }: IncomingHttpHeaders,
  memberLanguage?: string | null,
): Pick<ViewerSettings, 'language' | 'theme'> {
  const [, theme] = /(?:^|; ?)theme=(light|dark)(?=;|$)/.exec(cookie) ?? [];
  const tags = [[memberLanguage ?? ''], [languageIn(cookie)], preferredLanguages(accepted), [site.language]];
  const language = tags.map(languageOf).find((match) => match !== undefined) ?? english;
  return { language, theme: theme as Theme | undefined };
}

export const languageIn = (cookie = ''): string => /(?:^|; ?)language=([A-Za-z-]+)(?=;|$)/.exec(cookie)?.[1] ?? '';

export type CookieName = 'session' | 'device' | 'form' | 'once' | 'left';

const lifetimesMs: Readonly<Record<CookieName, number>> = {
  session: sessionMs,
  // A device cookie opens nothing, and is needed most after a long time.
  device: 365 * dayMs,
  // A page in the browser's history must not outlive the secret of its forms.
  form: sessionMs,
  once: minuteMs,
  left: sessionMs,
};

export function cookiesOf({ baseUrl, basePath }: Site) {
  const isSecure = baseUrl.startsWith('https:');
  // The prefix __Host- needs https and binds the cookie to this host (RFC 6265bis §4.1.3.2).
  const formerName = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  // Browsers send the cookies of a host to all its ports, and those with __Host- to all its paths.
  const digest = hash('sha256', baseUrl).slice(0, 8);
  const fullName = (name: CookieName) => `${formerName(name)}-${digest}`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    /** Sessions from before the digest last; their renewal sets the new name. */
    read: ({ cookies }: FastifyRequest, name: CookieName): string | undefined =>
      cookies[fullName(name)] ?? cookies[formerName(name)],
    set: (reply: FastifyReply, name: CookieName, value: string): void => {
      reply.setCookie(fullName(name), value, { ...options, maxAge: lifetimesMs[name] / 1000 });
    },
    clear: (reply: FastifyReply, name: CookieName): void => {
      reply.clearCookie(fullName(name), options);
    },
    setChoice: (reply: FastifyReply, name: 'language' | 'theme' | 'zone', value: string | undefined): void => {
      // Other gardens on the same host have choices of their own.
      const pathOptions = { ...options, path: `${basePath}/` };
      if (value !== undefined) reply.setCookie(name, value, { ...pathOptions, maxAge: 365 * daySeconds });
      else reply.clearCookie(name, pathOptions);
    },
  };
}
