/** A garden for tests of the interface for programs: three problems, ada with tokens of all scopes and of each, and ben. */
import type { TestContext } from 'node:test';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { type Ask, type Reply, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

export const at = (path: string) => `/practice/v1${path}`;

// biome-ignore lint/suspicious/noExplicitAny: the fields of an answer are compared one by one.
export type Json = any;

interface Asked extends Omit<Ask, 'body'> {
  body?: object | string | Uint8Array | undefined;
}

export function program(url: string, token: string | undefined) {
  const ask = async (path: string, { body, headers, ...more }: Asked = {}): Promise<Reply & { json: Json }> => {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const reply = await send(url, path.startsWith('/practice/') ? path : at(path), {
      ...more,
      token,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const isJson = reply.headers['content-type']?.startsWith('application/json');
    const isPlain = reply.headers['content-encoding'] === undefined;
    return { ...reply, json: isJson && isPlain && reply.text !== '' ? JSON.parse(reply.text) : undefined };
  };
  const asking =
    (method: string) =>
    (path: string, body?: Asked['body'], headers: NonNullable<Asked['headers']> = {}) =>
      ask(path, { method, body, headers });
  return Object.assign(ask, { post: asking('POST'), patch: asking('PATCH'), put: asking('PUT') });
}

export const problemUrl = (id: number) => `https://codeforces.com/contest/${id}/problem/A`;

export async function programGarden(t: TestContext, env: Record<string, string> = {}) {
  const databaseUrl = await temporaryDatabase(t);
  const tokenOf = async (name: string, ...scopes: string[]) =>
    (await memberWithToken(databaseUrl, name, { scopes })).token;
  const tokens = {
    ada: await tokenOf('ada', 'practice:mark', 'practice:code'),
    reader: await tokenOf('ada', 'practice:read'),
    coder: await tokenOf('ada', 'practice:code'),
    ben: await tokenOf('ben', 'practice:mark'),
    nine: (await memberWithToken(databaseUrl, 'ada')).token,
  };
  await importRows(
    databaseUrl,
    'problems',
    [7, 8, 9].map((id) => ({
      id,
      title: `P${id}`,
      source: 'codeforces',
      source_key: `${id}A`,
      url: problemUrl(id),
      rating: 100 * id,
      tags: ['math'],
    })),
  );
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0', PROGRAM_WRITES: '0', ...env } });
  const as = (who: keyof typeof tokens) => program(server.url, tokens[who]);
  const [ada, reader, coder] = [as('ada'), as('reader'), as('coder')];
  return { databaseUrl, server, tokens, ada, reader, coder, ben: as('ben'), nine: as('nine') };
}
