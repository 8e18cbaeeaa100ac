/** Changes that a form asks for in the order, the sections and the memos of a list, as one step. */
import type { SectionContent } from '../store/list-content.ts';
import { memoOf, tidyLine } from './lists.ts';

type Item = SectionContent['items'][number];

/** Numbers count from 1, as they stand in the form. What is not named stays. */
export interface ListEdits {
  memos?: ReadonlyMap<bigint, string>;
  remove?: ReadonlySet<bigint>;
  /** Where problems are to stand: in which section, and as which of it. */
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
