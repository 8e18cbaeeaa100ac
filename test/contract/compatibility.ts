/**
 * Compares a document with a released one by the promise in docs/api.md: within a major version only optional
 * parameters, fields and headers of answers, error numbers of known statuses, and enum values with a documented
 * fallback are added. Whatever else differs, other than in wording, is breaking: a list of what is allowed cannot
 * forget a way to break something.
 */

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape are walked here.
type Node = any;

/** The place of a node: the keys that lead to it. */
type Place = readonly string[];

const nameMaps = new Set([
  'paths',
  'properties',
  'responses',
  'headers',
  'content',
  'x-alternativeContent',
  'schemas',
  'securitySchemes',
  'parameters',
  'enum',
  'required',
  'type',
  'tags',
  'security',
]);

const promising = 'x-alternativeContent';

const wording = new Set([
  'description',
  'summary',
  'title',
  'examples',
  'example',
  'externalDocs',
  'deprecated',
  'servers',
  'contact',
  'openapi',
  'termsOfService',
  'bearerFormat',
]);

/** The changes in `current` that break clients of `released`, a line each. */
export function breakingChanges(released: Node, current: Node): string[] {
  return [...versionChange(released, current), ...differences(released, current, [], false, [released])];
}

function versionChange(released: Node, current: Node): string[] {
  const numbers = (document: Node): number[] => String(document.info?.version).split('.').map(Number);
  const [[oldMajor = 0, ...old], [major = 0, ...now]] = [numbers(released), numbers(current)];
  const isBack = old.some(
    (part, place) => (now[place] ?? 0) < part && old.slice(0, place).every((one, at) => one === now[at]),
  );
  return major === oldMajor && !isBack ? [] : [`info.version: ${now} after ${old}`];
}

function differences(old: Node, now: Node, place: Place, hasNames: boolean, parents: Node[]): string[] {
  if (isLeaf(old) || isLeaf(now)) return old === now ? [] : [`${place.join(' > ')}: changed`];
  const key = place.at(-1) ?? '';
  const [before, after] = [keyed(key, old), keyed(key, now)];
  const found: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = [...place, name];
    if (!hasNames && name === 'examples' && isRefusal(place)) {
      found.push(...errorNumbers(before[name], after[name], here));
      continue;
    }
    if (!hasNames && (wording.has(name) || isExtra(name) || here.join() === 'info,version')) continue;
    if (!(name in after)) found.push(`${here.join(' > ')}: removed`);
    else if (name in before) {
      const isNameMap = !hasNames && nameMaps.has(name);
      found.push(...differences(before[name], after[name], here, isNameMap, [...parents, before]));
    } else if (!isAllowed(here, after[name], parents)) found.push(`${here.join(' > ')}: added`);
  }
  return found;
}

function isExtra(name: string): boolean {
  return name.startsWith('x-') && name !== promising;
}

/** Whether something may be added here. `parents` are the released nodes on the way, the last one the closest but one. */
function isAllowed(place: Place, added: Node, parents: Node[]): boolean {
  const map = place.at(-2);
  const name = place.at(-1) ?? '';
  const owner = parents.at(-1) ?? {};
  const isParameter = place.includes('parameters');
  const isError = place[2] === 'Error';
  if (map === 'parameters') return added.required !== true && /^(?:query|header) /.test(name);
  if (isParameter) return map === 'enum';
  if (map === 'properties') return !isError;
  if (map === 'required') return !isError && !(name in (owner.properties ?? {})) && !isBody(parents[0], place[2] ?? '');
  if (map === 'enum') return /another value treats it as/.test(owner.description ?? '');
  return map === 'headers' || (place.length === 3 && (map === 'schemas' || map === 'responses'));
}

/** Clients that send a body do not send a field that is required from now on. */
const isBody = ({ paths }: Node, schema: string): boolean =>
  Object.values<Node>(paths)
    .flatMap((methods) => Object.values<Node>(methods))
    .some(({ requestBody }) => JSON.stringify(requestBody ?? '').includes(`schemas/${schema}"`));

function isRefusal(place: Place): boolean {
  const status = place[place.lastIndexOf('responses') + 1] ?? '';
  return place.at(-2) === 'content' && /^[45]/.test(status);
}

/** A refusal's examples are its error numbers: the words may change, a number stays and keeps its name. */
function errorNumbers(old: Node = {}, now: Node = {}, place: Place): string[] {
  return Object.entries<Node>(old)
    .filter(([name, { value }]) => now[name]?.value?.error !== value.error)
    .map(([name]) => `${[...place, name].join(' > ')}: number removed or changed`);
}

function isLeaf(value: Node): boolean {
  return typeof value !== 'object' || value === null;
}

/** Lists whose order means nothing as maps, so that what is compared are their members. */
function keyed(key: string, value: Node): Record<string, Node> {
  if (!Array.isArray(value)) return key === 'type' || isLeaf(value) ? { [String(value)]: true } : value;
  const keyOf = (one: Node, place: number): string => {
    if (key === 'parameters') return `${one.in} ${one.name}`;
    if (isLeaf(one)) return String(one);
    return one.name ?? one.$ref ?? String(place);
  };
  return Object.fromEntries(value.map((one, place) => [keyOf(one, place), isLeaf(one) ? true : one]));
}
