/** Listening, and the address at which a server is reached. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { invalidValue } from '../errors.ts';

const loopback = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

interface ListenAddress {
  host: string;
  port: number;
}

/** The prefix is that of the settings HOST and PORT, which the message names. Throws invalidValue. */
export async function listen(server: Server, { host, port }: ListenAddress, prefix = ''): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw invalidValue(listenFault({ host, port }, error, prefix), error);
  }
}

export function listenFault({ host, port }: ListenAddress, error: unknown, prefix = ''): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `${host}:${port} is in use by another program; stop it, or choose another ${prefix}PORT.`;
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `${prefix}HOST is ${host}, which is no address of this computer (${code}). If conda or a shell has set it, use --${prefix.toLowerCase().replace('_', '-')}host 127.0.0.1.`;
  return `${host}:${port} cannot be used for listening (${code}); choose another ${prefix}HOST or ${prefix}PORT.`;
}

/** The address by which a client on the same machine reaches the server. */
export function localUrlOf({ host, port }: ListenAddress): string {
  const address = loopback.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
