/** Rate limits per second. Processes exchange their counts of tokens without waiting for each other. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const windowMs = 1000;
const shareAfterMs = 50;

export interface Allowance {
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
  headers: readonly string[];
  perSecond: number;
  isUsedUp: boolean;
}

export interface RequestCount {
  begunAt: number;
  requests: readonly (readonly [tokenId: string, requests: number])[];
}

export interface OtherProcesses {
  share(count: RequestCount): void;
  onShared(listener: (count: RequestCount) => void): void;
}

export function rateLimiter(
  perSecond: number,
  otherProcesses?: OtherProcesses,
): (tokenId: bigint) => Allowance {
  const unlimited = { headers: [], perSecond, isUsedUp: false };
  if (perSecond === 0) return () => unlimited;
  let begunAt = Number.NEGATIVE_INFINITY;
  const counts = new Map<bigint, number>();
  const unshared = new Map<bigint, number>();
  const policy = `"token";q=${perSecond};w=1`;

  function begin(at: number): void {
    counts.clear();
    unshared.clear();
    begunAt = at;
  }

  function addTo(target: Map<bigint, number>, tokenId: bigint, requests: number): number {
    const sum = (target.get(tokenId) ?? 0) + requests;
    target.set(tokenId, sum);
    return sum;
  }

  function share(): void {
    if (unshared.size === 0) return;
    otherProcesses?.share({
      begunAt,
      requests: [...unshared].map(([id, requests]) => [String(id), requests]),
    });
    unshared.clear();
  }

  otherProcesses?.onShared((shared) => {
    if (shared.begunAt <= begunAt - windowMs) return;
    if (shared.begunAt >= begunAt + windowMs) begin(shared.begunAt);
    // Two processes may begin windows at once.
    begunAt = Math.min(begunAt, shared.begunAt);
    for (const [id, requests] of shared.requests) addTo(counts, BigInt(id), requests);
  });

  return (tokenId) => {
    const now = sharedClockMs();
    if (now >= begunAt + windowMs) begin(now);
    const count = addTo(counts, tokenId, 1);
    if (otherProcesses) {
      if (unshared.size === 0) setTimeout(share, shareAfterMs).unref();
      addTo(unshared, tokenId, 1);
    }
    const remaining = Math.max(0, perSecond - count);
    return {
      headers: ['ratelimit-policy', policy, 'ratelimit', `"token";r=${remaining};t=1`],
      perSecond,
      isUsedUp: count > perSecond,
    };
  };
}

/** All further networks share one count, which bounds memory. */
const networksAtMost = 10_000;
const otherNetworks = 'others';

export function networkLimiter(perSecond: number): (address: string) => boolean {
  const counts = new Map<string, number>();
  let begunAt = Number.NEGATIVE_INFINITY;
  return (address) => {
    if (perSecond === 0) return true;
    const now = performance.now();
    if (now >= begunAt + windowMs) {
      counts.clear();
      begunAt = now;
    }
    const network = networkOf(address);
    const key = counts.has(network) || counts.size < networksAtMost ? network : otherNetworks;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= perSecond;
  };
}

/** A customer usually has the first 64 bits of an IPv6 address. */
export function networkOf(text: string): string {
  if (isIP(text) === 0) return 'unknown';
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

const clockOffsetMs = Number(process.hrtime.bigint() / 1_000n) / 1000 - performance.now();

/** hrtime is the same clock in all processes, but performance.now is cheaper. */
function sharedClockMs(): number {
  return performance.now() + clockOffsetMs;
}
