/**
 * The cookies of the website: the session; the device, which lets its owner try passwords while others are throttled;
 * the form key of a browser without a session; what one page hands to the next; and the language of a browser.
 */
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionMs } from '../../auth/sessions.ts';

export type CookieName = 'session' | 'device' | 'form' | 'once' | 'language';

/** How long a browser keeps each, in milliseconds. */
const keptMs: Readonly<Record<CookieName, number>> = {
  session: sessionMs,
  // A device cookie opens nothing, and is needed most after a long time.
  device: 365 * 86_400_000,
  // As long as a session: a page that the browser kept would otherwise outlive the cookie of its forms.
  form: sessionMs,
  once: 60_000,
  language: 365 * 86_400_000,
};

/** `baseUrl` says whether browsers come by https. */
export function cookiesOf(baseUrl: string) {
  const isSecure = baseUrl.startsWith('https:');
  // A name with __Host- may be set by this very host only, and needs https (RFC 6265bis §4.1.3.2).
  const fullName = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    read: ({ cookies }: FastifyRequest, name: CookieName): string | undefined => cookies[fullName(name)],
    /** The same of a request to an address that does not read its cookies. */
    readHeader: (header: string | undefined, name: CookieName): string | undefined =>
      header?.includes(fullName(name)) ? fastifyCookie.parse(header)[fullName(name)] : undefined,
    set: (reply: FastifyReply, name: CookieName, value: string): void => {
      reply.setCookie(fullName(name), value, { ...options, maxAge: keptMs[name] / 1000 });
    },
    clear: (reply: FastifyReply, name: CookieName): void => {
      reply.clearCookie(fullName(name), options);
    },
  };
}
