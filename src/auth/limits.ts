/**
 * How many requests a token may make, and a network without one: counted in memory, in windows of one second. Tokens are
 * counted for all processes of a server together, which tell each other what they counted, so none asks another before
 * it answers.
 */
import { isIPv4, isIPv6 } from 'node:net';

const windowMs = 1000;
/** Requests that are counted within this time are told to the other processes together. */
const tellEveryMs = 50;

/** What a token is told about its limit with every answer. */
export interface Allowance {
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): names and values in turn. */
  headers: readonly string[];
  perSecond: number;
  isUsedUp: boolean;
}

/** What one process counted since it last told: ids of tokens, as text, and their requests. */
export interface Counted {
  /** When the window began, in milliseconds of the machine's own clock, which all processes share. */
  begunAt: number;
  requests: readonly (readonly [tokenId: string, requests: number])[];
}

/** The other processes that answer requests of the same tokens. */
export interface Colleagues {
  tell(counted: Counted): void;
  onTold(listener: (counted: Counted) => void): void;
}

/** Counts a request of a token; each may make so many a second, with 0 any number. */
export function rateLimiter(perSecond: number, colleagues?: Colleagues): (tokenId: bigint) => Allowance {
  const unlimited = { headers: [], perSecond, isUsedUp: false };
  if (perSecond === 0) return () => unlimited;
  let begunAt = Number.NEGATIVE_INFINITY;
  const counts = new Map<bigint, number>();
  const untold = new Map<bigint, number>();
  let isTelling = false;
  const policy = `"token";q=${perSecond};w=1`;

  function begin(at: number): void {
    counts.clear();
    untold.clear();
    begunAt = at;
  }

  function add(to: Map<bigint, number>, tokenId: bigint, requests: number): number {
    const sum = (to.get(tokenId) ?? 0) + requests;
    to.set(tokenId, sum);
    return sum;
  }

  function tellLater(): void {
    if (isTelling) return;
    isTelling = true;
    setTimeout(tell, tellEveryMs).unref();
  }

  function tell(): void {
    isTelling = false;
    if (untold.size === 0) return;
    colleagues?.tell({ begunAt, requests: [...untold].map(([id, requests]) => [String(id), requests]) });
    untold.clear();
  }

  colleagues?.onTold((told) => {
    if (told.begunAt <= begunAt - windowMs) return;
    if (told.begunAt >= begunAt + windowMs) begin(told.begunAt);
    // Of two windows that were begun before one heard of the other the earlier counts.
    begunAt = Math.min(begunAt, told.begunAt);
    for (const [id, requests] of told.requests) add(counts, BigInt(id), requests);
  });

  return (tokenId) => {
    const now = machineNow();
    if (now >= begunAt + windowMs) begin(now);
    const count = add(counts, tokenId, 1);
    if (colleagues) {
      add(untold, tokenId, 1);
      tellLater();
    }
    const left = Math.max(0, perSecond - count);
    return {
      headers: ['ratelimit-policy', policy, 'ratelimit', `"token";r=${left};t=1`],
      perSecond,
      isUsedUp: count > perSecond,
    };
  };
}

/** Networks beyond so many within a second share one count, so an attacker with many addresses takes no memory. */
const networksAtMost = 10_000;
const otherNetworks = 'others';

/**
 * Counts a request without a valid token against its client's network, in windows of one second. To be called for such
 * requests only: those with a valid token have a limit of their own. Each process counts alone. With 0 any number may come.
 */
export function networkLimiter(perSecond: number): (address: string) => Allowance {
  if (perSecond === 0) return () => ({ headers: [], perSecond, isUsedUp: false });
  const counts = new Map<string, number>();
  let begunAt = Number.NEGATIVE_INFINITY;
  return (address) => {
    const now = performance.now();
    if (now >= begunAt + windowMs) {
      counts.clear();
      begunAt = now;
    }
    const network = networkOf(address);
    const key = counts.has(network) || counts.size < networksAtMost ? network : otherNetworks;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { headers: [], perSecond, isUsedUp: count > perSecond };
  };
}

/** The IPv4 address, or the first 64 bits of the IPv6 address, which one customer has; other text has one network in common. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  const plain = mapped ?? address;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const [unzoned = ''] = plain.split('%');
  const [front = [], back] = unzoned.split('::').map(groupsOf);
  // "::" stands for all groups of zeros that are missing from the eight (RFC 4291 §2.2).
  const zeros = back === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<number>(zeros).fill(0), ...(back ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** Groups of 16 bits; an IPv4 address at the end stands for two, which are never among the first four. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}

/** Between the process's own clock, which is cheap to read, and that of the machine: milliseconds. */
const machineAhead = Number(process.hrtime.bigint() / 1_000n) / 1000 - performance.now();

/** In milliseconds; never set back or forth. */
function machineNow(): number {
  return performance.now() + machineAhead;
}
