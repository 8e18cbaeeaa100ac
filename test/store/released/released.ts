/** The promises of every release to its databases: each schema as it was released, with rows, and a digest of each migration. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect, Migration } from '../../../src/store/engine.ts';
import { tamper } from '../../support/databases.ts';
import { root } from '../../support/garden.ts';
import { type FrozenTexts, rowsMark } from './dump.ts';

export const releasedFolder = import.meta.dirname;
const migrationsFolder = join(root, 'src', 'store', 'migrations');
export const digestsPath = join(releasedFolder, 'migrations.json');

export interface ReleasedMigration {
  version: number;
  name: string;
  /** SHA-256 of the statements. */
  sqlite: string;
  postgres: string;
}

/** A frozen text of a schema's version. */
export function frozenPath(folder: string, version: number, text: keyof FrozenTexts): string {
  return join(folder, `schema-${version}.${text}.sql`);
}

/** The versions of which a folder has a frozen database, in order. */
export function frozenVersions(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(/^schema-(\d+)\.rows\.sql$/.exec(name)?.[1]));
  return numbers.filter((number) => number > 0).sort((one, other) => one - other);
}

/** Makes a frozen database anew, in a file that is not there yet or in a bare database of a server. */
export async function thaw(databaseUrl: string, folder: string, version: number): Promise<void> {
  const read = (text: keyof FrozenTexts) => readFileSync(frozenPath(folder, version, text), 'utf8');
  const store: Dialect = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const [before = '', after = ''] = read(store).split(rowsMark);
  const start = store === 'sqlite' ? ['PRAGMA foreign_keys = OFF'] : [];
  await tamper(databaseUrl, ...start, before, `BEGIN; ${read('rows')} COMMIT`, after);
}

/** The token of staff that the first line of a frozen database has. */
export function frozenToken(folder: string, version: number): string {
  const [token] = /pgt_\w+/.exec(readFileSync(frozenPath(folder, version, 'rows'), 'utf8')) ?? [];
  if (token === undefined) throw new Error(`schema ${version} has no token`);
  return token;
}

export function releasedMigrations(): ReleasedMigration[] {
  return JSON.parse(readFileSync(digestsPath, 'utf8')) as ReleasedMigration[];
}

/** The migrations of the source as they are now, by the numbers of their files. */
export async function currentMigrations(): Promise<ReleasedMigration[]> {
  const names = readdirSync(migrationsFolder).sort();
  return Promise.all(
    names.map(async (file) => {
      const module = (await import(join(migrationsFolder, file))) as Record<string, Migration>;
      const [migration] = Object.values(module);
      if (!migration) throw new Error(`${file} has no migration`);
      const { name, sqlite, postgres } = migration;
      return { version: Number(file.slice(0, 4)), name, sqlite: digest(sqlite), postgres: digest(postgres) };
    }),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
