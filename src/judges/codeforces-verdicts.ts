/** The meaning of each verdict of Codeforces (codeforces.com/apiHelp/objects, Submission). */
import type { Judge } from './judge.ts';
import type { Submission } from './judge-files.ts';

export const verdicts = {
  OK: 'accepted',
  PARTIAL: 'partial',
  WRONG_ANSWER: 'wrongAnswer',
  PRESENTATION_ERROR: 'presentationError',
  COMPILATION_ERROR: 'compileError',
  RUNTIME_ERROR: 'runtimeError',
  TIME_LIMIT_EXCEEDED: 'timeLimit',
  MEMORY_LIMIT_EXCEEDED: 'memoryLimit',
  IDLENESS_LIMIT_EXCEEDED: 'idlenessLimit',
  SECURITY_VIOLATED: 'securityViolated',
  CRASHED: 'crashed',
  INPUT_PREPARATION_CRASHED: 'inputCrashed',
  FAILED: 'failed',
  REJECTED: 'rejected',
  SKIPPED: 'skipped',
  CHALLENGED: 'hacked',
  TESTING: 'waiting',
  SUBMITTED: 'waiting',
} as const satisfies Judge['verdicts'];

/** Compile errors, and faults of the judge: judging failed, denied, or its input could not be prepared. */
const voids = new Set(['COMPILATION_ERROR', 'FAILED', 'CRASHED', 'INPUT_PREPARATION_CRASHED']);

/** Any other word than these is a ruling against the solution. */
export function classOf(verdict: string | null, testset: unknown): Submission['verdictClass'] {
  if (verdict === null || verdict === 'TESTING' || verdict === 'SUBMITTED') return 'pending';
  // During a round only some tests are run; the others follow after its end.
  if (verdict === 'OK') return testset === 'PRETESTS' ? 'pending' : 'solved';
  return voids.has(verdict) ? 'void' : 'tried';
}
