/** What can be imported and exported, by the names that the command line uses. */
import { Bookmark } from '../contract/bookmarks.ts';
import type { ObjectSchema } from '../contract/common.ts';
import { Plant } from '../contract/plants.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { type Format, type Row, rowFormat } from '../contract/rows.ts';
import { ProblemStatus } from '../contract/statuses.ts';
import type { AnyJudgeFile, Judge } from '../judges/judge.ts';
import { type JudgeImport, judges, readJudgeFile } from '../judges/judges.ts';
import { bookmarkSortFields, listKeyedBookmarks } from '../store/bookmarks.ts';
import type { NumberedTable } from '../store/ids.ts';
import type { Page, SortField, SortKey } from '../store/keyset.ts';
import { recordListing, recordSortFields } from '../store/members.ts';
import { listPlants, plantIdField } from '../store/plants.ts';
import { problemListing, problemSortFields } from '../store/problem-lists.ts';
import { listKeyedStatuses, statusSortFields } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { bookmarkPairs } from './bookmarks.ts';
import { catalogueSink } from './catalogues.ts';
import { contestSink, placeSink } from './contests.ts';
import type { Applying, Importer, Sink } from './import.ts';
import { type GivenRow, rowReader } from './own-rows.ts';
import { pairSink } from './pairs.ts';
import { plantSink } from './plants.ts';
import { problemSink } from './problems.ts';
import { recordSink } from './records.ts';
import { statusPairs } from './statuses.ts';
import { submissionSink } from './submissions.ts';
import { twinSink } from './twins.ts';

const judgeSinks = {
  catalogue: catalogueSink,
  twins: twinSink,
  submissions: submissionSink,
  contests: contestSink,
  places: placeSink,
};

interface Resource {
  fields: ObjectSchema;
  /** The fields that are ids: what each names, and the fields that name the same in every garden. */
  ids: Readonly<Record<string, readonly [noun: string, ...keys: string[]]>>;
  numbered?: NumberedTable;
  start(applying: Applying): Sink<never>;
  order: readonly SortField[];
  /** Lists the rows of one member, or of all if `member` is undefined. */
  list(db: Db, member: bigint | undefined, page: Page): Promise<Row[]>;
}

const member = ['member', 'username'] as const;
const problem = ['problem', 'source', 'source_key'] as const;

/** The contract's fields. A file has the keys of the member and of the problem behind their ids. */
function keyed({ properties }: ObjectSchema): ObjectSchema {
  const { username } = UserRecord.properties;
  const { source, source_key } = Problem.properties;
  const keys: Record<string, object> = { user: { username }, problem: { source, source_key } };
  const fields = Object.entries(properties).map(([name, schema]) => ({ [name]: schema, ...keys[name] }));
  return { properties: Object.assign({}, ...fields) };
}

const resources = {
  problems: {
    fields: Problem,
    ids: { id: problem },
    numbered: 'problems',
    start: problemSink,
    order: problemSortFields.slice(0, 1),
    list: (db: Db, _member: unknown, page: Page) => problemListing({ memberId: 0n }).list(db, page),
  },
  records: {
    fields: UserRecord,
    ids: { id: member },
    numbered: 'members',
    start: recordSink,
    order: recordSortFields.slice(0, 1),
    list: (db: Db, id: bigint | undefined, page: Page) => recordListing({ id }).list(db, page),
  },
  bookmarks: {
    fields: keyed(Bookmark),
    ids: { user: member, problem, id: problem },
    start: (applying: Applying) => pairSink(applying, bookmarkPairs),
    order: bookmarkSortFields.slice(0, 2),
    list: listKeyedBookmarks,
  },
  statuses: {
    fields: keyed(ProblemStatus),
    ids: { user: member, problem, id: problem },
    start: (applying: Applying) => pairSink(applying, statusPairs),
    order: statusSortFields.slice(0, 2),
    list: listKeyedStatuses,
  },
  plants: {
    fields: keyed(Plant),
    ids: { user: member, id: ['plant', 'name', 'username'] },
    numbered: 'plants',
    start: plantSink,
    order: [plantIdField],
    list: listPlants,
  },
} as const satisfies Record<string, Resource>;

export type ResourceName = keyof typeof resources;
export type ImportName = JudgeImport | ResourceName;

export const resourceNames = Object.keys(resources) as ResourceName[];
const judgeFiles = new Map<string, { source: string; file: AnyJudgeFile }>(
  Object.entries<Judge>(judges).flatMap(([source, { files }]) =>
    Object.entries(files).map(([name, file]) => [`${source}-${name}`, { source, file }] as const),
  ),
);
export const importNames = [...judgeFiles.keys(), ...resourceNames] as ImportName[];

/** Whether an import of this kind is for one member, who must be named. */
export function needsMember(name: ImportName): boolean {
  return judgeFiles.get(name)?.file.holds === 'submissions';
}

export function isResource(name: ImportName): name is ResourceName {
  return Object.hasOwn(resources, name);
}

/**
 * How a file of this kind is read and applied. The format matters for our own resources alone; `site` is the address of the site
 * that a judge's file came from, where it is not the judge's own.
 */
export function importerOf(name: ImportName, format: Format, site?: string): Importer {
  if (!isResource(name)) {
    const { source, file } = judgeFiles.get(name) as { source: string; file: AnyJudgeFile };
    return {
      read: (bytes) => readJudgeFile<unknown>(file, bytes, site),
      start: (applying) => judgeSinks[file.holds](applying, source),
    };
  }
  const { fields, ids, numbered, start }: Resource = resources[name];
  const named = Object.entries(ids);
  const bareId = (row: GivenRow) =>
    named.find(
      ([id, [, ...keys]]) => row[id] !== undefined && keys.some((key) => row[key] === undefined),
    )?.[1][0];
  return { read: rowReader(fields, format), start, bareId, numbered } as Importer;
}

const rowsPerRead = 1000;

/** All rows of a resource, or one member's, as text in ascending id order. `onRows` gets the number of rows of each piece. */
export async function* exportRows(
  db: Db,
  name: ResourceName,
  format: Format,
  onRows: (count: number) => void,
  memberId?: bigint,
): AsyncGenerator<string> {
  const { fields, order, list }: Resource = resources[name];
  const form = rowFormat(fields, format);
  const keys: SortKey[] = order.map((field) => ({ field, isDescending: false }));
  let after: Page['after'];
  let prefix = form.start;
  for (;;) {
    const rows = await list(db, memberId, { keys, after, limit: rowsPerRead });
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map(form.row).join(form.separator);
    onRows(rows.length);
    prefix = form.separator;
    after = order.map((field) => last[field.name] ?? null);
  }
  yield (prefix === form.start ? form.start : '') + form.end;
}
