/** Whether somebody sits at the computer where the garden runs. */
import type { IncomingMessage } from 'node:http';

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}
