/**
 * Lists: sections of problems in an order, each with a memo. A list is so small that every change reads and writes it
 * as a whole.
 */
import { isSecret, newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { localizedError } from '../errors.ts';
import {
  changeList,
  countOwnLists,
  deleteList,
  findOwnList,
  findSecretList,
  insertList,
  type ListsTable,
  readContent,
  type SectionContent,
  type ShownList,
  type Visibility,
  writeContent,
} from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { State } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  type AddLimits,
  addAndListIds,
  addProblems,
  type IdOrProblemToAdd,
  type ProblemToAdd,
} from './added-problems.ts';
import { moduleOf, otherModulesOf, withOtherModules } from './courses.ts';
import { advanceStatus, type ProblemSelection, selectedIds } from './marks.ts';

export const limits = { lists: 200, problems: 1000, sections: 100, name: 200, memo: 200 } as const;
export const courseLimits = { problems: 4000, sections: 1000 } as const;

export const limitsOf = (sections: readonly Pick<SectionContent, 'extras'>[]) =>
  sections.some(({ extras }) => moduleOf(extras)) ? courseLimits : limits;

/** A module that went into another one would be lost. */
export const hasTooManyModules = (sections: readonly Pick<SectionContent, 'extras'>[]): boolean =>
  sections.length > courseLimits.sections && limitsOf(sections) === courseLimits;

/** In characters. Extras are the properties of a list file that the garden does not know. */
export const extrasAtMost = { list: 8192, section: 8192, part: 2048 } as const;

export function tidyLine(text: string, longest: number = limits.name): string {
  const visible = text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const line = visible.replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

export interface NewSection<Problem = IdOrProblemToAdd> extends Pick<SectionContent, 'extras'> {
  name: string;
  items: readonly ({ problem: Problem; memo?: string | null | undefined } & Pick<SectionContent, 'extras'>)[];
}

interface NewList {
  ownerId: bigint;
  name: string;
  visibility?: Exclude<Visibility, 'secret'>;
  extras?: string | null | undefined;
}

export type OwnList = Pick<ListsTable, 'id' | 'owner_id'>;

/**
 * Returns the id. An unknown id of a problem is left out, and a repeated problem stays where it came first. Throws
 * invalidValue.
 */
export const makeList = inTransaction(
  async (
    tx: Db,
    { content = [], ...list }: NewList & { content?: readonly NewSection[] },
    addLimits: AddLimits = { perDay: 0, total: 0 },
  ): Promise<bigint> => {
    const added_at = new Date().toISOString();
    const problems = content.flatMap(({ items }) => items.map(({ problem }) => problem));
    const ids = await addAndListIds(tx, list.ownerId, problems, addLimits);
    const existingIds = new Set((await findProblemsByIds(tx, [...new Set(ids)])).map(({ id }) => id));
    const idsInOrder = ids.values();
    const sections = content.map(({ items, ...section }) => ({
      ...section,
      items: items
        .map((item) => ({ ...item, problem: idsInOrder.next().value ?? 0n }))
        .filter(({ problem }) => existingIds.has(problem)),
    }));
    const times = { created_at: added_at, updated_at: added_at };
    return importList(
      tx,
      { ...list, times },
      contentOf(sections, () => added_at),
    );
  },
);

export const contentOf = (
  sections: readonly NewSection<bigint>[],
  addedAt: (id: bigint) => string,
): SectionContent[] =>
  sections.map(({ name, extras, items }) => ({
    name: tidyLine(name),
    extras,
    items: items.map(({ problem, memo, extras }) => {
      return { problem_id: problem, memo: memoOf(memo), added_at: addedAt(problem), extras };
    }),
  }));

/** Throws invalidValue. */
export async function importList(
  tx: Db,
  {
    ownerId: owner_id,
    name,
    visibility = 'private',
    extras = null,
    times,
  }: NewList & { times: { created_at: string; updated_at: string } },
  content: readonly SectionContent[],
): Promise<bigint> {
  if ((await countOwnLists(tx, owner_id)) >= limits.lists)
    throw localizedError('invalidValue.lists', { most: limits.lists });
  const whole = validContent(content);
  const id = await insertList(tx, {
    owner_id,
    name: validName(name),
    visibility,
    secret_digest: null,
    extras: validExtras(extras),
    ...times,
  });
  await writeContent(tx, id, whole);
  return id;
}

/** Throws preconditionFailed if the list has another version than `version`, unknownPath and invalidValue. */
export const changeContent = inTransaction(
  async (
    tx: Db,
    { id, owner_id }: OwnList,
    change: (content: SectionContent[]) => SectionContent[],
    edit: Partial<Pick<NewList, 'name' | 'extras'>> & { version?: bigint | undefined } = {},
  ): Promise<void> => {
    const { name, extras, version } = edit;
    const values = {
      ...(name !== undefined && { name: validName(name) }),
      ...(extras !== undefined && { extras: validExtras(extras) }),
    };
    if (!(await changeList(tx, { id, owner_id }, values, version))) {
      if (!(await findOwnList(tx, id, owner_id))) throw localizedError('unknownPath.list');
      throw localizedError('preconditionFailed.list');
    }
    await writeContent(tx, id, validContent(change(await readContent(tx, id))));
  },
);

/** Undefined if there are not as many problems as the page showed. Throws invalidValue. */
export const addToList = inTransaction(
  async (
    tx: Db,
    owner_id: bigint,
    target: { id: bigint } | { name: string },
    selection: ProblemSelection,
  ) => {
    const ids = await selectedIds(tx, selection);
    if (!ids) return undefined;
    const id = 'id' in target ? target.id : await makeList(tx, { ownerId: owner_id, ...target });
    await changeContent(tx, { id, owner_id }, (content) => withProblems(content, ids));
    return id;
  },
);

/** At the end of the section with this name, or of a new one; without a name, of the last one. */
export function withProblemIn(
  content: readonly SectionContent[],
  problem_id: bigint,
  { section, memo }: { section?: string | undefined; memo?: string | undefined },
): SectionContent[] {
  const item = { problem_id, memo: memoOf(memo), added_at: new Date().toISOString() };
  const name = section === undefined ? (content.at(-1)?.name ?? '') : tidyLine(section);
  const at = content.findLastIndex((one) => one.name === name);
  if (at < 0) return [...content, { name, items: [item] }];
  return content.map((one, index) =>
    index === at ? Object.assign({}, one, { items: [...one.items, item] }) : one,
  );
}

export function withProblems(content: readonly SectionContent[], ids: readonly bigint[]): SectionContent[] {
  const added_at = new Date().toISOString();
  const existing = idsIn(content);
  const newItems = ids
    .filter((id) => !existing.has(id))
    .map((problem_id) => ({ problem_id, memo: null, added_at }));
  const last = content.at(-1) ?? { name: '', items: [] };
  return [...content.slice(0, -1), { ...last, items: [...last.items, ...newItems] }];
}

export const idsIn = (content: readonly SectionContent[]): Set<bigint> =>
  new Set(content.flatMap(({ items }) => items.map(({ problem_id }) => problem_id)));

/** A problem that exists takes only a status that moves it forward. Throws invalidValue. */
export const addProblem = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    problem: ProblemToAdd,
    { list, status }: { list?: { id: bigint } | undefined; status?: State | undefined },
    addLimits: AddLimits,
  ) => {
    const [added] = await addProblems(tx, memberId, [problem], addLimits);
    const { id, isNew } = added as { id: bigint; isNew: boolean };
    if (list) await addToList(tx, memberId, list, { ids: [id] });
    const isMarked = (await advanceStatus(tx, memberId, id, { status })) !== null;
    return { id, isNew, isMarked };
  },
);

/**
 * Adds as many problems as fit. `contained` is all that the list has then, and `fresh` what is new in it. Throws
 * unknownPath.
 */
export async function mergeIntoList(
  tx: Db,
  own: OwnList,
  sections: readonly NewSection<bigint>[],
  accepts: (id: bigint) => boolean = () => true,
): Promise<{ contained: ReadonlySet<bigint>; fresh: ReadonlySet<bigint> }> {
  const added_at = new Date().toISOString();
  const content = (await readContent(tx, own.id)).map((one) => ({ ...one, items: [...one.items] }));
  const contained = idsIn(content);
  const places = new Map(content.flatMap((one) => one.items.map((item) => [item.problem_id, { one, item }])));
  const fresh = new Set<bigint>();
  const most = limitsOf([...content, ...sections]);
  const byModule = new Map(content.map((one) => [moduleOf(one.extras)?.id, one]));
  const comingModules = new Set(sections.flatMap(({ extras }) => moduleOf(extras)?.id ?? []));
  let hasNewModules = false;
  for (const { name: sectionName, items, extras } of sections) {
    const name = tidyLine(sectionName);
    const id = moduleOf(extras)?.id;
    const namesakes = content.filter((one) => one.name === name);
    // What has the title of a new module, but no id that is still in use, is that module.
    let target =
      id === undefined
        ? namesakes[0]
        : (byModule.get(id) ?? namesakes.find((one) => !comingModules.has(moduleOf(one.extras)?.id ?? '')));
    const addSection = () => {
      if (target || content.length >= most.sections) return;
      target = { name, extras, items: [] };
      content.push(target);
    };
    if (id !== undefined && target?.extras !== extras) {
      addSection();
      if (target) {
        target.extras = extras;
        byModule.set(id, target);
      }
      hasNewModules = true;
    }
    for (const { problem, memo, extras: itemExtras } of items) {
      const place = places.get(problem);
      if (place && id !== undefined) {
        const kept = otherModulesOf(place.item.extras).filter((one) => !comingModules.has(one));
        const also = [...kept, id, ...otherModulesOf(itemExtras)].filter(
          (one) => byModule.get(one) !== place.one,
        );
        const members = withOtherModules(place.item.extras, also) ?? null;
        hasNewModules ||= members !== (place.item.extras ?? null);
        place.item.extras = members;
      }
      if (contained.has(problem) || !accepts(problem) || contained.size >= most.problems) continue;
      addSection();
      const item = { problem_id: problem, memo: memoOf(memo), added_at, extras: itemExtras };
      (target ?? content.at(-1))?.items.push(item);
      contained.add(problem);
      fresh.add(problem);
    }
  }
  if (fresh.size > 0 || hasNewModules) await changeContent(tx, own, () => content);
  return { contained, fresh };
}

/** Throws invalidValue. */
export function validName(text: string): string {
  const name = tidyLine(text);
  if (name === '') throw localizedError('invalidValue.listName');
  return name;
}

export function memoOf(text: string | null | undefined): string | null {
  return tidyLine(text ?? '', limits.memo) || null;
}

function validExtras(extras: string | null | undefined, most: number = extrasAtMost.list): string | null {
  if (extras && extras.length > most) throw localizedError('invalidValue.listExtras', { most });
  return extras ?? null;
}

/** Throws invalidValue. */
export function validContent(content: readonly SectionContent[]): SectionContent[] {
  const ids = new Set<bigint>();
  const most = limitsOf(content);
  for (const { extras, items } of content) {
    validExtras(extras, extrasAtMost.section);
    for (const item of items) validExtras(item.extras, extrasAtMost.part);
  }
  const distinct = content.map(({ items, ...section }) => ({
    ...section,
    items: items.filter(({ problem_id }) => ids.size !== ids.add(problem_id).size),
  }));
  if (ids.size > most.problems)
    throw localizedError('invalidValue.listProblems', { most: most.problems, count: ids.size });
  if (distinct.length > most.sections)
    throw localizedError('invalidValue.listSections', { most: most.sections, count: distinct.length });
  return distinct;
}

/** A former secret address ends. Returns the secret of a list that is secret now. */
export const setVisibility = inTransaction(async (tx: Db, own: OwnList, visibility: Visibility) => {
  const secret = visibility === 'secret' ? newSecret() : undefined;
  const values = { visibility, secret_digest: secret === undefined ? null : secretDigest(secret) };
  return (await changeList(tx, own, values)) ? secret : undefined;
});

export const removeList = inTransaction(deleteList);

export async function findSharedList(
  db: Db,
  secret: string,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  return isSecret(secret) ? findSecretList(db, secretDigest(secret), memberId) : undefined;
}

/* Edits of a list by a form. */

type Item = SectionContent['items'][number];

/** Numbers count from 1. What is missing, undefined or null stays as it is. */
export interface ListEdits {
  items: readonly {
    id: bigint;
    section: number | undefined;
    place: number | undefined;
    memo: string | null;
  }[];
  remove: ReadonlySet<bigint>;
  move: { id: bigint; offset: -1 | 1 } | undefined;
  sections: readonly { name: string | null; place: number; isRemoved: boolean }[];
  newSection: string;
}

export function applyEdits(content: readonly SectionContent[], edits: ListEdits): SectionContent[] {
  const { remove, move, sections, newSection } = edits;
  const byId = new Map(edits.items.map((one) => [one.id, one]));
  const itemsBySection = content.map(({ items }) =>
    items
      .filter(({ problem_id }) => !remove.has(problem_id))
      .map((item) => {
        const memo = byId.get(item.problem_id)?.memo ?? null;
        return memo === null ? item : { ...item, memo: memoOf(memo) };
      }),
  );
  moveItems(itemsBySection, byId);
  if (move) moveByOne(itemsBySection, move);
  // A section with a new number goes before the one that has it, or behind it if it comes from above.
  const rank = (place: number, at: number) => (place === at ? at : place + (place > at ? 0.5 : -0.5));
  const ordered = content
    .map(({ name, extras }, index) => {
      const { name: newName = null, place = index + 1, isRemoved = false } = sections[index] ?? {};
      const items = itemsBySection[index] ?? [];
      return {
        name: tidyLine(newName ?? name),
        extras,
        isRemoved,
        items,
        rank: rank(place, index + 1),
      };
    })
    .sort((one, other) => one.rank - other.rank);
  const result: (SectionContent & { items: Item[] })[] = [];
  let orphans: Item[] = [];
  for (const { name, extras, items, isRemoved } of ordered) {
    const last = result.at(-1);
    if (!isRemoved) {
      result.push({ name, extras, items: [...orphans, ...items] });
      orphans = [];
    } else if (last) last.items.push(...items);
    else orphans.push(...items);
  }
  if (orphans.length > 0) result.push({ name: '', items: orphans });
  if (tidyLine(newSection) !== '') result.push({ name: tidyLine(newSection), items: [] });
  return result;
}

/** All that moves is taken out first, and then inserted from the top down. */
function moveItems(
  itemsBySection: Item[][],
  places: ReadonlyMap<bigint, { section: number | undefined; place: number | undefined }>,
): void {
  const moved: { item: Item; section: number; place: number }[] = [];
  const remaining = itemsBySection.map((items, sectionIndex) =>
    items.filter((item, index) => {
      const { section, place } = places.get(item.problem_id) ?? {};
      if (section === undefined || place === undefined) return true;
      if (section === sectionIndex + 1 && place === index + 1) return true;
      moved.push({ item, section, place });
      return false;
    }),
  );
  moved.sort((one, other) => one.place - other.place);
  for (const { item, section, place } of moved) {
    const target = remaining[Math.min(Math.max(section, 1), remaining.length) - 1];
    target?.splice(Math.max(place, 1) - 1, 0, item);
  }
  itemsBySection.splice(0, itemsBySection.length, ...remaining);
}

function moveByOne(itemsBySection: Item[][], { id, offset }: NonNullable<ListEdits['move']>): void {
  const sectionIndex = itemsBySection.findIndex((items) => items.some(({ problem_id }) => problem_id === id));
  const items = itemsBySection[sectionIndex] ?? [];
  const index = items.findIndex(({ problem_id }) => problem_id === id) + offset;
  const neighbour = itemsBySection[sectionIndex + offset];
  const isInside = index >= 0 && index < items.length;
  if (!isInside && !neighbour) return;
  const to = isInside
    ? { section: sectionIndex + 1, place: index + 1 }
    : { section: sectionIndex + 1 + offset, place: offset > 0 ? 1 : (neighbour?.length ?? 0) + 1 };
  moveItems(itemsBySection, new Map([[id, to]]));
}
