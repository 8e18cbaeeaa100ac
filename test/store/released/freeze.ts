/**
 * Run once at a release that has a new migration: npm run freeze:schema. Writes the newest schema of both stores with rows in every
 * table as schema-<version>.*.sql, and the digests of all migrations. A schema that is there already is never written again.
 */
import { writeFileSync } from 'node:fs';
import { newestVersion } from '../../../src/store/migrate.ts';
import { UnfitProgram } from './dump.ts';
import { freeze } from './freezing.ts';
import { currentMigrations, digestsPath, frozenVersions, releasedFolder } from './released.ts';

if (frozenVersions(releasedFolder).includes(newestVersion)) {
  process.stderr.write(`schema ${newestVersion} was released already, and stays as it is\n`);
  process.exit(1);
}
const cleanups: (() => unknown)[] = [];
try {
  await freeze({ after: (clean) => cleanups.push(clean as () => unknown) }, releasedFolder);
  writeFileSync(digestsPath, `${JSON.stringify(await currentMigrations(), null, 2)}\n`);
} catch (error) {
  if (!(error instanceof UnfitProgram)) throw error;
  process.stderr.write(`freeze:schema: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  for (const clean of cleanups) await clean();
}
