/** A free port, for a server whose address must be known before it starts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Outgoing connections take ports from 32,768 on (Linux) or 49,152 on, perhaps before the server starts. Random, because
 * many tests ask at once.
 */
const lowest = 10_000;
const highest = 32_000;
/** Browsers do not open it (https://fetch.spec.whatwg.org/#port-blocking). */
const blockedPort = 10_080;

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
