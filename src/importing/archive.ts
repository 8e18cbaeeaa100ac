/** Importing an archive: its files one after another as one import, each by the sink of its kind; all rows are of one member. */
import { AppError, phrase, refused } from '../errors.ts';
import { type Entry, type Located, toEntries } from '../files/entries.ts';
import { isUsername } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import { findMembersByIds } from '../store/members.ts';
import { type PartName, partFile, partNames, parts } from './archive-writer.ts';
import { type ArchiveLimits, archiveLimits, openArchive } from './archive-zip.ts';
import { type Applying, figuresInWords, type Importer, type Sink } from './import.ts';
import { fieldsWithoutIds } from './own-kinds.ts';
import { type GivenRow, rowReader } from './own-rows.ts';

/** A row of an archive, and the file in which it stands. */
interface PartRow {
  part: PartName;
  row: GivenRow;
}

export function archiveImporter(limits: ArchiveLimits = archiveLimits): Importer {
  return { read: (bytes) => readArchive(bytes, limits), start: archiveSink } as Importer;
}

async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<Entry<PartRow>[]> {
  let owner: string | undefined;
  /** Throws badRow where the row is not of the member whose archive this is. */
  const checkOwner = (part: PartName, { username }: GivenRow) => {
    const shown = JSON.stringify(username ?? null);
    if (part === 'records') {
      if (owner !== undefined) throw refused('badRow.secondMember', { shown });
      if (typeof username !== 'string') throw refused('badRow.archiveName');
      owner = username;
    } else if (typeof username !== 'string' || fold(username) !== fold(owner ?? '')) {
      throw refused('badRow.archiveOther', { shown, owner: owner ?? '' });
    }
  };
  for (const { name: part, open } of await openArchive(bytes, limits)) {
    const read = rowReader(fieldsWithoutIds(parts[part]), 'ndjson');
    try {
      for await (const batch of read(open()))
        yield toEntries(batch, (row) => {
          checkOwner(part, row);
          return { part, row };
        }).map((entry) => inFile(entry, partFile(part)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'badFile') throw error;
      throw refused(
        'badFile.inFile',
        { file: partFile(part), why: error.said ?? error.message },
        error.cause,
      );
    }
    if (part === 'records' && owner === undefined) throw refused('badFile.noOwner', { file: partFile(part) });
  }
}

function inFile<T>(entry: Entry<T>, file: string): Entry<T> {
  const { place } = entry;
  return { ...entry, place: () => ({ ...place(), file }) };
}

type Figures = Record<'new' | 'changed' | 'kept', number>;

function archiveSink(applying: Applying): Sink<PartRow> {
  let open: { part: PartName; sink: Sink<never>; figures: Figures } | undefined;
  const startPart = (part: PartName) => {
    const figures: Figures = { new: 0, changed: 0, kept: 0 };
    const { start, startOwn = start } = parts[part];
    const sink = startOwn({
      ...applying,
      hasLimits: true,
      count: (figure, line) => {
        if (figure !== 'unmatched') figures[figure]++;
        applying.count(figure, () => `${part}: ${line()}`);
      },
    });
    return { part, sink, figures };
  };
  const finishPart = async () => {
    if (!open) return;
    const { part, sink, figures } = open;
    await sink.finish?.();
    applying.note(phrase(`imported.part.${part}`, { figures: figuresInWords(figures) }));
  };
  return {
    take: async (entries) => {
      if (!open) await refuseOthers(applying, entries[0]);
      for (const part of partNames) {
        const own = entries.filter(({ value }) => value.part === part);
        if (own.length === 0) continue;
        if (open?.part !== part) {
          await finishPart();
          open = startPart(part);
        }
        const rows = own.map(({ place, value: { row } }) => ({ place, value: row }));
        await open.sink.take(rows as Located<unknown>[] as Located<never>[]);
        if (applying.owner === undefined) noteStaff(own);
      }
    },
    finish: finishPart,
  };

  /** A role that comes in a file from elsewhere is a right here. */
  function noteStaff(rows: readonly Located<PartRow>[]): void {
    for (const { value } of rows)
      if (value.part === 'records' && value.row['role'] === 'staff')
        applying.note(phrase('imported.staff', { name: String(value.row['username']) }));
  }
}

/** Says in one sentence what each row would say: a member imports their own archive alone. */
async function refuseOthers({ tx, owner }: Applying, first: Located<PartRow> | undefined): Promise<void> {
  if (owner === undefined || !first) return;
  const [member] = await findMembersByIds(tx, [owner]);
  const name = String(first.value.row['username']);
  if (!member || fold(name) === fold(member.username)) return;
  const { username } = member;
  throw isUsername(name)
    ? refused('badFile.archiveOf', { name, username })
    : refused('badFile.archiveOfOther', { username });
}
