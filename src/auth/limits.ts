/** How many requests a token may make: counted in memory per process, in windows of one second. */
const windowMs = 1000;

/** What a token is told about its limit with every answer. */
export interface Allowance {
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): names and values in turn. */
  headers: readonly string[];
  perSecond: number;
  isUsedUp: boolean;
}

/** Counts a request of a token; each may make so many a second, with 0 any number. */
export function rateLimiter(perSecond: number): (tokenId: bigint) => Allowance {
  const unlimited = { headers: [], perSecond, isUsedUp: false };
  if (perSecond === 0) return () => unlimited;
  let windowEnds = 0;
  const counts = new Map<bigint, number>();
  const policy = `"token";q=${perSecond};w=1`;
  return (tokenId) => {
    const now = performance.now();
    if (now >= windowEnds) {
      counts.clear();
      windowEnds = now + windowMs;
    }
    const count = (counts.get(tokenId) ?? 0) + 1;
    counts.set(tokenId, count);
    const left = Math.max(0, perSecond - count);
    return {
      headers: ['ratelimit-policy', policy, 'ratelimit', `"token";r=${left};t=1`],
      perSecond,
      isUsedUp: count > perSecond,
    };
  };
}
