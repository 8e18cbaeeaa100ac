/**
 * How many requests a token may make: counted in memory, in windows of one second, for all processes of a server
 * together. These tell each other what they counted, so none asks another before it answers.
 */
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

/** Between the process's own clock, which is cheap to read, and that of the machine: milliseconds. */
const machineAhead = Number(process.hrtime.bigint() / 1_000n) / 1000 - performance.now();

/** In milliseconds; never set back or forth. */
function machineNow(): number {
  return performance.now() + machineAhead;
}
