/** Making a server listen, and the address where it is reached. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { badSetting } from '../errors.ts';

/** The address that a client on this machine uses where a server listens on all of them. */
const loopback = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

interface Listening {
  /** A name or an IP address. */
  host: string;
  port: number;
}

/** Makes a server listen. Throws badSetting, with the names of HOST and PORT behind the prefix, if it cannot listen there. */
export async function listen(server: Server, { host, port }: Listening, prefix = ''): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw badSetting(
      code === 'EADDRINUSE'
        ? `${host}:${port} is in use by another program; stop it, or choose another ${prefix}PORT.`
        : `${host}:${port} cannot be used for listening (${code}); choose another ${prefix}HOST or ${prefix}PORT.`,
      error,
    );
  }
}

/** The address at which a client on this machine reaches a server that listens there. */
export function urlOf({ host, port }: Listening): string {
  const address = loopback.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
