/** Holds an answer against the OpenAPI document that the server serves: status, type, headers and every row. */
import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { Compile } from 'typebox/schema';
import { exactJson, type Reply } from '../support/http.ts';
import type { Row } from './world.ts';

/** As much of a document as is looked into here. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { schema: Schema }>;
    responses: Record<string, Response>;
  };
}
export interface DocumentedOperation {
  operationId: string;
  parameters: { name: string; in: string; schema: Schema }[];
  responses: Record<string, Response | { $ref: string }>;
}
export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: (string | null)[];
  anyOf?: Schema[];
  const?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema & { $ref?: string };
  properties?: Record<string, Schema>;
  $ref?: string;
}
interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
  'x-alternativeContent'?: Record<string, { schema: Schema }>;
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

export interface Found {
  /** The rows of a 200, in any format. */
  rows?: Row[];
  error?: number;
}

/** A checker of answers; each schema is compiled once. */
export function checker(document: Document) {
  const { components } = document;
  const compiled = new Map<string, { Check(value: unknown): boolean; Errors(value: unknown): unknown }>();
  const assertValid = (schema: Schema, value: unknown, what: string) => {
    const key = JSON.stringify(schema);
    const validator = compiled.get(key) ?? Compile({ ...schema, components } as never);
    compiled.set(key, validator);
    if (validator.Check(value)) return;
    assert.fail(`${what} is not as documented: ${JSON.stringify(validator.Errors(value))} ${JSON.stringify(value)}`);
  };
  const resolve = (found: Response | { $ref: string }): Response =>
    '$ref' in found ? (components.responses[found.$ref.split('/').at(-1) ?? ''] as Response) : found;

  /** Checks the properties that every answer has. */
  const assertCommon = ({ status, headers }: Reply) => {
    assert(status < 500, `status ${status}`);
    assert.match(String(headers['x-request-id']), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(headers['api-version'], '1.0.0');
  };

  const assertError = (reply: Reply): number => {
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    const body = JSON.parse(reply.text);
    assertValid({ $ref: '#/components/schemas/Error' }, body, 'the Error');
    assert.equal(Math.floor(body.error / 100), reply.status);
    return body.error;
  };

  const assertHeaders = (response: Response, reply: Reply, mayLack: readonly string[]) => {
    for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
      const value = reply.headers[name.toLowerCase()];
      if (value === undefined && mayLack.includes(name)) continue;
      assert.equal(typeof value, 'string', `header ${name} is missing on ${reply.status}`);
      const { schema } = components.headers[$ref.split('/').at(-1) ?? ''] ?? assert.fail($ref);
      assertValid(schema, schema.type === 'integer' ? Number(value) : value, `header ${name}`);
    }
  };

  /** Checks an answer of the documented operation, and answers what was in it. */
  const assertDocumented = (operation: DocumentedOperation, reply: Reply, isHead: boolean): Found => {
    assertCommon(reply);
    const documented = operation.responses[reply.status];
    assert(documented, `status ${reply.status} is not documented for ${operation.operationId}`);
    const response = resolve(documented);
    const isStaffOnly = reply.status === 403 && reply.headers['www-authenticate'] === undefined;
    assertHeaders(response, reply, ['Link', 'X-Total-Count', ...(isStaffOnly ? ['WWW-Authenticate'] : [])]);
    if (!response.content) {
      assert.equal(reply.bytes.length, 0);
      assert.equal(reply.headers['content-type'], undefined);
      return {};
    }
    const type = String(reply.headers['content-type']).split(';', 1)[0] ?? '';
    const content = { ...response.content, ...response['x-alternativeContent'] };
    assert(content[type], `content type ${type} is not documented for ${reply.status}`);
    if (isHead) {
      assert.equal(reply.bytes.length, 0);
      return {};
    }
    if (reply.status >= 400) return { error: assertError(reply) };
    assert.match(String(reply.headers.etag), /^"[\w-]{20,}"$/);
    const decode = decoders[reply.headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes);
    const text = decode(reply.bytes).toString();
    const json = response.content['application/json']?.schema ?? assert.fail('no JSON is documented');
    const row = json.items ?? json;
    if (type === 'application/json') {
      assertValid(json, JSON.parse(text), 'the body');
      return { rows: [exactJson(text)].flat() as Row[] };
    }
    const properties = components.schemas[row.$ref?.split('/').at(-1) ?? '']?.properties ?? assert.fail();
    const lines = type === 'text/csv' ? csvRows(text, properties) : ndjsonLines(text);
    assertValid({ type: 'array', items: row }, JSON.parse(`[${lines.join()}]`), `the ${type}`);
    return { rows: exactJson(`[${lines.join()}]`) as Row[] };
  };
  return { assertCommon, assertError, assertDocumented };
}

function ndjsonLines(text: string): string[] {
  assert(text === '' || text.endsWith('\n'));
  return text.split('\n').slice(0, -1);
}

function csvRows(text: string, properties: Record<string, Schema>): string[] {
  const names = Object.keys(properties);
  assert(text.endsWith('\r\n'));
  const cast = (value: string, { quoting }: { quoting: boolean }) => (value === '' && !quoting ? null : value);
  const [header, ...rows] = parse(text, { cast, record_delimiter: '\r\n' }) as (string | null)[][];
  assert.deepEqual(header, names);
  return rows.map((cells) => {
    assert.equal(cells.length, names.length);
    const fields = names.map((name, place) => {
      const cell = cells[place] ?? null;
      const types = [properties[name]?.type].flat();
      const isVerbatim = cell === null || types.includes('integer') || types.includes('array');
      return `${JSON.stringify(name)}:${isVerbatim ? cell : JSON.stringify(cell.replace(/^'/, ''))}`;
    });
    return `{${fields.join()}}`;
  });
}
