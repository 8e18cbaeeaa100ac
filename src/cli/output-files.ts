/** Files that commands write: whole or not at all. */
import { realpath, rename, stat, writeFile } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { withCleanup } from '../jobs/cleanup.ts';

/** Renames a complete file, so that the path never has half of one. Throws fileUnwritable. */
export async function writeAtomically(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode: number,
): Promise<void> {
  try {
    const existing = await stat(path).catch(() => undefined);
    // A device or a named pipe must not be replaced.
    if (existing && !existing.isFile()) return await writeFile(path, chunks);
    const target = existing ? await realpath(path) : path;
    const partial = `${target}.${process.pid}.partial`;
    await withCleanup(partial, async () => {
      await writeFile(partial, chunks, { mode: existing?.mode ?? mode, flush: true });
      await rename(partial, target);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof AppError || code === undefined) throw error;
    const sentence = `${path} cannot be written (${code}); choose another place or free some space.`;
    throw new AppError('fileUnwritable', sentence, { cause: error });
  }
}
