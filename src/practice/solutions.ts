/** Own code with a problem: what is kept, byte for byte, within which limits, and how it is removed. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { AppError, localizedError, type Message, message } from '../errors.ts';
import { deleteRows, insertRow, updateRows } from '../store/rows.ts';
import {
  deleteRemovedSolutions,
  findSolution,
  listSolutionsOf,
  type SolutionRow,
  type SolutionsTable,
  sizeOfSolutions,
} from '../store/solutions.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { undoableSince } from './planting.ts';

const mebibyte = 1024 * 1024;

export const solutionLimits = {
  ofProblem: 10,
  bytes: 64 * 1024,
  bytesOfMember: 20 * mebibyte,
  file: 100,
  text: 200,
} as const;

export interface NewSolution {
  problem: bigint;
  file: string;
  code: Uint8Array;
  about?: string | null | undefined;
  submission?: string | null | undefined;
  /** Now, unless an archive has it. */
  addedAt?: string | undefined;
}

/** Throws invalidValue. */
export function assertSolution({ file, code, about, submission }: Omit<NewSolution, 'problem'>): void {
  const { bytes, file: longestFile, text } = solutionLimits;
  if (code.length === 0) throw localizedError('invalidValue.codeEmpty');
  if (code.length > bytes) throw localizedError('invalidValue.codeLarge', { most: bytes / 1024 });
  if (code.includes(0)) throw localizedError('invalidValue.codeNul');
  if (file.trim() === '' || [...file].length > longestFile || /[/\\\p{Cc}\p{Cs}]/u.test(file))
    throw localizedError('invalidValue.codeFile', { most: longestFile });
  for (const one of [about ?? '', submission ?? ''])
    if ([...one].length > text || /[\p{Cc}\p{Cs}]/u.test(one))
      throw localizedError('invalidValue.codeText', { most: text });
}

export const digestOfCode = (code: Uint8Array): string => createHash('sha256').update(code).digest('hex');

/** Finds the row with the same bytes on this problem, or adds one. Throws invalidValue. */
export const addSolution = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    added: NewSolution,
  ): Promise<{ solution: SolutionRow; isNew: boolean }> => {
    assertSolution(added);
    const { problem: problem_id, file, about, submission, addedAt = new Date().toISOString() } = added;
    const sha256 = digestOfCode(added.code);
    const existing = await listSolutionsOf(tx, { userId: memberId, problemId: problem_id });
    const same = existing.find((one) => one.sha256 === sha256);
    if (same) return { solution: same, isNew: false };
    await assertRoom(tx, memberId, existing.length, added.code.length);
    const row = {
      user_id: memberId,
      problem_id,
      file,
      about: about || null,
      submission: submission || null,
      bytes: BigInt(added.code.length),
      sha256,
      added_at: addedAt,
      removed_at: null,
    };
    const id = await insertRow(tx, 'solutions', { ...row, code: Buffer.from(added.code).toString('base64') });
    return { solution: { ...row, id }, isNew: true };
  },
);

async function assertRoom(tx: Db, memberId: bigint, ofProblem: number, bytes: number): Promise<void> {
  const { ofProblem: most, bytesOfMember } = solutionLimits;
  if (ofProblem >= most) throw localizedError('invalidValue.codeMany', { most });
  if ((await sizeOfSolutions(tx, memberId)) + bytes > bytesOfMember)
    throw localizedError('invalidValue.codeQuota', { most: bytesOfMember / mebibyte });
}

/** Files that are not kept, and why the last one is not. */
export interface LeftCode {
  files: string[];
  why: Message | undefined;
}

export const newLeftCode = (): LeftCode => ({ files: [], why: undefined });

/** Whether the code is new; undefined if it cannot be kept, which `left` then says. */
export async function addWithinRoom(
  tx: Db,
  memberId: bigint,
  added: NewSolution,
  left: LeftCode,
): Promise<boolean | undefined> {
  try {
    return (await addSolution(tx, memberId, added)).isNew;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalidValue') throw error;
    left.files.push(added.file);
    left.why = error.localized;
    return undefined;
  }
}

const namedAtMost = 3;

export function leftMessage({ files, why }: LeftCode): Message {
  const named = files
    .slice(0, namedAtMost)
    .map((file) => file.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 60));
  const more = files.length > namedAtMost ? ', …' : '';
  return message('imported.codeLeft', {
    count: files.length,
    named: named.join(', ') + more,
    why: why ?? '',
  });
}

export const codeOf = ({ code }: Pick<SolutionsTable, 'code'>): Buffer => Buffer.from(code, 'base64');

/** Bytes that are no UTF-8 are read as Windows-1252. */
export const textOfCode = (code: Uint8Array): string =>
  new TextDecoder(isUtf8(code) ? 'utf-8' : 'windows-1252', { ignoreBOM: true }).decode(code);

/** Throws unknownItem, also for the code of another member. */
async function getSolution(tx: Db, memberId: bigint, id: bigint, isRemoved = false): Promise<SolutionsTable> {
  const row = await findSolution(tx, memberId, id, isRemoved);
  if (!row || (row.removed_at !== null && row.removed_at < undoableSince(new Date())))
    throw localizedError('unknownItem.solution');
  return row;
}

/** The last removal of a member can be undone for a day; the code of earlier ones is erased. Throws unknownItem. */
export const removeSolution = inTransaction(async (tx: Db, memberId: bigint, id: bigint): Promise<void> => {
  await getSolution(tx, memberId, id);
  const now = new Date();
  await deleteRemovedSolutions(tx, memberId, undoableSince(now));
  await updateRows(tx, 'solutions', { id }, { removed_at: now.toISOString() });
});

/** Throws unknownItem, and invalidValue if there is no room any more. */
export const restoreSolution = inTransaction(async (tx: Db, memberId: bigint, id: bigint): Promise<void> => {
  const { problem_id: problemId, bytes } = await getSolution(tx, memberId, id, true);
  const existing = await listSolutionsOf(tx, { userId: memberId, problemId });
  await assertRoom(tx, memberId, existing.length, Number(bytes));
  await updateRows(tx, 'solutions', { id }, { removed_at: null });
});

/** Takes back that it was added, with every byte. False if it is gone already. */
export const deleteSolution = inTransaction((tx: Db, memberId: bigint, id: bigint) =>
  deleteRows(tx, 'solutions', { id, user_id: memberId }),
);

/* What its ending says of a file. */

const languages: Readonly<Record<string, string>> = {
  C: 'c',
  'C#': 'cs',
  'C++': 'cc cpp cxx',
  Clojure: 'clj',
  'Common Lisp': 'lisp',
  D: 'd',
  Dart: 'dart',
  Elixir: 'ex exs',
  Erlang: 'erl',
  'F#': 'fs',
  Fortran: 'f90 f95',
  Go: 'go',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'js mjs',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Lua: 'lua',
  Nim: 'nim',
  OCaml: 'ml',
  Pascal: 'pas pp',
  Perl: 'pl',
  PHP: 'php',
  Python: 'py py2 py3',
  R: 'r',
  Racket: 'rkt',
  Ruby: 'rb',
  Rust: 'rs',
  Scala: 'scala',
  Shell: 'sh',
  SQL: 'sql',
  Swift: 'swift',
  TypeScript: 'ts',
  'Visual Basic': 'vb',
  Zig: 'zig',
};
const languagesByEnding = new Map(
  Object.entries(languages).flatMap(([name, endings]) =>
    endings.split(' ').map((one) => [one, name] as const),
  ),
);

export const languageOf = ({ file }: { file: string }): string | undefined =>
  languagesByEnding.get(/\.(\w{1,6})$/.exec(file)?.[1]?.toLowerCase() ?? '');
