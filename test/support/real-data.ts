/** Files that the judges publish, from the folder in REAL_DATA: they are not in this repository. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const { REAL_DATA: named } = process.env;
// A wrong path must not skip the tests silently.
if (named) statSync(join(named, 'codeforces'));

/** The options of a test that uses the files. `npm test real` searches for this name. */
export const needsData: { skip?: string } = named ? {} : { skip: 'REAL_DATA names no folder of real data' };

export function realPath(name = ''): string {
  if (!named) throw new Error('REAL_DATA is not set: give this test the options needsData.');
  return resolve(named, name);
}

export const readReal = (name: string): Promise<string> => readFile(realPath(name), 'utf8');
