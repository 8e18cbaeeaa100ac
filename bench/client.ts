/** A client for what is not load: whether an answer is right, and how long a single one takes. */
import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Ask {
  path: string;
  method?: 'GET' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it came, still coded. */
  body: Buffer;
  /** From the request to the last byte. */
  ms: number;
}

export async function fetchRaw(port: number, ask: Ask, agent?: Agent): Promise<RawAnswer> {
  const begin = performance.now();
  const { path, method = 'GET', headers = {} } = ask;
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, ...(agent && { agent }) });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const ms = performance.now() - begin;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks), ms };
}

/** The body as it was before it was coded. */
export function plainBody({ headers, body }: RawAnswer): Buffer {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
