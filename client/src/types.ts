/** The types of what the client takes and returns, as its users see them. Made from the generated schema, with ids as they chose. */
import type { components, int64Fields, operations } from './schema.ts';

/** How int64 fields arrive: as strings of digits, or as bigints. Both are exact, a number is not. */
export type Ids = 'string' | 'bigint';

/** An id as an argument. A number must be a safe integer. */
export type Id = string | bigint | number;

type Int64Field = (typeof int64Fields)[number];
type Row<Name extends keyof components['schemas'], I extends Ids> = {
  [Field in keyof components['schemas'][Name]]: Field extends Int64Field
    ? { string: string; bigint: bigint }[I]
    : components['schemas'][Name][Field];
};

export type UserRecord<I extends Ids = 'string'> = Row<'UserRecord', I>;
export type Bookmark<I extends Ids = 'string'> = Row<'Bookmark', I>;
export type Problem<I extends Ids = 'string'> = Row<'Problem', I>;
export type ProblemStatus<I extends Ids = 'string'> = Row<'ProblemStatus', I>;

/** The options that every call takes beside its parameters. */
export interface CallOptions {
  /** Ends the call, its retries and its pages: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

type Parameters<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>;

/** The query parameters of an operation, and the options of the call. */
export type Query<Operation extends keyof operations> = CallOptions & {
  [Name in keyof Parameters<Operation>]?:
    | (Name extends 'user' ? Id : Parameters<Operation>[Name])
    | undefined;
};

/** One page of a collection. */
export interface Page<R> {
  rows: R[];
  /** The `cursor` of the next page; undefined on the last one. */
  next: string | undefined;
  /** With `count: true`: how many rows all pages have together. */
  total: number | undefined;
}

/** The rows of each collection. */
interface Collections<I extends Ids> {
  listRecords: UserRecord<I>;
  listBookmarks: Bookmark<I>;
  listProblems: Problem<I>;
  listProblemStatuses: ProblemStatus<I>;
}

type Lists<I extends Ids> = {
  [Operation in keyof Collections<I>]: (query?: Query<Operation>) => Promise<Collections<I>[Operation][]>;
};

export type Pages<I extends Ids = 'string'> = {
  [Operation in keyof Collections<I>]: (
    query?: Query<Operation>,
  ) => AsyncIterable<Page<Collections<I>[Operation]>>;
};

export type Rows<I extends Ids = 'string'> = {
  [Operation in keyof Collections<I>]: (query?: Query<Operation>) => AsyncIterable<Collections<I>[Operation]>;
};

/** The nine operations. A refusal rejects with a GardenError; no network, or an abort, with what fetch rejects with. */
export interface Client<I extends Ids = 'string'> extends Lists<I> {
  /** Deletes a plant for good. Repeated after a 503, it may find its own work done and reject with 404. */
  deletePlant(id: Id, options?: CallOptions): Promise<void>;
  getRecord(id: Id, query?: Query<'getRecord'>): Promise<UserRecord<I>>;
  /** The member's bookmark of the problem with this id; 404 where there is none. */
  getBookmark(id: Id, query?: Query<'getBookmark'>): Promise<Bookmark<I>>;
  getProblem(id: Id, query?: Query<'getProblem'>): Promise<Problem<I>>;
  /** The member's status on the problem with this id; `not_started` where none was set. */
  getProblemStatus(id: Id, query?: Query<'getProblemStatus'>): Promise<ProblemStatus<I>>;
  /** Page by page, each fetched when it is asked for; `limit` is 1000 unless told. */
  pages: Pages<I>;
  /** Row by row, fetched as pages. */
  rows: Rows<I>;
}

export interface ClientOptions<I extends Ids = 'string'> {
  /** The address of the garden, such as `https://garden.example.org` or `https://example.org/practice`. */
  baseUrl: string;
  /** `pgt_…`, from `garden token create`. */
  token: string;
  /** Default: `'string'`. */
  ids?: I | undefined;
  /** Used instead of the global fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined;
  /** How often a call is repeated that was refused with 429 or 503; default 2, 0 is never. */
  retries?: number | undefined;
  /** Keeps answers with their entity tags, and asks the server only whether they are still current. */
  cache?: boolean | undefined;
}
