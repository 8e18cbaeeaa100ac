/** How many requests a token may make: counted in memory per process, in windows of one second. */
import type { SetHeader } from '../api/answer.ts';
import { AppError } from '../errors.ts';

const windowMs = 1000;

/**
 * Counts a request of a token and sets RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
 * Throws tooManyRequests beyond `perSecond`; 0 turns the limit off.
 */
export function rateLimiter(perSecond: number): (tokenId: bigint, setHeader: SetHeader) => void {
  if (perSecond === 0) return () => {};
  let windowEnds = 0;
  const counts = new Map<bigint, number>();
  const policy = `"token";q=${perSecond};w=1`;
  return (tokenId, setHeader) => {
    const now = performance.now();
    if (now >= windowEnds) {
      counts.clear();
      windowEnds = now + windowMs;
    }
    const count = (counts.get(tokenId) ?? 0) + 1;
    counts.set(tokenId, count);
    setHeader('RateLimit-Policy', policy);
    setHeader('RateLimit', `"token";r=${Math.max(0, perSecond - count)};t=1`);
    if (count > perSecond) {
      throw new AppError(
        'tooManyRequests',
        `This token made more than ${perSecond} requests in a second; wait a second.`,
      );
    }
  };
}
