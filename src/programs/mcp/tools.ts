/** The tools: each runs operations for programs, and forms what a model gets of their answers. */
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
import type { Programs } from '../context.ts';
import { type AnyHandler, type AnyInput, handlers } from '../pipeline.ts';
import { checkFields } from '../validation.ts';
import { type RecordPart, writeByProgram } from '../writes.ts';
import { problemForModel, problemsForModel, stateForModel } from './from-others.ts';

/** They fit the input schema of the tool. */
export type Arguments = { readonly [name: string]: unknown } & {
  readonly [name in 'problem' | 'url' | 'change' | 'version']?: string;
};

interface Call {
  programs: Programs;
  actor: Actor;
  args: Arguments;
  record: RecordPart;
}

interface Fields {
  id?: bigint;
  subId?: bigint;
  query?: object;
  body?: object;
  version?: string | undefined;
}

type Answer<Id extends ProgramOperationId> = Static<ProgramOperations[Id]['answer']>;

/** Throws what the operation throws. */
async function run<Id extends ProgramOperationId>(
  db: Db,
  { programs, actor, record }: Call,
  operation: Id,
  { id = 0n, subId = 0n, query = {}, body, version }: Fields = {},
): Promise<Answer<Id>> {
  const { body: schema }: ProgramOperation = programOperations[operation];
  if (schema) checkFields(body, schema);
  const ifMatch = version === undefined ? undefined : versionTag(version);
  const conditions = { ifMatch, ifNoneMatch: undefined };
  const input = { programs, actor, id, subId, query, body, conditions } as AnyInput;
  const handler = handlers[operation] as AnyHandler;
  const result = 'read' in handler ? await handler.read(db, input) : await handler.write(db, input, record);
  return result.body as Answer<Id>;
}

/** Throws invalidValue and unknownItem. */
async function problemIdOf(db: Db, call: Call): Promise<bigint> {
  const { problem, url } = call.args;
  if ((problem === undefined) === (url === undefined)) throw invalidValue('Send either "problem" or "url".');
  if (problem !== undefined) return BigInt(problem);
  const [found] = (await run(db, call, 'findProblems', { query: { url } })).items;
  if (!found) throw new AppError('unknownItem', 'No problem of this garden has that address; add it first.');
  return BigInt(found.id);
}

const problemAt = async (db: Db, call: Call, id: bigint) => ({
  problem: problemForModel(await run(db, call, 'readProblem', { id })),
});

type Tool = (db: Db, call: Call) => Promise<object>;

const today: Tool = async (db, call) => {
  const { day, items, waiting } = await run(db, call, 'listDue');
  const { items: suggested } = await run(db, call, 'listNext');
  const { timer } = await run(db, call, 'getTimer');
  const all = [...items, ...suggested].map(({ problem }) => problem);
  const problems = await problemsForModel(db, call.actor.memberId, all);
  return {
    day,
    due: items.map(({ version, next }, index) => ({ problem: problems[index], version, next })),
    waiting,
    next: suggested.map(({ judge, kind }, index) => ({
      judge,
      kind,
      problem: problems[items.length + index],
    })),
    timer,
  };
};

const usualLimits = { problems: 10, changes: 50 } as const;

const findProblems: Tool = async (db, call) => {
  const query = Object.assign({ limit: usualLimits.problems }, call.args);
  const { items, next } = await run(db, call, 'findProblems', { query });
  return { items: await problemsForModel(db, call.actor.memberId, items), next };
};

const changes: Tool = async (db, call) => {
  const query = Object.assign({ limit: usualLimits.changes }, call.args);
  const { items, next, more } = await run(db, call, 'listChanges', { query });
  const forModel = items.map((one) => Object.assign({}, one, { state: stateForModel(one.kind, one.state) }));
  return { items: forModel, next, more };
};

const readCode: Tool = async (db, call) => {
  const id = await problemIdOf(db, call);
  const { items } = await run(db, call, 'listSolutions', { id });
  const files = items.map((one) => run(db, call, 'readSolution', { id, subId: BigInt(one.id) }));
  return { items: (await Promise.all(files)).map(({ problem, submission, sha256, ...own }) => own) };
};

const mark: Tool = async (tx, call) => {
  const { problem, url, version, ...body } = call.args;
  if (Object.keys(body).length === 0)
    throw invalidValue('Send at least one of the fields status, how, starred, add_note, minutes.');
  const id = await problemIdOf(tx, call);
  await run(tx, call, 'changeMark', { id, body, version });
  return problemAt(tx, call, id);
};

const review: Tool = async (tx, call) => {
  const id = await problemIdOf(tx, call);
  const { grade } = call.args;
  const answer = await run(tx, call, 'gradeReview', { id, body: { grade } });
  const { problem, next_day } = answer.review;
  return { problem, next_day };
};

const timer: Tool = async (tx, call) => {
  const { url, ...fields } = call.args;
  const found = url === undefined ? {} : { problem: String(await problemIdOf(tx, call)) };
  const answer = await run(tx, call, 'changeTimer', { body: Object.assign(fields, found) });
  return { timer: answer.timer };
};

const addProblem: Tool = async (tx, call) => {
  const { added, problem } = await run(tx, call, 'addProblem', { body: call.args });
  return { added, problem: problemForModel(problem) };
};

const undo: Tool = async (tx, call) => {
  const { change, changed } = await run(tx, call, 'undoChange', { id: BigInt(call.args.change ?? 0) });
  return { change, changed };
};

const keepCode: Tool = async (tx, call) => {
  const { problem = '', ...body } = call.args;
  const { solution } = await run(tx, call, 'addSolution', { id: BigInt(problem), body });
  return { id: solution.id, bytes: solution.bytes };
};

const lookUp: Tool = async (db, call) => problemAt(db, call, await problemIdOf(db, call));

/** Those that write have the operation that their change has in the history. */
const tools = new Map<string, [Tool, ProgramOperationId?]>([
  ['today', [today]],
  ['find_problems', [findProblems]],
  ['look_up', [lookUp]],
  ['changes', [changes]],
  ['mark', [mark, 'changeMark']],
  ['review', [review, 'gradeReview']],
  ['timer', [timer, 'changeTimer']],
  ['add_problem', [addProblem, 'addProblem']],
  ['undo', [undo, 'undoChange']],
  ['read_code', [readCode]],
  ['keep_code', [keepCode, 'addSolution']],
]);

/** The JSON of what the tool answers. Throws what its operation throws. */
export async function runTool(name: string, call: Omit<Call, 'record'>): Promise<string> {
  const { programs, actor } = call;
  const [tool, operation] = tools.get(name) ?? [];
  if (!tool) throw new Error(`${name} is no tool`);
  const answer = (db: Db, record: RecordPart) => tool(db, Object.assign({ record }, call));
  if (!operation) return JSON.stringify(await answer(programs.store.reader, () => {}));
  const { memberId, tokenId } = actor;
  const about = { memberId, tokenId, operation, perMinute: programs.writesPerMinute, key: undefined };
  const work = async (tx: Db, record: RecordPart) => ({ body: await answer(tx, record) });
  return (await writeByProgram(programs.store, about, work)).json;
}
