/** Carries the links of an import in a form, from its preview to saving. */
import { parseInt64 } from '../../contract/common.ts';
import { readInstant } from '../../contract/parameters.ts';
import { linksAtMost, parseUnknownMembers } from '../../importing/list-text.ts';
import { type FoundItem, isLinkedProblem, type ResolvedList } from '../../importing/lists.ts';
import { problemAt } from '../../judges/addresses.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import { findProblemsByIds } from '../../store/problems.ts';
import type { MemberVisit } from '../request/visits.ts';

type Sections = ResolvedList['sections'];

export const previewRowsAtMost = 200;

export const writeFormState = (sections: Sections): string =>
  JSON.stringify(
    sections.map(({ name, extras, items }) => [
      extras === undefined ? name : { name, extras },
      ...items.map(({ problem, line, status, ...more }) => {
        const details = { ...more, status: status?.text };
        if (isLinkedProblem(problem)) return { url: problem.url, title: problem.title, line, ...details };
        const hasDetails = Object.values(details).some((value) => value !== undefined);
        return hasDetails ? { id: String(problem.id), ...details } : String(problem.id);
      }),
    ]),
  );

/** Reads a new problem's data from its address, because the browser could have changed it. */
export async function readFormState({ store, form, website }: MemberVisit): Promise<Sections> {
  const lists = parseArray(form.get('content')).filter(Array.isArray);
  let count = 0;
  const sections = (lists as unknown[][]).map(([section, ...items]) => ({
    name: stringIn(Object(section).name ?? section) ?? '',
    extras: parseUnknownMembers(Object(section).extras, 'section'),
    items: items
      .filter(() => count++ < linksAtMost)
      .map((value): Record<string, unknown> => (typeof value === 'string' ? { id: value } : Object(value))),
  }));
  const idOf = ({ id }: Record<string, unknown>) => parseInt64(stringIn(id) ?? '');
  const ids = sections.flatMap(({ items }) => items.flatMap((value) => idOf(value) ?? []));
  const rows = await findProblemsByIds(store.reader, [...new Set(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const itemOf = (value: Record<string, unknown>): FoundItem[] => {
    const id = idOf(value);
    const unsaved = id === undefined ? problemAt(stringIn(value['url']) ?? '', addresses) : undefined;
    const problem = unsaved ? { ...unsaved, title: stringIn(value['title']) } : byId.get(id ?? 0n);
    const details = {
      line: Number(value['line']) || 0,
      memo: stringIn(value['memo']),
      extras: parseUnknownMembers(value['extras'], 'problem'),
      solvedAt: pastInstantIn(value['solvedAt']),
      status: statusIn(stringIn(value['status'])),
    };
    return problem ? [{ problem, ...details }] : [];
  };
  return sections.map(({ items, ...section }) => ({ ...section, items: items.flatMap(itemOf) }));
}

export function parseArray(text: string | null): unknown[] {
  try {
    const content: unknown = JSON.parse(text ?? '');
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

export const stringIn = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : undefined);

function pastInstantIn(value: unknown): string | undefined {
  const at = stringIn(value) ?? '';
  return readInstant(at) === at && at <= new Date().toISOString() ? at : undefined;
}

const statusIn = (text: string | undefined) => (text === undefined ? undefined : { text, isSolved: undefined });
