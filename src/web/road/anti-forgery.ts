/**
 * Tokens against forged forms (OWASP CSRF Prevention, "Signed Double-Submit Cookie"): a page's forms carry one that
 * only a secret cookie of the same browser can have made. With a session it is the session's own, so a token ends with
 * it; before, another.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isSecret, newSecret } from '../../auth/sessions.ts';
import { AppError, localizedError } from '../../errors.ts';

export const tokenField = '_csrf';

/** The secret that the forms of a page are signed with, and the token in them. */
export interface FormKey {
  secret: string;
  token: string;
  isNew: boolean;
}

/**
 * A session's value serves also after its end, so that the form of a member who was signed out leads to the sign-in
 * page.
 */
export function formKeyOf(session: string | undefined, other: string | undefined): FormKey {
  const known = [session, other].find((one) => one !== undefined && isSecret(one));
  const secret = known ?? newSecret();
  return { secret, token: newFormToken(secret), isNew: known === undefined };
}

export function isOwnForm(form: URLSearchParams, { secret, isNew }: FormKey): boolean {
  const [token, ...more] = form.getAll(tokenField);
  return !isNew && token !== undefined && more.length === 0 && isFormToken(secret, token);
}

/** Different on every page, so that the length of a compressed page says nothing about the secret. */
function newFormToken(secret: string): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${nonce}.${signatureOf(secret, nonce).toString('base64url')}`;
}

function isFormToken(secret: string, token: string): boolean {
  const [, nonce, signature] = /^([\w-]{16})\.([\w-]{43})$/.exec(token) ?? [];
  if (nonce === undefined || signature === undefined) return false;
  return timingSafeEqual(signatureOf(secret, nonce), Buffer.from(signature, 'base64url'));
}

/** The purpose stands in it, so that nothing else that is ever made from a session's secret can pass for a token. */
function signatureOf(secret: string, nonce: string): Buffer {
  return createHmac('sha256', secret).update(`form ${nonce}`).digest();
}

/* Why a form was not taken: it is no form of this garden's pages, or did not arrive as one. */

/** A form that Fastify cannot read is the sender's fault. */
export function refusalOfForm(error: Error & { code?: string; statusCode?: number }): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return localizedError('bodyTooLarge.form');
  const isUnread = error.code?.startsWith('FST_ERR_CTP') || error.statusCode === 400;
  if (error instanceof AppError || !isUnread) return error;
  return localizedError('malformedRequest.form');
}

/** The refusal names the address that it saw and the setting to change: behind a proxy, the two are easily confused. */
export function foreignForm({ raw }: FastifyRequest, baseUrl: string): AppError {
  const seen = JSON.stringify((raw.headers.origin ?? raw.headers.host ?? '').slice(0, 100));
  return localizedError('foreignForm.form', { seen, known: baseUrl });
}
