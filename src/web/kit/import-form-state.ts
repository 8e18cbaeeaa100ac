/**
 * Links on their way from the look at them to saving: the form carries ids of problems, and addresses of those to
 * add.
 */
import { parseInt64 } from '../../contract/common.ts';
import { readInstant } from '../../contract/parameters.ts';
import { linksAtMost, restIn } from '../../importing/list-text.ts';
import { type FoundItem, isLinked, type ReadList } from '../../importing/lists.ts';
import { problemAt } from '../../judges/addresses.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import { findProblemsByIds } from '../../store/problems.ts';
import type { MemberVisit } from '../road/visits.ts';

type Sections = ReadList['sections'];

/** How many rows of each kind the look shows. */
export const previewRows = 200;

/** The text of the field `content`. */
export const writeFormState = (sections: Sections): string =>
  JSON.stringify(
    sections.map(({ name, extras, items }) => [
      extras === undefined ? name : { name, extras },
      ...items.map(({ problem, line, ...about }) =>
        isLinked(problem)
          ? { url: problem.url, title: problem.title, line, ...about }
          : Object.values(about).every((one) => one === undefined)
            ? String(problem.id)
            : { id: String(problem.id), ...about },
      ),
    ]),
  );

/** Reads it again: a link by its address, so that nobody gives it another name. The rest is left out. */
export async function readFormState({ store, form, website }: MemberVisit): Promise<Sections> {
  let value: unknown;
  try {
    value = JSON.parse(form.get('content') ?? '');
  } catch {
    return [];
  }
  const lists = Array.isArray(value) ? value.filter((one) => Array.isArray(one)) : [];
  let taken = 0;
  const given = (lists as unknown[][]).map(([head, ...items]) => ({
    name: textIn(Object(head).name ?? head) ?? '',
    extras: restIn(Object(head).extras, 'section'),
    items: items
      .filter(() => taken++ < linksAtMost)
      .map((one): Record<string, unknown> => (typeof one === 'string' ? { id: one } : Object(one))),
  }));
  const idOf = ({ id }: Record<string, unknown>) => parseInt64(textIn(id) ?? '');
  const ids = given.flatMap(({ items }) => items.flatMap((one) => idOf(one) ?? []));
  const rows = await findProblemsByIds(store.reader, [...new Set(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const places = await listJudgeAddresses(store.reader, website.judgeUrls);
  const itemOf = (one: Record<string, unknown>): FoundItem[] => {
    const id = idOf(one);
    const linked = id === undefined ? problemAt(textIn(one['url']) ?? '', places) : undefined;
    const problem = linked ? { ...linked, title: textIn(one['title']) } : byId.get(id ?? 0n);
    const about = {
      line: Number(one['line']) || 0,
      memo: textIn(one['memo']),
      extras: restIn(one['extras'], 'problem'),
      solvedAt: pastIn(one['solvedAt']),
    };
    return problem ? [{ problem, ...about }] : [];
  };
  return given.map(({ items, ...section }) => ({ ...section, items: items.flatMap(itemOf) }));
}

const textIn = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : undefined);

function pastIn(value: unknown): string | undefined {
  const at = textIn(value) ?? '';
  return readInstant(at) === at && at <= new Date().toISOString() ? at : undefined;
}
