/** Requests made from what the document says of an operation: good ones, and ones that are wrong in one way or several. */
import fc from 'fast-check';
import type { DocumentedOperation } from './document.ts';
import { anyInt64, brokenNumbers, encode, type Part, partOf, texts } from './parameters.ts';
import type { World } from './world.ts';

export interface Accept {
  header: string | undefined;
  /** The formats that it accepts, the best first; undefined where only the server can tell. */
  formats: readonly string[] | undefined;
}

export interface Request {
  method: string;
  caller: 'staff' | 'member' | 'narrow' | 'none' | 'broken';
  authorization: string;
  id: { raw: string; value: string | undefined };
  hasSlash: boolean;
  parts: readonly Part[];
  accept: Accept;
  coding: string | undefined;
  ifNoneMatch: string | undefined;
  asksAgain: boolean;
}

const formatOf = { 'application/json': 'json', 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' };
const accepts = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Accept>({ header: undefined, formats: ['json'] }) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(...Object.entries(formatOf))
      .map(([header, format]): Accept => ({ header, formats: [format] })),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Accept>(
      { header: '*/*', formats: ['json'] },
      { header: 'application/*', formats: ['json'] },
      { header: 'text/*', formats: ['csv'] },
      { header: 'TEXT/CSV', formats: ['csv'] },
      { header: 'text/csv;q=0.5, application/json;q=0.4', formats: ['csv', 'json'] },
      { header: 'application/json;q=0, */*', formats: ['ndjson'] },
      { header: 'application/x-ndjson, text/html', formats: ['ndjson'] },
      { header: 'image/png', formats: [] },
      { header: 'nonsense', formats: [] },
      { header: '*/*;q=0', formats: [] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 30 }).map((text): Accept => ({ header: text.trim(), formats: undefined })),
  },
);
const codings = fc.constantFrom(
  undefined,
  undefined,
  'gzip',
  'br',
  'zstd',
  'identity',
  'gzip, br;q=0.5',
  '*',
  '*;q=0',
  'deflate',
  ';;,',
  '',
);
const oddHeaders = fc.string({ maxLength: 30 }).map((text) => text.trim());

/** Requests of one operation. */
export function requestsOf(
  path: string,
  method: string,
  operation: DocumentedOperation,
  world: World,
): fc.Arbitrary<Request> {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const known = query.map(({ name, schema }) => partOf(operation, name, schema, world));
  const names = query.map(({ name }) => name);
  const unknown = fc
    .oneof(
      fc.constantFrom('x', 'Limit', 'tag[]', 'limitt', '__proto__', 'access_token', ''),
      texts.map((text) => text.toWellFormed()),
    )
    .filter((name) => !names.includes(name))
    .map((name): Part => ({ name, raw: `${encode(name)}=1`, errors: name.includes('\0') ? [40003] : [40002] }));
  const part = fc.oneof(...known.map((arbitrary) => ({ weight: 10, arbitrary })), {
    weight: known.length ? 4 : 1,
    arbitrary: unknown,
  });
  const isCollection = !path.includes('{id}');
  const parts = fc.array(part, { maxLength: known.length ? 5 : 1, size: 'max' });
  const existing = path.startsWith('/plants/')
    ? [...world.plants.keys()]
    : world.rows[path.startsWith('/authentication/') ? 'listRecords' : 'listProblems'].map(
        (row) => row['id'] as bigint,
      );
  const goodId = fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: anyInt64 })
    .map((id) => ({ raw: String(id), value: String(id) }));
  // A text with a slash is another path, and a dot segment may be one to a client.
  const badId = fc
    .oneof(
      brokenNumbers.filter((text) => text !== '').map(encode),
      fc.constantFrom('%', '%ZZ', '1%', '%c3', '%ff', '%2F1', '1%2f', '%2531', '1;x', '1+', ':id'),
    )
    .map((raw) => ({ raw, value: undefined }));
  const otherMethods = [
    'POST',
    'PUT',
    'PATCH',
    'TRACE',
    'PROPFIND',
    method === 'GET' ? 'DELETE' : 'GET',
    ...(method === 'GET' ? [] : ['HEAD']),
  ];
  return fc.record({
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant(method) },
      { weight: method === 'GET' ? 3 : 0, arbitrary: fc.constant('HEAD') },
      { weight: 1, arbitrary: fc.constant('OPTIONS') },
      { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
    ),
    caller: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('staff' as const, 'member' as const) },
      { weight: 3, arbitrary: fc.constant('narrow' as const) },
      { weight: 1, arbitrary: fc.constantFrom('none' as const, 'broken' as const) },
    ),
    authorization: fc.oneof(
      fc.constantFrom('', 'Bearer', 'Basic eDp5', 'Bearer pgt_', `Bearer pgt_${'0'.repeat(36)}`),
      oddHeaders,
      oddHeaders.map((text) => `Bearer ${text}`),
    ),
    id: fc.oneof({ weight: 4, arbitrary: goodId }, { weight: 1, arbitrary: badId }),
    hasSlash: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    parts: fc.oneof({ weight: isCollection ? 1 : 5, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: parts }),
    accept: isCollection ? accepts : fc.oneof(fc.constant<Accept>({ header: undefined, formats: ['json'] }), accepts),
    coding: codings,
    ifNoneMatch: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"', '"'), oddHeaders) },
    ),
    asksAgain: fc.boolean(),
  });
}
