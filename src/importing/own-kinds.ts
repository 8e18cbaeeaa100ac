/** The kinds of our own rows in files: their fields, how they are listed, and the sink that imports them. */
import { Bookmark } from '../contract/bookmarks.ts';
import { int64, nullable, type ObjectSchema, oneOf, text, textList, time } from '../contract/common.ts';
import { Plant } from '../contract/plants.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { type Format, type Row, rowFormat } from '../contract/rows.ts';
import { ProblemStatus, states } from '../contract/statuses.ts';
import { allSpecies } from '../practice/species.ts';
import { bookmarkSortFields, listKeyedBookmarks, naturalBookmarkOrder } from '../store/bookmarks.ts';
import { changeOrder, listKeyedChanges } from '../store/changes.ts';
import { handleOrder, listKeyedHandles } from '../store/handles.ts';
import type { NumberedTable } from '../store/ids.ts';
import type { Page, SortField, SortKey } from '../store/listings.ts';
import { listKeyedLists, listOrder } from '../store/lists.ts';
import { recordListing, recordSortFields } from '../store/members.ts';
import { listPlants, plantIdField } from '../store/plants.ts';
import { problemListing, problemSortFields } from '../store/problem-lists.ts';
import { findSolvedCounts } from '../store/problems.ts';
import { listKeyedRatings, ratingOrder } from '../store/ratings.ts';
import { listKeyedReviews, reviewOrder } from '../store/reviews.ts';
import { listKeyedMemberSettings, memberSettingOrder } from '../store/settings.ts';
import { listKeyedSolves, solveOrder } from '../store/solves.ts';
import { listKeyedStatuses, naturalStatusOrder, statusSortFields } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { listKeyedTimers, timerOrder } from '../store/timers.ts';
import { batchCounter, changeSink, reviewSink, timerSink, ways } from './history.ts';
import type { ImportContext, Sink } from './import.ts';
import { listSink } from './lists.ts';
import { bookmarkSink, statusSink } from './marks.ts';
import { handleSink, preferenceSink, ratingSink, recordSink } from './member-rows.ts';
import { plantSink } from './plants.ts';
import { problemSink } from './problems.ts';
import { ownSubmissionSink } from './submissions.ts';

export interface OwnKind {
  fields: ObjectSchema['properties'];
  /** `keys` occur together at the start of such a file; `lacks` are keys that only another kind with them has. */
  keys: readonly string[];
  lacks?: readonly string[];
  /** Fields that are ids, with what each identifies and the natural keys that identify the same in every garden. */
  ids?: Readonly<Record<string, readonly [noun: 'member' | 'problem' | 'plant', ...keys: string[]]>>;
  numbered?: NumberedTable;
  start(context: ImportContext): Sink<never>;
  /** For archives, where each row is a row of its own. */
  startOwn?(context: ImportContext): Sink<never>;
  order: readonly SortField[];
  /** Does not depend on ids; `order` is used if there is none. */
  naturalOrder?: readonly SortField[];
  /** Lists the rows of all members if `member` is undefined. */
  list(db: Db, member: bigint | undefined, page: Page): Promise<Row[]>;
  shown?(): (row: Row) => Row;
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
const whole = int64('', '0');
const wholeOrNull = nullable(whole);
const moment = time('');
const momentOrNull = nullable(moment);
const objectOrNull = { type: ['object', 'null'] };
const choiceOf = (choices: readonly string[]) => oneOf(choices, '', choices[0] ?? '');
const choiceOrNull = (choices: readonly string[]) => nullable(choiceOf(choices));

export const ownKinds = {
  problems: {
    keys: ['title', 'source_key'],
    fields: { ...Problem.properties, solved_by: wholeOrNull },
    ids: { id: problem },
    numbered: 'problems',
    start: problemSink,
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
    numbered: 'members',
    start: recordSink,
    order: recordSortFields.slice(0, 1),
    list: (db: Db, id: bigint | undefined, page: Page) => recordListing({ id }).list(db, page),
  },
  handles: {
    keys: ['username', 'source', 'name'],
    lacks: ['content', 'target'],
    fields: { username, source, name: anyText, created_at: moment },
    start: handleSink,
    order: handleOrder,
    list: listKeyedHandles,
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
      submitted_at: moment,
      contest: textOrNull,
      participation: choiceOrNull(['contest', 'virtual', 'practice', 'team']),
      is_team: whole,
      language: textOrNull,
      way: choiceOf(['server', 'browser', 'file']),
    },
    start: ownSubmissionSink,
    order: solveOrder,
    list: listKeyedSolves,
  },
  ratings: {
    keys: ['contest', 'rated_at'],
    fields: {
      username,
      source,
      handle: anyText,
      contest: anyText,
      title: anyText,
      place: wholeOrNull,
      rating: whole,
      rated_at: moment,
    },
    start: ratingSink,
    order: ratingOrder,
    list: listKeyedRatings,
  },
  statuses: {
    keys: ['source_key', 'status'],
    fields: {
      ...withNaturalKeys(ProblemStatus),
      how: choiceOrNull(ways),
      judge_status: choiceOrNull(states),
      judge_at: momentOrNull,
      overtaken_status: choiceOrNull(states),
      overtaken_at: momentOrNull,
      listed_by: nullable(source),
    },
    ids: { user: member, problem, id: problem },
    start: statusSink,
    order: statusSortFields.slice(0, 2),
    naturalOrder: naturalStatusOrder,
    list: listKeyedStatuses,
  },
  bookmarks: {
    keys: ['source_key', 'note'],
    fields: {
      ...withNaturalKeys(Bookmark),
      starred: choiceOf(['yes', 'no']),
      editorial_at: momentOrNull,
      shared_with: textList('', []),
    },
    ids: { user: member, problem, id: problem },
    start: bookmarkSink,
    order: bookmarkSortFields.slice(0, 2),
    naturalOrder: naturalBookmarkOrder,
    list: listKeyedBookmarks,
    shown: () => (row: Row) => ({
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
      created_at: moment,
      updated_at: moment,
      content: objectOrNull,
      follows: objectOrNull,
    },
    start: listSink,
    order: listOrder,
    list: listKeyedLists,
  },
  plants: {
    keys: ['name', 'target'],
    fields: {
      ...withNaturalKeys(Plant),
      species: choiceOrNull(allSpecies),
      list: textOrNull,
      list_owner: nullable(username),
      list_made_at: momentOrNull,
      edits: objectOrNull,
      source: nullable(source),
      by_date: textOrNull,
      rating_min: wholeOrNull,
      rating_max: wholeOrNull,
    },
    ids: { user: member, id: ['plant', 'name', 'username'] },
    numbered: 'plants',
    start: plantSink,
    startOwn: (context: ImportContext) => plantSink(context, true),
    order: [plantIdField],
    list: listPlants,
  },
  changes: {
    keys: ['batch', 'before', 'after'],
    fields: {
      username,
      batch: whole,
      source,
      source_key,
      kind: choiceOf(['status', 'how', 'bookmark', 'note']),
      before: objectOrNull,
      after: objectOrNull,
      made_at: moment,
      undone_at: momentOrNull,
    },
    start: changeSink,
    order: changeOrder,
    list: listKeyedChanges,
    shown: batchCounter,
  },
  reviews: {
    keys: ['grade', 'made_at'],
    fields: {
      username,
      source,
      source_key,
      grade: choiceOf(['again', 'hard', 'good', 'easy', 'later', 'never']),
      made_at: moment,
      undone_at: momentOrNull,
    },
    start: reviewSink,
    order: reviewOrder,
    list: listKeyedReviews,
  },
  timers: {
    keys: ['started_at', 'pauses'],
    fields: {
      username,
      source,
      source_key,
      started_at: moment,
      pauses: textList('', []),
      stopped_at: momentOrNull,
      outcome: choiceOrNull(['solved', 'editorial', 'unsolved']),
      grade: choiceOrNull(['again', 'hard', 'good', 'easy']),
      undone_at: momentOrNull,
    },
    start: timerSink,
    order: timerOrder,
    list: listKeyedTimers,
  },
  preferences: {
    keys: ['username', 'value'],
    fields: { username, name: anyText, value: anyText },
    start: preferenceSink,
    order: memberSettingOrder,
    list: listKeyedMemberSettings,
  },
} as const satisfies Record<string, OwnKind>;

export type ResourceName = keyof typeof ownKinds;

/** The order in which an import of all kinds must read them. */
export const resourceNames = Object.keys(ownKinds) as ResourceName[];

export const memberKinds = resourceNames.filter((name) => name !== 'problems');

export function fieldsWithoutIds({ fields, ids = {} }: OwnKind): ObjectSchema {
  const entries = Object.entries(fields).filter(([name]) => !Object.hasOwn(ids, name));
  return { properties: Object.fromEntries(entries) };
}

const rowsPerRead = 1000;

interface ExportOptions {
  onRows?(count: number): void;
  memberId?: bigint | undefined;
  /** Whether to leave out ids and to order rows by natural keys. */
  isForElsewhere?: boolean;
}

export async function* exportRows(
  db: Db,
  kind: OwnKind,
  format: Format,
  { onRows = () => {}, memberId, isForElsewhere = false }: ExportOptions = {},
): AsyncGenerator<string> {
  const form = rowFormat(isForElsewhere ? fieldsWithoutIds(kind) : { properties: kind.fields }, format);
  const order = (isForElsewhere && kind.naturalOrder) || kind.order;
  const shown = kind.shown?.() ?? ((row) => row);
  const keys: SortKey[] = order.map((field) => ({ field, isDescending: false }));
  let after: Page['after'];
  let prefix = form.start;
  for (;;) {
    const rows = await kind.list(db, memberId, { keys, after, limit: rowsPerRead });
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map((row) => form.row(shown(row))).join(form.separator);
    onRows(rows.length);
    prefix = form.separator;
    after = order.map((field) => last[field.name] ?? null);
  }
  yield (prefix === form.start ? form.start : '') + form.end;
}
