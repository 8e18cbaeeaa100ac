/** The official clients of both eras of the Model Context Protocol, and raw messages. */
import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Reply, send } from '../support/http.ts';
import type { Json } from './support.ts';

export const newVersion = '2026-07-28';
const mcpPath = '/practice/mcp';
const clientInfo = { name: 'tests', version: '1' };

/** sdk 1.32.2, and client 2.4.0 in the old and in the new way. They check results against the output schemas. */
export async function mcpClients(t: TestContext, url: string, token: string) {
  const asked = [new URL(url + mcpPath), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }] as const;
  const modes = ['legacy', { pin: newVersion }] as const;
  const pairs = modes.map(
    (mode) =>
      [new Client(clientInfo, { versionNegotiation: { mode } }), new StreamableHTTPClientTransport(...asked)] as const,
  );
  // The two libraries have types of their own with the same methods.
  const old = [new OldClient(clientInfo), new OldTransport(...asked)] as unknown as (typeof pairs)[number];
  const connected = [old, ...pairs].map(async ([client, transport]) => {
    await client.connect(transport);
    t.after(() => client.close());
    // A client knows the output schemas of the tools that it has listed.
    await client.listTools();
    const call = (name: string, args: object = {}): Promise<Json> =>
      client.callTool({ name, arguments: args as Record<string, unknown> });
    return { client, call, version: transport.protocolVersion };
  });
  return Promise.all(connected);
}

export type RawReply = Reply & { json: Json };

/** Sends a message as it stands. */
export function rawMcp(url: string, token: string | undefined) {
  return async (message: object | string, headers: Record<string, string> = {}, method = 'POST'): Promise<RawReply> => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const type = { 'Content-Type': 'application/json' };
    const reply = await send(url, mcpPath, { method, token, headers: { ...type, ...headers }, body });
    return { ...reply, json: reply.text === '' ? undefined : JSON.parse(reply.text) };
  };
}

export const message = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

const key = 'io.modelcontextprotocol/';
export const versionKey = `${key}protocolVersion`;
export const meta = { [versionKey]: newVersion, [`${key}clientInfo`]: clientInfo, [`${key}clientCapabilities`]: {} };

/** A message of 2026-07-28 and its headers. */
export function modern(method: string, params: { name?: string; arguments?: object } = {}, _meta: object = meta) {
  const name: Record<string, string> = params.name === undefined ? {} : { 'Mcp-Name': params.name };
  const headers: Record<string, string> = { 'MCP-Protocol-Version': newVersion, 'Mcp-Method': method, ...name };
  return [message(method, { ...params, _meta }), headers] as const;
}
