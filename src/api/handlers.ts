/** What handlers take and return, and functions that several of them share. */
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

export interface HandlerInput<Id extends OperationId> {
  actor: Actor;
  id: bigint;
  query: Static<Operations[Id]['query']>;
}

interface ReadAnswer {
  /** Their revisions are read before the rows, so that a new entity tag never stands for old rows. */
  revisionScopes: readonly RevisionScope[];
  isForEveryone?: boolean;
  /** Throws unknownMember. */
  assertVisible?(db: Db): Promise<void>;
}

export interface Item extends ReadAnswer {
  find(store: Store): Promise<string | undefined> | string | undefined;
}

export interface Collection<R = Row> extends ReadAnswer {
  sortFields: readonly SortField[];
  listing(): Listing<R>;
  /** Fields that are appended to every order, so that no two rows tie; the default order consists of them. */
  tieBreakers: readonly string[];
  /** Only needed where a sort field can be a long text. */
  find?(db: Db, ids: readonly bigint[]): Promise<R | undefined>;
  /** The JSON for a request without a query; undefined if it has many rows, which are read in batches. */
  findIfFew?(store: Store): Promise<string | undefined> | string | undefined;
}

export interface OrderedCollection {
  collection: Collection;
  listing: Listing<Row>;
  keys: readonly SortKey[];
  /** Whether an index has this order and no filter applies. */
  usesIndex: boolean;
  db: Db;
  signal: AbortSignal;
}

export interface Deletion {
  id: bigint;
  /** Resolves after the deletion is durable; false if there is no such row or credentials changed meanwhile. */
  run(store: Store, authenticated: Authenticated): Promise<boolean>;
  exists(store: Store): Promise<boolean>;
}

type RowOf<Id extends OperationId> = Operations[Id]['row'] extends TSchema
  ? Static<Operations[Id]['row']>
  : never;

interface ResultsByKind<R> {
  item: Item;
  collection: Collection<R>;
  deletion: Deletion;
}

export interface Handler<Id extends OperationId> {
  /** The statement that reads the revision of the credentials reads these too. */
  prefetchedScopes(actor: Actor): readonly RevisionScope[];
  handle(request: HandlerInput<Id>): ResultsByKind<RowOf<Id>>[Operations[Id]['kind']];
}

export interface AnyHandler {
  prefetchedScopes(actor: Actor): readonly RevisionScope[];
  handle(request: { actor: Actor; id: bigint; query: object }): Item | Collection | Deletion;
}

/** The message does not reveal whether the row exists. */
export function noSuchItem(operationId: OperationId, id: bigint): AppError {
  return documentedError('unknownItem', operations[operationId].noun, id);
}

/** The member that `user=` names, or undefined for all. Throws staffOnly. */
export function requestedMember(actor: Actor, user: bigint | 'all' | undefined): bigint | undefined {
  if (user !== 'all') return user ?? actor.memberId;
  if (actor.isStaff) return undefined;
  throw documentedError('staffOnly');
}

/** Throws unknownMember for another member, existing or not. */
export function memberAccess(
  kind: 'bookmarks' | 'statuses',
  actor: Actor,
  user: bigint | undefined,
): Pick<Collection, 'revisionScopes' | 'assertVisible'> {
  const scope: RevisionScope = user === undefined ? kind : `${kind}:${user}`;
  if (user === undefined || user === actor.memberId) return { revisionScopes: [scope] };
  const assertVisible = async (db: Db) => {
    if (!actor.isStaff || !(await memberExists(db, user))) throw documentedError('unknownMember', user);
  };
  return { revisionScopes: [scope, 'records'], assertVisible };
}
