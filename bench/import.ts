/** How fast a real catalogue is imported: nine runs, each into a new database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { grouped, importCatalogue, inTemporaryFolder, median, say, writeCatalogue } from './support.ts';

const realFile = join(import.meta.dirname, '../../shared/data/codeforces/problemset.problems.2026-08.json');
const realSize = 11_363;
const runs = 9;

export async function benchImport(): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    let file = realFile;
    if (!existsSync(realFile)) {
      file = join(folder, 'catalogue.json');
      await writeCatalogue(file, realSize);
    }
    say(
      `${runs} imports of ${file === realFile ? 'the real' : 'a made-up'} catalogue of ${grouped(realSize)} problems`,
    );
    const rates: number[] = [];
    const peaks: number[] = [];
    for (let run = 1; run <= runs; run++) {
      const { rowsPerSecond, peakMiB } = await importCatalogue(file, `sqlite:${join(folder, `${run}.db`)}`);
      say(`  ${run}: ${grouped(rowsPerSecond)} rows/s, ${grouped(peakMiB)} MiB`);
      rates.push(rowsPerSecond);
      peaks.push(peakMiB);
    }
    say(`median ${grouped(median(rates))} rows/s, largest peak ${grouped(Math.max(...peaks))} MiB`);
  });
}
