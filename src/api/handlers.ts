/** What a handler is given and what it answers with, by kind of operation. */
import type { Static, TSchema } from 'typebox';
import type { Actor } from '../auth/guard.ts';
import { type OperationId, type Operations, operations } from '../contract/operations.ts';
import type { Row } from '../contract/rows.ts';
import { type AppError, documentedError } from '../errors.ts';
import type { Listing } from '../store/listings.ts';
import { memberExists } from '../store/members.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

export interface Ask<Id extends OperationId> {
  actor: Actor;
  /** From the path; 0 where the path has none. */
  id: bigint;
  query: Static<Operations[Id]['query']>;
}

/** One row. */
export interface Item<R = Row> {
  /** Whatever of these changes, the answer may change; read before the row, or a new tag could name an old row. */
  scopes: readonly RevisionScope[];
  /** Whether every member gets the same. */
  isForEveryone?: boolean;
  /** Throws where the row asked for is of nobody that the actor may see. */
  assertVisible?(db: Db): Promise<void>;
  /** Undefined where there is none that the actor may see. */
  find(db: Db): Promise<R | undefined>;
}

/** A whole collection, read in pages; each from a database that has the revisions of the scopes. */
export interface Collection<R = Row> extends Listing<R> {
  scopes: readonly RevisionScope[];
  isForEveryone?: boolean;
  /** The fields that make any order total, and are the order where none is asked for. */
  ties: readonly string[];
  /** Throws where the rows asked for are of nobody that the actor may see; asked once all parameters are good. */
  assertVisible?(db: Db): Promise<void>;
  /** The row that has these ids in its ties, if the actor may see it; absent where no sort field can be a long text. */
  find?(db: Db, ids: readonly bigint[]): Promise<R | undefined>;
}

/** One row to delete. */
export interface Deletion {
  id: bigint;
  /**
   * Deletes it and answers true once that is durable; false where there was nothing that the actor may delete, or the
   * credentials have another revision by then.
   */
  run(store: Store, credentials: bigint): Promise<boolean>;
  /** Whether there is something that the actor may delete. */
  exists(store: Store): Promise<boolean>;
}

/** The row that the contract promises for the operation. */
type RowOf<Id extends OperationId> = Operations[Id]['row'] extends TSchema
  ? Static<Operations[Id]['row']>
  : never;

interface Answers<R> {
  item: Item<R>;
  collection: Collection<R>;
  deletion: Deletion;
}

/** The handler of one operation; its answer follows from the operation's kind. */
export interface Handler<Id extends OperationId> {
  /** The revisions that nearly every answer needs: they are read along with the credentials'. */
  expects(actor: Actor): readonly RevisionScope[];
  handle(ask: Ask<Id>): Answers<RowOf<Id>>[Operations[Id]['kind']];
}

/** A handler of which only the run knows the operation. */
export interface AnyHandler {
  expects(actor: Actor): readonly RevisionScope[];
  handle(ask: { actor: Actor; id: bigint; query: object }): Item | Collection | Deletion;
}

/** That there is no such item, in the same words whether nobody has it or the actor may not see it. */
export function absent(operationId: OperationId, id: bigint): AppError {
  return documentedError('unknownItem', operations[operationId].noun, id);
}

/** Whose rows `user=` names: a member's id, or undefined for everyone's. Throws staffOnly where a member asks for all. */
export function whoseRows(actor: Actor, user: bigint | 'all' | undefined): bigint | undefined {
  if (user !== 'all') return user ?? actor.memberId;
  if (actor.isStaff) return undefined;
  throw documentedError('staffOnly');
}

/** The scopes of a member's rows, or with undefined of everyone's; of another member's also whether there is such a member. */
export function scopesOf(
  kind: 'bookmarks' | 'statuses',
  actor: Actor,
  user: bigint | undefined,
): RevisionScope[] {
  if (user === undefined) return [kind];
  return user === actor.memberId ? [`${kind}:${user}`] : [`${kind}:${user}`, 'records'];
}

/** Throws unknownMember, the same for a member's "somebody else" as for staff's "nobody". */
export async function assertVisible(db: Db, actor: Actor, user: bigint | undefined): Promise<void> {
  if (user === undefined || user === actor.memberId) return;
  if (actor.isStaff && (await memberExists(db, user))) return;
  throw documentedError('unknownMember', user);
}
