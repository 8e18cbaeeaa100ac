/** How a page or a file leaves: its headers, compression as the browser likes it, an entity tag where it may be kept. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode, encodeAtOnce } from '../http/codings.ts';
import { type Coding, chooseCoding } from '../http/negotiation.ts';
import { isNotModified } from '../http/preconditions.ts';

/** Allows our own script under Trusted Types, and nothing from elsewhere. */
const websitePolicy = (connectsTo = '') =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'${connectsTo && ` ${connectsTo}`}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

/** The headers that all answers have. */
export function setHeaders(reply: FastifyReply, isKept: boolean, connectsTo?: string): void {
  reply.headers({
    'Content-Security-Policy': websitePolicy(connectsTo),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie, Accept-Encoding',
    'Cache-Control': isKept ? 'private, no-cache' : 'no-store',
  });
}

/** A file for the browser to keep. */
export interface Download {
  file: AsyncIterable<string | Uint8Array>;
  name: string;
  type: string;
  /** In bytes, where it is known. */
  size?: number;
}

/** Sends a file as fast as the browser takes it. */
export function sendFile(reply: FastifyReply, { file, name, type, size }: Download): FastifyReply {
  reply.headers({ 'Content-Type': type, 'Content-Disposition': attachment(name) });
  if (size !== undefined) reply.header('Content-Length', size);
  const body = file instanceof Readable ? file : Readable.from(file);
  if (reply.request.method !== 'HEAD') return reply.send(body);
  body.destroy();
  return reply.send(null);
}

/** A name of any letters, without what file systems refuse (RFC 6266 §5, RFC 8187 §3.2). */
function attachment(name: string): string {
  const clean = name.replace(/^\.+|[\p{C}"*/:<>?\\|]+/gu, '-');
  const plain = clean.replace(/[^ -~]/gu, '_');
  if (plain === clean) return `attachment; filename="${clean}"`;
  const encoded = encodeURIComponent(clean).replace(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Whether the browser has the page of this version already. `*` names any page that there is, and If-Match comes first (RFC 9110
 * §13): those are looked at when the page is made.
 */
export function isHeld({ headers }: FastifyRequest, version: string): boolean {
  const { 'if-none-match': tags, 'if-match': wanted } = headers;
  return wanted === undefined && tags?.trim() !== '*' && isNotModified(headers, tagOf(headers, version));
}

export function sendNotModified(request: FastifyRequest, reply: FastifyReply, version: string): FastifyReply {
  setHeaders(reply, true);
  return reply.header('ETag', tagOf(request.headers, version)).code(304).send();
}

function tagOf(headers: FastifyRequest['headers'], version: string): string {
  return `"${hash('sha256', version, 'base64url').slice(0, 27)}-${chooseCoding(headers['accept-encoding'])}"`;
}

/** In characters. A longer page would hold others up for more than some milliseconds while it is compressed. */
const shortAtMost = 1024 * 1024;

/** Sends a page; its entity tag follows from the version, if it may be kept. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, status, version }: { text: string; status: number; version: string | undefined },
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding']);
  if (version !== undefined) {
    const tag = tagOf(request.headers, version);
    reply.header('ETag', tag);
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
  }
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  const body = text.length <= shortAtMost ? encodeAtOnce(text, coding) : await encode(text, coding);
  return reply.code(status).header('Content-Type', 'text/html; charset=utf-8').send(body);
}

/** A picture that carries its own style, which its policy alone allows. */
export interface SentPicture {
  text: string;
  policy: string;
  /** The middle of its entity tag. */
  tag: string;
  /** It in the codings in which it was sent before. */
  bytes: Map<Coding, Promise<Uint8Array | string>>;
}

/** Sends a picture. The reply already has the headers that say which caches may keep it. */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, policy, tag, bytes }: SentPicture,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding']);
  const entityTag = `"${tag}-${coding}"`;
  reply.headers({ ETag: entityTag, 'Content-Security-Policy': policy, 'X-Robots-Tag': 'noindex' });
  if (isNotModified(request.headers, entityTag)) return reply.code(304).send();
  const encoded = bytes.get(coding) ?? Promise.resolve(encode(text, coding));
  bytes.set(coding, encoded);
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  return reply.header('Content-Type', 'image/svg+xml; charset=utf-8').send(await encoded);
}
