/**
 * Lists: a name, sections, and problems in an order, each with a memo. Their owner changes them; who else sees them says their
 * visibility. A list is small enough to be written as a whole, so every change is one: read, change, write, under its version.
 */
import { isSecret, newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { AppError, refused } from '../errors.ts';
import {
  changeList,
  countOwnLists,
  deleteList,
  findOwnList,
  findSecretList,
  insertList,
  readContent,
  type SectionContent,
  type ShownList,
  type Visibility,
  writeContent,
} from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type Chosen, idsOfChosen } from './marks.ts';

export const limits = { lists: 200, problems: 1000, sections: 100, name: 200, memo: 200 } as const;

/** A name on one line, without what cannot be seen, and cut to the limit; empty where nothing is left. */
export function tidyLine(text: string, longest: number = limits.name): string {
  const seen = text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const line = seen.replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

interface NewItem {
  problemId: bigint;
  memo?: string | null | undefined;
}

export interface NewSection {
  name: string;
  items: readonly NewItem[];
}

interface NewList {
  ownerId: bigint;
  name: string;
  visibility?: Exclude<Visibility, 'secret'>;
}

/**
 * Makes a list of problems by their ids and answers its own. An id of no problem is left out; a problem that comes twice stays where
 * it came first. Throws badSetting.
 */
export const makeList = inTransaction(
  async (
    tx: Db,
    { content = [], ...list }: NewList & { content?: readonly NewSection[] },
  ): Promise<bigint> => {
    const added_at = new Date().toISOString();
    const ids = content.flatMap(({ items }) => items.map(({ problemId }) => problemId));
    const known = new Set((await findProblemsByIds(tx, [...new Set(ids)])).map(({ id }) => id));
    const sections = content.map(({ name, items }) => ({
      name: tidyLine(name),
      items: items
        .filter(({ problemId }) => known.has(problemId))
        .map(({ problemId: problem_id, memo }) => ({ problem_id, memo: memoOf(memo), added_at })),
    }));
    return importList(tx, { ...list, times: { created_at: added_at, updated_at: added_at } }, sections);
  },
);

/** Makes a list that was made at other times, such as in another garden. Throws badSetting. */
export async function importList(
  tx: Db,
  {
    ownerId,
    name,
    visibility = 'private',
    times,
  }: NewList & { times: { created_at: string; updated_at: string } },
  content: readonly SectionContent[],
): Promise<bigint> {
  if ((await countOwnLists(tx, ownerId)) >= limits.lists)
    throw refused('badSetting.lists', { most: limits.lists });
  const whole = checked(content);
  const own = { owner_id: ownerId, name: nameOf(name), visibility, secret_digest: null };
  const id = await insertList(tx, { ...own, ...times });
  await writeContent(tx, id, whole);
  return id;
}

export interface OwnList {
  id: bigint;
  ownerId: bigint;
}

/** Thrown by a change that was made on an older version of the list than there is now. */
export class ListOvertaken extends AppError {
  constructor() {
    super(
      'preconditionFailed',
      'This list was changed in the meantime, and nothing was overwritten; reload the page.',
    );
  }
}

/**
 * Changes what a list has; `change` gets what it has now. Throws ListOvertaken if `seen` is not its version any more, notFound
 * without such a list of this owner, and badSetting.
 */
export const changeContent = inTransaction(
  async (
    tx: Db,
    { id, ownerId }: OwnList,
    change: (content: SectionContent[]) => SectionContent[],
    { name, seen }: { name?: string | undefined; seen?: bigint | undefined } = {},
  ): Promise<void> => {
    const values = name === undefined ? {} : { name: nameOf(name) };
    if (!(await changeList(tx, { id, owner_id: ownerId }, values, seen))) {
      if (await findOwnList(tx, id, ownerId)) throw new ListOvertaken();
      throw refused('unknownPath.list');
    }
    await writeContent(tx, id, checked(change(await readContent(tx, id))));
  },
);

/**
 * Adds problems at the end of a list of the member's, or to a new one of this name; answers its id. Undefined where there are
 * not as many as their page showed. Throws badSetting.
 */
export const addToList = inTransaction(
  async (tx: Db, ownerId: bigint, to: { id: bigint } | { name: string }, chosen: Chosen) => {
    const problemIds = await idsOfChosen(tx, chosen);
    if (!problemIds) return undefined;
    const id = 'id' in to ? to.id : await makeList(tx, { ownerId, ...to });
    await addAtEnd(tx, { id, ownerId }, problemIds);
    return id;
  },
);

async function addAtEnd(tx: Db, list: OwnList, problemIds: readonly bigint[]): Promise<void> {
  const at = new Date().toISOString();
  await changeContent(tx, list, (content) => {
    const held = new Set(content.flatMap(({ items }) => items.map(({ problem_id }) => problem_id)));
    const fresh = problemIds.filter((id) => !held.has(id));
    const items = fresh.map((problem_id) => ({ problem_id, memo: null, added_at: at }));
    const last = content.at(-1) ?? { name: '', items: [] };
    return [...content.slice(0, -1), { ...last, items: [...last.items, ...items] }];
  });
}

/**
 * Puts problems into the sections of the same name, as many as fit; answers which the list then has, and which of them are new in
 * it. Throws notFound without such a list of this owner.
 */
export async function mergeInto(
  tx: Db,
  own: OwnList,
  sections: readonly NewSection[],
  isWanted: (id: bigint) => boolean = () => true,
): Promise<{ held: ReadonlySet<bigint>; fresh: ReadonlySet<bigint> }> {
  const now = new Date().toISOString();
  const content = (await readContent(tx, own.id)).map(({ name, items }) => ({ name, items: [...items] }));
  const held = new Set(content.flatMap(({ items }) => items.map(({ problem_id }) => problem_id)));
  const fresh = new Set<bigint>();
  for (const { name: given, items } of sections) {
    const name = tidyLine(given);
    for (const { problemId, memo } of items) {
      if (held.has(problemId) || !isWanted(problemId) || held.size >= limits.problems) continue;
      let target = content.find((one) => one.name === name);
      if (!target && content.length < limits.sections) {
        target = { name, items: [] };
        content.push(target);
      }
      target ??= content.at(-1);
      target?.items.push({ problem_id: problemId, memo: memoOf(memo), added_at: now });
      held.add(problemId);
      fresh.add(problemId);
    }
  }
  if (fresh.size > 0) await changeContent(tx, own, () => content);
  return { held, fresh };
}

function nameOf(text: string): string {
  const name = tidyLine(text);
  if (name === '') throw refused('badSetting.listName');
  return name;
}

/** A memo as it is stored; null for none. */
export function memoOf(text: string | null | undefined): string | null {
  return tidyLine(text ?? '', limits.memo) || null;
}

/** The content that may be written: each problem once, and no more than a list holds. Throws badSetting. */
function checked(content: readonly SectionContent[]): SectionContent[] {
  const held = new Set<bigint>();
  const once = content.map(({ name, items }) => ({
    name,
    items: items.filter(({ problem_id }) => held.size !== held.add(problem_id).size),
  }));
  if (held.size > limits.problems)
    throw refused('badSetting.listProblems', { most: limits.problems, count: held.size });
  if (once.length > limits.sections)
    throw refused('badSetting.listSections', { most: limits.sections, count: once.length });
  return once;
}

/** Says who sees a list; a former secret address ends. */
export const showTo = inTransaction(
  async (tx: Db, { id, ownerId }: OwnList, visibility: Exclude<Visibility, 'secret'>): Promise<boolean> => {
    return changeList(tx, { id, owner_id: ownerId }, { visibility, secret_digest: null });
  },
);

/** Deletes a list of this owner's; answers whether there was one. */
export const removeList = inTransaction(deleteList);

/** Puts a list behind a new secret address and answers what stands in it; a former one ends. */
export const shareList = inTransaction(async (tx: Db, { id, ownerId }: OwnList) => {
  const secret = newSecret();
  const values = { visibility: 'secret', secret_digest: secretDigest(secret) } as const;
  return (await changeList(tx, { id, owner_id: ownerId }, values)) ? secret : undefined;
});

/** The list behind a secret address, with the progress of this member. */
export async function findShared(
  db: Db,
  secret: string,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  return isSecret(secret) ? findSecretList(db, secretDigest(secret), memberId) : undefined;
}

/* Changes that a form asks for in the order, the sections and the memos of a list, as one step. */

type Item = SectionContent['items'][number];

/** Numbers count from 1, as they stand in the form. What is not named stays. */
export interface ListEdits {
  memos?: ReadonlyMap<bigint, string>;
  remove?: ReadonlySet<bigint>;
  /** The places of problems: in which section, and as which of it. */
  places?: ReadonlyMap<bigint, { section: number; place: number }>;
  /** A problem to move by one place, past the ends of sections too. */
  move?: { id: bigint; by: -1 | 1 } | undefined;
  /** The sections of the form in their old order: their names, their new numbers, and whether they go. */
  sections?: readonly { name: string; place: number; isDropped: boolean }[];
  /** The name of a section to put at the end. */
  add?: string;
}

export function edited(content: readonly SectionContent[], edits: ListEdits): SectionContent[] {
  const { memos, remove, places, move, sections = [], add = '' } = edits;
  const lists = content.map(({ items }) =>
    items
      .filter(({ problem_id }) => !remove?.has(problem_id))
      .map((item) => {
        const memo = memos?.get(item.problem_id);
        return memo === undefined ? item : { ...item, memo: memoOf(memo) };
      }),
  );
  if (places) putInto(lists, places);
  if (move) moveByOne(lists, move);
  const named = content.map(({ name }, at) => {
    const { name: typed = name, place = at + 1, isDropped = false } = sections[at] ?? {};
    return { name: tidyLine(typed), place, isDropped, isMoved: place !== at + 1, items: lists[at] ?? [] };
  });
  // One that was given a number goes before the one that has it, or behind it where it comes from above.
  const ordered = named
    .map((section, at) => ({ ...section, at }))
    .sort((one, other) => rank(one) - rank(other) || one.at - other.at);
  const kept: { name: string; items: Item[] }[] = [];
  let homeless: Item[] = [];
  for (const { name, items, isDropped } of ordered) {
    const last = kept.at(-1);
    if (!isDropped) {
      kept.push({ name, items: [...homeless, ...items] });
      homeless = [];
    } else if (last) last.items.push(...items);
    else homeless.push(...items);
  }
  if (homeless.length > 0) kept.push({ name: '', items: homeless });
  if (tidyLine(add) !== '') kept.push({ name: tidyLine(add), items: [] });
  return kept;
}

const rank = ({ place, at, isMoved }: { place: number; at: number; isMoved: boolean }) =>
  isMoved ? place + (place > at + 1 ? 0.5 : -0.5) : at + 1;

/** Takes all that are to stand elsewhere out, and puts each where it is to stand, from the top down. */
function putInto(lists: Item[][], places: NonNullable<ListEdits['places']>): void {
  const moved: { item: Item; section: number; place: number }[] = [];
  const stays = lists.map((items, at) =>
    items.filter((item, index) => {
      const to = places.get(item.problem_id);
      if (!to || (to.section === at + 1 && to.place === index + 1)) return true;
      moved.push({ item, ...to });
      return false;
    }),
  );
  moved.sort((one, other) => one.place - other.place);
  for (const { item, section, place } of moved) {
    const target = stays[Math.min(Math.max(section, 1), stays.length) - 1];
    target?.splice(Math.max(place, 1) - 1, 0, item);
  }
  lists.splice(0, lists.length, ...stays);
}

function moveByOne(lists: Item[][], { id, by }: NonNullable<ListEdits['move']>): void {
  const section = lists.findIndex((items) => items.some(({ problem_id }) => problem_id === id));
  const items = lists[section];
  if (!items) return;
  const from = items.findIndex(({ problem_id }) => problem_id === id);
  const [item] = items.splice(from, 1);
  if (!item) return;
  const to = from + by;
  const next = lists[section + by];
  if (to >= 0 && to <= items.length) items.splice(to, 0, item);
  else if (!next) items.splice(from, 0, item);
  else if (by < 0) next.push(item);
  else next.unshift(item);
}
