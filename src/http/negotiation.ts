/** Which form of an answer the client wants: content type (RFC 9110 §12.5.1) and content coding (§12.5.3). */
import Negotiator from 'negotiator';
import { type Format, mediaTypes } from '../contract/rows.ts';
import { AppError } from '../errors.ts';

export type Coding = 'identity' | 'gzip' | 'br' | 'zstd';

const bare = (format: Format) => mediaTypes[format].split(';')[0] ?? '';

/** The format that the Accept header likes best; where several are liked alike, the first offered. Throws notAcceptable. */
export function chooseFormat(accept: string | undefined, offered: readonly Format[]): Format {
  const [first] = offered;
  if (first !== undefined && (!accept || accept === '*/*')) return first;
  const wanted = new Negotiator({ headers: { accept } }).mediaType(offered.map(bare));
  const format = offered.find((candidate) => bare(candidate) === wanted);
  if (format) return format;
  const types = offered.map(bare);
  const list = types.length > 1 ? `${types.slice(0, -1).join(', ')} or ${types.at(-1)}` : types[0];
  throw new AppError(
    'notAcceptable',
    `This cannot be served as ${JSON.stringify((accept ?? '').slice(0, 100))}; accept ${list}.`,
  );
}

/** Whether the Accept header likes a page better than JSON, as that of a browser does. */
export function prefersPage(accept: string | undefined): boolean {
  if (!accept?.includes('text/html')) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/** The coding that the Accept-Encoding header likes best; where several are liked alike, the smallest result. */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const preferred: Coding[] = ['br', 'zstd', 'gzip', 'identity'];
  const negotiator: CodingNegotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  return (negotiator.encoding(preferred, { preferred }) as Coding | undefined) ?? 'identity';
}

/** Whether the Accept-Encoding header allows a body without a coding. */
export function mayBePlain(acceptEncoding: string | undefined): boolean {
  return (
    new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encoding(['identity']) !== undefined
  );
}

/** The published types do not know the option: without it the order in the header would decide, which means nothing. */
interface CodingNegotiator {
  encoding(offered: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}
