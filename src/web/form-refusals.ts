/** Why a form was not taken: it is no form of this garden's pages, or did not arrive as one. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** What Fastify cannot read is the sender's fault. */
export function refusalOfForm(error: Error & { code?: string; statusCode?: number }): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError(
      'bodyTooLarge',
      'A form may have at most 256 KiB, and nothing was changed; send less.',
    );
  }
  const isUnread = error.code?.startsWith('FST_ERR_CTP') || error.statusCode === 400;
  if (error instanceof AppError || !isUnread) return error;
  return new AppError(
    'malformedRequest',
    'The form did not arrive whole, and nothing was changed; send it again.',
  );
}

/** The refusal names the address that it saw and the setting to change: behind a proxy, the two are easily confused. */
export function foreignForm({ raw }: FastifyRequest, baseUrl: string): AppError {
  const seen = JSON.stringify((raw.headers.origin ?? raw.headers.host ?? '').slice(0, 100));
  return new AppError(
    'foreignForm',
    `This form is too old, or was not sent from a page of this garden, and nothing was changed: open the page again. It came from ${seen}; BASE_URL says ${baseUrl}. If these differ, set BASE_URL to the address that members use.`,
  );
}
