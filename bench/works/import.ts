/** How fast a real catalogue is imported: some runs, each into a new database. */
import { join } from 'node:path';
import { writeCatalogue } from '../catalogue.ts';
import { importCatalogue } from '../garden.ts';
import { temporaryFolder } from '../lifecycle.ts';
import type { Result } from '../results.ts';
import type { Run } from '../run.ts';
import { grouped } from '../statistics.ts';
import { progress } from '../terminal.ts';

const { REAL_DATA } = process.env;
const realFile = REAL_DATA && join(REAL_DATA, 'codeforces/problemset.problems.2026-08.json');
const realSize = 11_363;

export async function benchImport({ options }: Run): Promise<Result> {
  const runs = options.isQuick ? 3 : 9;
  const folder = await temporaryFolder();
  const file = realFile || join(folder, 'catalogue.json');
  if (!realFile) await writeCatalogue(file, realSize);
  const rates: number[] = [];
  const peaks: number[] = [];
  for (let run = 1; run <= runs; run++) {
    progress(`import ${run} of ${runs}`);
    const { rowsPerSecond, peakMiB } = await importCatalogue(file, `sqlite:${join(folder, `${run}.db`)}`);
    rates.push(rowsPerSecond);
    peaks.push(peakMiB);
  }
  const kind = realFile ? 'the real' : 'a made-up';
  const what = `${runs} imports of ${kind} catalogue of ${grouped(realSize)} problems; largest peak ${grouped(Math.max(...peaks))} MiB`;
  const row = { target: 'garden', title: 'Practice Garden', figures: rates };
  return { subject: 'import', title: 'Import', what, unit: 'rows/s', rows: [row], skipped: [] };
}
