/** Turns courses of other sites into the form practice-course/1: a training of Hydro, and the two files of The Ultimate Topic List. */
import { parse } from 'jsonc-parser';
import { scalarText } from '../judges/fields.ts';
import { arrayOf } from '../practice/courses.ts';

export const courseFormat = 'practice-course/1';

export const objectsIn = (value: unknown) =>
  arrayOf(value).filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);

/** `json` is the text as JSON, if it is JSON. What is no course of another site is returned as it is. */
export const readCourseFile = (text: string, json: unknown): unknown =>
  topicList(text) ?? hydroTraining(json) ?? modulesWithoutFormat(json) ?? json;

function modulesWithoutFormat(json: unknown): unknown {
  const { format, modules } = Object(json);
  const isCourse = format === undefined && objectsIn(modules).some((one) => Array.isArray(one['problems']));
  return isCourse ? { ...Object(json), format: courseFormat } : undefined;
}

/** The plan of a training, alone or in its document. Its problems are those of hydro.ac. */
function hydroTraining(json: unknown): unknown {
  const { title, dag = json } = Object(json);
  const nodes = objectsIn(dag);
  if (
    nodes.length === 0 ||
    !nodes.every((node) => Array.isArray(node['pids']) && Array.isArray(node['requireNids']))
  )
    return undefined;
  const addressOf = (pid: unknown) => {
    const [key = '', domain] = scalarText(pid).split(':').reverse();
    return `https://hydro.ac/${domain === undefined ? '' : `d/${domain}/`}p/${key}`;
  };
  const modules = nodes.map(({ _id: id, title, requireNids: needs, pids }) => {
    return { id, title, needs, problems: arrayOf(pids).map((pid) => ({ url: addressOf(pid) })) };
  });
  return { format: courseFormat, title, modules };
}

/** Strings have a longest length, so that an unclosed one costs no more. */
const scriptToken =
  /"(?:[^"\\\n]|\\.){0,5000}"|'((?:[^'\\\n]|\\.){0,5000})'|\/\/[^\n]*|([A-Za-z_$][\w$]{0,200})(?=\s{0,20}:)/g;

const exportOf = (name: string) => `export const ${name} = `;

/** The value of `export const NAME = …` in a script that has only data. */
function exportedValue(text: string, name: string): unknown {
  const start = text.indexOf(exportOf(name));
  if (start < 0) return undefined;
  const end = text.indexOf('\nexport ', start + 1);
  const literal = text.slice(text.indexOf('=', start) + 1, end < 0 ? undefined : end);
  const json = literal.replaceAll(scriptToken, (token, quoted?: string, key?: string) => {
    if (key !== undefined) return `"${key}"`;
    if (quoted !== undefined) return JSON.stringify(quoted.replaceAll(/\\(.)/g, '$1'));
    return token.startsWith('//') ? '' : token;
  });
  return parse(json, [], { allowTrailingComma: true });
}

/** The file of The Ultimate Topic List that stands beside this one; undefined for another text. */
export function addressOfOtherFile(url: string, text: string): URL | undefined {
  const [hasTopics, hasProblems] = ['topicList', 'topicListProblems'].map((name) =>
    text.includes(exportOf(name)),
  );
  if (hasTopics === hasProblems) return undefined;
  return new URL(hasTopics ? 'topicListFullData.js' : 'topicList.js', url);
}

/** Needs topicList.js and topicListFullData.js, one behind the other. */
function topicList(text: string): unknown {
  if (!text.includes(exportOf('topicListProblems'))) return undefined;
  const categories = objectsIn(exportedValue(text, 'topicList'));
  const infos = Object(exportedValue(text, 'topicInfo'));
  const problems = Object(exportedValue(text, 'topicListProblems'));
  const keysByTopic = new Map<unknown, string[]>();
  for (const [key, problem] of Object.entries<object>(problems))
    for (const topic of arrayOf(Object(problem).topics))
      keysByTopic.set(topic, [...(keysByTopic.get(topic) ?? []), key]);
  const topics = categories.flatMap((category) =>
    objectsIn(category['sub_categories']).flatMap((part) => objectsIn(part['topics'])),
  );
  const modules = topics.map(({ topic_id: id, topic_title: title }) => {
    const { resources, problem_order: order } = Object(infos[String(id)]);
    return {
      id,
      title,
      resources: objectsIn(resources).map((one) => ({
        url: one['resource_url'],
        title: one['resource_title'],
      })),
      problems: arrayOf(order ?? keysByTopic.get(id)).flatMap((key) => {
        const { problem_url: url, problem_title: title } = Object(problems[String(key)]);
        return url === undefined ? [] : { url, title };
      }),
    };
  });
  return modules.length === 0
    ? undefined
    : { format: courseFormat, title: 'The Ultimate Topic List', modules };
}
