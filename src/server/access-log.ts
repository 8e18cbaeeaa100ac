/** The access log, without queries, bodies, tokens or names. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Exchange } from '../api/context.ts';
import type { ClientAddress } from './client-address.ts';

const lowestErrorStatus = 400;

export function lowestLoggedStatus(log: Logger): number {
  if (log.isLevelEnabled('debug')) return 0;
  return log.isLevelEnabled('info') ? lowestErrorStatus : Number.POSITIVE_INFINITY;
}

export function accessLog(log: Logger, clientOf: (request: IncomingMessage) => ClientAddress) {
  return ({ request, response, id, target, tokenId }: Exchange, ms: number): void => {
    const { statusCode: status } = response;
    const { address, scheme } = clientOf(request);
    log[status >= lowestErrorStatus ? 'info' : 'debug'](
      {
        reqId: id,
        incomingId: incomingIdOf(request.headers),
        client: address,
        scheme,
        method: request.method,
        path: loggablePath(target),
        status,
        token: tokenId === undefined ? undefined : String(tokenId),
        ms: Math.round(ms),
      },
      'answered',
    );
  };
}

/** Replaces path segments that may be private: all but lower-case words and ids, and the username of a public page. */
function loggablePath(target: string): string {
  const [path = ''] = target.split('?', 1);
  const segments = path
    .slice(0, 200)
    .split('/')
    .map((segment, index, all) => {
      const isName = segment !== '' && all[index - 1] === 'members' && all[index - 2] !== 'staff';
      return !isName && /^(?:[a-z_.-]{0,24}|-?\d{1,19}|v1)$/.test(segment) ? segment : '…';
    });
  return segments.join('/');
}

/** Undefined for a header that may contain an API token. */
function incomingIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !/^[\w.-]{1,64}$/.test(id) || /pg[tw]/i.test(id)) return undefined;
  const longRuns = id.match(/[0-9A-Za-z]{16,}/g) ?? [];
  return longRuns.some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run)) ? undefined : id;
}

/** Database drivers attach values to their errors, which are left out. */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    code: typeof code === 'string' ? code : undefined,
    stack,
    cause: cause === undefined ? undefined : loggableError(cause),
  };
}
