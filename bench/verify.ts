/** Before anything is measured: every target answers with our bytes, and ours with all that the interface promises. */
import { readFileSync } from 'node:fs';
import { type Ask, fetchRaw, plainBody } from './client.ts';
import { bearer, type Data, type Kept } from './data.ts';
import { collection } from './requests.ts';

/** What our answers must carry while they are measured. */
const promisedHeaders = ['api-version', 'x-request-id', 'etag', 'cache-control', 'vary', 'ratelimit'];
const gzipOnly = { 'Accept-Encoding': 'gzip' };

/** Throws where a body is not the one that our server gave, byte for byte once it is decoded. */
export async function assertSameBodies(
  data: Data,
  port: number,
  asks: readonly Ask[],
  isGzip = false,
): Promise<void> {
  const kept = JSON.parse(readFileSync(data.answersFile, 'utf8')) as Kept[];
  const fileOf = new Map(
    kept.filter(({ coding }) => coding === 'identity').map((one) => [one.path, one.file]),
  );
  const different = new Map(asks.map((ask) => [ask.path, ask]));
  for (const { path } of different.values()) {
    const headers = { ...bearer(data.token), ...(isGzip && gzipOnly) };
    const answer = await fetchRaw(port, { path, headers });
    if (answer.status !== 200) throw new Error(`it answers ${path} with ${answer.status}`);
    if (isGzip && answer.headers['content-encoding'] !== 'gzip') throw new Error('it does not compress');
    const theirs = plainBody(answer);
    const ours = readFileSync(fileOf.get(path) ?? '');
    if (!theirs.equals(ours)) throw new Error(differenceOf(path, theirs, ours));
  }
}

function differenceOf(path: string, theirs: Buffer, ours: Buffer): string {
  const at = theirs.findIndex((byte, place) => byte !== ours[place]);
  const around = (body: Buffer) => JSON.stringify(body.toString('utf8', Math.max(0, at - 10), at + 20));
  return `its body of ${path} differs from ours at byte ${at}: ${around(theirs)} and ${around(ours)}`;
}

/** Throws where an answer of ours lacks a header of the interface, or is given without a token. */
export async function assertPromises(data: Data, port: number, ask: Ask = collection): Promise<void> {
  const answer = await fetchRaw(port, { ...ask, headers: bearer(data.token) });
  const absent = promisedHeaders.filter((name) => answer.headers[name] === undefined);
  if (absent.length > 0) throw new Error(`our answer lacks ${absent.join(', ')}`);
  const refusal = await fetchRaw(port, ask);
  if (refusal.status !== 401) throw new Error(`our server answers ${refusal.status} without a token`);
}

/** The same requests with the entity tags that this server gave. Throws where it gives none, or does not heed them. */
export async function conditional(data: Data, port: number, asks: readonly Ask[]): Promise<Ask[]> {
  const tagged: Ask[] = [];
  for (const ask of asks) {
    const first = await fetchRaw(port, { ...ask, headers: bearer(data.token) });
    const { etag } = first.headers;
    if (etag === undefined) throw new Error('it gives no entity tag');
    const headers = { 'If-None-Match': etag };
    const again = await fetchRaw(port, { ...ask, headers: { ...bearer(data.token), ...headers } });
    if (again.status !== 304) throw new Error(`it answers its own entity tag with ${again.status}`);
    tagged.push({ ...ask, headers });
  }
  return tagged;
}
