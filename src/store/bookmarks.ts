/** Bookmarks and notes of members. */
import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { fold } from './case-folding.ts';
import { type SortField, sortField, sortFieldsOf } from './listings.ts';
import {
  deleteMemberProblems,
  type MemberProblemRepository,
  memberProblemListings,
  memberProblemRepository,
  type RowFilter,
  type ShownRow,
} from './member-problems.ts';
import { prepared } from './prepared.ts';
import { eachSolution } from './solutions.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    bookmarks: BookmarksTable;
  }
}

export interface BookmarksTable {
  user_id: bigint;
  problem_id: bigint;
  note: string | null;
  created_at: string;
  updated_at: string;
  /** 0 for a row with only a note, `editorial_at` or labels. */
  is_starred: bigint;
  editorial_at: string | null;
  /** The member's own labels as a JSON list; null if there are none. */
  labels: string | null;
}

type BookmarkRow = ShownRow & Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'>;

export const isStarred = sql<SqlBool>`bookmarks.is_starred = 1`;

const groupsWithNote = sql`(
  SELECT string_agg(groups.name, ${sql.lit('\n')} ORDER BY groups.name)
  FROM shared_notes INNER JOIN groups ON groups.id = shared_notes.group_id
  WHERE shared_notes.user_id = bookmarks.user_id AND shared_notes.problem_id = bookmarks.problem_id)`;

export const {
  sortFields: bookmarkSortFields,
  naturalOrder: naturalBookmarkOrder,
  listing: bookmarkListing,
  item: bookmarkItem,
  allAsJson: bookmarksAsJson,
  find: findBookmark,
  exportRows: exportBookmarks,
} = memberProblemListings<'bookmarks', BookmarkRow, RowFilter>('bookmarks', {
  fields: sortFieldsOf('bookmarks', { note: 'text?', created_at: 'text', updated_at: 'text' }),
  applyFilter: (query, { updatedSince }) =>
    updatedSince === undefined ? query : query.where('updated_at', '>=', updatedSince),
  exportedFields: [
    sortField('starred', 'text', sql`case bookmarks.is_starred when 1 then 'yes' else 'no' end`),
    sortField('editorial_at', 'text?', sql.ref('bookmarks.editorial_at')),
    sortField('shared_with', 'text?', groupsWithNote),
    sortField('labels', 'text', sql`coalesce(bookmarks.labels, '[]')`),
  ],
  isShown: isStarred,
});

const repository = memberProblemRepository(
  'bookmarks',
  ({ is_starred, note, editorial_at, labels }) =>
    is_starred === 0n && note === null && editorial_at === null && (labels ?? null) === null,
);
export const { findMany: findBookmarks } = repository;

export const bookmarkRepository: MemberProblemRepository<BookmarksTable> = {
  ...repository,
  /** A deleted note is shared with nobody, also when another one follows. */
  save: async (tx, changed) => {
    await repository.save(tx, changed);
    await deleteMemberProblems(
      tx,
      'shared_notes',
      changed.filter(({ note }) => !note),
    );
  },
};

/** Only its member sees a note: for others it is null, also where rows are sorted by it. */
export function bookmarkFieldsFor(reader: bigint): SortField[] {
  const note = sql`case when bookmarks.user_id = ${sql.raw(String(reader))} then bookmarks.note end`;
  return bookmarkSortFields.map((field) => (field.name === 'note' ? { ...field, expression: note } : field));
}

export const listLabels = prepared((db, { userId }: { userId: bigint }) =>
  db
    .selectFrom('bookmarks')
    .select(['problem_id', 'labels'])
    .where('user_id', '=', userId)
    .where('labels', 'is not', null)
    .orderBy('problem_id'),
);

export const notesPerRead = 50;

/** A JSON list of the problems of which the note, or a file of own code, has all these words, in any case. */
export async function findIdsByOwnText(db: Db, userId: bigint, words: readonly string[]): Promise<string> {
  const foldedWords = words.map(fold);
  const problemIds = new Set<bigint>();
  const search = (problemId: bigint, text: string) => {
    const folded = fold(text);
    if (foldedWords.every((word) => folded.includes(word))) problemIds.add(problemId);
  };
  for (let after: bigint | undefined; ; ) {
    const rows = await listNotes(db, userId, after);
    for (const { problem_id, note } of rows) search(problem_id, note);
    if (rows.length < notesPerRead) break;
    after = rows.at(-1)?.problem_id;
    // Long notes must not block other requests.
    await setImmediate();
  }
  for await (const row of eachSolution(db, userId)) {
    const code = Buffer.from(row.code, 'base64');
    search(row.problem_id, `${row.file} ${row.about ?? ''} ${row.submission ?? ''} ${code}`);
    await setImmediate();
  }
  return `[${[...problemIds].map((id) => `"${id}"`)}]`;
}

const notesOf = (db: Db, userId: bigint) =>
  db
    .selectFrom('bookmarks')
    .select(['problem_id', sql<string>`note`.as('note'), 'labels'])
    .where('user_id', '=', userId)
    .where('note', 'is not', null)
    .orderBy('problem_id')
    .limit(sql.lit(notesPerRead));
const firstNotes = prepared((db, { userId }: { userId: bigint }) => notesOf(db, userId));
const nextNotes = prepared((db, { userId, after }: { userId: bigint; after: bigint }) =>
  notesOf(db, userId).where('problem_id', '>', after),
);

const notesSize = prepared((db, { userId }: { userId: bigint }) =>
  db
    .selectFrom('bookmarks')
    .select([sql<bigint>`count(*)`.as('count'), sql<bigint | null>`sum(octet_length(note))`.as('bytes')])
    .where('user_id', '=', userId)
    .where('note', 'is not', null),
);

export async function sizeOfNotes(db: Db, userId: bigint): Promise<{ count: number; bytes: number }> {
  const [size] = await notesSize(db, { userId });
  return { count: Number(size?.count ?? 0), bytes: Number(size?.bytes ?? 0) };
}

export const listNotes = (db: Db, userId: bigint, after: bigint | undefined) =>
  after === undefined ? firstNotes(db, { userId }) : nextNotes(db, { userId, after });
