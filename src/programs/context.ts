/** What the operations for programs take and return. */
import type { Static, TObject, TProperties } from 'typebox';
import type { Api } from '../api/context.ts';
import type { Actor } from '../auth/tokens.ts';
import type { ObjectSchema } from '../contract/common.ts';
import type { ProgramOperationId, ProgramOperations } from '../contract/programs/operations.ts';
import { documentedError } from '../errors.ts';
import type { Conditions } from '../http/preconditions.ts';
import type { AddLimits } from '../practice/added-problems.ts';
import { findProblem, type ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { RecordPart, WriteResult } from './writes.ts';

export interface Programs extends Api {
  judgeUrls: ReadonlyMap<string, string> | undefined;
  addLimits: AddLimits;
  writesPerMinute: number;
}

type ShapeOf<S> = S extends TObject<TProperties> ? Static<S> : never;
type BodyOf<Id extends ProgramOperationId> = ProgramOperations[Id] extends {
  body: infer S extends ObjectSchema;
}
  ? ShapeOf<S>
  : undefined;

export interface Input<Id extends ProgramOperationId> {
  programs: Pick<Programs, 'judgeUrls' | 'addLimits' | 'store'>;
  actor: Actor;
  /** Of the path; 0 for a path without one. */
  id: bigint;
  /** The second id of the path, likewise. */
  subId: bigint;
  query: ShapeOf<ProgramOperations[Id]['query']>;
  body: BodyOf<Id>;
  conditions: Conditions;
  /** Aborts when nobody waits for the answer any more. */
  signal?(): AbortSignal;
}

export interface ReadResult {
  body: object;
  version?: string;
}

export type Reader<Id extends ProgramOperationId> = (db: Db, input: Input<Id>) => Promise<ReadResult>;

/** Runs in the transaction of `writeByProgram`; it checks the conditions before it changes anything. */
export type Writer<Id extends ProgramOperationId> = (
  tx: Db,
  input: Input<Id>,
  record: RecordPart,
) => Promise<WriteResult>;

/** Throws unknownItem. */
export async function getProblem(db: Db, id: bigint): Promise<ProblemRow> {
  const problem = await findProblem(db, id);
  if (!problem) throw documentedError('unknownItem', 'problem', id);
  return problem;
}
