/** Whether somebody sits at the computer where the garden runs. */
import type { IncomingMessage } from 'node:http';

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];
const loopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;

/**
 * The browser must also have asked for the garden's own address, and that must be one of this computer: a proxy may add
 * no header, and the name of another site may lead here (DNS rebinding).
 */
export function isLocal({ socket, headers }: IncomingMessage, baseUrl: string): boolean {
  const isFromHere = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  const own = new URL(baseUrl);
  const asked = URL.parse(`${own.protocol}//${headers.host ?? ''}`);
  const isAskedHere = loopback.test(own.hostname) && loopback.test(asked?.hostname ?? '');
  return (
    isFromHere && isAskedHere && asked?.port === own.port && !proxyHeaders.some((name) => headers[name] !== undefined)
  );
}
