/** The headers that every page of the website has, and its entity tag. */
import { hash } from 'node:crypto';
import type { FormKey } from './anti-forgery.ts';

/** Allows our own script under Trusted Types, and nothing from elsewhere. */
const websitePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The headers of a page; a copy of it may be kept for the back button unless it is secret or answers a form. */
export function pageHeaders(mayBeKept: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': websitePolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie, Accept-Encoding',
    'Cache-Control': mayBeKept ? 'private, no-cache' : 'no-store',
  };
}

/** Each page has a form token of its own; an older one is as good while the cookie behind it is the same. */
export function pageTag(text: string, { secret, token }: FormKey, coding: string): string {
  const digest = hash('sha256', secret + text.replaceAll(token, ''), 'base64url').slice(0, 27);
  return `"${digest}-${coding}"`;
}
