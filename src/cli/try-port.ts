/** Whether a port can be listened on. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Listens for a moment and answers the port, which the system chooses for 0. Throws the system's error. */
export async function tryPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return (server.address() as AddressInfo).port;
  } finally {
    server.close();
  }
}
