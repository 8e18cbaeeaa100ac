/** A request of a program; the order of the steps decides which refusal comes first. */
import { bodyHeaders, refuse, sendCached } from '../api/answers.ts';
import { clientDisconnected, disconnectSignal, type Exchange } from '../api/context.ts';
import { versionHeader } from '../api/match.ts';
import { readQuery, splitQuery } from '../api/parameters.ts';
import {
  announcesBody,
  assertNoBody,
  countRequest,
  countUnauthenticated,
  refusedInDemo,
} from '../api/pipeline.ts';
import { type Actor, requireScope } from '../auth/tokens.ts';
import { parseInt64 } from '../contract/common.ts';
import { type ProgramOperationId, programsPath } from '../contract/programs/operations.ts';
import { AppError, documentedError } from '../errors.ts';
import { chooseCoding, encode, isPlain } from '../http/codings.ts';
import { chooseFormat } from '../http/negotiation.ts';
import { entityTagOf, versionTag } from '../http/preconditions.ts';
import type { RevisionScope } from '../store/revisions.ts';
import { readBody } from './bodies.ts';
import { listChanges } from './changes.ts';
import type { Input, Programs, Reader, Writer } from './context.ts';
import { readKey } from './keys.ts';
import { addToList, createList, listLists, readList, replaceList } from './lists.ts';
import { changeMark, getMark } from './marks.ts';
import type { ProgramMatch } from './match.ts';
import { getMe } from './me.ts';
import { addProblem, findProblems, readProblem } from './problems.ts';
import { gradeReview, listDue } from './reviews.ts';
import { addSolution, listSolutions, readSolution } from './solutions.ts';
import { listNext } from './suggestions.ts';
import { changeTimer, getTimer } from './timer.ts';
import { undoChange } from './undo.ts';
import { checkFields } from './validation.ts';
import { assertWritesLeft, digestOfRequest, writeByProgram } from './writes.ts';

type AnyReader = Reader<ProgramOperationId>;
type AnyWriter = Writer<ProgramOperationId>;
/** An answer with `scopes` is cached: it changes with the revisions of these and with nothing else. */
type Read<R> = { read: R; scopes?: ScopesOf };
type ScopesOf = (actor: Actor) => readonly RevisionScope[];
export type AnyHandler = Read<AnyReader> | { write: AnyWriter };
type Handlers = { [Id in ProgramOperationId]: Read<Reader<Id>> | { write: Writer<Id> } };

const ofMarks = ({ memberId }: Actor) =>
  ['problems', `statuses:${memberId}`, `bookmarks:${memberId}`] as const;

export const handlers: Handlers = {
  getMe: { read: getMe },
  findProblems: { read: findProblems, scopes: ofMarks },
  readProblem: { read: readProblem, scopes: ofMarks },
  readMark: { read: getMark, scopes: ofMarks },
  addProblem: { write: addProblem },
  changeMark: { write: changeMark },
  listDue: { read: listDue },
  gradeReview: { write: gradeReview },
  listNext: { read: listNext },
  getTimer: { read: getTimer },
  changeTimer: { write: changeTimer },
  listLists: { read: listLists },
  readList: { read: readList },
  createList: { write: createList },
  replaceList: { write: replaceList },
  addToList: { write: addToList },
  listSolutions: { read: listSolutions },
  readSolution: { read: readSolution },
  addSolution: { write: addSolution },
  listChanges: { read: listChanges },
  undoChange: { write: undoChange },
};

const json = { format: 'json', coding: 'identity' } as const;

export function answerProgram(programs: Programs, exchange: Exchange, match: ProgramMatch): Promise<void> {
  const handler = handlers[match.operationId] as AnyHandler;
  const { scope, secondScope = scope } = match.operation;
  const scopes = [scope, secondScope];
  if ('write' in handler)
    return withActor(programs, exchange, async (actor) => {
      const limit = { memberId: actor.memberId, perMinute: programs.writesPerMinute };
      await assertWritesLeft(programs.store.reader, limit);
      authorise(programs, actor, scopes, true);
      const input = readInput(programs, exchange, match, actor);
      await sendWrite(programs, exchange, { match, input, write: handler.write });
    });
  const { read, scopes: scopesOf } = handler;
  const work = (actor: Actor, revisions: readonly bigint[]) => {
    authorise(programs, actor, scopes, false);
    const input = readInput(programs, exchange, match, actor);
    return sendRead(programs, exchange, { match, input, read, revisions });
  };
  return withActor(programs, exchange, work, scopesOf);
}

/** Authenticates and counts a request of a program, and refuses it if `work` throws. */
export async function withActor(
  programs: Programs,
  exchange: Exchange,
  work: (actor: Actor, revisions: readonly bigint[]) => Promise<void>,
  scopesOf: ScopesOf = () => [],
): Promise<void> {
  const { request, headers } = exchange;
  headers.push(...versionHeader);
  try {
    const authentication = programs.guard.authenticate(request.headers.authorization, Date.now(), scopesOf);
    const { actor, revisions } = authentication instanceof Promise ? await authentication : authentication;
    exchange.tokenId = actor.tokenId;
    countRequest(programs, actor, headers);
    await work(actor, revisions);
  } catch (error) {
    if (error === clientDisconnected) return;
    const isUnauthenticated = error instanceof AppError && error.status === 401;
    const refusal = isUnauthenticated ? countUnauthenticated(programs, exchange, error) : error;
    programs.reportFailure(refusal, exchange);
    refuse(exchange, refusal);
  }
}

/** Throws missingScope. */
export function authorise(
  { isDemo }: Programs,
  actor: Actor,
  scopes: readonly string[],
  isWrite: boolean,
): void {
  for (const scope of scopes) requireScope(actor, scope);
  if (isWrite && isDemo) throw refusedInDemo(scopes[0] ?? '');
}

export type AnyInput = Input<ProgramOperationId>;

/** Throws malformedId, and what readQuery and chooseFormat throw. */
function readInput(
  programs: Programs,
  { request, response }: Exchange,
  match: ProgramMatch,
  actor: Actor,
): AnyInput {
  const { operation, ids, query } = match;
  const [id = 0n, subId = 0n] = ids.map((text) => {
    const parsed = parseInt64(text);
    if (parsed === undefined) throw documentedError('malformedId', text);
    return parsed;
  });
  const { accept, 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  const fields = query === '' ? {} : readQuery(operation.query as never, splitQuery(query));
  if (accept) chooseFormat(accept, ['json']);
  return {
    programs,
    actor,
    id,
    subId,
    query: fields,
    body: undefined,
    conditions: { ifMatch, ifNoneMatch },
    signal: () => disconnectSignal(response),
  } as AnyInput;
}

interface Reading {
  match: ProgramMatch;
  input: AnyInput;
  read: AnyReader;
  revisions: readonly bigint[];
}

async function sendRead(
  programs: Programs,
  exchange: Exchange,
  { match, input, read, revisions }: Reading,
): Promise<void> {
  const { request } = exchange;
  if (announcesBody(request)) await assertNoBody(request);
  const { path, query } = match;
  const coding = chooseCoding(request.headers['accept-encoding']);
  // The first revision is that of the credentials.
  const [, ...ofRows] = revisions;
  const key = `${path} ${query}\n${input.actor.memberId} ${coding} ${ofRows.join()}`;
  // What an address names depends on the addresses of judges too.
  const isCached = ofRows.length > 0 && !Object.hasOwn(input.query, 'url');
  let answer = isCached ? programs.cache.find(key) : undefined;
  if (!answer) {
    const { body, version } = await read(programs.store.reader, input);
    const text = JSON.stringify(body);
    const tag = version === undefined ? entityTagOf(text, coding) : versionTag(version, coding);
    const encoded = isPlain(text, coding) ? text : await encode(text, coding);
    const headers = bodyHeaders({ format: 'json', coding }, tag, Buffer.byteLength(encoded));
    answer = { tag, headers, body: encoded };
    if (isCached) programs.cache.add(key, answer);
  }
  sendCached(programs, exchange, answer);
}

interface Write {
  match: ProgramMatch;
  input: AnyInput;
  write: AnyWriter;
}

async function sendWrite(
  programs: Programs,
  exchange: Exchange,
  { match, input, write }: Write,
): Promise<void> {
  const { request, response, headers } = exchange;
  const { operationId, operation, path } = match;
  const { actor, conditions } = input;
  let bytes: Buffer | undefined;
  if (operation.body) {
    const body = await readBody(request);
    checkFields(body.value, operation.body);
    bytes = body.bytes;
    Object.assign(input, { body: body.value });
  } else if (announcesBody(request)) await assertNoBody(request);
  const key = readKey(request.headers['idempotency-key']);
  const parts = [operation.method, path, conditions.ifMatch, conditions.ifNoneMatch];
  const about = {
    memberId: actor.memberId,
    tokenId: actor.tokenId,
    operation: operationId,
    perMinute: programs.writesPerMinute,
    key: key === undefined ? undefined : { text: key, digest: digestOfRequest(parts, bytes) },
  };
  const answer = await writeByProgram(programs.store, about, (tx, record) => write(tx, input, record));
  const { status, json: text, version, location, isReplayed } = answer;
  const tagged = bodyHeaders(json, version === undefined ? '' : versionTag(version), Buffer.byteLength(text));
  headers.push(...(version === undefined ? tagged.slice(2) : tagged));
  if (location !== undefined) headers.push('Location', programs.baseUrl + programsPath + location);
  if (isReplayed) headers.push('Idempotency-Replayed', 'true');
  response.writeHead(status, headers);
  response.end(text);
}
