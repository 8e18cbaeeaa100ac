/** One mark "solved" of a member: its time with a commit that the disk has, and its statements, BEGIN and COMMIT counted. */
import { join } from 'node:path';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { openStore } from '../../src/store/open.ts';
import { countStatements } from '../../test/support/statements.ts';
import { problemRows } from '../catalogue.ts';
import { median, printFigures } from '../measure.ts';
import { checkouts, garden, writeRows } from '../programs.ts';
import { folderOfRun, type Options, run } from '../run.ts';

const batches = 20;
const marksOfBatch = 100;

export async function measureMark(options: Options): Promise<void> {
  const folder = await folderOfRun();
  const databaseUrl = `sqlite:${join(folder, 'mark.db')}`;
  const file = await writeRows(join(folder, 'problems.ndjson'), problemRows((1 + batches) * marksOfBatch));
  const [own] = checkouts({ ...options, against: [] });
  if (own) await garden(own, ['import', 'problems', file], databaseUrl);
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  run.after(() => store.close());
  const { id: memberId } = await store.write((tx) => createMember(tx, { username: 'bench' }));
  const statements = countStatements(run);
  const mark = (id: number) =>
    store.write((tx) => setStatus(tx, { memberId, problemIds: [BigInt(id)], status: 'complete' }));
  const [medians, counts]: [number[], number[]] = [[], []];
  for (let batch = 0; batch <= batches; batch++) {
    const times: number[] = [];
    const before = statements();
    for (let nth = 1; nth <= marksOfBatch; nth++) {
      const begin = performance.now();
      await mark(batch * marksOfBatch + nth);
      times.push(performance.now() - begin);
    }
    // The first batch makes hot what the engine compiles.
    if (batch === 0) continue;
    medians.push(median(times));
    counts.push((statements() - before) / marksOfBatch);
  }
  printFigures('mark of one problem as solved', [
    { title: 'time, medians of batches', unit: 'ms', values: medians, bound: { atMost: 1.2 } },
    { title: 'statements', unit: 'with BEGIN and COMMIT', values: counts, bound: { atMost: 12 } },
  ]);
}
