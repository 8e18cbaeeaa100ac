/** Making a server listen, and the address where it is reached. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { AppError } from '../errors.ts';

/** The address that a client on this machine uses where a server listens on all of them. */
const loopback = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** A host name or an IP address, and the names of the settings that chose them: with or without METRICS_ before. */
interface Listening {
  host: string;
  port: number;
  prefix?: 'METRICS_';
}

/** Makes a server listen. Throws badSetting if the address cannot be used. */
export async function listen(server: Server, { host, port, prefix }: Listening): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const [hostSetting, portSetting] = [`${prefix ?? ''}HOST`, `${prefix ?? ''}PORT`];
    if (code === 'EADDRINUSE') {
      const sentence = `is in use by another program; stop it, or choose another ${portSetting}.`;
      throw new AppError('badSetting', `${host}:${port} ${sentence}`);
    }
    if (['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
      const sentence = `cannot be listened on (${code}); choose another ${hostSetting} or ${portSetting}.`;
      throw new AppError('badSetting', `${host}:${port} ${sentence}`);
    }
    throw error;
  }
}

/** Where a client on this machine reaches a server that listens there. */
export function urlOf({ host, port }: Listening): string {
  const address = loopback.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
