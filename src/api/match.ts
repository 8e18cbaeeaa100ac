/** Which of the nine operations a request is for, and what a request to one of their paths gets that is for none. */
import { apiVersion, type OperationId, operationIds, operations } from '../contract/operations.ts';

/** A request to one of the nine operations. */
export interface Match {
  operationId: OperationId;
  /** The text in the path, decoded; undefined where the path has no id. */
  id: string | undefined;
  /** After the question mark, still encoded. */
  query: string;
}

/** A path of the interface, asked in another way than its operation is. */
export type Aside =
  | { kind: 'redirect'; operationId: OperationId; location: string }
  | { kind: 'otherMethod'; operationId: OperationId; method: string; allow: readonly string[] };

export const versionHeader = ['API-Version', apiVersion] as const;

/** The target without scheme and authority, which a client may send (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*(\/?)/i, '/');
}

interface Pattern {
  operationId: OperationId;
  before: string;
  /** Behind the id; undefined where the path has none. */
  after: string | undefined;
  isRead: boolean;
}

/**
 * Reads the target of a request. Answers undefined for what is no path of the interface, and needs no
 * token: it says nothing about any row.
 */
export function matcher(basePath: string): (method: string, target: string) => Match | Aside | undefined {
  const patterns = operationIds.map((operationId): Pattern => {
    const { method, path } = operations[operationId];
    const [before = '', after] = (basePath + path).split('{id}');
    return { operationId, before, after, isRead: method === 'GET' };
  });

  function find(path: string): { pattern: Pattern; id: string | undefined } | undefined {
    for (const pattern of patterns) {
      const { before, after } = pattern;
      if (!path.startsWith(before)) continue;
      if (after === undefined) {
        if (path.length === before.length) return { pattern, id: undefined };
        continue;
      }
      const end = path.length - after.length;
      if (end <= before.length || !path.endsWith(after)) continue;
      const id = path.slice(before.length, end);
      if (!id.includes('/')) return { pattern, id };
    }
    return undefined;
  }

  return (method, sentTarget) => {
    const target = originForm(sentTarget);
    const mark = target.indexOf('?');
    const sent = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const path = sent.includes('%') ? sent.split('/').map(decoded).join('/') : sent;
    const found = find(path);
    if (found) {
      const { operationId, isRead } = found.pattern;
      const isAsked = isRead ? method === 'GET' || method === 'HEAD' : method === 'DELETE';
      return isAsked ? { operationId, id: found.id, query } : aside(found.pattern, method);
    }
    const slashed = find(`${path}/`)?.pattern;
    if (!slashed?.isRead) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return aside(slashed, method);
    const { operationId } = slashed;
    return { kind: 'redirect', operationId, location: `${sent}/${mark < 0 ? '' : target.slice(mark)}` };
  };
}

/** One segment of a path (RFC 3986 §2.4), decoded once; as it was sent where it is not encoded UTF-8 or hides a slash. */
function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text.includes('/') && segment !== text ? segment : text;
  } catch {
    return segment;
  }
}

function aside({ operationId, isRead }: Pattern, method: string): Aside {
  const allow = isRead ? ['GET', 'HEAD', 'OPTIONS'] : ['DELETE', 'OPTIONS'];
  return { kind: 'otherMethod', operationId, method, allow };
}
