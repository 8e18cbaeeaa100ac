/** The references of both interfaces as Markdown, made from their documents, and the form that tries an operation. */
import { openapiDocument } from '../../../contract/openapi.ts';
import { scopes } from '../../../contract/operations.ts';
import { programDocument } from '../../../contract/programs/document.ts';
import { programScopes, programsPath } from '../../../contract/programs/operations.ts';
import { formActions, selectField, textField } from '../../kit/form.ts';
import { type Html, html } from '../../markup.ts';
import { words } from '../../words/words.ts';

// biome-ignore lint/suspicious/noExplicitAny: an object of the OpenAPI document
type OpenApiObject = any;
type ListItem = readonly [name: string, text: string, kind?: string];

interface Interface {
  /** The address of its document. */
  address: string;
  documentAt(baseUrl: string): OpenApiObject;
  head(version: string, baseUrl: string): string;
  scopes: Readonly<Record<string, string>>;
  refusals: string;
}

const tryIt = 'In a browser with JavaScript, each operation on this page can be tried below its samples.';

const interfaces = {
  api: {
    address: '/openapi.json',
    documentAt: openapiDocument,
    head: (version, baseUrl) => `# API reference

Version ${version} of the interface: nine operations at \`${baseUrl}\`. How they behave where a list
cannot say it is in the [guide](api.md). The same for programs is [openapi.json](../openapi.json). ${tryIt}

## The token

Every operation needs a token, which acts for one member. \`garden token create NAME --name 'my editor'\` makes one and
shows it once; every request sends it as \`Authorization: Bearer pgt_…\`, never in the address. The samples below
read it from the environment: \`export TOKEN=pgt_…\`. A token has one or more scopes:`,
    scopes,
    refusals: 'Beside its own refusals, every operation has these',
  },
  programs: {
    address: '/practice/openapi.json',
    documentAt: programDocument,
    head: (version, baseUrl) => `# Reference for programs

Version ${version} of the interface with which programs read and mark, at \`${baseUrl}${programsPath}\`. How it behaves
where a list cannot say it is in [programs](programs.md). The same for programs is
[openapi.json](../practice/openapi.json). ${tryIt}

## The token

Every operation needs a token of a program, which acts for its member alone. The page *Connections* makes one, as does
\`garden token create NAME --name 'my editor' --scope practice:mark\`; every request sends it as
\`Authorization: Bearer pgw_…\`, never in the address. The samples below read it from the environment:
\`export TOKEN=pgw_…\`. A token has one or more scopes:`,
    scopes: programScopes,
    refusals: 'An operation can have these',
  },
} as const satisfies Record<string, Interface>;
export type InterfaceName = keyof typeof interfaces;

export function referenceMarkdown(baseUrl: string, name: InterfaceName): string {
  const { documentAt, head, scopes, refusals }: Interface = interfaces[name];
  const { info, paths, components } = documentAt(baseUrl);
  const operations = Object.entries<OpenApiObject>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
  );
  const resources = Object.entries<OpenApiObject>(components.schemas).map(([title, { properties }]) => {
    const fields = Object.entries<OpenApiObject>(properties);
    return `### ${title}\n\n${markdownList(fields.map(([name, field]) => [name, field.description, typeOf(field)]))}`;
  });
  return `${head(info.version, baseUrl)}

${markdownList(Object.entries(scopes))}

${operations.join('\n\n')}

## Fields

${resources.join('\n\n')}

## Refusals

A refusal has an [Error](#error), whose number is the HTTP status and two digits more and never changes its meaning;
what to do about each is in [the errors](errors.md). ${refusals}:

${markdownList(answersOf(components.responses))}

## Headers of answers

${markdownList(Object.entries<OpenApiObject>(components.headers).map(([name, { description }]) => [name, description]))}
`;
}

/** assets/try.js copies the form below the samples of each operation and adds fields for the parameters. */
export function tryForm(name: InterfaceName, basePath: string): Html {
  const more = { placeholder: name === 'api' ? 'pgt_…' : 'pgw_…', spellcheck: 'false' };
  return html`
    <template id="try" data-document="${basePath}${interfaces[name].address}" data-base="${basePath}">
      <details class="try">
        <summary>${words('try.open')}</summary>
        <form class="panel">
          ${textField(words('try.token'), 'token', {}, { isOptional: true, more })}
          <p class="hint faint small">${words('try.hint')}</p>
          ${selectField(words('try.format'), 'accept', [], '')}
          ${formActions(words('try.send'))}
          <div class="answer" hidden>
            <p role="status" data-failed="${words('try.failed')}"></p>
            <details><summary>${words('try.headers')}</summary><pre tabindex="0"></pre></details>
            <pre tabindex="0"></pre>
          </div>
        </form>
      </details>
    </template>`;
}

function operationSection(method: string, path: string, operation: OpenApiObject): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const { 'x-codeSamples': samples } = operation;
  const linkOf = (part: OpenApiObject, text: string) => {
    const [, title] = /schemas\/(?!Error)(\w+)/.exec(JSON.stringify(part ?? '')) ?? [];
    return title ? ` ${text}: [${title}](#${title.toLowerCase()}).` : '';
  };
  const [curl, ...others] = samples.map(({ lang, label, source }: OpenApiObject) =>
    codeBlock(lang === 'Shell' ? 'sh' : `${lang.toLowerCase()} ${label}`, source),
  );
  return `## ${summary}

\`${method.toUpperCase()} ${path}\`, called \`${operationId}\` in the OpenAPI document.

${description}${linkOf(requestBody, 'The body')}${linkOf(responses, 'The fields')}

${markdownList(parameters.map(parameterEntry))}

${curl}

${others.join('\n\n')}

It answers:

${markdownList(answersOf(responses))}

${[...new Set(Object.values(responses).flatMap(rowExamples))].join('\n\n')}`;
}

function parameterEntry({ name, in: location, required, description, schema, examples }: OpenApiObject): ListItem {
  const texts = [examples?.typical.value ?? []].flat().map(textOf);
  const example = texts.length === 0 ? '' : ` Example: \`${texts.join(', ')}\`.`;
  return [name, description + example, `${typeOf(schema)}, in the ${location}${required ? ', required' : ''}`];
}

/** A status can have several refusals, each with its own entry. */
function answersOf(responses: Record<string, OpenApiObject>): ListItem[] {
  return Object.entries(responses).flatMap(([status, { description, content = {} }]): ListItem[] => {
    if (status < '400') return [[status, description]];
    return examplesIn(content).map(([, { error, message }]) => [error, message]);
  });
}

function rowExamples({ content, 'x-alternativeContent': others }: OpenApiObject): string[] {
  return examplesIn({ ...content, ...others })
    .filter(([, value]) => value.error === undefined)
    .map(([type, value]) => codeBlock(`text An example as ${type}`, textOf(value)));
}

function examplesIn(content: Record<string, OpenApiObject>): [type: string, value: OpenApiObject][] {
  return Object.entries(content).flatMap(([type, { examples }]) =>
    Object.values<OpenApiObject>(examples).map(({ value }): [string, OpenApiObject] => [type, value]),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function markdownList(items: readonly ListItem[]): string {
  return items.map(([name, text, kind]) => `- \`${name}\`${kind ? ` (${kind})` : ''}: ${text}`).join('\n');
}

/** Words after the language are the label under which documents.ts collapses the code. */
function codeBlock(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

/** Describes a schema, as in "int64", "string or null" or "one of member, staff". */
function typeOf(schema: OpenApiObject): string {
  const { type, const: constant, anyOf, allOf, enum: values, items, format, minimum, maximum, $ref: target } = schema;
  if (target !== undefined) return target.slice(target.lastIndexOf('/') + 1);
  if (allOf) return allOf.map(typeOf).join();
  if (constant !== undefined) return `"${constant}"`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  const [name = 'any', isNullable] = [type ?? []].flat();
  const orNull = isNullable ? ' or null' : '';
  if (values) return `one of ${values.filter((value: unknown) => value !== null).join(', ')}${orNull}`;
  if (name === 'array') return `list of ${typeOf(items)}`;
  // The name int64 implies its range.
  const range = maximum !== undefined && format !== 'int64' ? ` from ${minimum} to ${maximum}` : '';
  return `${format ?? name}${range}${orNull}`;
}
