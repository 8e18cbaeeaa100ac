/** Serves what is the same for everyone: pages, documents, assets. Made at the first request, compressed once, asked about by entity tag. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { encode } from '../http/codings.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { type Coding, chooseCoding } from '../http/negotiation.ts';

export interface Published {
  /** The Content-Type. */
  type: string;
  read(): Promise<string | Buffer>;
  /** In place of a policy that allows nothing. */
  contentSecurityPolicy?: string;
  /** Whether the path changes with the bytes. */
  isImmutable?: boolean;
}

interface Form {
  tag: string;
  bytes: Buffer;
}

const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET, HEAD, and by the server's own rules OPTIONS and 405, at this path. */
export function publish(app: FastifyInstance, path: string, published: Published): void {
  const { type, contentSecurityPolicy = nothingAllowed, isImmutable = false } = published;
  const form = rememberForms(published);
  app.get(path, async (request, reply) => {
    const coding = chooseCoding(request.headers['accept-encoding']);
    const { tag, bytes } = await form(coding);
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

/**
 * The bytes in a coding, with their tag. Compressed ones are kept; plain ones are made anew each time, because hardly
 * any client asks for them and the largest take megabytes.
 */
function rememberForms({ read }: Published): (coding: Coding) => Promise<Form> {
  const compressed = new Map<Coding, Promise<Form>>();
  const make = async (coding: Coding): Promise<Form> => {
    const plain = Buffer.from(await read());
    const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
    return { tag: `"${digest}-${coding}"`, bytes: await encode(plain, coding) };
  };
  return (coding) => {
    if (coding === 'identity') return make(coding);
    const known = compressed.get(coding);
    if (known) return known;
    const made = make(coding);
    compressed.set(coding, made);
    // What failed once may work the next time.
    made.catch(() => compressed.delete(coding));
    return made;
  };
}
