/** The bytes of a page: compressed as the browser likes it, with an entity tag where it may be kept. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode } from '../http/codings.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { chooseCoding } from '../http/negotiation.ts';
import type { Html } from './layout.ts';

/** Sends a page with this anti-forgery token in its forms. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, status }: { html: Html; status?: number },
  { token, isKept }: { token: string; isKept: boolean },
): Promise<FastifyReply> {
  const text = String(await html);
  const coding = chooseCoding(request.headers['accept-encoding']);
  if (isKept && status === undefined) {
    // Each page has a token of its own; an older one is as good.
    const digest = hash('sha256', text.replaceAll(token, ''), 'base64url').slice(0, 27);
    const tag = `"${digest}-${coding}"`;
    reply.header('ETag', tag);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
  }
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  const body = await encode(text, coding);
  return reply
    .code(status ?? 200)
    .header('Content-Type', 'text/html; charset=utf-8')
    .send(body);
}
