/** npm run replay: judges on this machine that replay recorded answers, so that syncing can be tried without a connection. */
import { parseArgs } from 'node:util';
import { recordedJudges } from './recorded.ts';
import { type Fault, startReplay } from './replay.ts';

const help = `npm run replay -- --data FOLDER [--port 8090]

Answers as Codeforces, AtCoder Problems, CSES, DMOJ, uHunt, AOJ, yukicoder and LeetCode do, from the recorded files in a folder:
  codeforces/  problemset.problems*.json, contest.list*.json, user.status.HANDLE-COUNT.json
  atcoder/     *tasks*.json, *contests*.json, user.submissions*.json
  cses/        problemset.json; what the member ada sent is made up
  dmoj, uva, aoj, yukicoder, leetcode: a few rows are made up
It prints the setting that sends a garden there. A judge goes wrong at its next request after one to
  /faults?judge=codeforces&kind=page&status=403
  kind: ${'call limit, status, page, truncated, stalled, large, redirect, reset'} (count=3: at the next three)
and /log lists the requests that came.`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '8090' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || values.data === undefined) {
  print(help);
  process.exit(values.help ? 0 : 2);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const port = Number(values.port);
const { judges, handles } = recordedJudges(values.data, `http://127.0.0.1:${port}`);
const replay = await startReplay(
  {
    ...judges,
    faults: (_path, query) => {
      const [judge, kind] = [query.get('judge') ?? '', query.get('kind') ?? ''];
      const details = { status: 503, ms: 120_000, bytes: 1e9, to: 'https://example.org/' };
      const status = Number(query.get('status') ?? (kind === 'page' ? 403 : 503));
      const fault = { ...details, status, kind } as unknown as Fault;
      const count = Math.min(Number(query.get('count') ?? 1), 1000);
      if (!(judge in judges)) return { status: 400, body: { judges: Object.keys(judges) } };
      replay.fail(judge, ...Array.from({ length: count }, () => fault));
      return { body: { judge, next: fault, count } };
    },
    log: () => ({ body: replay.log }),
  },
  { port },
);
const settings = Object.keys(judges).map((judge) => `${judge}=${replay.url}/${judge}`);
print(`Replaying at ${replay.url}. Start the garden, and run garden sync, with`);
print(`  JUDGE_URLS=${settings.join(',')}`);
print('Handles that have submissions:');
for (const [judge, names] of Object.entries(handles)) {
  print(`  garden handle add NAME ${judge} ${names[0] ?? '(none in this folder)'}`);
}
