/** A submission as Codeforces' `user.status` has it (codeforces.com/apiHelp/objects#Submission). */

interface Sent {
  id: number;
  /** In seconds since 1970. */
  at: number;
  /** A contest's number, with the letter of the problem. */
  key: string;
  handle: string;
  isSolved: boolean;
}

export function codeforcesSubmission({ id, at, key, handle, isSolved }: Sent): object {
  return {
    id,
    creationTimeSeconds: at,
    problem: {
      contestId: Number(key.slice(0, -1)),
      index: key.slice(-1),
      name: '',
      type: 'PROGRAMMING',
      tags: [],
    },
    author: { members: [{ handle }], participantType: 'PRACTICE' },
    programmingLanguage: 'C++20',
    verdict: isSolved ? 'OK' : 'WRONG_ANSWER',
    testset: 'TESTS',
  };
}
