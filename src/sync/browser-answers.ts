/** Answers of judges that a member's own browser brought: each is imported as the file that it is, for this member alone. */
import { AppError } from '../errors.ts';
import { applyFile, checkFile, type ImportReport } from '../importing/import.ts';
import { type ImportName, importerOf } from '../importing/resources.ts';
import type { BrowserWay } from '../judges/browser-requests.ts';
import type { HandlesTable } from '../store/handles.ts';
import { findHandle } from '../store/handles.ts';
import { findMembersByIds } from '../store/members.ts';
import type { Store } from '../store/store.ts';

export interface Brought {
  report: ImportReport;
  /** Sentences about rows that were left out. */
  badRows: readonly string[];
  /** The number of the first row of the next answer; undefined after the last one. */
  next: number | undefined;
}

/** Keeps an answer that begins with this row. Throws badFile for one that is no list of submissions, with the judge's own words. */
export async function keepBrought(
  store: Store,
  handle: HandlesTable,
  { file, pageSize, sharedRows }: BrowserWay,
  text: string,
  from: number,
): Promise<Brought> {
  const importer = importerOf(`${handle.source}-${file}` as ImportName, 'json');
  const open = async () => bytesOf(text);
  const checked = await checkFile(importer, { open, skipsBad: true, trustsIds: false });
  const [member] = await findMembersByIds(store.reader, [handle.user_id]);
  const { report, badRows } = await applyFile(store, checked, {
    member,
    handle: handle.name,
    owner: handle.user_id,
    way: 'browser',
    isDryRun: false,
    confirm: async (tx) => {
      if (!(await findHandle(tx, handle.id)))
        throw new AppError(
          'unknownItem',
          'The handle was unlinked in the meantime, so nothing was imported.',
        );
    },
  });
  const { read } = report;
  const shared = read < pageSize ? 0 : sharedRows;
  return { report, badRows, next: read === 0 ? undefined : from + read - shared };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
