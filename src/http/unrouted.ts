/** What the router has no route for: OPTIONS and wrong methods on known paths, paths without their slash, unknown paths. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiVersion, idIn, type Operation, operationIds, operations } from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import { serverMethods } from './protocol.ts';

/**
 * The target as the router can read it. One whose path is not percent-encoded UTF-8 keeps its text: as an id it is
 * refused like any malformed id, once it is known who asks, and elsewhere as a malformed path.
 */
export function routable(target: string): string {
  if (!target.includes('%')) return target;
  const [path = ''] = target.split('?', 1);
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Answers where the path is known after all; throws wrongMethod. Needs no token: it tells nothing about any row. */
export function answerUnrouted(basePath: string, request: FastifyRequest, reply: FastifyReply): void {
  const { method } = request;
  // OPTIONS alone gets this far with it, and asks for what the server as a whole can do (RFC 9110 §9.3.7).
  if (request.originalUrl === '*') {
    reply.code(204).header('Allow', serverMethods).send();
    return;
  }
  const [path = '', ...query] = originForm(request.originalUrl).split('?');
  const known = findOperation((operation) => matches(basePath, operation, path));
  const slashed = findOperation(
    (operation) => operation.method === 'GET' && matches(basePath, operation, `${path}/`),
  );
  const operation = known ?? slashed;
  if (operation) reply.header('API-Version', apiVersion);
  if (slashed && !known && (method === 'GET' || method === 'HEAD')) {
    reply
      .code(308)
      .header('Location', [`${path}/`, ...query].join('?'))
      .send();
    return;
  }
  const methods = operation ? methodsOf(operation) : pageMethods(request, path);
  if (methods.length === 0) return;
  reply.header('Allow', methods.join(', '));
  if (method !== 'OPTIONS') {
    throw new AppError(
      'wrongMethod',
      `${method} is not served here; use ${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}.`,
    );
  }
  reply.code(204).send();
}

export function unknownPath(request: FastifyRequest): AppError {
  const [path = ''] = originForm(request.originalUrl).split('?', 1);
  if (!isDecodable(path)) {
    return new AppError(
      'malformedPath',
      'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.',
    );
  }
  return new AppError(
    'unknownPath',
    `Nothing lives at ${JSON.stringify(path.slice(0, 100))}; the operations are listed at /docs/.`,
  );
}

/** The target without scheme and authority, which a client may send and the router overlooks (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*(\/?)/i, '/');
}

function findOperation(isWanted: (operation: Operation) => boolean): Operation | undefined {
  return operationIds.map((id): Operation => operations[id]).find(isWanted);
}

function matches(basePath: string, { path: pattern }: Operation, path: string): boolean {
  return idIn(path, basePath + pattern) !== undefined;
}

function methodsOf({ method }: Operation): string[] {
  return method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'];
}

/** The methods of a page that stands at exactly this path. */
function pageMethods({ server }: FastifyRequest, url: string): string[] {
  const methods = ['GET', 'HEAD', 'POST'].filter((method) => server.hasRoute({ method, url }));
  return methods.length > 0 ? [...methods, 'OPTIONS'] : [];
}
