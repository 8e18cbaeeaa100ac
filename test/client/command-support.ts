/** Runs the command of the client package as people do, in a home of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Args, argsOf } from '../support/commands.ts';
import { root, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { freePort } from '../support/ports.ts';

export const garden = join(root, 'client', 'src', 'garden.ts');

/** What every process of a person has. With the cache, a start costs half: without it, Node reads TypeScript anew each time. */
export const usualEnv: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export async function ended(child: ChildProcessWithoutNullStreams, input = ''): Promise<Ran> {
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, out, err };
}

/** A person at a computer: their environment, and what they type. */
export async function person(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const HOME = await temporaryFolder(t);
  const own = { ...usualEnv, HOME, ...env };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, [garden, ...args], { env: { ...own, ...more }, cwd: HOME });
  return {
    HOME,
    start,
    run: (args: Args, input = '', more: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      ended(start(argsOf(args), more), input),
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Stands in front of a garden. What `before` or `after` answer themselves is not passed on, or not passed back. */
export async function front(
  t: TestContext,
  url: string,
  { before = () => false, after = () => false }: { before?: Answer; after?: Answer },
) {
  const requests: { line: string; key: unknown; token: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ line: `${method} ${target}`, key: headers['idempotency-key'], token: headers.authorization });
    if (before(request, response)) return;
    const passed = Object.entries(headers).filter(([name]) => !/^(?:host|connection|content-length|trans)/.test(name));
    const body = Buffer.concat(chunks);
    const reply = await send(url, target, { method, headers: Object.fromEntries(passed) as never, body });
    if (!after(request, response)) response.writeHead(reply.status, reply.headers).end(reply.bytes);
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  t.after(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, requests };
}
