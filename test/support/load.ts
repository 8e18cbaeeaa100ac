/** Clients that send one request after another and report each without a reply. */
import http from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadClient {
  replies: number;
  lost: string[];
}

export interface Load {
  clients: LoadClient[];
  stop(): Promise<void>;
}

export interface Request {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  answered?(status: number): void;
}

/**
 * Each client has one connection, or with `isFresh` a new one for each request. It asks, with `pauseMs` between, until it is stopped; with
 * `endsWithConnection` until the server says that an answer is the last one on its connection.
 */
export function startLoad(
  t: TestContext,
  url: string,
  token: string,
  options: { clients: number; isFresh?: boolean; endsWithConnection?: boolean; pauseMs?: number; next(): Request },
): Load {
  const { hostname, port } = new URL(url);
  let isStopping = false;
  const ask = (agent: http.Agent, { method, path, headers: more }: Request) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; isLast: boolean }>();
    const headers = { Authorization: `Bearer ${token}`, ...more };
    const request = http.request({ agent, hostname, port, method, path, headers });
    request.on('error', reject);
    request.on('response', (response) => {
      const isLast = response.headers.connection === 'close';
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, isLast }));
      response.resume();
    });
    request.end();
    return promise;
  };
  const work = async (client: LoadClient) => {
    const agent = new http.Agent({ keepAlive: !options.isFresh, maxSockets: 1 });
    while (!isStopping) {
      const request = options.next();
      try {
        const { status, isLast } = await ask(agent, request);
        client.replies++;
        request.answered?.(status);
        if (isLast && options.endsWithConnection) break;
        if (options.pauseMs !== undefined) await sleep(options.pauseMs);
      } catch (error) {
        client.lost.push(`${request.method} ${request.path}: ${(error as NodeJS.ErrnoException).code}`);
        if (options.endsWithConnection) break;
      }
    }
    agent.destroy();
  };
  const clients = Array.from({ length: options.clients }, (): LoadClient => ({ replies: 0, lost: [] }));
  const working = clients.map(work);
  const stop = async () => {
    isStopping = true;
    await Promise.all(working);
  };
  t.after(stop);
  return { clients, stop };
}
