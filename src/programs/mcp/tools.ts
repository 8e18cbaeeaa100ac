/** The tools: each builds the input of an operation for programs, runs it, and forms what a model gets. */
import type { Static } from 'typebox';
import type { Actor } from '../../auth/tokens.ts';
import {
  type ProgramOperation,
  type ProgramOperationId,
  type ProgramOperations,
  programOperations,
} from '../../contract/programs/operations.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { versionTag } from '../../http/preconditions.ts';
import type { Db } from '../../store/tables.ts';
import type { Input, Programs, Reader, Writer } from '../context.ts';
import { changeMark } from '../marks.ts';
import { addProblem, findProblems } from '../problems.ts';
import { gradeReview, listDue } from '../reviews.ts';
import { listNext } from '../suggestions.ts';
import { changeTimer, getTimer } from '../timer.ts';
import { undoChange } from '../undo.ts';
import { checkFields } from '../validation.ts';
import { type RecordPart, writeByProgram } from '../writes.ts';
import { problemForModel, problemsForModel } from './from-others.ts';

/** They fit the input schema of the tool. */
export interface Arguments {
  problem?: string;
  url?: string;
  change?: string;
  version?: string;
  limit?: number;
  [name: string]: unknown;
}

export interface Call {
  programs: Programs;
  actor: Actor;
  args: Arguments;
}

interface Fields {
  id?: bigint;
  query?: object;
  body?: object;
  version?: string | undefined;
}

type AnswerOf<Id extends ProgramOperationId> = Static<ProgramOperations[Id]['answer']>;

interface ReadTool {
  read(db: Db, call: Call): Promise<object>;
}

interface WriteTool {
  operation: ProgramOperationId;
  write(tx: Db, call: Call, record: RecordPart): Promise<object>;
}

/** Throws invalidValue. */
function inputOf<Id extends ProgramOperationId>(
  { programs, actor }: Call,
  operation: Id,
  { id = 0n, query = {}, body, version }: Fields = {},
): Input<Id> {
  const { body: schema }: ProgramOperation = programOperations[operation];
  if (schema) checkFields(body, schema);
  const ifMatch = version === undefined ? undefined : versionTag(version);
  const conditions = { ifMatch, ifNoneMatch: undefined };
  return { programs, actor, id, query: query as never, body: body as never, conditions };
}

async function answerOf<Id extends ProgramOperationId>(
  db: Db,
  read: Reader<Id>,
  input: Input<Id>,
): Promise<AnswerOf<Id>> {
  return (await read(db, input)).body as AnswerOf<Id>;
}

interface Write<Id extends ProgramOperationId> {
  operation: Id;
  run: Writer<Id>;
  fields(call: Call, tx: Db): Fields | Promise<Fields>;
  answer(answer: AnswerOf<Id>, call: Call, tx: Db): object | Promise<object>;
}

const writing = <Id extends ProgramOperationId>({
  operation,
  run,
  fields,
  answer,
}: Write<Id>): WriteTool => ({
  operation,
  write: async (tx, call, record) => {
    const input = inputOf(call, operation, await fields(call, tx));
    const { body } = await run(tx, input, record);
    return answer(body as AnswerOf<Id>, call, tx);
  },
});

/** Throws invalidValue and unknownItem. */
async function problemIdOf(db: Db, call: Call): Promise<bigint> {
  const { problem, url } = call.args;
  if (problem !== undefined && url === undefined) return BigInt(problem);
  if (problem !== undefined || url === undefined) throw invalidValue('Send either "problem" or "url".');
  const found = await answerOf(db, findProblems, inputOf(call, 'findProblems', { query: { url } }));
  const [first] = found.items;
  if (!first) throw new AppError('unknownItem', 'No problem of this garden has that address; add it first.');
  return BigInt(first.id);
}

const pathId = ({ args }: Call): Fields => ({ id: BigInt(args.problem ?? 0) });

async function readToday(db: Db, call: Call) {
  const due = await answerOf(db, listDue, inputOf(call, 'listDue'));
  const suggested = await answerOf(db, listNext, inputOf(call, 'listNext'));
  const { timer } = await answerOf(db, getTimer, inputOf(call, 'getTimer'));
  const ids = [...due.items, ...suggested.items].map(({ problem }) => problem.id);
  const problems = await problemsForModel(db, call.actor.memberId, ids);
  const named = <T extends { problem: { id: string } }>(items: readonly T[]) =>
    items.flatMap((item) => {
      const problem = problems.get(item.problem.id);
      return problem ? [{ item, problem }] : [];
    });
  return {
    day: due.day,
    due: named(due.items).map(({ item: { version, next }, problem }) => ({ problem, version, next })),
    waiting: due.waiting,
    next: named(suggested.items).map(({ item: { judge, kind }, problem }) => ({ judge, kind, problem })),
    timer,
  };
}

const usualLimit = 10;

async function find(db: Db, call: Call) {
  const query = Object.assign({ limit: usualLimit }, call.args);
  const { items, next } = await answerOf(db, findProblems, inputOf(call, 'findProblems', { query }));
  const ids = items.map(({ id }) => id);
  const problems = await problemsForModel(db, call.actor.memberId, ids);
  return { items: ids.flatMap((id) => problems.get(id) ?? []), next };
}

async function lookUp(db: Db, call: Call) {
  return { problem: await problemForModel(db, call.actor.memberId, await problemIdOf(db, call)) };
}

async function markFields(call: Call, tx: Db): Promise<Fields> {
  const { problem, url, version, ...body } = call.args;
  if (Object.keys(body).length === 0)
    throw invalidValue('Send at least one of the fields status, how, starred, add_note, minutes.');
  return { id: await problemIdOf(tx, call), body, version };
}

async function timerFields(call: Call, tx: Db): Promise<Fields> {
  const { url, ...body } = call.args;
  if (url !== undefined) body.problem = String(await problemIdOf(tx, call));
  return { body };
}

const tools: Readonly<Record<string, ReadTool | WriteTool>> = {
  today: { read: readToday },
  find_problems: { read: find },
  look_up: { read: lookUp },
  mark: writing({
    operation: 'changeMark',
    run: changeMark,
    fields: markFields,
    answer: async ({ mark }, { actor }, tx) => ({
      problem: await problemForModel(tx, actor.memberId, BigInt(mark.problem)),
    }),
  }),
  review: writing({
    operation: 'gradeReview',
    run: gradeReview,
    fields: (call) => Object.assign(pathId(call), { body: { grade: call.args['grade'] } }),
    answer: ({ review: { problem, next_day } }) => ({ problem, next_day }),
  }),
  timer: writing({
    operation: 'changeTimer',
    run: changeTimer,
    fields: timerFields,
    answer: ({ timer }) => ({ timer }),
  }),
  add_problem: writing({
    operation: 'addProblem',
    run: addProblem,
    fields: ({ args }) => ({ body: args }),
    answer: async ({ added, problem }, { actor }, tx) => ({
      added,
      problem: await problemForModel(tx, actor.memberId, BigInt(problem.id)),
    }),
  }),
  undo: writing({
    operation: 'undoChange',
    run: undoChange,
    fields: ({ args }) => ({ id: BigInt(args.change ?? 0) }),
    answer: ({ change, changed }) => ({ change, changed }),
  }),
};

/** The JSON of what the tool answers. Throws what its operation throws. */
export async function runTool(name: string, call: Call): Promise<string> {
  const tool = tools[name];
  if (!tool) throw new Error(`${name} is no tool`);
  const { programs, actor } = call;
  if ('read' in tool) return JSON.stringify(await tool.read(programs.store.reader, call));
  const { memberId, tokenId } = actor;
  const { operation } = tool;
  const about = { memberId, tokenId, operation, perMinute: programs.writesPerMinute, key: undefined };
  const answer = await writeByProgram(programs.store, about, async (tx, record) => ({
    body: await tool.write(tx, call, record),
  }));
  return answer.json;
}
