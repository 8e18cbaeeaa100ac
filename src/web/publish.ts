/** Serves bytes that are the same for every visitor: pages, documents, assets. They are compressed once and have entity tags. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { encode } from '../http/codings.ts';
import { type Coding, chooseCoding } from '../http/negotiation.ts';
import { isNotModified } from '../http/preconditions.ts';

export interface Published {
  /** The Content-Type. */
  type: string;
  read(): Promise<string | Buffer>;
  /** In place of a policy that allows nothing. */
  contentSecurityPolicy?: string;
  /** Whether the path changes with the bytes. */
  isImmutable?: boolean;
}

const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves GET and HEAD at this path; the server itself answers OPTIONS and refuses other methods. */
export function publish(app: FastifyInstance, path: string, published: Published): void {
  const { type, read, contentSecurityPolicy = nothingAllowed, isImmutable = false } = published;
  const compressed = new Map<Coding, ReturnType<typeof make>>();

  async function make(coding: Coding) {
    const plain = Buffer.from(await read());
    const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
    return { tag: `"${digest}-${coding}"`, bytes: await encode(plain, coding) };
  }

  app.get(path, async (request, reply) => {
    const coding = chooseCoding(request.headers['accept-encoding']);
    const making = compressed.get(coding) ?? make(coding);
    // Plain bytes are not kept: hardly any client asks for them, and the largest take megabytes.
    if (coding !== 'identity') compressed.set(coding, making);
    // A failed attempt is not kept either, because the next one may succeed.
    making.catch(() => compressed.delete(coding));
    const { tag, bytes } = await making;
    reply.headers({
      ETag: tag,
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    });
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    return reply.header('Content-Type', type).send(bytes);
  });
}
