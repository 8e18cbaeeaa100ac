/**
 * JSON-RPC 2.0 in the two eras of the Model Context Protocol. A request of 2026-07-28 names its version by itself; one of
 * 2025-11-25 or 2025-06-18 belongs to a client that may have sent `initialize`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../validation.ts';

export const newVersion = '2026-07-28';
export const oldVersions = ['2025-11-25', '2025-06-18'];

const prefix = 'io.modelcontextprotocol/';
export const serverInfoKey = `${prefix}serverInfo`;
const versionKey = `${prefix}protocolVersion`;

type Fields = Readonly<Record<string, unknown>>;
type MessageId = string | number | null;

const codes = {
  notJson: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  fault: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export interface Failure {
  status: number;
  error: { code: number; message: string; data?: object | undefined };
}

export const failure = (
  status: number,
  code: keyof typeof codes,
  message: string,
  data?: object,
): Failure => ({
  status,
  error: { code: codes[code], message, data },
});

export interface McpRequest {
  method: string;
  params: Fields;
  isNew: boolean;
}

export interface Message {
  /** Null if the message has no id that can be ownId. */
  id: MessageId;
  content: McpRequest | 'notification' | Failure;
}

const nameMethods: readonly string[] = ['tools/call', 'prompts/get'];

export function readMessage(headers: IncomingHttpHeaders, value: unknown): Message {
  const invalid = (message: string, id: MessageId = null): Message => ({
    id,
    content: failure(400, 'invalidRequest', message),
  });
  if (Array.isArray(value)) return invalid('Batches are not served; send one message.');
  if (!isObject(value)) return invalid('A message is one JSON object.');
  const { jsonrpc, id, method, params = {} } = value;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  const ownId = isId ? (id as MessageId) : null;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isObject(params))
    return invalid('A message has "jsonrpc": "2.0", a method, and perhaps params.', ownId);
  if (!isId && id !== undefined) return invalid('The id of a request is a string or an integer.');
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const version = headerText(headers, 'mcp-protocol-version');
  const isNew = Object.hasOwn(meta, versionKey) || /^(?:202[6-9]|20[3-9]\d)-/.test(version ?? '');
  if (!isNew && version !== undefined && !oldVersions.includes(version))
    return invalid(`The version is not served; send ${[newVersion, ...oldVersions].join(', ')}.`, ownId);
  if (id === undefined) return { id: null, content: 'notification' };
  const request = { method, params, isNew };
  return { id: ownId, content: (isNew && envelopeFault(headers, request, meta)) || request };
}

/** What is wrong with the version, the `_meta` or the headers of a request of 2026-07-28. */
function envelopeFault(
  headers: IncomingHttpHeaders,
  { method, params }: McpRequest,
  meta: Fields,
): Failure | undefined {
  const requested = meta[versionKey];
  if (typeof requested !== 'string' || !isObject(meta[`${prefix}clientCapabilities`]))
    return failure(400, 'invalidParams', `The _meta needs ${versionKey} and ${prefix}clientCapabilities.`);
  const expected: [string, unknown][] = [
    ['MCP-Protocol-Version', requested],
    ['Mcp-Method', method],
    ['Mcp-Name', nameMethods.includes(method) ? params['name'] : undefined],
  ];
  const wrong = expected.find(
    ([name, text]) => typeof text === 'string' && headerText(headers, name.toLowerCase()) !== text,
  );
  if (wrong) return failure(400, 'headerMismatch', `The header ${wrong[0]} does not fit the body.`);
  if (requested === newVersion) return undefined;
  const data = { supported: [newVersion], requested };
  return failure(400, 'unsupportedVersion', `The version is not served; send ${newVersion}.`, data);
}

/** A text that is not visible ASCII comes in base64. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const text = headers[name]?.toString().trim();
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(text ?? '') ?? [];
  return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
}
