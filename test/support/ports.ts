/** Ports for the servers of tests. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * Outgoing connections take ports from 32,768 on (Linux) or 49,152 on, perhaps before the server starts. Random, because
 * many tests ask at once.
 */
const lowest = 10_000;
const highest = 32_000;
/** Browsers do not open it (https://fetch.spec.whatwg.org/#port-blocking). */
const blockedPort = 10_080;

/** Listens until the end of the test, on a port that it answers. */
export async function listenOn(t: Pick<TestContext, 'after'>, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** For a server whose address must be known before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (port === blockedPort) continue;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
