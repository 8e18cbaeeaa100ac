/** Finds the operation of a request, also if only the method or the trailing slash differs. */
import { apiVersion, type OperationId, operationIds, operations } from '../contract/operations.ts';

export interface Match {
  operationId: OperationId;
  id: string | undefined;
  /** The query string, still percent-encoded. */
  query: string;
}

export type NearMatch =
  | { kind: 'redirect'; operationId: OperationId; location: string }
  | { kind: 'wrongMethod'; operationId: OperationId; method: string; allow: readonly string[] };

export const versionHeader = ['API-Version', apiVersion] as const;

/** Removes scheme and authority, which a client may send (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*(\/?)/i, '/');
}

/** The path and the query string, both still percent-encoded. */
export function splitTarget(target: string): { path: string; query: string } {
  const end = target.indexOf('?');
  return end < 0 ? { path: target, query: '' } : { path: target.slice(0, end), query: target.slice(end + 1) };
}

interface Pattern {
  operationId: OperationId;
  prefix: string;
  suffix: string | undefined;
  isRead: boolean;
}

export function matcher(basePath: string): (method: string, target: string) => Match | NearMatch | undefined {
  const patterns = operationIds.map((operationId): Pattern => {
    const { method, path } = operations[operationId];
    const [prefix = '', suffix] = (basePath + path).split('{id}');
    return { operationId, prefix, suffix, isRead: method === 'GET' };
  });

  function findPattern(path: string): { pattern: Pattern; id: string | undefined } | undefined {
    for (const pattern of patterns) {
      const { prefix, suffix } = pattern;
      if (suffix === undefined) {
        if (path === prefix) return { pattern, id: undefined };
        continue;
      }
      const end = path.length - suffix.length;
      if (end <= prefix.length || !path.startsWith(prefix) || !path.endsWith(suffix)) continue;
      const id = path.slice(prefix.length, end);
      if (!id.includes('/')) return { pattern, id };
    }
    return undefined;
  }

  return (method, rawTarget) => {
    const target = originForm(rawTarget);
    const { path: rawPath, query } = splitTarget(target);
    const path = decodePath(rawPath);
    const matching = findPattern(path);
    if (matching) {
      const { operationId, isRead } = matching.pattern;
      const isAllowed = isRead ? method === 'GET' || method === 'HEAD' : method === 'DELETE';
      return isAllowed ? { operationId, id: matching.id, query } : wrongMethodMatch(matching.pattern, method);
    }
    const slashPattern = findPattern(`${path}/`)?.pattern;
    if (!slashPattern?.isRead) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return wrongMethodMatch(slashPattern, method);
    const { operationId } = slashPattern;
    return { kind: 'redirect', operationId, location: `${rawPath}/${target.slice(rawPath.length)}` };
  };
}

/** Decodes each segment once (RFC 3986 §2.4), unless it is invalid UTF-8 or contains an encoded slash. */
export const decodePath = (path: string): string =>
  path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path;

function decodeSegment(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text.includes('/') ? segment : text;
  } catch {
    return segment;
  }
}

function wrongMethodMatch({ operationId, isRead }: Pattern, method: string): NearMatch {
  const allow = isRead ? ['GET', 'HEAD', 'OPTIONS'] : ['DELETE', 'OPTIONS'];
  return { kind: 'wrongMethod', operationId, method, allow };
}
