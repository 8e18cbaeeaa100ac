/** Why a form was not taken: it is no form of this garden's pages, or did not arrive as one. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { words } from '../words/words.ts';

/** A form that Fastify cannot read is the sender's fault. */
export function refusalOfForm(error: Error & { code?: string; statusCode?: number }): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError('bodyTooLarge', words('form.tooLarge'));
  }
  const isUnread = error.code?.startsWith('FST_ERR_CTP') || error.statusCode === 400;
  if (error instanceof AppError || !isUnread) return error;
  return new AppError('malformedRequest', words('form.notWhole'));
}

/** The refusal names the address that it saw and the setting to change: behind a proxy, the two are easily confused. */
export function foreignForm({ raw }: FastifyRequest, baseUrl: string): AppError {
  const seen = JSON.stringify((raw.headers.origin ?? raw.headers.host ?? '').slice(0, 100));
  return new AppError('foreignForm', words('form.foreign', { seen, known: baseUrl }));
}
