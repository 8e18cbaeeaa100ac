/** The kinds of our own rows that files hold: their fields, how they are listed, and the sink that takes them. */
import { Bookmark } from '../contract/bookmarks.ts';
import { int64, nullable, type ObjectSchema, oneOf, text, textList, time } from '../contract/common.ts';
import { Plant } from '../contract/plants.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { type Format, type Row, rowFormat } from '../contract/rows.ts';
import { ProblemStatus, states } from '../contract/statuses.ts';
import { allSpecies } from '../practice/garden.ts';
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
import { bookmarkPairs } from './bookmarks.ts';
import { batchCounter, changeSink, ways } from './changes.ts';
import { handleSink } from './handles.ts';
import type { Applying, Sink } from './import.ts';
import { listSink } from './lists.ts';
import { pairSink } from './pairs.ts';
import { plantSink } from './plants.ts';
import { preferenceSink } from './preferences.ts';
import { problemSink } from './problems.ts';
import { ratingSink } from './ratings.ts';
import { recordSink } from './records.ts';
import { reviewSink } from './reviews.ts';
import { statusPairs } from './statuses.ts';
import { ownSubmissionSink } from './submissions.ts';
import { timerSink } from './timers.ts';

export interface OwnKind {
  fields: ObjectSchema;
  /** The fields that are ids: what each names, and the fields that name the same in every garden. */
  ids: Readonly<Record<string, readonly [noun: 'member' | 'problem' | 'plant', ...keys: string[]]>>;
  numbered?: NumberedTable;
  start(applying: Applying): Sink<never>;
  /** The same for an archive, where each row is one of its own; where it is missing, `start` is that. */
  startOwn?(applying: Applying): Sink<never>;
  order: readonly SortField[];
  /** The order of one member's rows that does not depend on ids; where it is missing, `order` is such a one. */
  naturalOrder?: readonly SortField[];
  /** Lists the rows of one member, or of all if `member` is undefined. */
  list(db: Db, member: bigint | undefined, page: Page): Promise<Row[]>;
  /** Makes a function that turns each listed row into that of the file. */
  shown?(): (row: Row) => Row;
}

const member = ['member', 'username'] as const;
const problem = ['problem', 'source', 'source_key'] as const;
const { username } = UserRecord.properties;
const { source, source_key } = Problem.properties;

/** The contract's fields. A file has the keys of the member and of the problem behind their ids. */
function keyed({ properties }: ObjectSchema): ObjectSchema {
  const keys: Record<string, object> = { user: { username }, problem: { source, source_key } };
  const fields = Object.entries(properties).map(([name, schema]) => ({ [name]: schema, ...keys[name] }));
  return { properties: Object.assign({}, ...fields) };
}

const state = (example: string) => ({ type: ['object', 'null'], description: '', examples: [example] });

export const ownKinds = {
  problems: {
    fields: { properties: { ...Problem.properties, solved_by: nullable(int64('', '1')) } },
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
    fields: UserRecord,
    ids: { id: member },
    numbered: 'members',
    start: recordSink,
    order: recordSortFields.slice(0, 1),
    list: (db: Db, id: bigint | undefined, page: Page) => recordListing({ id }).list(db, page),
  },
  handles: {
    fields: { properties: { username, source, name: text('', 'ada_cf'), created_at: time('') } },
    ids: {},
    start: handleSink,
    order: handleOrder,
    list: listKeyedHandles,
  },
  submissions: {
    fields: {
      properties: {
        ...{ username, source, handle: text('', 'ada_cf'), submission_id: text('', '1'), key: source_key },
        verdict_class: oneOf(['pending', 'void', 'tried', 'solved'], '', 'solved'),
        verdict: nullable(text('', 'OK')),
        submitted_at: time(''),
        contest: nullable(text('', '1459')),
        participation: nullable(oneOf(['contest', 'virtual', 'practice', 'team'], '', 'practice')),
        is_team: int64('', '0'),
        language: nullable(text('', 'GNU C++17')),
        way: oneOf(['server', 'browser', 'file'], '', 'server'),
      },
    },
    ids: {},
    start: ownSubmissionSink,
    order: solveOrder,
    list: listKeyedSolves,
  },
  ratings: {
    fields: {
      properties: {
        ...{ username, source, handle: text('', 'ada_cf'), contest: text('', '1459') },
        ...{ title: text('', 'Codeforces Round 691 (Div. 2)'), place: nullable(int64('', '120')) },
        ...{ rating: int64('', '1588'), rated_at: time('') },
      },
    },
    ids: {},
    start: ratingSink,
    order: ratingOrder,
    list: listKeyedRatings,
  },
  statuses: {
    fields: {
      properties: {
        ...keyed(ProblemStatus).properties,
        how: nullable(oneOf(ways, '', 'alone')),
        judge_status: nullable(oneOf(states, '', 'complete')),
        judge_at: nullable(time('')),
        overtaken_status: nullable(oneOf(states, '', 'practicing')),
        overtaken_at: nullable(time('')),
        listed_by: nullable(source),
      },
    },
    ids: { user: member, problem, id: problem },
    start: (applying: Applying) => pairSink(applying, statusPairs),
    order: statusSortFields.slice(0, 2),
    naturalOrder: naturalStatusOrder,
    list: listKeyedStatuses,
  },
  bookmarks: {
    fields: {
      properties: {
        ...keyed(Bookmark).properties,
        ...{ starred: oneOf(['yes', 'no'], '', 'yes'), editorial_at: nullable(time('')) },
      },
    },
    ids: { user: member, problem, id: problem },
    start: (applying: Applying) => pairSink(applying, bookmarkPairs),
    order: bookmarkSortFields.slice(0, 2),
    naturalOrder: naturalBookmarkOrder,
    list: listKeyedBookmarks,
  },
  lists: {
    fields: {
      properties: {
        ...{ username, name: text('', 'Winter camp') },
        visibility: oneOf(['private', 'garden', 'secret'], '', 'private'),
        ...{ created_at: time(''), updated_at: time(''), content: state('{"sections":[]}') },
        follows: state('{"url":"https://example.org/list.json"}'),
      },
    },
    ids: {},
    start: listSink,
    order: listOrder,
    list: listKeyedLists,
  },
  plants: {
    fields: {
      properties: {
        ...{ ...keyed(Plant).properties, species: nullable(oneOf(allSpecies, '', 'vine')) },
        ...{ list: nullable(text('', 'Winter camp')), list_owner: nullable(username) },
        ...{ list_made_at: nullable(time('')), edits: state('{"before":[]}') },
        ...{ source: nullable(source), by_date: nullable(text('', '2026-12-31')) },
        ...{ rating_min: nullable(int64('', '1400')), rating_max: nullable(int64('', '1600')) },
      },
    },
    ids: { user: member, id: ['plant', 'name', 'username'] },
    numbered: 'plants',
    start: (applying: Applying) => plantSink(applying),
    startOwn: (applying: Applying) => plantSink(applying, true),
    order: [plantIdField],
    list: listPlants,
  },
  changes: {
    fields: {
      properties: {
        ...{ username, batch: int64('', '1'), source, source_key },
        kind: oneOf(['status', 'how', 'bookmark', 'note'], '', 'status'),
        ...{ before: state('{}'), after: state('{}'), made_at: time(''), undone_at: nullable(time('')) },
      },
    },
    ids: {},
    start: changeSink,
    order: changeOrder,
    list: listKeyedChanges,
    shown: batchCounter,
  },
  reviews: {
    fields: {
      properties: {
        ...{ username, source, source_key },
        grade: oneOf(['again', 'hard', 'good', 'easy', 'later', 'never'], '', 'good'),
        ...{ made_at: time(''), undone_at: nullable(time('')) },
      },
    },
    ids: {},
    start: reviewSink,
    order: reviewOrder,
    list: listKeyedReviews,
  },
  timers: {
    fields: {
      properties: {
        ...{
          username,
          source,
          source_key,
          started_at: time(''),
          pauses: textList('', ['2026-11-21T08:30:00.000Z']),
        },
        ...{
          stopped_at: nullable(time('')),
          outcome: nullable(oneOf(['solved', 'editorial', 'unsolved'], '', 'solved')),
        },
        ...{
          grade: nullable(oneOf(['again', 'hard', 'good', 'easy'], '', 'good')),
          undone_at: nullable(time('')),
        },
      },
    },
    ids: {},
    start: timerSink,
    order: timerOrder,
    list: listKeyedTimers,
  },
  preferences: {
    fields: { properties: { username, name: text('', 'hide_topics'), value: text('', 'true') } },
    ids: {},
    start: preferenceSink,
    order: memberSettingOrder,
    list: listKeyedMemberSettings,
  },
} as const satisfies Record<string, OwnKind>;

export type ResourceName = keyof typeof ownKinds;

/** In the order in which an import of all of them has to read them. */
export const resourceNames = Object.keys(ownKinds) as ResourceName[];

/** The kinds of which each row is of one member. */
export const memberKinds = resourceNames.filter((name) => name !== 'problems');

/** The fields of rows for another garden, where ids name other things. */
export function fieldsWithoutIds({ fields: { properties }, ids }: OwnKind): ObjectSchema {
  const kept = Object.entries(properties).filter(([name]) => !Object.hasOwn(ids, name));
  return { properties: Object.fromEntries(kept) };
}

/* Exporting our own rows, in the form that an import of them takes. */

const rowsPerRead = 1000;

interface Exporting {
  /** Gets the number of rows of each piece. */
  onRows?(count: number): void;
  /** Only the rows of this member. */
  memberId?: bigint | undefined;
  /** Whether to leave the ids out, and to order the rows by what they are called, as another garden would. */
  isForElsewhere?: boolean;
}

/** All rows of a resource, or one member's, as text; in ascending id order unless they are for elsewhere. */
export async function* exportRows(
  db: Db,
  kind: OwnKind,
  format: Format,
  { onRows = () => {}, memberId, isForElsewhere = false }: Exporting = {},
): AsyncGenerator<string> {
  const form = rowFormat(isForElsewhere ? fieldsWithoutIds(kind) : kind.fields, format);
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
