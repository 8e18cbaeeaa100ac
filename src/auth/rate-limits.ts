/**
 * Rate limits of tokens, and of networks without one, in windows of a second. The processes of a server exchange their counts for
 * tokens, so the limit holds for all of them and none waits for another.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const windowMs = 1000;
/** How long a process gathers counts before it shares them. */
const shareAfterMs = 50;

export interface Allowance {
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): names and values in turn. */
  headers: readonly string[];
  perSecond: number;
  isUsedUp: boolean;
}

/** The requests that one process has counted since it last shared its counts. */
export interface RequestCount {
  /** The start of the window, in milliseconds of the machine's clock. */
  begunAt: number;
  requests: readonly (readonly [tokenId: string, requests: number])[];
}

export interface OtherProcesses {
  share(counted: RequestCount): void;
  onShared(listener: (counted: RequestCount) => void): void;
}

/** Counts the requests of a token. A limit of 0 allows any number. */
export function rateLimiter(perSecond: number, others?: OtherProcesses): (tokenId: bigint) => Allowance {
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

  function add(to: Map<bigint, number>, tokenId: bigint, requests: number): number {
    const sum = (to.get(tokenId) ?? 0) + requests;
    to.set(tokenId, sum);
    return sum;
  }

  function share(): void {
    if (unshared.size === 0) return;
    others?.share({ begunAt, requests: [...unshared].map(([id, requests]) => [String(id), requests]) });
    unshared.clear();
  }

  others?.onShared((counted) => {
    if (counted.begunAt <= begunAt - windowMs) return;
    if (counted.begunAt >= begunAt + windowMs) begin(counted.begunAt);
    // Two processes may have begun windows at once; both then use the earlier start.
    begunAt = Math.min(begunAt, counted.begunAt);
    for (const [id, requests] of counted.requests) add(counts, BigInt(id), requests);
  });

  return (tokenId) => {
    const now = machineNow();
    if (now >= begunAt + windowMs) begin(now);
    const count = add(counts, tokenId, 1);
    if (others) {
      if (unshared.size === 0) setTimeout(share, shareAfterMs).unref();
      add(unshared, tokenId, 1);
    }
    const left = Math.max(0, perSecond - count);
    return {
      headers: ['ratelimit-policy', policy, 'ratelimit', `"token";r=${left};t=1`],
      perSecond,
      isUsedUp: count > perSecond,
    };
  };
}

/** Further networks within a second share one count, so that many addresses cannot fill the memory. */
const networksAtMost = 10_000;
const otherNetworks = 'others';

/** Counts the requests without a valid token by network, in each process alone; true if the limit allows another. */
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

/** The IPv4 address, or the first 64 bits of the IPv6 address, which belong to one customer. */
export function networkOf(text: string): string {
  if (isIP(text) === 0) return 'unknown';
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

const machineAhead = Number(process.hrtime.bigint() / 1_000n) / 1000 - performance.now();

/** The monotonic clock that all processes share, in milliseconds, from one that is cheaper to read. */
function machineNow(): number {
  return performance.now() + machineAhead;
}
