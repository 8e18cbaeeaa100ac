/** A message to the MCP server at /practice/mcp: one POST and one answer in JSON, with no session between two of them. */
import release from '../../../package.json' with { type: 'json' };
import { sendHead } from '../../api/answers.ts';
import { clientDisconnected, type Exchange } from '../../api/context.ts';
import type { Actor } from '../../auth/tokens.ts';
import contract from '../../contract/programs/tools.json' with { type: 'json' };
import { AppError, documentedError, quoted, refusalOf } from '../../errors.ts';
import { chooseFormat } from '../../http/negotiation.ts';
import { readBody } from '../bodies.ts';
import type { Programs } from '../context.ts';
import { authorise, withActor } from '../pipeline.ts';
import { checkFields, isObject } from '../validation.ts';
import { readPrompt } from './prompts.ts';
import {
  type Failure,
  failure,
  type McpRequest,
  type Message,
  newVersion,
  oldVersions,
  readMessage,
  serverInfoKey,
} from './protocol.ts';
import { type Arguments, runTool } from './tools.ts';

const capabilities = { tools: {}, prompts: {} };
const { instructions, $defs } = contract;
const serverInfo = { name: 'practice-garden', version: release.version };

/** Of the results that a client may keep. */
const caching = { ttlMs: 300_000, cacheScope: 'private' };

/** The scopes that a tool needs are no part of what is served. */
const tools = contract.tools.map(({ scopes, ...tool }) => {
  const { outputSchema } = tool;
  const hasProblems = JSON.stringify(outputSchema).includes('#/$defs/');
  return {
    scopes,
    tool: Object.assign(tool, { outputSchema: hasProblems ? { ...outputSchema, $defs } : outputSchema }),
  };
});

interface Context {
  programs: Programs;
  actor: Actor;
}

type Reply = { result: object } | Failure;

export const answerMcp = (programs: Programs, exchange: Exchange): Promise<void> =>
  withActor(programs, exchange, async (actor) => {
    const { request } = exchange;
    assertOrigin(request.headers.origin, programs.baseUrl);
    if (request.headers.accept) chooseFormat(request.headers.accept, ['json']);
    const { id, content } = await receive(exchange);
    if (content === 'notification') sendHead(exchange, 202, ['Content-Length', '0']);
    else if ('error' in content) send(exchange, id, content);
    else send(exchange, id, await replyOrFault({ programs, actor }, exchange, content));
  });

/** A page of another site could reach a garden in a private network (DNS rebinding). Throws foreignForm. */
function assertOrigin(origin: string | undefined, baseUrl: string): void {
  const own = new URL(baseUrl).origin;
  if (origin === undefined || origin === own) return;
  throw new AppError('foreignForm', `No page of another origin than ${own} may send this.`);
}

async function receive({ request }: Exchange): Promise<Message> {
  try {
    return readMessage(request.headers, (await readBody(request)).value);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'malformedBody') throw error;
    return { id: null, content: failure(400, 'notJson', error.message) };
  }
}

/** Refusals of HTTP are thrown, and so have their own body. */
async function replyOrFault(context: Context, exchange: Exchange, request: McpRequest): Promise<Reply> {
  try {
    return await reply(context, request);
  } catch (error) {
    if (error === clientDisconnected || (error instanceof AppError && error.status !== 500)) throw error;
    context.programs.reportFailure(error, exchange);
    return failure(500, 'fault', documentedError('internal').message);
  }
}

function send(exchange: Exchange, id: Message['id'], answer: Reply): void {
  const [status, content] = 'result' in answer ? [200, answer] : [answer.status, { error: answer.error }];
  const text = JSON.stringify(Object.assign({ jsonrpc: '2.0', id }, content));
  const length = ['Content-Length', String(Buffer.byteLength(text))];
  exchange.headers.push('Cache-Control', 'private, no-cache', 'Content-Type', 'application/json', ...length);
  exchange.response.writeHead(status, exchange.headers);
  exchange.response.end(text);
}

async function reply(context: Context, request: McpRequest): Promise<Reply> {
  const { method, params, isNew } = request;
  const own = isNew ? newMethods : oldMethods;
  const answer = Object.hasOwn(own, method) ? own[method] : methods.get(method);
  if (!answer) {
    return failure(isNew ? 404 : 200, 'unknownMethod', `There is no method ${quoted(method)}.`);
  }
  const content = await answer(context, params);
  if (!isNew || 'error' in content) return content;
  const complete = { resultType: 'complete', _meta: { [serverInfoKey]: serverInfo } };
  const isCacheable = method === 'server/discover' || method.endsWith('/list');
  return { result: Object.assign({}, content.result, complete, isCacheable ? caching : {}) };
}

type Params = McpRequest['params'];
type Method = (context: Context, params: Params) => Reply | Promise<Reply>;

const newMethods: Readonly<Record<string, Method>> = {
  'server/discover': () => ({ result: { supportedVersions: [newVersion], capabilities, instructions } }),
};

const oldMethods: Readonly<Record<string, Method>> = {
  initialize: (_, { protocolVersion }) => {
    const version = oldVersions.find((one) => one === protocolVersion) ?? oldVersions[0];
    return { result: { protocolVersion: version, capabilities, serverInfo, instructions } };
  },
  ping: () => ({ result: {} }),
};

const methods = new Map<string, Method>([
  ['tools/list', ({ actor }) => ({ result: { tools: toolsOf(actor) } })],
  ['tools/call', callTool],
  ['prompts/list', () => ({ result: { prompts: contract.prompts } })],
  ['prompts/get', getPrompt],
]);

const toolsOf = ({ scopes: own }: Actor) =>
  tools.filter(({ scopes }) => scopes.every((scope) => own.has(scope))).map(({ tool }) => tool);

/** Answers what a model can mend as a result, so that the model sees it. */
async function callTool(
  { programs, actor }: Context,
  { name, arguments: args = {} }: Params,
): Promise<Reply> {
  const found = tools.find(({ tool }) => tool.name === name);
  if (!found) return failure(200, 'invalidParams', 'There is no such tool; tools/list has their names.');
  const { tool, scopes } = found;
  try {
    authorise(programs, actor, scopes, !tool.annotations.readOnlyHint);
    checkFields(args, tool.inputSchema);
    const text = await runTool(tool.name, { programs, actor, args: args as Arguments });
    return { result: { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) } };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 401 || error.status >= 500) throw error;
    const text = JSON.stringify(refusalOf(error).body);
    return { result: { content: [{ type: 'text', text }], isError: true } };
  }
}

function getPrompt(_: Context, { name, arguments: args = {} }: Params): Reply {
  const prompt = readPrompt(name, isObject(args) ? args : {});
  if (typeof prompt === 'object') return { result: prompt };
  return failure(200, 'invalidParams', prompt ?? 'There is no such prompt; prompts/list has their names.');
}
