/** Request targets (RFC 9112 §3.2) as paths, and the refusal of a path where nothing lives. */
import { AppError } from '../errors.ts';

/** The target without scheme and authority, which a client may send (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*(\/?)/i, '/');
}

/** The target as Fastify's router can read it: one whose path is no encoded UTF-8 keeps its text and is found nowhere. */
export function readable(target: string): string {
  const [path = ''] = target.split('?', 1);
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

export function unknownPath(target: string): AppError {
  const [path = ''] = originForm(target).split('?', 1);
  if (!isDecodable(path)) {
    return new AppError(
      'malformedPath',
      'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.',
    );
  }
  return new AppError(
    'unknownPath',
    `Nothing lives at ${JSON.stringify(path.slice(0, 100))}; the operations are listed at /docs/.`,
  );
}
