/** The responses of pages, files and pictures. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvForPeople } from '../../files/csv.ts';
import { type Coding, chooseCoding, encode, encodeSync } from '../../http/codings.ts';
import { entityTagOf, isNotModified } from '../../http/preconditions.ts';
import { currentViewer } from '../words/viewer.ts';
import type { FormKey } from './anti-forgery.ts';

/** Trusted Types allow one policy, that of the service worker's registration. */
const websitePolicy = (connectsTo = '') =>
  `default-src 'none'; script-src 'self'; worker-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self'; ` +
  `connect-src 'self'${connectsTo && ` ${connectsTo}`}; form-action 'self'; base-uri 'none'; ` +
  `frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types service-worker`;

export function setHeaders(reply: FastifyReply, isCacheable: boolean, connectsTo?: string): void {
  reply.headers({
    'Content-Security-Policy': websitePolicy(connectsTo),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie, Accept-Encoding, Accept-Language',
    'Cache-Control': isCacheable ? 'private, no-cache' : 'no-store',
  });
}

export interface Download {
  file: AsyncIterable<string | Uint8Array> | readonly (string | Uint8Array)[];
  name: string;
  type: string;
  /** In bytes. */
  size?: number;
}

export function sendFile(reply: FastifyReply, { file, name, type, size }: Download): FastifyReply {
  reply.headers({ 'Content-Type': type, 'Content-Disposition': attachment(name) });
  if (size !== undefined) reply.header('Content-Length', size);
  const body = file instanceof Readable ? file : Readable.from(file);
  if (reply.request.method !== 'HEAD') return reply.send(body);
  body.destroy();
  return reply.send(null);
}

const languagesOfSemicolons = ['es', 'pt-BR', 'ru'];

/** For the Excel of the reader's language. Texts that it would take for formulas are made harmless. */
export const csvFile = (name: string, rows: Parameters<typeof csvForPeople>[0]): Download => ({
  file: [csvForPeople(rows, languagesOfSemicolons.includes(currentViewer().language.tag) ? ';' : ',')],
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
});

/** RFC 6266 §5, RFC 8187 §3.2 */
function attachment(name: string): string {
  const clean = name.replace(/^\.+|[\p{C}"*/:<>?\\|]+/gu, '-');
  const plain = clean.replace(/[^ -~]/gu, '_');
  if (plain === clean) return `attachment; filename="${clean}"`;
  const encoded = encodeURIComponent(clean).replace(/['()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** In bytes: compressing a longer page at once would block the event loop for several milliseconds. */
const synchronousBytesAtMost = 1024 * 1024;

interface HtmlResponse {
  text: string;
  status: number;
  isCacheable: boolean;
  form: FormKey | undefined;
}

export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, status, isCacheable, form }: HtmlResponse,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding']);
  // Encoding the text takes as long as hashing it, so the tag and the compression share these bytes.
  const bytes = Buffer.from(text);
  if (isCacheable) {
    const tag = form ? tagOfForms(bytes, form, coding) : entityTagOf(bytes, coding);
    reply.header('ETag', tag);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
  }
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  const body = bytes.length <= synchronousBytesAtMost ? encodeSync(bytes, coding) : await encode(bytes, coding);
  return reply.code(status).header('Content-Type', 'text/html; charset=utf-8').send(body);
}

/**
 * Tokens differ on every page, but all work while the secret is the same: the tag is computed with the secret in
 * their place, and is weak (RFC 9110 §8.8.1).
 */
function tagOfForms(bytes: Buffer, { secret, token }: FormKey, coding: Coding): string {
  const stable = Buffer.from(bytes);
  for (let at = stable.indexOf(token); at !== -1; at = stable.indexOf(token, at))
    stable.fill(secret, at, at + token.length);
  return `W/${entityTagOf(stable, coding)}`;
}

/** A picture has inline style, which its own policy allows. */
export interface PictureResponse {
  text: string;
  policy: string;
}

export function sendPicture(request: FastifyRequest, reply: FastifyReply, { text, policy }: PictureResponse) {
  reply.header('Content-Security-Policy', policy);
  return sendUnlistedText(request, reply, text, 'image/svg+xml; charset=utf-8');
}

export async function sendUnlistedText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  type: string,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding']);
  const tag = entityTagOf(text, coding);
  reply.headers({ ETag: tag, 'X-Robots-Tag': 'noindex' });
  if (isNotModified(request.headers, tag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  return reply.header('Content-Type', type).send(await encode(text, coding));
}
