/** The kinds of judges' files that people confuse, and the keys near the start that distinguish them. */
import { badFile } from '../errors.ts';

interface Kind {
  judge: string;
  file: string;
  /** Keys that occur together near the start of such a file, and of no other. */
  keys: string[];
  /** The arguments of `garden import` for such a file; absent if no import reads it. */
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

/** Passes a file on, unless it starts like another kind: then it throws badFile with that kind and the right command. */
export async function* refuseOtherKinds(
  expected: KindName,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let prefix = Buffer.alloc(0);
  let isChecked = false;
  for await (const chunk of bytes) {
    if (isChecked) {
      yield chunk;
      continue;
    }
    prefix = Buffer.concat([prefix, chunk]);
    if (prefix.length < prefixBytes) continue;
    isChecked = true;
    checkStart(expected, prefix);
    yield prefix;
  }
  if (isChecked) return;
  checkStart(expected, prefix);
  yield prefix;
}

function checkStart(expected: KindName, prefix: Buffer): void {
  const text = prefix.toString('latin1', 0, prefixBytes);
  if (isLike(kinds[expected], text)) return;
  const other: Kind | undefined = Object.values(kinds).find((kind) => isLike(kind, text));
  if (other === undefined) return;
  const advice =
    other.importAs === undefined ? 'nothing imports such a file' : `import it with ${other.importAs}`;
  throw badFile(`This looks like ${other.judge} ${other.file}, not ${kinds[expected].file}: ${advice}.`);
}

/** Whether the start has all keys of the kind. In a JSON string every quote is escaped, so `"key":` can only be a key. */
function isLike(kind: Kind, text: string): boolean {
  return kind.keys.every((key) => new RegExp(`"${key}"\\s*:`).test(text));
}
