/** The kinds of our own rows in files: their fields, how they are listed, and the sink that imports them. */
import { Bookmark } from '../contract/bookmarks.ts';
import { int64, nullable, type ObjectSchema, oneOf, text, textList, time } from '../contract/common.ts';
import { Plant } from '../contract/plants.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { type Format, type Row, rowFormat } from '../contract/rows.ts';
import { ProblemStatus, states } from '../contract/statuses.ts';
import { allSpecies } from '../practice/species.ts';
import { bookmarkSortFields, exportBookmarks, naturalBookmarkOrder } from '../store/bookmarks.ts';
import { changeOrder, exportChanges } from '../store/changes.ts';
import { exportHandles, handleOrder } from '../store/handles.ts';
import type { IdTable } from '../store/ids.ts';
import type { Page, SortField, SortKey } from '../store/listings.ts';
import { exportLists, listOrder } from '../store/lists.ts';
import { recordListing, recordSortFields } from '../store/members.ts';
import { listPlants, plantIdField } from '../store/plants.ts';
import { problemListing, problemSortFields } from '../store/problem-lists.ts';
import { findSolvedCounts } from '../store/problems.ts';
import { exportRatings, ratingOrder } from '../store/ratings.ts';
import { exportReviews, reviewOrder } from '../store/reviews.ts';
import { exportMemberSettings, memberSettingOrder } from '../store/settings.ts';
import { exportSolves, solveOrder } from '../store/solves.ts';
import { exportStatuses, naturalStatusOrder, statusSortFields } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { exportTimers, timerOrder } from '../store/timers.ts';
import { batchRenumbering, changeSink, reviewSink, solveMethods, timerSink } from './history.ts';
import type { ImportContext, Sink } from './import.ts';
import { listSink } from './lists.ts';
import { bookmarkSink, statusSink } from './marks.ts';
import { handleSink, preferenceSink, ratingSink, recordSink } from './member-rows.ts';
import { plantSink } from './plants.ts';
import { problemSink } from './problems.ts';
import { solutionSink } from './solutions.ts';
import { ownSubmissionSink } from './submissions.ts';

export interface RowKind {
  fields: ObjectSchema['properties'];
  /** `keys` occur together at the start of such a file; `absentKeys` are keys that only another kind with them has. */
  keys: readonly string[];
  absentKeys?: readonly string[];
  /** Fields that are ids, with what each identifies and the natural keys that identify the same in every garden. */
  ids?: Readonly<Record<string, readonly [noun: 'member' | 'problem' | 'plant', ...keys: string[]]>>;
  /** Names that fields had in files of earlier versions, and their names now. */
  formerNames?: ReadonlyMap<string, string>;
  idTable?: IdTable;
  createSink(context: ImportContext): Sink<never>;
  /** For archives, in which rows with the same natural key are several rows. */
  createArchiveSink?(context: ImportContext): Sink<never>;
  order: readonly SortField[];
  /** An order that does not depend on ids; without one, `order` does not either. */
  naturalOrder?: readonly SortField[];
  /** Lists the rows of all members if `member` is undefined. */
  list(db: Db, member: bigint | undefined, page: Page): Promise<Row[]>;
  rowMapper?(): (row: Row) => Row;
}

const member = ['member', 'username'] as const;
const problem = ['problem', 'source', 'source_key'] as const;
const { username } = UserRecord.properties;
const { source, source_key } = Problem.properties;

function withNaturalKeys({ properties }: ObjectSchema): ObjectSchema['properties'] {
  const keys: Record<string, object> = { user: { username }, problem: { source, source_key } };
  const fields = Object.entries(properties).map(([name, schema]) => ({ [name]: schema, ...keys[name] }));
  return Object.assign({}, ...fields);
}

const anyText = text('', '');
const textOrNull = nullable(anyText);
const integer = int64('', '0');
const integerOrNull = nullable(integer);
const instant = time('');
const instantOrNull = nullable(instant);
const objectOrNull = { type: ['object', 'null'] };
const choiceOf = (choices: readonly string[]) => oneOf(choices, '', choices[0] ?? '');
const choiceOrNull = (choices: readonly string[]) => nullable(choiceOf(choices));

export const rowKinds = {
  problems: {
    keys: ['title', 'source_key'],
    fields: { ...Problem.properties, solved_by: integerOrNull },
    ids: { id: problem },
    idTable: 'problems',
    createSink: problemSink,
    order: problemSortFields.slice(0, 1),
    list: async (db: Db, _member: unknown, page: Page) => {
      const rows: (Row & { id: bigint })[] = await problemListing({ memberId: 0n }).list(db, page);
      const ids = rows.map(({ id }) => id);
      const counts = await findSolvedCounts(db, ids);
      return rows.map((row) => ({ ...row, solved_by: counts.get(row.id) ?? null }));
    },
  },
  records: {
    keys: ['username', 'role'],
    fields: UserRecord.properties,
    ids: { id: member },
    idTable: 'members',
    createSink: recordSink,
    order: recordSortFields.slice(0, 1),
    list: (db: Db, id: bigint | undefined, page: Page) => recordListing({ id }).list(db, page),
  },
  handles: {
    keys: ['username', 'source', 'name'],
    absentKeys: ['content', 'target'],
    fields: { username, source, name: anyText, former_names: objectOrNull, created_at: instant },
    createSink: handleSink,
    order: handleOrder,
    list: exportHandles,
  },
  submissions: {
    keys: ['submission_id', 'verdict_class'],
    fields: {
      username,
      source,
      handle: anyText,
      submission_id: anyText,
      key: source_key,
      verdict_class: choiceOf(['pending', 'void', 'tried', 'solved']),
      verdict: textOrNull,
      submitted_at: instant,
      contest: textOrNull,
      participation: choiceOrNull(['contest', 'virtual', 'practice', 'team']),
      is_team: integer,
      judge_team: textOrNull,
      virtual_began_at: instantOrNull,
      language: textOrNull,
      origin: choiceOf(['server', 'browser', 'file']),
    },
    formerNames: new Map([['way', 'origin']]),
    createSink: ownSubmissionSink,
    order: solveOrder,
    list: exportSolves,
  },
  ratings: {
    keys: ['contest', 'rated_at'],
    fields: {
      username,
      source,
      handle: anyText,
      contest: anyText,
      title: anyText,
      place: integerOrNull,
      rating: integer,
      rated_at: instant,
    },
    createSink: ratingSink,
    order: ratingOrder,
    list: exportRatings,
  },
  statuses: {
    keys: ['source_key', 'status'],
    fields: {
      ...withNaturalKeys(ProblemStatus),
      how: choiceOrNull(solveMethods),
      judge_status: choiceOrNull(states),
      judge_at: instantOrNull,
      earlier_status: choiceOrNull(states),
      earlier_at: instantOrNull,
      solved_list_source: nullable(source),
    },
    formerNames: new Map([
      ['overtaken_status', 'earlier_status'],
      ['overtaken_at', 'earlier_at'],
      ['listed_by', 'solved_list_source'],
    ]),
    ids: { user: member, problem, id: problem },
    createSink: statusSink,
    order: statusSortFields.slice(0, 2),
    naturalOrder: naturalStatusOrder,
    list: exportStatuses,
  },
  bookmarks: {
    keys: ['source_key', 'note'],
    fields: {
      ...withNaturalKeys(Bookmark),
      starred: choiceOf(['yes', 'no']),
      editorial_at: instantOrNull,
      shared_with: textList('', []),
      labels: textList('', []),
    },
    ids: { user: member, problem, id: problem },
    createSink: bookmarkSink,
    order: bookmarkSortFields.slice(0, 2),
    naturalOrder: naturalBookmarkOrder,
    list: exportBookmarks,
    rowMapper: () => (row: Row) => ({
      ...row,
      shared_with: JSON.stringify(
        String(row['shared_with'] ?? '')
          .split('\n')
          .filter(Boolean),
      ),
    }),
  },
  lists: {
    keys: ['username', 'visibility', 'content'],
    fields: {
      username,
      name: anyText,
      visibility: choiceOf(['private', 'garden', 'secret']),
      created_at: instant,
      updated_at: instant,
      content: objectOrNull,
      follows: objectOrNull,
    },
    createSink: listSink,
    order: listOrder,
    list: exportLists,
  },
  plants: {
    keys: ['name', 'target'],
    fields: {
      ...withNaturalKeys(Plant),
      species: choiceOrNull(allSpecies),
      list: textOrNull,
      list_owner: nullable(username),
      list_made_at: instantOrNull,
      edits: objectOrNull,
      source: nullable(source),
      by_date: textOrNull,
      rating_min: integerOrNull,
      rating_max: integerOrNull,
    },
    ids: { user: member, id: ['plant', 'name', 'username'] },
    idTable: 'plants',
    createSink: plantSink,
    createArchiveSink: (context: ImportContext) => plantSink(context, { allowsSameNames: true }),
    order: [plantIdField],
    list: listPlants,
  },
  changes: {
    keys: ['batch', 'before', 'after'],
    fields: {
      username,
      batch: integer,
      source,
      source_key,
      kind: choiceOf(['status', 'how', 'bookmark', 'note']),
      before: objectOrNull,
      after: objectOrNull,
      made_at: instant,
      undone_at: instantOrNull,
    },
    createSink: changeSink,
    order: changeOrder,
    list: exportChanges,
    rowMapper: batchRenumbering,
  },
  reviews: {
    keys: ['grade', 'made_at'],
    fields: {
      username,
      source,
      source_key,
      grade: choiceOf(['again', 'hard', 'good', 'easy', 'later', 'never']),
      made_at: instant,
      undone_at: instantOrNull,
    },
    createSink: reviewSink,
    order: reviewOrder,
    list: exportReviews,
  },
  timers: {
    keys: ['started_at', 'pauses'],
    fields: {
      username,
      source,
      source_key,
      started_at: instant,
      pauses: textList('', []),
      stopped_at: instantOrNull,
      outcome: choiceOrNull(['solved', 'editorial', 'unsolved']),
      grade: choiceOrNull(['again', 'hard', 'good', 'easy']),
      undone_at: instantOrNull,
    },
    createSink: timerSink,
    order: timerOrder,
    list: exportTimers,
  },
  preferences: {
    keys: ['username', 'value'],
    fields: { username, name: anyText, value: anyText },
    createSink: preferenceSink,
    order: memberSettingOrder,
    list: exportMemberSettings,
  },
} as const satisfies Record<string, RowKind>;

export type ResourceName = keyof typeof rowKinds;

/** The order in which an import of all kinds must read them. */
export const resourceNames = Object.keys(rowKinds) as ResourceName[];

export const memberKinds = resourceNames.filter((name) => name !== 'problems');

export function fieldsWithoutIds({ fields, ids = {} }: RowKind): ObjectSchema {
  const entries = Object.entries(fields).filter(([name]) => !Object.hasOwn(ids, name));
  return { properties: Object.fromEntries(entries) };
}

/** Notes, histories, lists and code have rows of up to 200 kB. */
const rowsPerRead = (kind: RowKind) =>
  [bookmarkSink, changeSink, listSink, solutionSink].includes(kind.createSink) ? 25 : 1000;

interface ExportOptions {
  onRows?(count: number): void;
  memberId?: bigint | undefined;
  withoutIds?: boolean;
  /** Whether to leave out ids and to order rows by natural keys, which are unique among those of one member. */
  isPortable?: boolean;
}

export async function* exportRows(
  db: Db,
  kind: RowKind,
  format: Format,
  { onRows = () => {}, memberId, isPortable = false, withoutIds = isPortable }: ExportOptions = {},
): AsyncGenerator<string> {
  const writer = rowFormat(withoutIds ? fieldsWithoutIds(kind) : { properties: kind.fields }, format);
  const order = (isPortable && kind.naturalOrder) || kind.order;
  const mapRow = kind.rowMapper?.() ?? ((row) => row);
  const keys: SortKey[] = order.map((field) => ({ field, isDescending: false }));
  let after: Page['after'];
  let prefix = writer.start;
  for (;;) {
    const rows = await kind.list(db, memberId, { keys, after, limit: rowsPerRead(kind) });
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map((row) => writer.row(mapRow(row))).join(writer.separator);
    onRows(rows.length);
    prefix = writer.separator;
    after = order.map((field) => last[field.name] ?? null);
  }
  yield (prefix === writer.start ? writer.start : '') + writer.end;
}
