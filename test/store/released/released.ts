/** What every release promises its databases: each schema as it was released, with rows, and the text of each migration as a digest. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../../../src/store/engine.ts';
import { root } from '../../support/garden.ts';

const folder = import.meta.dirname;
const migrationsFolder = join(root, 'src', 'store', 'migrations');
export const digestsPath = join(folder, 'migrations.json');

export interface ReleasedMigration {
  version: number;
  name: string;
  /** SHA-256 of the statements. */
  sqlite: string;
  postgres: string;
}

/** The fixture of a schema's version. */
export function fixturePath(version: number): string {
  return join(folder, `schema-${version}.sql`);
}

/** The versions of which there is a fixture, in order. */
export function fixtureVersions(): number[] {
  const numbers = readdirSync(folder).map((name) => Number(/^schema-(\d+)\.sql$/.exec(name)?.[1]));
  return numbers.filter((number) => number > 0).sort((one, other) => one - other);
}

export function releasedMigrations(): ReleasedMigration[] {
  return JSON.parse(readFileSync(digestsPath, 'utf8')) as ReleasedMigration[];
}

/** The migrations of the source as they are now, by the order of their files. */
export async function currentMigrations(): Promise<ReleasedMigration[]> {
  const names = readdirSync(migrationsFolder).sort();
  return Promise.all(
    names.map(async (file, place) => {
      const module = (await import(join(migrationsFolder, file))) as Record<string, Migration>;
      const [migration] = Object.values(module);
      if (!migration) throw new Error(`${file} has no migration`);
      const { name, sqlite, postgres } = migration;
      return { version: place + 1, name, sqlite: digest(sqlite), postgres: digest(postgres) };
    }),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
