/**
 * A small judge on loopback that replays answers: the real recorded ones, or rows that a test gives. It pages as the real ones
 * do, counts and times every request, and can go wrong in the ways in which judges do.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export type ReplayedJudge = (
  path: string,
  query: URLSearchParams,
  request: { method: string; headers: IncomingHttpHeaders; body: string },
) => Answered | undefined;

export interface Answered {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}

/** A fault of one request; `none` stands for a request without one. */
export type Fault =
  | { kind: 'none' }
  | { kind: 'call limit' }
  | { kind: 'status'; status: number; retryAfter?: string }
  | { kind: 'page'; status: number }
  | { kind: 'answer'; status: number; body: string; headers?: Record<string, string> }
  | { kind: 'truncated' }
  | { kind: 'stalled'; ms: number }
  | { kind: 'large'; bytes: number }
  | { kind: 'redirect'; to: string }
  | { kind: 'reset' };

export interface Replay {
  url: string;
  log: { judge: string; path: string; at: number }[];
  fail(judge: string, ...faults: Fault[]): void;
  close(): Promise<void>;
}

export async function startReplay(judges: Readonly<Record<string, ReplayedJudge>>, { port = 0 } = {}): Promise<Replay> {
  const log: Replay['log'] = [];
  const faults = new Map<string, Fault[]>();
  // On a busy machine more than Node's five seconds pass between two requests, and a connection that ends meanwhile is a fault.
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://replay');
    const [, judge = '', ...rest] = pathname.split('/');
    const path = `/${rest.join('/')}`;
    log.push({
      judge,
      path: `${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`,
      at: performance.now(),
    });
    const { method = 'GET', headers } = request;
    const body = await textOf(request).catch(() => '');
    const answered = judges[judge]?.(path, searchParams, { method, headers, body }) ?? missing;
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

/** The judge, which answers 502 where this is so. */
export const downWhere =
  (judge: ReplayedJudge, isDown: (path: string, query: URLSearchParams) => boolean): ReplayedJudge =>
  (path, query, request) =>
    isDown(path, query) ? { status: 502, body: '{}' } : judge(path, query, request);

const missing: Answered = { status: 404, body: 'not found' };

async function send(response: ServerResponse, { status = 200, headers = {}, body }: Answered, fault?: Fault) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*', ...headers };
  switch (fault?.kind) {
    case undefined:
    case 'none':
      response.writeHead(status, json).end(text);
      return;
    case 'call limit':
      response.writeHead(403, { ...json, 'Content-Type': 'text/plain' }).end('Call limit exceeded');
      return;
    case 'answer':
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    case 'status':
      if (fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter);
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
      const piece = Buffer.alloc(1024 * 1024, ' ');
      const pieces = Readable.from({
        *[Symbol.iterator]() {
          for (let sent = 0; sent < fault.bytes; sent += piece.length) yield piece;
        },
      });
      // The client may close the connection.
      await pipeline(pieces, response).catch(() => {});
      return;
    }
    case 'redirect':
      response.writeHead(302, { Location: fault.to }).end();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}
