/** Databases with all real problems of Codeforces. */
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type ImportName, importerOf } from '../../src/importing/resources.ts';
import { importBytes } from './garden.ts';
import { preparedDatabase } from './prepared.ts';
import { realPath } from './real-data.ts';

export type Catalogue = 'listed' | 'folded';

export async function catalogueDatabase(t: Pick<TestContext, 'after'>, which: Catalogue): Promise<string> {
  if (which === 'listed')
    return preparedDatabase(t, which, importing('codeforces-problems', 'problemset.problems.2026-08.json'));
  const twins = importing('codeforces-twins', 'shared-problems.2026-08.json');
  return preparedDatabase(t, which, twins, (run) => catalogueDatabase(run, 'listed'));
}

const importing = (what: ImportName, name: string) => (databaseUrl: string) =>
  importBytes(databaseUrl, importerOf(what, 'json'), readFileSync(realPath(`codeforces/${name}`)));
