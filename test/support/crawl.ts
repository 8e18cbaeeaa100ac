/** Crawls the website as one visitor: from the routes along all links, with every form. */
import { routes } from '../../src/web/routes.ts';
import { type Browser, controls, fieldsOf, isSendButton, ownerOf, parseHtml } from './forms.ts';

export interface FoundForm {
  page: string;
  method: string;
  path: string;
  fields: URLSearchParams;
  typed: readonly string[];
  hasPassword: boolean;
}

export interface Found {
  pages: ReadonlyMap<string, string>;
  forms: readonly FoundForm[];
}

export const tokenField = '_csrf';
const usualWithId = 12;

export const routePaths: readonly string[] = Object.values(routes).flatMap((some) => some.map(({ path }) => path));

const paramsIn = (path: string) => path.split('/:').length;

const wordsOf = new Map(
  routePaths.toSorted((one, other) => paramsIn(one) - paramsIn(other)).map((path) => [path, path.split('/')]),
);
const knownRoutes = new Map<string, string | undefined>();

export function routeOf(address: string): string | undefined {
  const [path = ''] = address.split(/[?#]/, 1);
  if (!knownRoutes.has(path)) {
    const parts = path.split('/');
    const found = wordsOf
      .entries()
      .find(
        ([, words]) =>
          words.length === parts.length && words.every((word, n) => word.startsWith(':') || word === parts[n]),
      );
    knownRoutes.set(path, found?.[0]);
  }
  return knownRoutes.get(path);
}

/** Opens every page that the visitor can reach; with `isBrief` only addresses without a query. */
export async function crawl(one: Browser, { withIdAtMost = usualWithId, isBrief = false } = {}): Promise<Found> {
  const queue = routePaths.map((path) => path.replace(/:\w+/g, '1'));
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  /** Pages without an id are opened once for each parameter of their query. */
  const isNew = (route: string, query: URLSearchParams) => {
    const hasId = route.includes(':');
    const names = [...query].map(([name, value]) => (/^\d{8,}$/.test(value) ? `${name}=${value}` : name));
    const kinds = hasId || names.length === 0 ? [names.join()] : names;
    const counts = kinds.map((kind) => alike.get(`${route} ${kind}`) ?? 0);
    if (Math.min(...counts) >= (hasId ? withIdAtMost : 1)) return false;
    for (const [n, kind] of kinds.entries()) alike.set(`${route} ${kind}`, (counts[n] ?? 0) + 1);
    return true;
  };
  const pages = new Map<string, string>();
  const forms: FoundForm[] = [];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const route = routeOf(at);
    if (seen.has(at) || (isBrief && at.includes('?'))) continue;
    if (!route || !isNew(route, new URLSearchParams(at.split('?')[1]))) continue;
    seen.add(at);
    const reply = await one.ask(at);
    if (reply.headers.location) queue.push(inGarden(reply.headers.location, at));
    if (reply.status !== 200) continue;
    pages.set(at, reply.text);
    if (!reply.headers['content-type']?.startsWith('text/html')) continue;
    const found = parseHtml(reply.text);
    for (const link of found.querySelectorAll('a[href]')) queue.push(inGarden(link.getAttribute('href') ?? '', at));
    forms.push(...formsOf(found, at));
  }
  return { pages, forms };
}

function inGarden(link: string, page: string): string {
  const url = new URL(link, new URL(page, 'http://garden.test'));
  return url.host === 'garden.test' ? url.pathname + url.search : '';
}

function formsOf(document: ReturnType<typeof parseHtml>, page: string): FoundForm[] {
  const enabled = document.querySelectorAll(controls).filter((one) => !one.hasAttribute('disabled'));
  const ownedBy = Map.groupBy(enabled, (one) => ownerOf(document, one));
  return document.querySelectorAll('form').flatMap((form) => {
    const method = (form.getAttribute('method') ?? 'get').toLowerCase();
    if (method !== 'post') return [];
    const owned = ownedBy.get(form) ?? [];
    const buttons = owned.filter(isSendButton);
    const typeOf = (name: string) => owned.find((one) => one.getAttribute('name') === name)?.getAttribute('type');
    const names = [...new Set(owned.map((one) => one.getAttribute('name') ?? ''))];
    const isTyped = (name: string) =>
      owned.some(
        (one) =>
          one.getAttribute('name') === name &&
          (one.rawTagName.toLowerCase() === 'textarea' ||
            (one.rawTagName.toLowerCase() === 'input' &&
              !['hidden', 'checkbox', 'radio', 'submit', 'file'].includes(one.getAttribute('type') ?? 'text'))),
      );
    return (buttons.length > 0 ? buttons : [undefined]).map((pressed) => ({
      page,
      method,
      path: inGarden(form.getAttribute('action') || page, page),
      fields: fieldsOf(owned, pressed, {}),
      typed: names.filter((name) => name !== '' && isTyped(name)),
      hasPassword: names.some((name) => typeOf(name) === 'password'),
    }));
  });
}

export function tokenOf(form: FoundForm): string {
  return form.fields.get(tokenField) ?? '';
}

export function meaningOf({ path, fields }: FoundForm): string {
  const said = [...fields].filter(([name]) => name !== tokenField);
  return JSON.stringify([path, said]);
}
