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

export interface McpClient {
  version(): string | undefined;
  call(name: string, args?: object): Promise<Json>;
  client: Pick<Client, 'listTools' | 'listPrompts' | 'getPrompt' | 'getInstructions' | 'getServerVersion'>;
}

/** sdk 1.32.2, and client 2.4.0 in the old and in the new way. They check results against the output schemas. */
export async function mcpClients(
  t: TestContext,
  url: string,
  token: string,
): Promise<[McpClient, McpClient, McpClient]> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const target = new URL(url + mcpPath);
  const connected = async (client: Client, transport: StreamableHTTPClientTransport): Promise<McpClient> => {
    await client.connect(transport);
    t.after(() => client.close());
    // A client knows the output schemas of the tools that it has listed.
    await client.listTools();
    return {
      client,
      version: () => transport.protocolVersion,
      call: (name, args = {}) => client.callTool({ name, arguments: args as Record<string, unknown> }),
    };
  };
  const modern = (mode: 'legacy' | { pin: string }) =>
    connected(
      new Client(clientInfo, { versionNegotiation: { mode } }),
      new StreamableHTTPClientTransport(target, { requestInit }),
    );
  // The two libraries have types of their own with the same methods.
  const old = [new OldClient(clientInfo), new OldTransport(target, { requestInit })] as unknown;
  return [
    await connected(...(old as [Client, StreamableHTTPClientTransport])),
    await modern('legacy'),
    await modern({ pin: newVersion }),
  ];
}

export type RawReply = Reply & { json: Json };

/** Sends a message as it stands. */
export function rawMcp(url: string, token: string | undefined) {
  return async (message: object | string, headers: Record<string, string> = {}, method = 'POST'): Promise<RawReply> => {
    const reply = await send(url, mcpPath, {
      method,
      token,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
    return { ...reply, json: reply.text === '' ? undefined : JSON.parse(reply.text) };
  };
}

export const message = (method: string, params: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const meta = {
  'io.modelcontextprotocol/protocolVersion': newVersion,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of 2026-07-28 and its headers. */
export function modern(method: string, params: { name?: string; [field: string]: unknown } = {}, id = 1) {
  const name: Record<string, string> = params.name === undefined ? {} : { 'Mcp-Name': params.name };
  const headers = { 'MCP-Protocol-Version': newVersion, 'Mcp-Method': method, ...name };
  return [message(method, { ...params, _meta: meta }, id), headers] as const;
}
