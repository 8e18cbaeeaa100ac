/** Files as the judges publish them, which are not in this repository: the folder that REAL_DATA names has them. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const { REAL_DATA: named } = process.env;
// A folder that is named and absent is a mistake, which no skipped test may hide.
if (named) statSync(join(named, 'codeforces'));

/** The options of a test that uses the files: without REAL_DATA it is skipped and says so. `npm test real` looks for this name. */
export const needsData: { skip?: string } = named ? {} : { skip: 'REAL_DATA names no folder of real data' };

export function realPath(name = ''): string {
  if (!named) throw new Error('REAL_DATA is not set: give this test the options needsData.');
  return resolve(named, name);
}

export const readReal = (name: string): Promise<string> => readFile(realPath(name), 'utf8');
