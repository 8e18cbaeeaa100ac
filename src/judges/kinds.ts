/** The judges' files that people mix up, and how to tell them apart by the keys in their first lines. */
import { badFile } from '../errors.ts';

interface Kind {
  judge: string;
  file: string;
  /** Keys that all stand near the start of such a file, and of no other. */
  keys: string[];
  /** How it is imported; nothing when it is not. */
  importAs?: string;
}

const kinds = {
  codeforcesProblems: {
    judge: 'Codeforces',
    file: 'problemset.problems',
    keys: ['problems', 'contestId', 'tags'],
    importAs: 'codeforces-problems',
  },
  codeforcesTwins: {
    judge: 'Codeforces',
    file: 'shared problems',
    keys: ['shared', 'contestId'],
    importAs: 'codeforces-twins',
  },
  codeforcesSubmissions: {
    judge: 'Codeforces',
    file: 'user.status',
    keys: ['creationTimeSeconds', 'problem'],
    importAs: 'codeforces-submissions --member NAME',
  },
  codeforcesContests: { judge: 'Codeforces', file: 'contest.list', keys: ['durationSeconds', 'phase'] },
  atcoderProblems: {
    judge: 'AtCoder Problems',
    file: 'problems.json',
    keys: ['problem_index', 'contest_id'],
    importAs: 'atcoder-problems',
  },
  atcoderModels: {
    judge: 'AtCoder Problems',
    file: 'problem-models.json',
    keys: ['is_experimental'],
    importAs: 'atcoder-models',
  },
  atcoderSubmissions: {
    judge: 'AtCoder Problems',
    file: 'submissions',
    keys: ['epoch_second', 'problem_id'],
    importAs: 'atcoder-submissions --member NAME',
  },
  atcoderContests: { judge: 'AtCoder Problems', file: 'contests.json', keys: ['start_epoch_second'] },
  csesProblems: {
    judge: 'CSES',
    file: 'problem list',
    keys: ['category', 'link', 'solves'],
    importAs: 'cses-problems',
  },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

const prefixBytes = 4096;

/** Passes a file on, unless its start is plainly that of another kind: then a badFile says which and what to do. */
export async function* refuseOtherKinds(
  expected: KindName,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let prefix = Buffer.alloc(0);
  let isJudged = false;
  for await (const chunk of bytes) {
    if (isJudged) {
      yield chunk;
      continue;
    }
    prefix = Buffer.concat([prefix, chunk]);
    if (prefix.length < prefixBytes) continue;
    isJudged = true;
    judgeStart(expected, prefix);
    yield prefix;
  }
  if (isJudged) return;
  judgeStart(expected, prefix);
  yield prefix;
}

function judgeStart(expected: KindName, prefix: Buffer): void {
  const text = prefix.toString('latin1', 0, prefixBytes);
  if (isLike(kinds[expected], text)) return;
  const other: Kind | undefined = Object.values(kinds).find((kind) => isLike(kind, text));
  if (other === undefined) return;
  const advice =
    other.importAs === undefined ? 'nothing imports such a file' : `import it with ${other.importAs}`;
  throw badFile(`This looks like ${other.judge} ${other.file}, not ${kinds[expected].file}: ${advice}.`);
}

/** Inside a JSON string every quote is escaped, so `"key":` can only be a key. */
function isLike(kind: Kind, text: string): boolean {
  return kind.keys.every((key) => new RegExp(`"${key}"\\s*:`).test(text));
}
