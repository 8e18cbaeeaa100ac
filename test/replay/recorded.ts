/** Replays of all judges from a folder of recorded answers; a judge without answers there has a few invented rows. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aojRow, replayAoj } from './aoj.ts';
import { replayAtCoder } from './atcoder.ts';
import { replayCodeforces } from './codeforces.ts';
import { replayCses } from './cses.ts';
import { dmojRow, replayDmoj } from './dmoj.ts';
import { acceptedRow, replayLeetCode, replayLeetCodeCn } from './leetcode.ts';
import { limited, limits } from './limits.ts';
import type { ReplayedJudge } from './replay.ts';
import { replayUva, type UvaRows } from './uva.ts';
import { replayYukicoder, solvedRow } from './yukicoder.ts';

interface Recorded {
  judges: Record<string, ReplayedJudge>;
  handles: Record<string, string[]>;
}

/** `url` is the address of the replay. Judges whose files are not in the folder have empty lists. */
export function recordedJudges(folder: string, url: string): Recorded {
  const read = <T>(pattern: string, otherwise: T): T => {
    const [path] = globSync(pattern, { cwd: folder }).toSorted().reverse();
    return path === undefined ? otherwise : JSON.parse(readFileSync(join(folder, path), 'utf8'));
  };
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
  const status: Record<string, unknown[]> = {};
  for (const path of globSync('codeforces/user.status.*.json', { cwd: folder })) {
    const { result } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    status[/user\.status\.(.+?)-\d+\.json$/.exec(path)?.[1] ?? path] = result;
  }
  const problems = read('codeforces/problemset.problems*.json', { result: undefined }).result;
  const contests = read('codeforces/contest.list*.json', { result: [] }).result;
  const submissions = read(
    'atcoder/user.submissions*.json',
    [] as { id: number; epoch_second: number; user_id: string }[],
  );
  const resources = {
    problems: read('atcoder/*tasks*.json', []),
    contests: read('atcoder/*contests*.json', []),
    'problem-models': {},
  };
  const listed = read('cses/problemset.json', [] as { category: string; name: string; link: string }[]);
  const tasks = listed.map(({ category, name, link }) => ({
    category,
    name,
    id: link.split('/').at(-1) ?? '',
  }));
  const cses = { tasks, members: { ada: sentTo(tasks.slice(0, 3).map(({ id }) => id)) } };
  return {
    judges: {
      codeforces: limited(replayCodeforces({ status, problems, contests }), limits.codeforces),
      atcoder: limited(replayAtCoder({ submissions, resources }), limits.atcoder),
      cses: limited(replayCses(cses, `${url}/cses`).answer, limits.cses),
      dmoj: limited(replayDmoj(dmoj), limits.dmoj),
      uva: replayUva(uva),
      leetcode: limited(replayLeetCode({ ada: [acceptedRow('two-sum', 1_767_268_800)] }), limits.leetcode),
      'leetcode-cn': replayLeetCodeCn({ ada: [acceptedRow('two-sum', 1_767_268_800)] }),
      yukicoder: replayYukicoder({ ada: [1, 3].map((number) => solvedRow(number, 1_767_268_800)) }),
      aoj: replayAoj({ submissions: aoj }),
    },
    handles: {
      codeforces: Object.keys(status),
      atcoder: [...new Set(submissions.map(({ user_id }) => user_id))],
      cses: ['ada'],
      dmoj: ['ada'],
      uva: ['ada'],
      aoj: ['ada'],
      yukicoder: ['ada'],
      leetcode: ['ada', 'leetcode.cn/ada'],
    },
  };
}

function sentTo(ids: readonly string[]) {
  return Object.fromEntries(
    ids.map((id, at) => [
      id,
      [
        {
          id: 1000 + at,
          time: `2026-01-0${at + 1}T12:00:00Z`,
          outcome_status: at === 2 ? 'fail' : 'pass',
        } as const,
      ],
    ]),
  );
}

const uva: UvaRows = {
  problems: [36, 37].map((pid) => [pid, pid + 64, `Task ${pid + 64}`, 1000, 0, 0, 0]),
  submissions: { ada: [90, 70].map((verdict, at) => [at + 1, 36 + at, verdict, 0, 1_767_268_800, 5, -1]) },
};

const aoj = [4, 1].map((status, at) => aojRow(at + 1, ['GRL_6_A', '0598'][at] ?? '', status, 1_767_268_800_000 + at));

const codes = ['aplusb', 'helloworld', 'primefactor'];
const dmoj = {
  problems: codes.map((code) => ({
    code,
    name: code,
    types: ['Simple Math'],
    group: 'Uncategorized',
    points: 3,
    partial: false,
  })),
  submissions: codes.map((code, at) => ({
    ...dmojRow(at + 1, code, Date.UTC(2026, 0, at + 1, 12), at === 1 ? 'WA' : 'AC'),
    points: 3,
  })),
};
