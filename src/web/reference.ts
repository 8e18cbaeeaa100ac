/** The reference as Markdown, written from the same contract as the OpenAPI document and served like the files of docs/. */
import { ErrorBody, type Fields } from '../contract/common.ts';
import { headers } from '../contract/headers.ts';
import { type ParameterObject, parametersOf } from '../contract/openapi.ts';
import {
  apiVersion,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  scopes,
} from '../contract/operations.ts';
import { refusalExamples, sharedRefusals } from '../contract/refusals.ts';
import { exampleOf, successesOf } from '../contract/responses.ts';
import { codeSamples } from '../contract/samples.ts';
import { type ErrorName, errors } from '../errors.ts';

interface SchemaObject {
  type?: string | string[];
  format?: string;
  enum?: (string | null)[];
  const?: string;
  items?: SchemaObject;
  anyOf?: SchemaObject[];
  minimum?: number;
  maximum?: number;
  description?: string;
}

export function referenceMarkdown(baseUrl: string): string {
  const resources = new Set<Fields>([...operationIds.map((id) => operations[id].row), ErrorBody]);
  const shared = Object.entries(sharedRefusals) as [ErrorName, string][];
  return `# Reference

Version ${apiVersion} of the interface: nine operations at \`${baseUrl}\`. How they behave where a list cannot say it is in the
[guide](api.md). The same for programs is [openapi.json](../openapi.json). To send requests from the browser,
[try it](./).

## The token

Every operation needs a token, which acts for one member. \`garden token create NAME --name 'my editor'\` makes one and
shows it once; every request sends it as \`Authorization: Bearer pgt_…\`, never in the address. The samples below read it
from the environment: \`export TOKEN=pgt_…\`. A token has one or more scopes:

${list(Object.entries(scopes))}

${operationIds.map((id) => operationSection(id, operations[id], baseUrl)).join('\n\n')}

## Fields

${[...resources].map(fieldsSection).join('\n\n')}

## Refusals

A refusal has an [Error](#error), whose number is the HTTP status and two digits more and never changes its meaning; what to
do about each is in [the errors](errors.md). Beside its own refusals, every operation has these:

${list(shared.map(([error, message]) => refusalEntry({ error, message })))}

## Headers of answers

${list(Object.entries(headers).map(([name, { description }]) => [name, description]))}
`;
}

function operationSection(id: OperationId, operation: Operation, baseUrl: string): string {
  const { method, path, summary, description, scope, row } = operation;
  const answers = Object.entries(successesOf(operation));
  const bodies = answers.flatMap(([, { content, 'x-alternativeContent': others }]) =>
    Object.entries({ ...content, ...others }),
  );
  const [first, ...samples] = codeSamples(operation, baseUrl, JSON.stringify(exampleOf(row)['id']));
  return `## ${summary}

\`${method} ${path}\`, called \`${id}\` in the OpenAPI document.

${description} The token needs the scope \`${scope}\`. The fields: [${row.title}](#${row.title?.toLowerCase()}).

${list(parametersOf(operation).map(parameterEntry))}

${codeBlock('sh', first?.source)}

${samples.map(({ lang, label, source }) => codeBlock(`${lang.toLowerCase()} ${label}`, source)).join('\n\n')}

It answers:

${list([
  ...answers.map(([status, response]): ListItem => [status, response.description]),
  ...refusalExamples(operation).map(refusalEntry),
])}

${bodies
  .flatMap(([type, { examples }]) =>
    Object.values(examples).map(({ value }) =>
      codeBlock(
        `text An example as ${type}`,
        typeof value === 'string' ? value : JSON.stringify(value, null, 2),
      ),
    ),
  )
  .join('\n\n')}`;
}

function fieldsSection({ title, properties }: Fields): string {
  const fields = Object.entries(properties) as [string, SchemaObject][];
  return `### ${title}

${list(fields.map(([name, schema]) => [name, schema.description ?? '', typeOf(schema)]))}`;
}

type ListItem = readonly [name: string, meaning: string, kind?: string];

function list(entries: readonly ListItem[]): string {
  return entries
    .map(([name, meaning, kind]) => `- \`${name}\`${kind ? ` (${kind})` : ''}: ${meaning}`)
    .join('\n');
}

function parameterEntry({
  name,
  in: place,
  required,
  description,
  schema,
  examples,
}: ParameterObject): ListItem {
  const texts = [examples?.typical.value ?? []]
    .flat()
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const example = texts.length === 0 ? '' : ` Example: \`${texts.join(', ')}\`.`;
  return [name, description + example, `${typeOf(schema)}, in the ${place}${required ? ', required' : ''}`];
}

function refusalEntry({ error, message }: { error: ErrorName; message: string }): ListItem {
  return [String(errors[error].number), message];
}

/** A code block. Words behind the language are a label, behind which web/markdown.ts hides the code until it is opened. */
function codeBlock(info: string, code = ''): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

/** A schema in words: "int64", "string or null", "one of member, staff". */
function typeOf(schema: SchemaObject): string {
  if (schema.const !== undefined) return `"${schema.const}"`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const [type = 'any', isNullable] = [schema.type ?? []].flat();
  const orNull = isNullable ? ' or null' : '';
  if (schema.enum) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}${orNull}`;
  if (type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  // The range of an int64 is in its name.
  const hasRange = schema.maximum !== undefined && schema.format !== 'int64';
  const range = hasRange ? ` from ${schema.minimum} to ${schema.maximum}` : '';
  return `${schema.format ?? type}${range}${orNull}`;
}
