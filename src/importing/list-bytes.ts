/** Decodes the file of a list: text, or the folder `content` of USACO Guide as a ZIP, which becomes a course. */
import { localizedError } from '../errors.ts';
import { decodeLeniently, decodeText } from '../files/text.ts';
import { tidyLine } from '../practice/lists.ts';
import { courseFormat } from './course-files.ts';
import { entriesOfZip } from './solved-files.ts';

/** Throws badFile. */
export async function decodeListFile(bytes: Uint8Array, contentType?: string): Promise<string> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PK\x03\x04')
    return decodeText(bytes, contentType);
  const course = await readGuide(Buffer.from(bytes)).catch(() => undefined);
  if (!course) throw localizedError('badFile.compressed');
  return JSON.stringify(course);
}

const textBytesAtMost = 256 * 1024;
const textBytesInAll = 16 * 1024 * 1024;

/** USACO Guide has a `.mdx` for each module, `ID.problems.json` files with their problems, and `ordering.ts`. */
async function readGuide(bytes: Buffer): Promise<object | undefined> {
  const modules: GuideModule[] = [];
  const problems = new Map<unknown, object[]>();
  let order: string[] = [];
  let bytesLeft = textBytesInAll;
  for await (const { path, size, read } of entriesOfZip(bytes)) {
    const isNeeded = /(?:\.mdx|\.problems\.json|(?:^|\/)ordering\.ts)$/.test(path);
    if (!isNeeded || size > Math.min(textBytesAtMost, bytesLeft)) continue;
    bytesLeft -= size;
    const text = decodeLeniently(await read());
    if (path.endsWith('.mdx')) modules.push(...moduleIn(text, path));
    else if (path.endsWith('.ts')) order = [...text.matchAll(/'([\w-]{1,100})'/g)].map(([, id = '']) => id);
    else {
      const { MODULE_ID: id, ...lists } = JSON.parse(text);
      problems.set(id, Object.values(lists).flat() as object[]);
    }
  }
  if (modules.length === 0) return undefined;
  const places = new Map(order.map((id, at) => [id, at]));
  const placeOf = ({ id }: GuideModule) => places.get(id) ?? order.length;
  const inOrder = modules
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  return {
    format: courseFormat,
    title: 'USACO Guide',
    modules: inOrder.map(({ path, ...module }) =>
      Object.assign(module, {
        resources: pageOf(path, module.id),
        problems: (problems.get(module.id) ?? []).map((one) => {
          const { url, name: title } = Object(one);
          return { url, title };
        }),
      }),
    ),
  };
}

interface GuideModule {
  path: string;
  id: string;
  title: string;
  about: string;
  needs: string[];
}

/** The head of the file is YAML, of which a module uses plain and quoted texts, folded lines and lists. */
function moduleIn(text: string, path: string): GuideModule[] {
  const [, head = ''] = /^---\r?\n([\s\S]{0,5000}?)\n---/.exec(text) ?? [];
  const lines = `\n${head}`.replaceAll('\r', '');
  const textOf = (name: string) =>
    new RegExp(`\\n${name}:((?:[^\\n]|\\n[ \\t]|\\n-)*)`).exec(lines)?.[1]?.trim() ?? '';
  const lineOf = (name: string) => {
    const value = textOf(name).replace(/^[>|]-?\n/, '');
    const [, quoted] = /^'(.*)'$/s.exec(value) ?? [];
    const [, escaped] = /^"(.*)"$/s.exec(value) ?? [];
    return tidyLine(quoted?.replaceAll("''", "'") ?? escaped?.replaceAll('\\"', '"') ?? value, 1000);
  };
  const [id, title, about] = [lineOf('id'), lineOf('title'), lineOf('description')];
  if (id === '' || title === '') return [];
  // Some needs are sentences instead of ids.
  const needs = textOf('prerequisites')
    .split(/[\n,[\]]/)
    .map((need) => need.replaceAll(/^\s*- |['"]/g, '').trim())
    .filter((need) => /^[\w-]+$/.test(need));
  return [{ path, id, title, about: /\p{L}/u.test(about) ? about : '', needs }];
}

/** Folders such as `4_Gold` name the part of the site. */
function pageOf(path: string, id: string) {
  const [, folder = ''] = /(?:^|\/)\d_([A-Za-z]+)\/[^/]+$/.exec(path) ?? [];
  if (folder === '') return [];
  const part = folder === 'Advanced' ? 'adv' : folder.toLowerCase();
  return [{ url: `https://usaco.guide/${part}/${encodeURIComponent(id)}`, title: 'USACO Guide' }];
}
