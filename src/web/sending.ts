/** How a page or a file leaves: its headers, compression as the browser likes it, an entity tag where it may be kept. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode } from '../http/codings.ts';
import { chooseCoding } from '../http/negotiation.ts';
import { isNotModified } from '../http/preconditions.ts';

/** Allows our own script under Trusted Types, and nothing from elsewhere. */
const websitePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The headers that all answers have. */
export function setHeaders(reply: FastifyReply, isKept: boolean): void {
  reply.headers({
    'Content-Security-Policy': websitePolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie, Accept-Encoding',
    'Cache-Control': isKept ? 'private, no-cache' : 'no-store',
  });
}

/** Sends a file for the browser to keep, as fast as it takes it. */
export function sendFile(
  reply: FastifyReply,
  { file, name, type }: { file: AsyncIterable<string>; name: string; type: string },
): FastifyReply {
  reply.headers({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
  return reply.send(Readable.from(file));
}

/** Sends a page; its entity tag follows from the version, if it may be kept. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, status, version }: { text: string; status: number; version: string | undefined },
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding']);
  if (version !== undefined) {
    const tag = `"${hash('sha256', version, 'base64url').slice(0, 27)}-${coding}"`;
    reply.header('ETag', tag);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
  }
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  const body = await encode(text, coding);
  return reply.code(status).header('Content-Type', 'text/html; charset=utf-8').send(body);
}
