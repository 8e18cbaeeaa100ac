/** Imports lists: rows with a whole list each, which member and creation time identify, and any text with links. */

import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { readInstant } from '../contract/parameters.ts';
import { AppError, inEnglish, localizedError, type Message, message } from '../errors.ts';
import { asBadRow, type Entry } from '../files/entries.ts';
import {
  type AddressedPage,
  type AddressedProblem,
  parseProblemAddress,
  targetAt,
} from '../judges/addresses.ts';
import { badField, listOf, objectOf } from '../judges/fields.ts';
import {
  addWithinLimits,
  findStoredProblems,
  problemMapKey,
  withoutLabel,
} from '../practice/added-problems.ts';
import { moduleOf, otherModulesOf, withOtherModules } from '../practice/courses.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import { type ArchivedFollow, importFollow } from '../practice/list-follows.ts';
import { rowsOf } from '../practice/list-versions.ts';
import {
  changeContent,
  courseLimits,
  hasTooManyModules,
  importList,
  limitsOf,
  makeList,
  memoOf,
  mergeIntoList,
  type NewSection,
  setVisibility,
  tidyLine,
} from '../practice/lists.ts';
import { findOwnListNamed } from '../store/inbox.ts';
import { findListsMadeAt, readContent, type SectionContent, type Visibility } from '../store/lists.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Importer, Sink } from './import.ts';
import type { LinkStatus } from './link-statuses.ts';
import { decodeListFile } from './list-bytes.ts';
import {
  type FoundLink,
  type FoundSection,
  linksAtMost,
  parseUnknownMembers,
  readListText,
} from './list-text.ts';
import { findProblemIds, type ProblemKey, problemOfHost } from './problems.ts';
import { type MemberReference, memberReferences } from './references.ts';

interface InputList extends MemberReference {
  name?: string;
  visibility?: Visibility;
  content?: string | null;
  created_at?: string;
  updated_at?: string;
  follows?: string | null;
}

export function listSink(context: ImportContext): Sink<InputList> {
  const { tx, now, forEachEntry, count, markWritten } = context;
  const links = linkAdder(context);
  // Another row with the same creation time but another name is another list.
  const importedIds = new Set<bigint>();

  async function importRow(owner_id: bigint, input: InputList): Promise<void> {
    const { content, created_at = now, updated_at = now, follows } = input;
    const candidates = input.created_at === undefined ? [] : await findListsMadeAt(tx, owner_id, created_at);
    const found =
      candidates.find((one) => one.name === tidyLine(input.name ?? '')) ??
      candidates.find(({ id }) => !importedIds.has(id));
    const name = tidyLine(input.name ?? found?.name ?? '');
    if (name === '') throw localizedError('badRow.listName');
    const oldContent = found ? await readContent(tx, found.id) : [];
    const hasContent = !found || (content ?? null) !== null;
    const newContent = hasContent ? await resolveContent(owner_id, content ?? '{}', oldContent) : oldContent;
    const extras = hasContent ? parseExtras(content ?? '{}') : undefined;
    // The secret of a shared address is not stored, so it cannot be imported.
    const visibility = input.visibility === 'garden' ? 'garden' : 'private';
    const times = { created_at, updated_at };
    const id =
      found?.id ??
      (await asBadRow(importList(tx, { ownerId: owner_id, name, visibility, extras, times }, newContent)));
    importedIds.add(id);
    const isVisibilitySame = !found || [undefined, 'secret', found.visibility].includes(input.visibility);
    const isContentSame =
      !found ||
      (found.name === name &&
        (extras === undefined || extras === found.extras) &&
        asJson(oldContent) === asJson(newContent));
    const ownedList = { id, owner_id };
    if (!isVisibilitySame) await setVisibility(tx, ownedList, visibility);
    if (!isContentSame) await asBadRow(changeContent(tx, ownedList, () => newContent, { name, extras }));
    const isFollowed =
      follows !== undefined &&
      (await asBadRow(importFollow(tx, ownedList, await parseFollow(context, follows))));
    const hasChanged = isFollowed || !isVisibilitySame || !isContentSame;
    if (found && hasChanged) markWritten();
    count(found ? (hasChanged ? 'changed' : 'kept') : 'new', () => `list ${name}`);
  }

  async function resolveContent(
    ownerId: bigint,
    content: string,
    oldContent: readonly SectionContent[],
  ): Promise<SectionContent[]> {
    const sections = parseSections(content, context);
    const oldItems = oldContent.flatMap(({ items }) => items);
    const times = new Map(oldItems.map((item) => [item.problem_id, item.added_at]));
    const problems = sections.flatMap(({ items }) => items.map(({ problem }) => problem));
    const ids = await findProblemIds(context, problems);
    const missing = problems.filter((problem) => !ids.has(problemMapKey(problem)));
    const added = await links.add(ownerId, missing);
    return sections.map(({ name, extras, items }) => ({
      name,
      extras,
      items: items.flatMap(({ problem, memo, extras, added_at }) => {
        const problem_id = ids.get(problemMapKey(problem)) ?? added.get(problemMapKey(problem));
        if (problem_id === undefined) return [];
        return { problem_id, memo, extras, added_at: added_at ?? times.get(problem_id) ?? now };
      }),
    }));
  }

  return {
    write: async (entries) => {
      const memberOf = await memberReferences(context, entries);
      await forEachEntry(entries, (input) => importRow(memberOf(input), input));
    },
    finish: async () => links.noteCounts(),
  };
}

const parseExtras = (content: string) =>
  parseUnknownMembers(objectOf(JSON.parse(content), 'content').extras, 'list') ?? null;

const asJson = (content: readonly SectionContent[]) => JSON.stringify(rowsOf(content));

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

function parseSections(content: string, { adding: { judgeAddresses } }: ImportContext) {
  const { sections = [] } = objectOf(JSON.parse(content), 'content');
  return listOf(sections, 'sections').map((section) => {
    const { name, problems = [], extras } = objectOf(section, message('field.section'));
    const items = listOf(problems, 'problems').map((item) => {
      const fields = typeof item === 'string' ? { url: item } : objectOf(item, message('field.problem'));
      const {
        source,
        source_key: key,
        url,
        title,
        memo,
        added_at,
        extras,
      } = fields as Record<string, unknown>;
      const hasKey = source !== undefined || key !== undefined;
      const problem: ProblemKey | LinkedProblem = hasKey
        ? { source: textOrEmpty(source), key: textOrEmpty(key) }
        : { ...linkedProblem(textOrEmpty(url), judgeAddresses), title: textOrEmpty(title) };
      return {
        problem,
        memo: memoOf(textOrEmpty(memo)),
        extras: parseUnknownMembers(extras, 'problem') ?? null,
        added_at: parseInstant(added_at, 'added_at'),
      };
    });
    return {
      name: tidyLine(textOrEmpty(name)),
      extras: parseUnknownMembers(extras, 'section') ?? null,
      items,
    };
  });
}

function linkedProblem(url: string, places: JudgeAddresses): AddressedProblem {
  try {
    return parseProblemAddress(url, places);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw localizedError('badRow.address', { url: url.slice(0, 100), why: error.localized ?? error.message });
  }
}

function parseInstant(value: unknown, name: string): string | null {
  if ((value ?? null) === null) return null;
  const at = readInstant(textOrEmpty(value));
  if (at === undefined) throw badField(name, value, message('expected.instant'));
  return at;
}

async function parseFollow(context: ImportContext, follows: string | null): Promise<ArchivedFollow | null> {
  if (follows === null) return null;
  const { url, good_at, problems = [] } = objectOf(JSON.parse(follows), 'follows');
  const listProblems = listOf(problems, 'problems').map((problem) => {
    const { source, source_key, came_at, is_gone } = objectOf(problem, message('field.problem'));
    const name = { source: textOrEmpty(source), key: textOrEmpty(source_key) };
    return { name, came_at: parseInstant(came_at, 'came_at'), is_gone: is_gone === true ? 1n : 0n };
  });
  const names = listProblems.map(({ name }) => name);
  const ids = await findProblemIds(context, names);
  const items = new Map(
    listProblems.flatMap(({ name, ...one }) => {
      const id = ids.get(problemMapKey(name));
      return id === undefined ? [] : [[id, { problem_id: id, ...one }]];
    }),
  );
  return { url: textOrEmpty(url), good_at: parseInstant(good_at, 'good_at'), items: [...items.values()] };
}

const namesInNote = 10;

/** Adds linked problems if `adding` says so, and notes how many were added and which were left out. */
function linkAdder({ tx, adding, count, addNote, waiting }: ImportContext) {
  let added = 0;
  const leftOut = new Set<string>();
  const leaveOut = (kind: string, name: string) => {
    leftOut.add(tidyLine(name, 100));
    count('unmatched', () => `${kind} ${name}`);
  };
  return {
    /** Returns ids by `problemMapKey`. */
    async add(
      ownerId: bigint,
      problems: readonly (ProblemKey | LinkedProblem)[],
    ): Promise<Map<string, bigint>> {
      const named = problems.filter(isLinkedProblem).map((link) => [problemMapKey(link), link] as const);
      const links = [...new Map(named).values()];
      for (const problem of problems.filter((one) => !isLinkedProblem(one)))
        if (!waiting?.has(problemMapKey(problem)))
          leaveOut('problem', tidyLine(`${problem.source} ${problem.key}`, 100));
      const addedProblems = adding.addsLinkedProblems
        ? await addWithinLimits(tx, ownerId, links, adding.limits)
        : [];
      const ids = new Map<string, bigint>();
      for (const [index, link] of links.entries()) {
        const id = addedProblems[index]?.id;
        if (id === undefined) leaveOut('link', link.url);
        else ids.set(problemMapKey(link), id);
      }
      added += ids.size;
      return ids;
    },
    noteCounts(): void {
      if (added > 0) addNote(message('imported.added', { count: added }));
      const names = [...leftOut].slice(0, namesInNote).join(', ') + (leftOut.size > namesInNote ? ', …' : '');
      if (leftOut.size > 0) addNote(message('imported.leftOut', { count: leftOut.size, names }));
    },
  };
}

export interface FoundItem extends Pick<FoundLink, 'line'> {
  status?: LinkStatus | undefined;
  problem: ProblemRow | LinkedProblem;
  memo?: string | undefined;
  extras?: string | undefined;
  solvedAt?: string | undefined;
}

export type LinkedProblem = AddressedProblem & { title?: string | undefined };

export const isLinkedProblem = (one: object): one is LinkedProblem => 'matchedBy' in one;

export interface FoundProblemSection {
  name: string;
  extras?: string | undefined;
  items: FoundItem[];
}

export interface UnmatchedLine extends Pick<FoundLink, 'line' | 'address'> {
  /** What the link leads to instead of a problem. */
  page?: Message | undefined;
}

export interface ResolvedList {
  sections: FoundProblemSection[];
  unmatched: UnmatchedLine[];
  repeatedCount: number;
  overLimitCount: number;
}

export const toNewSections = ({ sections }: Pick<ResolvedList, 'sections'>): NewSection[] =>
  sections.map(({ name, extras, items }) => ({
    name,
    extras,
    items: items.flatMap(({ problem, memo, extras }) => {
      if (!isLinkedProblem(problem)) return { problem: problem.id, memo, extras };
      return problem.isDoubtful ? [] : { problem, memo, extras };
    }),
  }));

/** Other requests run after this many links, which take a few milliseconds. */
const linksBetweenYields = 500;

/** Throws invalidValue. */
export async function resolveLinks(
  db: Db,
  sections: readonly FoundSection[],
  places: JudgeAddresses,
  most: number = limitsOf(sections).problems,
): Promise<ResolvedList> {
  if (hasTooManyModules(sections))
    throw localizedError('invalidValue.listSections', {
      most: courseLimits.sections,
      count: sections.length,
    });
  /** A link may name a problem by judge and key, and by its address. The first that is stored counts. */
  const keysOfLink = new Map<FoundLink, (ProblemKey | AddressedProblem)[]>();
  const pageOfLink = new Map<FoundLink, AddressedPage>();
  for (const link of sections.flatMap(({ links }) => links)) {
    const { problem, page } = targetAt(link.address, places, link.title);
    const { reference } = link;
    const names = [reference, reference && problemOfHost(reference, places), problem];
    keysOfLink.set(
      link,
      names.filter((one) => one !== undefined),
    );
    if (page) pageOfLink.set(link, page);
    if (keysOfLink.size % linksBetweenYields === 0) await setImmediate();
  }
  const stored = await findStoredProblems(db, [...keysOfLink.values()].flat());
  const resolved: ResolvedList = { sections: [], unmatched: [], repeatedCount: 0, overLimitCount: 0 };
  /** A link whose text is its address is found twice in a line, and counts once. */
  const lineOfProblem = new Map<string | bigint, number>();
  const firstOfProblem = new Map<string | bigint, { item: FoundItem; moduleId: string | undefined }>();
  let problemCount = 0;
  const itemsOf = (link: FoundLink, moduleId: string | undefined): FoundItem[] => {
    const { line, address, title, memo, extras, solvedAt, status } = link;
    const all = keysOfLink.get(link) ?? [];
    const target = all.find((one) => stored.has(problemMapKey(one))) ?? all.at(-1);
    // Without http:// the address may be words around a slash.
    if (!target && !/^https?:/i.test(address)) return [];
    const row = target && stored.get(problemMapKey(target));
    const linked =
      !row && target && isLinkedProblem(target)
        ? { ...target, title: title && !link.reference ? withoutLabel(title, target.key) : title }
        : undefined;
    const problem = row ?? linked;
    const id = row?.id ?? (linked ? problemMapKey(linked) : address);
    const before = lineOfProblem.get(id);
    lineOfProblem.set(id, line);
    const first = firstOfProblem.get(id);
    if (first && moduleId !== undefined && moduleId !== first.moduleId) {
      const { item } = first;
      item.extras = withOtherModules(item.extras, [...otherModulesOf(item.extras), moduleId]);
    } else if (before !== undefined) {
      if (row && before !== line) resolved.repeatedCount++;
    } else if (!problem) {
      resolved.unmatched.push({ line, address, page: pageOfLink.get(link)?.name });
    } else if (row && ++problemCount > most) resolved.overLimitCount++;
    else {
      const item = { problem, line, memo, extras, solvedAt, status };
      firstOfProblem.set(id, { item, moduleId });
      return [item];
    }
    return [];
  };
  for (const { name, extras, links } of sections) {
    const module = moduleOf(extras);
    const items = links.flatMap((link) => itemsOf(link, module?.id));
    // Sections beyond the limit go into the last one.
    if (resolved.sections.length < limitsOf(sections).sections) {
      if (items.length > 0 || module) resolved.sections.push({ name, extras, items });
    } else resolved.sections.at(-1)?.items.push(...items);
  }
  return resolved;
}

interface TextLink {
  list: string;
  extras?: string | undefined;
  section: Omit<FoundSection, 'links'>;
  /** Undefined stands for a module without problems. */
  link: FoundLink | undefined;
}

export function textListImporter(fileName: string): Importer {
  const nameOfFile = tidyLine(fileName.replace(/^.*[/\\]/, '').replace(/(?:\.problems)?\.[a-z]{1,5}$/i, ''));
  async function* read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry<TextLink>[]> {
    const found = readListText(await decodeListFile(await buffer(bytes)));
    if (!found) throw localizedError('badFile.manyLinks', { most: linksAtMost });
    const list = found.title || nameOfFile || 'List';
    for (const { links, ...section } of found.sections)
      yield (links.length > 0 ? links : [undefined]).map((link) => ({
        place: () => ({ line: link?.line ?? 1, column: 1 }),
        value: { list, extras: found.extras, section, link },
      }));
  }
  return { read, createSink: textListSink } as Importer;
}

function textListSink(context: ImportContext): Sink<TextLink> {
  const { tx, member, adding, count, addNote } = context;
  const links = linkAdder(context);
  const textLinks: TextLink[] = [];
  return {
    write: async (entries) => {
      textLinks.push(...entries.map(({ value }) => value));
    },
    finish: async () => {
      const owner_id = member?.id ?? 0n;
      const bySection = Map.groupBy(textLinks, ({ section }) => section);
      const found = [...bySection].map(([section, some]) => ({
        ...section,
        links: some.flatMap(({ link }) => link ?? []),
      }));
      const { sections, unmatched, overLimitCount } = await resolveLinks(tx, found, adding.judgeAddresses);
      for (const { address, page } of unmatched)
        count('unmatched', () => `link ${address}${page ? `, ${inEnglish(page)}` : ''}`);
      const linked = sections.flatMap(({ items }) =>
        items.map(({ problem }) => problem).filter(isLinkedProblem),
      );
      for (const { url } of linked.filter(({ isDoubtful }) => isDoubtful))
        count('unmatched', () => `link ${url}`);
      const added = await links.add(
        owner_id,
        linked.filter(({ isDoubtful }) => !isDoubtful),
      );
      links.noteCounts();
      if (overLimitCount > 0) addNote(message('imported.beyond', { count: overLimitCount }));
      const content = sections.map(({ name, extras, items }) => ({
        name,
        extras,
        items: items.flatMap(({ problem: one, memo, extras }) => {
          const problem = isLinkedProblem(one) ? added.get(problemMapKey(one)) : one.id;
          return problem === undefined ? [] : { problem, memo, extras };
        }),
      }));
      const { list: name = '', extras } = textLinks[0] ?? {};
      const all = content.flatMap(({ items }) => items);
      if (content.every(({ items, extras }) => items.length === 0 && !moduleOf(extras))) return;
      const own = await findOwnListNamed(tx, owner_id, name);
      const id = own?.id ?? (await makeList(tx, { ownerId: owner_id, name, extras }));
      const { fresh } = await mergeIntoList(tx, { id, owner_id }, content);
      for (const { problem } of all)
        count(fresh.has(problem) ? 'new' : 'kept', () => `problem ${problem} in list ${name}`);
    },
  };
}
