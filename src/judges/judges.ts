/** The list of judges, and the reading of their files. A new judge is a file in this folder and a word in this list. */
import { badFile } from '../errors.ts';
import { type Entry, toEntries } from '../files/entries.ts';
import { readJson } from '../files/json.ts';
import { atcoder } from './atcoder.ts';
import { codeforces } from './codeforces.ts';
import { cses } from './cses.ts';
import { dmoj } from './dmoj.ts';
import type { Judge } from './judge.ts';
import type { JudgeFile } from './judge-files.ts';

/** The judges by the name under which their problems are stored. */
export const judges = { codeforces, atcoder, cses, dmoj } satisfies Record<string, Judge>;

/** The names of all, with commas between. */
export const judgeNames = Object.values(judges)
  .map(({ name }) => name)
  .join(', ');

type Judges = typeof judges;
/** The name of an import of a judge's file, such as `codeforces-problems`. */
export type JudgeImport = {
  [Source in keyof Judges]: `${Source}-${string & keyof Judges[Source]['files']}`;
}[keyof Judges];

/** The entries of a judge's file, which came from the site at this address. Throws badFile for a file that looks like another kind, and names its import. */
export async function* readJudgeFile<T>(
  file: JudgeFile<string, T>,
  bytes: AsyncIterable<Uint8Array>,
  site?: string,
): AsyncGenerator<Entry<T>[]> {
  const batches = readJson(bytes, file.target, (text) => refuseOtherKinds(file, text));
  for await (const batch of batches) yield toEntries(batch, (value) => file.entryOf(value, site));
}

/** Whether the start of a JSON text has all these keys. In a JSON string every quote is escaped, so `"key":` can only be a key. */
export function hasKeys(text: string, keys: readonly string[]): boolean {
  const start = text.slice(0, 4096);
  return keys.every((key) => new RegExp(`"${key}"\\s*:`).test(start));
}

function refuseOtherKinds(expected: Pick<JudgeFile, 'title' | 'keys'>, text: string): void {
  const isLike = (keys: readonly string[]) => hasKeys(text, keys);
  if (isLike(expected.keys)) return;
  for (const [source, { site, files }] of Object.entries<Judge>(judges)) {
    const looksLike = (title: string) => `This looks like ${site} ${title}, not ${expected.title}`;
    for (const [name, { title, keys, holds }] of Object.entries(files)) {
      const member = holds === 'submissions' ? ' --member NAME' : '';
      if (isLike(keys)) throw badFile(`${looksLike(title)}: import it with ${source}-${name}${member}.`);
    }
  }
}
