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
    const { code } = error as NodeJS.ErrnoException;
    throw invalidValue(
      code === 'EADDRINUSE'
        ? `${host}:${port} is in use by another program; stop it, or choose another ${prefix}PORT.`
        : `${host}:${port} cannot be used for listening (${code}); choose another ${prefix}HOST or ${prefix}PORT.`,
      error,
    );
  }
}

/** The address by which a client on the same machine reaches the server. */
export function localUrlOf({ host, port }: ListenAddress): string {
  const address = loopback.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
