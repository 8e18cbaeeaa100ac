/**
 * A small judge on loopback that replays answers: the real recorded ones, or rows that a test gives. It pages as the real ones
 * do, counts and times every request, and can go wrong in the ways in which judges do.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One judge of the replay: answers a path below its own prefix, or nothing where it has no such path. */
export type ReplayedJudge = (path: string, query: URLSearchParams, body: string) => Answered | undefined;

export interface Answered {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}

/** What goes wrong at the next requests; each is used up by one request. */
export type Fault =
  | { kind: 'call limit' }
  | { kind: 'status'; status: number }
  | { kind: 'page'; status: number }
  | { kind: 'truncated' }
  | { kind: 'stalled'; ms: number }
  | { kind: 'large'; bytes: number }
  | { kind: 'redirect'; to: string }
  | { kind: 'reset' };

export interface Replay {
  url: string;
  /** When each request arrived, by the judge's prefix, in milliseconds. */
  log: { judge: string; path: string; at: number }[];
  /** Goes wrong at the next requests to this judge. */
  fail(judge: string, ...faults: Fault[]): void;
  close(): Promise<void>;
}

export async function startReplay(
  judges: Readonly<Record<string, ReplayedJudge>>,
  { port = 0 } = {},
): Promise<Replay> {
  const log: Replay['log'] = [];
  const faults = new Map<string, Fault[]>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://replay');
    const [, judge = '', ...rest] = pathname.split('/');
    const path = `/${rest.join('/')}`;
    log.push({
      judge,
      path: `${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`,
      at: performance.now(),
    });
    const body = await textOf(request);
    const answered = judges[judge]?.(path, searchParams, body) ?? { status: 404, body: 'not found' };
    await send(response, answered, faults.get(judge)?.shift());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    fail: (judge, ...more) => faults.set(judge, [...(faults.get(judge) ?? []), ...more]),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function send(response: ServerResponse, { status = 200, headers = {}, body }: Answered, fault?: Fault) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // Codeforces lets pages of other sites read its answers (CORS).
  const json = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*', ...headers };
  switch (fault?.kind) {
    case undefined:
      response.writeHead(status, json).end(text);
      return;
    case 'call limit':
      response.writeHead(503, json).end('{"status":"FAILED","comment":"Call limit exceeded"}');
      return;
    case 'status':
      response.writeHead(fault.status, json).end('{"status":"FAILED","comment":"Internal error"}');
      return;
    case 'page':
      response.writeHead(fault.status, { 'Content-Type': 'text/html' });
      response.end('<!DOCTYPE html><html><title>Just a moment...</title></html>');
      return;
    case 'truncated':
      response.writeHead(200, json).end(text.slice(0, text.length / 2));
      return;
    case 'stalled':
      response.writeHead(200, json).write(text.slice(0, 10));
      setTimeout(() => response.end(text.slice(10)), fault.ms).unref();
      return;
    case 'large': {
      response.writeHead(200, json).write('[');
      const piece = ' '.repeat(1024 * 1024);
      for (let sent = 0; sent < fault.bytes && !response.destroyed; sent += piece.length) {
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end(']');
      return;
    }
    case 'redirect':
      response.writeHead(302, { Location: fault.to }).end();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}
