/** Whether a request comes from the computer where the garden runs: the demo address is good for nobody else. */
import type { IncomingMessage } from 'node:http';

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** A request that a proxy passed on comes from elsewhere, although the proxy may be on this computer. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}
