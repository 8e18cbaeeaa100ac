/** The input and the answers of a handler, by kind of operation; functions that the handlers of several nouns share. */
import type { Static, TSchema } from 'typebox';
import type { Actor, Authenticated } from '../auth/tokens.ts';
import { type OperationId, type Operations, operations } from '../contract/operations.ts';
import type { Row } from '../contract/rows.ts';
import { type AppError, documentedError } from '../errors.ts';
import type { Listing, SortField, SortKey } from '../store/listings.ts';
import { memberExists } from '../store/members.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

export interface ReadRequest<Id extends OperationId> {
  actor: Actor;
  /** From the path; 0 where the path has none. */
  id: bigint;
  query: Static<Operations[Id]['query']>;
}

interface ReadAnswer {
  /** An answer follows from these revisions. They are read before the rows, so that no new tag names an old row. */
  scopes: readonly RevisionScope[];
  /** Whether every member gets the same. */
  isForEveryone?: boolean;
  /** Throws if the actor may not see the member whose rows are asked for; called once all parameters are good. */
  assertVisible?(db: Db): Promise<void>;
}

export interface Item extends ReadAnswer {
  /** The row as JSON; undefined if there is none that the actor may see. */
  find(store: Store): Promise<string | undefined> | string | undefined;
}

export interface Collection<R = Row> extends ReadAnswer {
  sortFields: readonly SortField[];
  /** How the rows are read; asked for only where no kept answer serves. */
  listing(): Listing<R>;
  /** The fields that make any order total, and are the order if none is asked for. */
  ties: readonly string[];
  /** The row that has these ids in its ties, if the actor may see it; absent if no sort field can be a long text. */
  find?(db: Db, ids: readonly bigint[]): Promise<R | undefined>;
  /** All rows as one JSON array, for a list without a filter; undefined if there are many, which are read in pieces. */
  findFew?(store: Store): Promise<string | undefined> | string | undefined;
}

/** A collection in the order asked for, and the handle that reads it. */
export interface Ordered {
  collection: Collection;
  listing: Listing<Row>;
  keys: readonly SortKey[];
  /** Whether an index has the rows in this order, and no filter leaves any out. */
  isAlongIndex: boolean;
  db: Db;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
}

export interface Deletion {
  id: bigint;
  /** True once it is durable; false if the actor may delete no such row, or the credentials have another revision by now. */
  run(store: Store, authenticated: Authenticated): Promise<boolean>;
  exists(store: Store): Promise<boolean>;
}

type RowOf<Id extends OperationId> = Operations[Id]['row'] extends TSchema
  ? Static<Operations[Id]['row']>
  : never;

interface Answers<R> {
  item: Item;
  collection: Collection<R>;
  deletion: Deletion;
}

export interface Handler<Id extends OperationId> {
  /** The revisions that nearly every answer needs: they are read along with the credentials'. */
  expects(actor: Actor): readonly RevisionScope[];
  handle(request: ReadRequest<Id>): Answers<RowOf<Id>>[Operations[Id]['kind']];
}

/** A handler whose operation is known only at run time. */
export interface AnyHandler {
  expects(actor: Actor): readonly RevisionScope[];
  handle(request: { actor: Actor; id: bigint; query: object }): Item | Collection | Deletion;
}

/** In the same words if the actor may not see the item. */
export function noSuchItem(operationId: OperationId, id: bigint): AppError {
  return documentedError('unknownItem', operations[operationId].noun, id);
}

/** The member whose rows `user=` names, or undefined for everyone's. Throws staffOnly if a member asks for all. */
export function whoseRows(actor: Actor, user: bigint | 'all' | undefined): bigint | undefined {
  if (user !== 'all') return user ?? actor.memberId;
  if (actor.isStaff) return undefined;
  throw documentedError('staffOnly');
}

/** The rows of a member, or of everyone. A member may not learn whether another one exists: both throw unknownMember. */
export function ownRows(kind: 'bookmarks' | 'statuses', actor: Actor, user: bigint | undefined) {
  const isOwn = user === actor.memberId;
  const scope: RevisionScope = user === undefined ? kind : `${kind}:${user}`;
  const scopes: readonly RevisionScope[] = user === undefined || isOwn ? [scope] : [scope, 'records'];
  if (user === undefined || isOwn) return { scopes };
  const assertVisible = async (db: Db) => {
    if (!actor.isStaff || !(await memberExists(db, user))) throw documentedError('unknownMember', user);
  };
  return { scopes, assertVisible };
}
