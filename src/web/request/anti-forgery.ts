/**
 * Anti-forgery tokens (OWASP CSRF Prevention, "Signed Double-Submit Cookie"), signed with the secret in the
 * session's cookie, or in one for forms.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isSecret, newSecret } from '../../auth/sessions.ts';
import { AppError, localizedError } from '../../errors.ts';

export const tokenField = '_csrf';

export interface FormKey {
  secret: string;
  token: string;
  isNew: boolean;
  /** Signed pages of this browser from before it signed in. */
  earlierSecret: string | undefined;
}

/** The secret of an ended session still signs, so that its forms lead to the sign-in page, not to an error. */
export function formKeyOf(session: string | undefined, formSecret: string | undefined): FormKey {
  const [stored, earlierSecret] = [session, formSecret].filter((value) => value !== undefined && isSecret(value));
  const secret = stored ?? newSecret();
  return { secret, token: newFormToken(secret), isNew: stored === undefined, earlierSecret };
}

export function hasValidToken(form: URLSearchParams, { secret, isNew }: FormKey): boolean {
  return !isNew && isSignedBy(form, secret);
}

/** Its page is in another tab. Whoever can set a cookie here could sign it, so it changes nothing for a member. */
export const hasEarlierToken = (form: URLSearchParams, { earlierSecret }: FormKey): boolean =>
  earlierSecret !== undefined && isSignedBy(form, earlierSecret);

function isSignedBy(form: URLSearchParams, secret: string): boolean {
  const [token, ...more] = form.getAll(tokenField);
  return token !== undefined && more.length === 0 && isFormToken(secret, token);
}

/** A nonce hides the token from attacks on compression (BREACH). */
function newFormToken(secret: string): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${nonce}.${signatureOf(secret, nonce).toString('base64url')}`;
}

function isFormToken(secret: string, token: string): boolean {
  const [, nonce, signature] = /^([\w-]{16})\.([\w-]{43})$/.exec(token) ?? [];
  if (nonce === undefined || signature === undefined) return false;
  return timingSafeEqual(signatureOf(secret, nonce), Buffer.from(signature, 'base64url'));
}

/** The prefix keeps other signatures of the same secret from passing for a token. */
function signatureOf(secret: string, nonce: string): Buffer {
  return createHmac('sha256', secret).update(`form ${nonce}`).digest();
}

export function bodyParserError(error: Error & { code?: string; statusCode?: number }, bytesAtMost: number): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return localizedError('bodyTooLarge.form', { KiB: bytesAtMost / 1024 });
  const isUnreadable = error.code?.startsWith('FST_ERR_CTP') || error.statusCode === 400;
  if (error instanceof AppError || !isUnreadable) return error;
  return localizedError('malformedRequest.form');
}

/** The message names the origin and the setting, because they are easily confused behind a proxy. */
export function foreignForm({ raw }: FastifyRequest, baseUrl: string): AppError {
  const origin = JSON.stringify((raw.headers.origin ?? raw.headers.host ?? '').slice(0, 100));
  return localizedError('foreignForm.form', { seen: origin, known: baseUrl });
}
