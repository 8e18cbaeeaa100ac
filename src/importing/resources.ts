/** What can be imported and exported, by the names that the command line uses. */
import { Bookmark } from '../contract/bookmarks.ts';
import type { Fields } from '../contract/common.ts';
import { Plant } from '../contract/plants.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { type Format, type Row, rowFormat } from '../contract/rows.ts';
import { ProblemStatus } from '../contract/statuses.ts';
import { readAtcoderModels, readAtcoderProblems, readAtcoderSubmissions } from '../judges/atcoder.ts';
import {
  readCodeforcesProblems,
  readCodeforcesSubmissions,
  readCodeforcesTwins,
} from '../judges/codeforces.ts';
import { readCsesProblems } from '../judges/cses.ts';
import { bookmarkSortFields, listKeyedBookmarks } from '../store/bookmarks.ts';
import type { NumberedTable } from '../store/ids.ts';
import type { Page, SortField, SortKey } from '../store/keyset.ts';
import { recordListing, recordSortFields } from '../store/members.ts';
import { listPlants, plantIdField } from '../store/plants.ts';
import { problemListing, problemSortFields } from '../store/problem-lists.ts';
import { listKeyedStatuses, statusSortFields } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { bookmarkSink } from './bookmarks.ts';
import { catalogueSink } from './catalogues.ts';
import type { Applying, Importer, Sink } from './import.ts';
import { type GivenRow, type RowShape, rowReader } from './own-rows.ts';
import { plantSink } from './plants.ts';
import { problemSink } from './problems.ts';
import { recordSink } from './records.ts';
import { hasBareMember, hasBareProblem, memberFields, problemFields } from './references.ts';
import { statusSink } from './statuses.ts';
import { submissionSink } from './submissions.ts';
import { twinSink } from './twins.ts';

/** Files in a judge's own shape. */
const judgeFiles = {
  'codeforces-problems': { read: readCodeforcesProblems, start: catalogueSink },
  'codeforces-twins': { read: readCodeforcesTwins, start: twinSink },
  'codeforces-submissions': { read: readCodeforcesSubmissions, start: submissionSink },
  'atcoder-problems': { read: readAtcoderProblems, start: catalogueSink },
  'atcoder-models': { read: readAtcoderModels, start: catalogueSink },
  'atcoder-submissions': { read: readAtcoderSubmissions, start: submissionSink },
  'cses-problems': { read: readCsesProblems, start: catalogueSink },
} as const;

interface Resource extends RowShape {
  numbered?: NumberedTable;
  /** Says what a row names by an id alone, without the key that it goes by in every garden. */
  bareId(row: GivenRow): string | undefined;
  start(applying: Applying): Sink<GivenRow>;
  order: readonly SortField[];
  /** The fields of a row in an export. */
  exported: Fields;
  /** With a member: theirs alone. */
  list(db: Db, page: Page, member: bigint | undefined): Promise<Row[]>;
}

const firstTwo = (fields: readonly SortField[]) => fields.slice(0, 2);

/** The natural keys that an export has behind the ids which they explain. */
const keysBehind: Readonly<Record<string, Fields['properties']>> = {
  user: { username: UserRecord.properties.username },
  problem: { source: Problem.properties.source, source_key: Problem.properties.source_key },
};

/** The contract's fields with the keys of what they refer to. */
function keyed({ properties }: Fields): Fields {
  const fields = Object.entries(properties).flatMap(([name, schema]) => [
    [name, schema] as const,
    ...Object.entries(keysBehind[name] ?? {}),
  ]);
  return { properties: Object.fromEntries(fields) };
}

function bareIdOfPair(row: GivenRow): string | undefined {
  if (hasBareMember(row)) return 'member';
  return hasBareProblem(row) ? 'problem' : undefined;
}

function bareIdOfPlant(row: GivenRow): string | undefined {
  if (hasBareMember(row)) return 'member';
  return row.id !== undefined && (row.name === undefined || row.username === undefined) ? 'plant' : undefined;
}

const resources = {
  problems: {
    fields: Problem,
    extra: [],
    addresses: ['url', 'editorial_url', 'video_url'],
    numbered: 'problems',
    bareId: ({ id, source, source_key }) =>
      id !== undefined && (source === undefined || source_key === undefined) ? 'problem' : undefined,
    start: problemSink,
    exported: Problem,
    order: problemSortFields.slice(0, 1),
    list: (db: Db, page: Page) => problemListing({ memberId: 0n }).list(db, page),
  },
  records: {
    fields: UserRecord,
    extra: [],
    numbered: 'members',
    bareId: ({ id, username }) => (id !== undefined && username === undefined ? 'member' : undefined),
    start: recordSink,
    exported: UserRecord,
    order: recordSortFields.slice(0, 1),
    list: (db: Db, page: Page, member?: bigint) => recordListing({ id: member }).list(db, page),
  },
  bookmarks: {
    fields: Bookmark,
    extra: [...memberFields, ...problemFields],
    bareId: bareIdOfPair,
    start: bookmarkSink,
    exported: keyed(Bookmark),
    order: firstTwo(bookmarkSortFields),
    list: (db: Db, page: Page, member?: bigint) => listKeyedBookmarks(db, member, page),
  },
  statuses: {
    fields: ProblemStatus,
    extra: [...memberFields, ...problemFields],
    bareId: bareIdOfPair,
    start: statusSink,
    exported: keyed(ProblemStatus),
    order: firstTwo(statusSortFields),
    list: (db: Db, page: Page, member?: bigint) => listKeyedStatuses(db, member, page),
  },
  plants: {
    fields: Plant,
    extra: memberFields,
    numbered: 'plants',
    bareId: bareIdOfPlant,
    start: plantSink,
    exported: keyed(Plant),
    order: [plantIdField],
    list: (db: Db, page: Page, member?: bigint) => listPlants(db, member, page),
  },
} as const satisfies Record<string, Resource>;

export type ResourceName = keyof typeof resources;
export type ImportName = keyof typeof judgeFiles | ResourceName;

export const resourceNames = Object.keys(resources) as ResourceName[];
export const importNames = [...Object.keys(judgeFiles), ...resourceNames] as ImportName[];

/** Whether an import of this kind is for one member, who must be named. */
export function needsMember(name: ImportName): boolean {
  return name.endsWith('-submissions');
}

export function isResource(name: ImportName): name is ResourceName {
  return Object.hasOwn(resources, name);
}

/**
 * How a file of this kind is read and applied; the format matters for our own resources alone. Each importer is whole
 * in itself: what its reader yields is what its sink takes.
 */
export function importerOf(name: ImportName, format: Format): Importer<unknown> {
  if (!isResource(name)) return judgeFiles[name];
  const { numbered, start, bareId, ...shape }: Resource = resources[name];
  return {
    read: rowReader(shape, format),
    start,
    bareId,
    ...(numbered && { numbered }),
  } as Importer<unknown>;
}

const rowsPerRead = 1000;

/** All rows of a resource, or one member's, in ascending id order, as text; `onRows` is told how many went by. */
export async function* exportRows(
  db: Db,
  name: ResourceName,
  format: Format,
  onRows: (count: number) => void,
  member?: bigint,
): AsyncGenerator<string> {
  const { exported, order, list }: Resource = resources[name];
  const form = rowFormat(exported, format);
  const keys: SortKey[] = order.map((field) => ({ field, isDescending: false }));
  let after: Page['after'];
  let prefix = form.start;
  for (;;) {
    const rows = await list(db, { keys, after, limit: rowsPerRead }, member);
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map(form.row).join(form.separator);
    onRows(rows.length);
    prefix = form.separator;
    after = order.map((field) => last[field.name] ?? null);
  }
  yield (prefix === form.start ? form.start : '') + form.end;
}
