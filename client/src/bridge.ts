/** The command `mcp`: passes the messages of a program that speaks MCP over stdio to the garden, and its answers back. */
import { createInterface } from 'node:readline';
import type { Account } from './account.ts';
import { notReached, warn } from './usage.ts';

const answerMs = 60_000;
const lastAnswersMs = 4_000;
const internalError = -32603;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; requestId?: unknown; _meta?: Readonly<Record<string, unknown>> };
}

/** Node ends once no request runs any more, and at most five seconds after the end of the input. */
export async function bridge({ url, token }: Account): Promise<void> {
  const running = new Map<unknown, AbortController>();
  const write = (text: string) => process.stdout.write(`${text.replace(/[\r\n]+/g, ' ')}\n`);

  async function pass(line: string, { id, method, params }: Message, signal: AbortSignal): Promise<void> {
    let message: string;
    try {
      const response = await fetch(`${url}/practice/mcp`, {
        method: 'POST',
        headers: { ...headersOf(method, params), Authorization: `Bearer ${token}` },
        body: line,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      });
      const text = await response.text();
      const answer = objectIn<{ jsonrpc?: unknown; message?: string }>(text);
      if (answer.jsonrpc) write(text);
      if (answer.jsonrpc || response.status === 202) return;
      message = answer.message ?? `No garden answers at ${url} (${response.status}). Check the address.`;
    } catch (error) {
      message = notReached(url, error as Error);
    }
    if (signal.aborted) return;
    if (id === undefined) warn(message);
    else write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: internalError, message } }));
  }

  for await (const line of createInterface({ input: process.stdin })) {
    const message = objectIn<Message>(line);
    const { id, method, params } = message;
    const ending = new AbortController();
    if (method === 'notifications/cancelled') running.get(params?.requestId)?.abort();
    else if (line.trim() !== '') {
      if (id !== undefined) running.set(id, ending);
      pass(line, message, ending.signal).finally(() => running.get(id) === ending && running.delete(id));
    }
  }
  setTimeout(() => process.exit(), lastAnswersMs).unref();
}

/** What is not JSON is an empty object here, and the garden says what is wrong with it. */
function objectIn<T>(text: string): T {
  try {
    return Object(JSON.parse(text));
  } catch {
    return Object({});
  }
}

/** Since 2026-07-28, headers repeat what the message says. */
function headersOf(method: unknown, params: Message['params']): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const repeated = { 'MCP-Protocol-Version': version, 'Mcp-Method': method, 'Mcp-Name': params?.name };
  for (const [name, value] of Object.entries(repeated))
    if (version && typeof value === 'string') headers[name] = headerText(value);
  return headers;
}

function headerText(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?')) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
