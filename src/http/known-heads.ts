/**
 * Heads of requests that need not be parsed: their header fields are, byte for byte, those of a request that was parsed and
 * found to be in order before. A client mostly sends the same ones with each request, and so the same token.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Verdict } from '../auth/guard.ts';

/** Header fields, and what is known of them. */
export interface KnownFields {
  /** As they are sent, from the end of the request line to the empty line. */
  text: string;
  headers: IncomingHttpHeaders;
  /** On their token. */
  verdict: Verdict;
}

export interface KnownHead {
  method: 'GET' | 'DELETE';
  /** As it is sent; nobody has looked at it yet. */
  target: string;
  fields: KnownFields;
}

const fieldsAtMost = 1000;

/** Fields that nothing can hide between (RFC 9112 §5): each on a line of its own, and one empty line at the end. */
const plainFields = /^\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/;
/** Nothing that ends it, and nothing that what is kept is told apart by. */
const plainTarget = /^[!-~]+$/;
/** They bear on what else the connection carries, and are the parser's business. */
const framing = ['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'expect', 'te'] as const;

export interface KnownHeads {
  /** What a head means; undefined where it has to be parsed. */
  find(head: string): KnownHead | undefined;
  /** Remembers the fields of a request that was parsed from this head. */
  learn(head: string, request: IncomingMessage, verdict: Verdict): void;
  forget(fields: KnownFields): void;
}

export function knownHeads(): KnownHeads {
  // Their tokens are compared by hashes that nobody outside can foresee, so the time it takes tells nothing of them.
  const known = new LRUCache<string, KnownFields>({ max: fieldsAtMost });
  return {
    find: (head) => {
      const lineEnd = head.indexOf('\r\n');
      const fields = known.get(head.slice(lineEnd));
      if (!fields) return undefined;
      const line = head.slice(0, lineEnd);
      const method = line.startsWith('GET ') ? 'GET' : line.startsWith('DELETE ') ? 'DELETE' : undefined;
      if (!method || !line.endsWith(' HTTP/1.1')) return undefined;
      const target = line.slice(method.length + 1, -' HTTP/1.1'.length);
      return plainTarget.test(target) ? { method, target, fields } : undefined;
    },
    learn: (head, request, verdict) => {
      const { headers } = request;
      const text = head.slice(head.indexOf('\r\n'));
      if (!isHeadOf(request, head, text)) return;
      if (framing.some((name) => headers[name] !== undefined)) return;
      if (!/^(?:keep-alive)?$/i.test(headers.connection ?? '')) return;
      known.set(text, { text, headers, verdict });
    },
    forget: ({ text }) => {
      known.delete(text);
    },
  };
}

/** Whether this is, field by field, what the request was parsed from: who is taken for somebody else gets their rows. */
function isHeadOf(
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  head: string,
  text: string,
): boolean {
  if (httpVersion !== '1.1' || head !== `${method} ${url} HTTP/1.1${text}` || !plainFields.test(text))
    return false;
  const lines = text.slice(2, -4).split('\r\n');
  return (
    2 * lines.length === rawHeaders.length &&
    lines.every((line, place) => {
      const colon = line.indexOf(':');
      return (
        line.slice(0, colon) === rawHeaders[2 * place] &&
        line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, '') === rawHeaders[2 * place + 1]
      );
    })
  );
}
