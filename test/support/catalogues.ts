/** Databases with all real problems of Codeforces. */
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { type ImportName, importerOf } from '../../src/importing/resources.ts';
import { withStore } from './garden.ts';
import { preparedDatabase } from './prepared.ts';
import { realPath } from './real-data.ts';

export type Catalogue = 'listed' | 'folded';

export async function catalogueDatabase(t: Pick<TestContext, 'after'>, which: Catalogue): Promise<string> {
  if (which === 'listed')
    return preparedDatabase(t, which, importing('codeforces-problems', 'problemset.problems.2026-08.json'));
  const twins = importing('codeforces-twins', 'shared-problems.2026-08.json');
  return preparedDatabase(t, which, twins, (run) => catalogueDatabase(run, 'listed'));
}

function importing(what: ImportName, name: string) {
  return async (databaseUrl: string) => {
    const bytes = readFileSync(realPath(`codeforces/${name}`));
    const open = async () =>
      (async function* () {
        yield bytes;
      })();
    const checked = await checkFile(importerOf(what, 'json'), { open, skipsBadRows: false, trustsIds: true });
    await withStore(databaseUrl, (store) =>
      applyFile(store, checked, { member: undefined, isDryRun: false, onDetail: undefined }),
    );
  };
}
