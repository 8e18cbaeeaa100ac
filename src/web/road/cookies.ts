/**
 * The cookies of the website: the session; the device, which lets its owner try passwords while others are throttled;
 * the form key of a browser without a session; what one page hands to the next; and the language and the colours that
 * the visitor chose.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionMs } from '../../auth/sessions.ts';
import { dayMs, daySeconds, minuteMs } from '../../durations.ts';
import { preferredLanguages } from '../../http/negotiation.ts';
import { english, languageOf } from '../../words/catalogue.ts';
import type { ReaderSettings, Theme } from '../words/reader.ts';
import type { Site } from './site.ts';

/**
 * The language and the colours of a visitor, by the headers of their request. The language is the choice of the member
 * who is signed in, else that of the browser's cookie, else what the browser prefers, else the server's own.
 */
export function readerOf(
  site: Pick<Site, 'language'>,
  { cookie = '', 'accept-language': accepted }: IncomingHttpHeaders,
  own?: string | null,
): Pick<ReaderSettings, 'language' | 'theme'> {
  const [, theme] = /(?:^|; ?)theme=(light|dark)(?=;|$)/.exec(cookie) ?? [];
  const wishes = [[own ?? ''], [languageIn(cookie)], preferredLanguages(accepted), [site.language]];
  const language = wishes.map(languageOf).find((found) => found !== undefined) ?? english;
  return { language, theme: theme as Theme | undefined };
}

/** The tag of the language that a browser keeps. */
export const languageIn = (cookie = ''): string => /(?:^|; ?)language=([A-Za-z-]+)(?=;|$)/.exec(cookie)?.[1] ?? '';

export type CookieName = 'session' | 'device' | 'form' | 'once';

/** How long a browser keeps each, in milliseconds. */
const keptMs: Readonly<Record<CookieName, number>> = {
  session: sessionMs,
  // A device cookie opens nothing, and is needed most after a long time.
  device: 365 * dayMs,
  // As long as a session: a page that the browser kept would otherwise outlive the cookie of its forms.
  form: sessionMs,
  once: minuteMs,
};

/** The base address says whether browsers come by https. */
export function cookiesOf({ baseUrl, basePath }: Site) {
  const isSecure = baseUrl.startsWith('https:');
  // A name with __Host- may be set by this very host only, and needs https (RFC 6265bis §4.1.3.2).
  const fullName = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    read: ({ cookies }: FastifyRequest, name: CookieName): string | undefined => cookies[fullName(name)],
    set: (reply: FastifyReply, name: CookieName, value: string): void => {
      reply.setCookie(fullName(name), value, { ...options, maxAge: keptMs[name] / 1000 });
    },
    clear: (reply: FastifyReply, name: CookieName): void => {
      reply.clearCookie(fullName(name), options);
    },
    /** Keeps a choice of the visitor for a year, or forgets it: the colours of the system need no cookie. */
    setChoice: (reply: FastifyReply, name: 'language' | 'theme', value: string | undefined): void => {
      // Other gardens of the same host have choices of their own.
      const own = { ...options, path: `${basePath}/` };
      if (value !== undefined) reply.setCookie(name, value, { ...own, maxAge: 365 * daySeconds });
      else reply.clearCookie(name, own);
    },
  };
}
