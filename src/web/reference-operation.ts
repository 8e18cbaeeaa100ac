/** One operation on the plain reference page: its parameters, samples, answers, fields and refusals. */
import { html } from 'hono/html';
import type { Html } from './layout.ts';

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: (string | null)[];
  const?: string;
  items?: Schema;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  $ref?: string;
}

type Examples = Record<string, { value: unknown }>;

interface Response {
  description: string;
  content?: Content;
  /** What else the answer is served as where Accept asks for it. */
  'x-alternativeContent'?: Content;
}

type Content = Record<string, { schema: Schema; examples?: Examples }>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Schema;
  examples?: Examples;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  responses: Record<string, Response & { $ref?: string }>;
  'x-codeSamples': { label: string; source: string }[];
}

/** What the page needs of the OpenAPI document. */
export interface ReferenceDocument {
  info: { version: string };
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, { description: string }>;
  };
}

export function operationSection(
  document: ReferenceDocument,
  path: string,
  method: string,
  operation: DescribedOperation,
): Html {
  const { operationId, summary, description, parameters, responses } = operation;
  const answers = Object.entries(responses).map(
    ([status, response]) => [status, resolve(document, response)] as const,
  );
  return html`<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${description.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>\n`)}
<p class="kind">Called <code>${operationId}</code> in the OpenAPI document.</p>
${parameters.length === 0 ? '' : html`<h4>Parameters</h4><dl class="list">${parameters.map(parameterEntry)}</dl>`}
<h4>Samples</h4>
${operation['x-codeSamples'].map(
  ({ label, source }, place) => html`<details${place === 0 ? ' open' : ''}><summary>${label}</summary>
${code(source)}</details>\n`,
)}
<h4>Answers</h4>
<dl class="list">${answers.map(([status, response]) => answerEntry(status, response))}</dl>
${rowSection(document, answers)}
</section>
`;
}

/** A name and what is said of it, as one entry of a list. */
export function definition(name: Html, meaning: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${meaning}</dd></div>\n`;
}

function parameterEntry({ name, in: place, required, description, schema, examples }: Parameter): Html {
  const [example] = Object.values(examples ?? {});
  const shown = example === undefined ? '' : [example.value].flat().join(', ');
  const kind = `${typeOf(schema)}, ${place === 'path' ? 'in the path' : 'in the query'}${required ? ', required' : ''}`;
  return definition(
    html`<code>${name}</code> <span class="kind">${kind}</span>`,
    html`${description}${shown === '' ? '' : html` <span class="example">Example: <code>${shown}</code></span>`}`,
  );
}

function answerEntry(status: string, response: Response): Html {
  const { description, content = {} } = response;
  const isRefusal = Number(status) >= 400;
  const refusals = Object.values(content['application/json']?.examples ?? {}) as {
    value: { error: number; message: string };
  }[];
  const examples = Object.entries({ ...content, ...response['x-alternativeContent'] }).flatMap(
    ([type, { examples = {} }]) => Object.values(examples).map(({ value }) => ({ type, value })),
  );
  return definition(
    html`<code>${status}</code>`,
    isRefusal
      ? html`${description}${refusals.length === 0 ? '' : html`<ul>${refusals.map(({ value }) => html`<li><code>${value.error}</code> ${value.message}</li>\n`)}</ul>`}`
      : html`${withCode(description)}${examples.map(
          (
            { type, value },
            place,
          ) => html`<details${place === 0 ? ' open' : ''}><summary><code>${type}</code></summary>
${code(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</details>\n`,
        )}`,
  );
}

function rowSection(
  { components }: ReferenceDocument,
  answers: readonly (readonly [string, Response])[],
): Html | string {
  const schema = answers.find(([status]) => status === '200')?.[1].content?.['application/json']?.schema;
  const name = (schema?.items ?? schema)?.$ref?.split('/').at(-1);
  if (name === undefined) return '';
  return html`<h4>Fields of ${name}</h4>
<dl class="list">${Object.entries(components.schemas[name]?.properties ?? {}).map(([field, property]) =>
    definition(
      html`<code>${field}</code> <span class="kind">${typeOf(property)}</span>`,
      property.description ?? '',
    ),
  )}</dl>`;
}

function resolve({ components }: ReferenceDocument, response: Response & { $ref?: string }): Response {
  const name = response.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : components.responses[name]) ?? response;
}

/** A schema in words: "int64", "string or null", "one of member, staff". */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `"${schema.const}"`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const types = [schema.type ?? 'any'].flat();
  const orNull = types.includes('null') ? ' or null' : '';
  if (schema.enum) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}${orNull}`;
  const type = types.find((one) => one !== 'null') ?? 'null';
  if (type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  // The range of an int64 is in its name, and a JavaScript number would round it.
  const isNamed = schema.maximum === undefined || schema.format === 'int64';
  const range = isNamed ? '' : ` from ${schema.minimum} to ${schema.maximum}`;
  return `${schema.format ?? type}${range}${orNull}`;
}

/** Descriptions are Markdown, of which they use code marks only. */
function withCode(text: string): (Html | string)[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part));
}

function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
