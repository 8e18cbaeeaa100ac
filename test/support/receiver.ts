/** A receiver of webhooks on loopback, which answers as the test says and checks signatures by lines of its own. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { listenOn } from './ports.ts';

export interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Say = number | ((response: ServerResponse) => void);

export async function startReceiver(t: Pick<TestContext, 'after'>) {
  const got: Got[] = [];
  const receiver = { url: '', got, say: [] as Say[] };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() });
    const say = receiver.say.shift() ?? 204;
    if (typeof say === 'number') response.writeHead(say).end();
    else say(response);
  });
  t.after(() => server.closeAllConnections());
  receiver.url = `http://127.0.0.1:${await listenOn(t, server)}`;
  return receiver;
}

/** Checks the signature as the specification of Standard Webhooks says. */
export function opened({ headers, body }: Got, secret: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  assert.equal(key.length, 32);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${wanted}`);
  assert.equal(headers['content-type'], 'application/json');
  return JSON.parse(body) as { type: string; text: string; content: string; data: Record<string, unknown> };
}
