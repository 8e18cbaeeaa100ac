/** How often judges may be asked, where they or their users say so, and what they answer to one request too many. */
import type { Answered, ReplayedJudge } from './replay.ts';

interface Limit {
  most: number;
  ms: number;
  refusal: Answered;
}

const page = { 'Content-Type': 'text/html' };

export const limits = {
  codeforces: {
    most: 1,
    ms: 2000,
    refusal: { status: 403, headers: { 'Content-Type': 'text/plain' }, body: 'Call limit exceeded' },
  },
  atcoder: { most: 1, ms: 1000, refusal: { status: 429, headers: page, body: '<h1>429 Too Many Requests</h1>' } },
  // For three days.
  dmoj: { most: 90, ms: 60_000, refusal: { status: 403, headers: page, body: '<title>Captcha</title>' } },
  cses: { most: 1, ms: 1000, refusal: { status: 400, body: { code: 'client_error', message: 'Too many requests' } } },
  leetcode: { most: 20, ms: 60_000, refusal: { status: 429, body: { error: 'Too many requests' } } },
} satisfies Record<string, Limit>;

export function limited(judge: ReplayedJudge, { most, ms, refusal }: Limit): ReplayedJudge {
  const times: number[] = [];
  return (...request) => {
    times.push(performance.now());
    const before = times.at(-1 - most) ?? Number.NEGATIVE_INFINITY;
    return performance.now() - before < ms ? refusal : judge(...request);
  };
}
