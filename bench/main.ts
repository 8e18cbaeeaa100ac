/** npm run bench: how fast the program is, beside the ceilings of runtime and machine and beside its peers (docs/performance.md). */
import { stepAside } from './cores.ts';
import { prepareData } from './data.ts';
import { writeDocument } from './document.ts';
import { judge } from './goals.ts';
import { cleanUp, cleanUpOnSignals, haltIfStopping } from './lifecycle.ts';
import { circumstances, machineText, thisMachine } from './machine.ts';
import { type Options, readOptions, type WorkName } from './options.ts';
import { captionOf, goalsTable, resultTable, skippedLines } from './report.ts';
import type { Result } from './results.ts';
import { newRun, type Run } from './run.ts';
import { beQuiet, progress, say, textTable } from './terminal.ts';
import { benchCold } from './works/cold.ts';
import { benchDeletes, plantsFor } from './works/deletes.ts';
import { benchFirstRead } from './works/first-read.ts';
import { benchImport } from './works/import.ts';
import { benchPages } from './works/pages.ts';
import { benchPostgres } from './works/postgres.ts';
import { benchColdStart, benchMemory, benchWorkers } from './works/processes.ts';
import { benchRead, reads } from './works/reads.ts';
import { benchSize } from './works/size.ts';
import { benchStall } from './works/stall.ts';
import { benchSync } from './works/sync.ts';

type Step = (run: Run, options: Options) => Promise<Result | Result[]>;

const works: Record<WorkName, readonly Step[]> = {
  cold: [(_run, options) => benchCold(options)],
  item: [(run) => benchRead(run, reads.item)],
  collection: [(run) => benchRead(run, reads.collection), (run) => benchRead(run, reads.collectionGzip)],
  conditional: [
    (run) => benchRead(run, reads.itemNotModified),
    (run) => benchRead(run, reads.collectionNotModified),
  ],
  page: [(run) => benchRead(run, reads.page)],
  statuses: [(run) => benchRead(run, reads.statuses)],
  mixed: [(run) => benchRead(run, reads.mixed)],
  'first-read': [(run) => benchFirstRead(run, 'identity'), (run) => benchFirstRead(run, 'gzip')],
  delete: [benchDeletes],
  workers: [benchWorkers],
  postgres: [benchPostgres],
  'cold-start': [benchColdStart],
  memory: [benchMemory],
  stall: [benchStall],
  sync: [benchSync],
  pages: [benchPages],
  size: [(run, { largeSize }) => benchSize(run, largeSize)],
  import: [benchImport],
};

const options = readOptions(process.argv.slice(2));
if (options) await measure(options);

async function measure(options: Options): Promise<void> {
  cleanUpOnSignals();
  stepAside();
  if (options.isJson) beQuiet();
  const machine = thisMachine();
  const results: Result[] = [];
  say(`${circumstances(machine)}; ${machineText(machine)}`);
  try {
    const plants = options.works.includes('delete') ? plantsFor(options.rounds) : 0;
    const run = newRun(options, () => prepareData({ plants }));
    for (const step of options.works.flatMap((name) => works[name])) {
      const found = await step(run, options).catch(complain);
      await haltIfStopping();
      for (const result of [found].flat()) {
        results.push(result);
        show(result);
      }
    }
  } finally {
    await haltIfStopping();
    await cleanUp();
  }
  const isComplete = options.works.length === Object.keys(works).length;
  const goals = goalsTable(results, isComplete);
  if (goals.length > 1) say(`\n${textTable(goals)}`);
  if (options.isJson)
    process.stdout.write(
      `${JSON.stringify({ machine, options, results, goals: judge(results) }, null, 2)}\n`,
    );
  if (options.isWriting) writeDocument(results, machine);
}

/** One work that fails does not take the others with it. */
function complain(error: Error): Result[] {
  progress('');
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
  return [];
}

function show(result: Result): void {
  say(`\n${result.title}\n  ${captionOf(result)}`);
  if (result.rows.length > 0) say(textTable(resultTable(result)));
  for (const line of skippedLines(result)) say(`  ${line}`);
}
