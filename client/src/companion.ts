/**
 * Listens on this computer for the browser extension Competitive Companion, which sends to fixed ports of localhost alone, and hands
 * what it sends to the queue. Web pages can send to localhost too, so requests of pages are refused.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type CompanionProblem, problemOf } from './queue.ts';

const bodyAtMost = 1024 * 1024;
const timeouts = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
const connectionsAtMost = 64;

export interface Listening {
  /** The addresses that it listens on, such as `127.0.0.1:10043`. */
  addresses: string[];
  close(): Promise<void>;
}

/** Listens on both loopback addresses, or on the one that the computer has. Rejects where the port is taken. */
export async function listen(port: number, take: (problem: CompanionProblem) => void): Promise<Listening> {
  const servers: Server[] = [];
  const addresses: string[] = [];
  const close = async () => {
    await Promise.all(
      servers.map(
        (server) =>
          new Promise<void>((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      ),
    );
  };
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer(timeouts, (request, response) => answer(request, response, take));
    server.maxConnections = connectionsAtMost;
    try {
      await new Promise<void>((done, fail) => {
        server.once('error', fail);
        server.listen({ port, host, ipv6Only: true }, done);
      });
    } catch (error) {
      // A computer may have IPv4 or IPv6 alone.
      if (/^(?:EADDRNOTAVAIL|EAFNOSUPPORT)$/.test((error as NodeJS.ErrnoException).code ?? '')) continue;
      await close();
      throw error;
    }
    server.on('error', () => {});
    servers.push(server);
    addresses.push(host === '::1' ? `[::1]:${port}` : `${host}:${port}`);
  }
  if (servers.length === 0) throw new Error('This computer has no loopback address.');
  return { addresses, close };
}

/** The status by which a request is refused before its body is read. */
function refusalOf({ method, headers }: IncomingMessage): number | undefined {
  const { origin, host = '' } = headers;
  // An extension has an origin of its own scheme; that of a page is http(s), or "null" where it hides.
  if (origin !== undefined && !/^[a-z-]+-extension:\/\//i.test(origin)) return 403;
  // A page whose name leads here (DNS rebinding) asks for its own host.
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)) return 403;
  if (method !== 'POST') return 405;
  return Number(headers['content-length'] ?? 0) > bodyAtMost ? 413 : undefined;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  take: (problem: CompanionProblem) => void,
): void {
  const end = (status: number) => {
    if (response.headersSent) return;
    const allow = status === 405 && { Allow: 'POST' };
    response.writeHead(status, { Connection: 'close', 'Content-Length': 0, ...allow });
    response.end();
  };
  const refusal = refusalOf(request);
  if (refusal !== undefined) {
    end(refusal);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bodyAtMost) chunks.push(chunk);
    else {
      chunks.length = 0;
      end(413);
    }
  });
  request.on('error', () => {});
  request.on('end', () => {
    if (bytes > bodyAtMost) return;
    const problem = read(Buffer.concat(chunks).toString('utf8'));
    end(problem ? 200 : 400);
    if (problem) take(problem);
  });
}

/** For CHelper, the extension puts a line "json" above the JSON. */
function read(text: string): CompanionProblem | undefined {
  try {
    return problemOf(JSON.parse(text.replace(/^json\r?\n/, '')));
  } catch {
    return undefined;
  }
}
