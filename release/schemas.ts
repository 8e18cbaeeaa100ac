/** Writes docs/schemas: JSON Schema of the files that people take out, made from the fields that write and read them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListProblem, ListSection, PracticeList } from '../src/contract/programs/schemas.ts';
import { partFile, partNames, parts } from '../src/importing/archive.ts';
import { courseFormat } from '../src/importing/course-files.ts';
import { fieldsWithoutIds } from '../src/importing/row-kinds.ts';

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

function archiveSchema(): object {
  const files = partNames.map((name) => {
    const { properties } = fieldsWithoutIds(parts[name]);
    const row = { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
    return { name, row };
  });
  return {
    ...dialect,
    title: 'An archive of Practice Garden',
    description: 'The files of the zip by their names, each as the list of its lines. A line is a row of `$defs`.',
    type: 'object',
    required: [partFile('records')],
    properties: Object.fromEntries(
      files.map(({ name }) => [partFile(name), { type: 'array', items: { $ref: `#/$defs/${name}` } }]),
    ),
    additionalProperties: false,
    $defs: Object.fromEntries(files.map(({ name, row }) => [name, row])),
  };
}

/** As src/practice/courses.ts reads modules. */
function courseSchema(): object {
  const { format, sections: _, ...properties } = PracticeList.properties;
  const { name: title, problems } = ListSection.properties;
  const id = { type: ['string', 'integer'], minLength: 1 };
  const listOf = (items: object) => ({ type: 'array', items });
  const resource = {
    type: 'object',
    required: ['url'],
    properties: { url: { type: 'string' }, title: { type: 'string' } },
  };
  const also = { ...listOf(id), description: 'The ids of further modules with this problem.' };
  const problem = { ...ListProblem, properties: { ...ListProblem.properties, also } };
  const members = {
    id: { ...id, description: 'By which other modules need it; its number if it has none.' },
    title: { ...title, description: 'Its title.' },
    needs: { ...listOf(id), description: 'The ids of modules that come before it.' },
    about: { type: 'string', description: 'A few words.' },
    resources: { ...listOf(resource), description: 'What to read.' },
    problems: { ...problems, items: problem },
    done: { type: 'integer', minimum: 1, description: 'How many problems to solve; all of them without it.' },
  };
  const module = { title: 'CourseModule', type: 'object', required: ['title', 'problems'], properties: members };
  return {
    ...dialect,
    ...PracticeList,
    title: 'PracticeCourse',
    description: 'A course in the form practice-course/1, with other members than these too.',
    required: ['format', 'title', 'modules'],
    properties: {
      format: { ...format, enum: [courseFormat] },
      ...properties,
      modules: { ...listOf(module), description: 'Its modules in their order.' },
    },
  };
}

const schemas: Readonly<Record<string, () => object>> = {
  archive: archiveSchema,
  'practice-course': courseSchema,
  'practice-list': () => ({ ...dialect, ...PracticeList }),
};

/** Fields of files alone have neither a description nor an example. */
const written = (name: string, value: unknown) => (name === 'examples' || value === '' ? undefined : value);

/** The text of each file by its name. */
export const schemaFiles = (): Map<string, string> =>
  new Map(
    Object.entries(schemas).map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema(), written, 1)}\n`]),
  );

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'docs', 'schemas');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of schemaFiles()) await writeFile(join(folder, name), text);
}
