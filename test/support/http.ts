/** Talks to a server the way the tests need it: exact targets, exact headers, undecoded bytes, broken requests. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

// An import takes 40 ms in each process of tests.
const http = process.getBuiltinModule('node:http');

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received, perhaps compressed. */
  bytes: Buffer;
  text: string;
}

export interface Ask {
  method?: string;
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** Where the collections of the API are. */
export const problems = '/problem_list/api/problems/';
export const statuses = '/problem_list/api/status/';
export const bookmarks = '/dashboard/api/bookmarks/';
export const records = '/authentication/api/records/';

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

export function send(url: string, target: string, ask: Ask = {}): Promise<Reply> {
  const { method = 'GET', token, headers = {}, body } = ask;
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = http.request({
    agent,
    hostname,
    port,
    method,
    path: target,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      // Node does not frame the body of a GET or DELETE by itself.
      ...(body !== undefined &&
        !('Transfer-Encoding' in headers) && { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  request.on('error', reject);
  request.on('response', async (response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: String(bytes) });
    } catch (error) {
      reject(error);
    }
  });
  request.end(body);
  return promise;
}

/** Whether it answers 200 now, on a connection of its own: one that was kept may be closed as idle just now. */
export const isWell = (url: string, path = '/livez'): Promise<boolean> =>
  send(url, path, { headers: { Connection: 'close' } }).then(
    ({ status }) => status === 200,
    () => false,
  );

export function client(url: string, token: string | undefined) {
  assert(token !== undefined);
  return (target: string, ask: Ask = {}) => send(url, target, { token, ...ask });
}
export type Client = ReturnType<typeof client>;

/** JSON with its integers as bigint, so that ids of 64 bits stay exact. */
export function exactJson(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
}

/** The target of the next page. */
export const nextOf = ({ headers }: Reply): string | undefined =>
  /^<https?:\/\/[^/]+([^>]+)>/.exec(String(headers['link']))?.[1];

export function idsOf(reply: Reply): bigint[] {
  return (exactJson(reply.text) as { id: bigint }[]).map(({ id }) => id);
}

export function assertRefusal(reply: Reply, error: number, message?: string | RegExp): void {
  assert.equal(reply.status, Math.floor(error / 100), reply.text);
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  assert.match(reply.headers['x-request-id'] as string, /^[0-9a-f-]{36}$/);
  const body = JSON.parse(reply.text);
  assert.deepEqual(Object.keys(body), ['error', 'message']);
  assert.equal(body.error, error, reply.text);
  assert.match(body.message, /^[^\n]+[.?]$/);
  if (typeof message === 'string') assert.equal(body.message, message);
  else if (message) assert.match(body.message, message);
}

/** The reply without what differs between any two requests, so that equal cases have equal results. */
export function likeness({ status, headers, text }: Reply): unknown {
  const { date, 'x-request-id': requestId, ratelimit, ...rest } = headers;
  return { status, headers: rest, text };
}

export function sendRaw(url: string, bytes: string | Uint8Array, until?: RegExp): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setTimeout(60_000, () => socket.destroy(new Error(`the server said no more than: ${text}`)));
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    if (until?.test(text)) socket.destroy();
  });
  // The server may reset after a whole answer; a missing answer shows in the text.
  socket.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
  );
  socket.on('close', () => resolve(text));
  socket.write(bytes);
  return promise;
}

export function parseRaw(text: string): Reply {
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: */, '')]),
  );
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
  const length = Number(headers['content-length'] ?? 0);
  const body = Buffer.from(text.slice(headEnd + 4), 'latin1').subarray(0, length);
  return { status: Number(status), headers, bytes: body, text: String(body) };
}
