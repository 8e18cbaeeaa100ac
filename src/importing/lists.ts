/** Importing lists: rows with a whole list each, found again by member and moment, and any text with links. */

import { text as textOf } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readInstant } from '../contract/parameters.ts';
import { AppError, phrase, refused } from '../errors.ts';
import { asRow, type Entry } from '../files/entries.ts';
import { decoded } from '../files/utf8.ts';
import { type AddressedProblem, givenProblem, problemAt } from '../judges/addresses.ts';
import { badField, listOf, objectOf } from '../judges/fields.ts';
import { addAllowed, findHere, nameOf } from '../practice/added-problems.ts';
import { importFollow, type KeptFollow } from '../practice/following.ts';
import type { JudgePlaces } from '../practice/judge-places.ts';
import {
  changeContent,
  importList,
  limits,
  makeList,
  memoOf,
  mergeInto,
  showTo,
  tidyLine,
} from '../practice/lists.ts';
import { findOwnListNamed } from '../store/inbox.ts';
import { findListsMadeAt, readContent, type SectionContent, type Visibility } from '../store/lists.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Importer, Sink } from './import.ts';
import { type FoundLink, type FoundSection, linksAtMost, readListText } from './list-text.ts';
import { adopted } from './problems.ts';
import { type GivenMember, memberReferences } from './references.ts';

interface GivenList extends GivenMember {
  name?: string;
  visibility?: Visibility;
  content?: string | null;
  created_at?: string;
  updated_at?: string;
  follows?: string | null;
}

export function listSink(applying: Applying): Sink<GivenList> {
  const { tx, now, each, count, wrote } = applying;
  const links = linkedProblems(applying);

  /** The lists of rows before; another row of the same moment and another name is another list. */
  const taken = new Set<bigint>();

  async function take(ownerId: bigint, given: GivenList): Promise<void> {
    const { visibility, content, created_at, updated_at, follows } = given;
    const made = created_at === undefined ? [] : await findListsMadeAt(tx, ownerId, created_at);
    const found =
      made.find((one) => one.name === tidyLine(given.name ?? '')) ?? made.find(({ id }) => !taken.has(id));
    const name = tidyLine(given.name ?? found?.name ?? '');
    if (name === '') throw refused('badRow.listName');
    const before = found ? await readContent(tx, found.id) : [];
    const hasContent = !found || (content ?? null) !== null;
    const wanted = hasContent
      ? await links.resolve(ownerId, sectionsIn(content ?? '{}', applying), before)
      : before;
    const line = () => `list ${name}`;
    // A secret address is kept nowhere, so it does not come along.
    const shown = visibility === 'garden' ? 'garden' : 'private';
    const follow = async (id: bigint) =>
      follows !== undefined && importFollow(tx, { id, ownerId }, await followIn(tx, follows));
    if (!found) {
      const times = { created_at: created_at ?? now, updated_at: updated_at ?? now };
      const id = await asRow(importList(tx, { ownerId, name, visibility: shown, times }, wanted));
      taken.add(id);
      await asRow(follow(id));
      return count('new', line);
    }
    const own = { id: found.id, ownerId };
    taken.add(found.id);
    const isSeenAlike =
      visibility === undefined || visibility === 'secret' || found.visibility === visibility;
    const isSame =
      found.name === name && JSON.stringify(withoutIds(before)) === JSON.stringify(withoutIds(wanted));
    if (!isSeenAlike) await showTo(tx, own, shown);
    if (!isSame) await asRow(changeContent(tx, own, () => wanted, { name }));
    const hasChanged = (await asRow(follow(own.id))) || !isSeenAlike || !isSame;
    if (hasChanged) wrote();
    return count(hasChanged ? 'changed' : 'kept', line);
  }

  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      await each(entries, (given) => take(memberOf(given), given));
    },
    finish: async () => links.tell(),
  };
}

/** As JSON can say it. */
const withoutIds = (content: readonly SectionContent[]) =>
  content.map(({ name, items }) => [
    name,
    items.map(({ problem_id, memo, added_at }) => [String(problem_id), memo, added_at]),
  ]);

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

/** A problem of a list, by its name or its link. */
interface GivenItem {
  wanted: Named | AddressedProblem;
  memo: string | null;
  added_at: string | null;
}

interface GivenSection {
  name: string;
  items: GivenItem[];
}

/** The sections of a row. Throws badRow. */
function sectionsIn(content: string, { adding: { places } }: Applying): GivenSection[] {
  const { sections = [] } = objectOf(JSON.parse(content), 'content');
  return listOf(sections, 'sections').map((section) => {
    const { name, problems = [] } = objectOf(section, phrase('field.section'));
    const items = listOf(problems, 'problems').map((problem): GivenItem => {
      const given =
        typeof problem === 'string' ? { url: problem } : objectOf(problem, phrase('field.problem'));
      const { source, source_key: key, url, title, memo, added_at } = given as Record<string, unknown>;
      const isNamed = source !== undefined || key !== undefined;
      return {
        wanted: isNamed
          ? { source: textIn(source), key: textIn(key) }
          : { ...linked(textIn(url), places), ...(textIn(title) && { title: textIn(title) }) },
        memo: memoOf(textIn(memo)),
        added_at: instantIn(added_at, 'added_at'),
      };
    });
    return { name: tidyLine(textIn(name)), items };
  });
}

function linked(url: string, places: JudgePlaces): AddressedProblem {
  try {
    return givenProblem(url, places);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw refused('badRow.address', { url: url.slice(0, 100), why: error.said ?? error.message });
  }
}

function instantIn(value: unknown, name: string): string | null {
  if ((value ?? null) === null) return null;
  const at = readInstant(textIn(value));
  if (at === undefined) throw badField(name, value, phrase('expected.instant'));
  return at;
}

/** The address that a list follows, with those problems of it that are here. Throws badRow. */
async function followIn(tx: Db, follows: string | null): Promise<KeptFollow | null> {
  if (follows === null) return null;
  const { url, good_at, problems = [] } = objectOf(JSON.parse(follows), 'follows');
  const given = listOf(problems, 'problems').map((problem) => {
    const { source, source_key, came_at, is_gone } = objectOf(problem, phrase('field.problem'));
    const name = { source: textIn(source), key: textIn(source_key) };
    return { name, came_at: instantIn(came_at, 'came_at'), is_gone: is_gone === true ? 1n : 0n };
  });
  const names = given.map(({ name }) => name);
  const here = await findHere(tx, names);
  const seen = new Map(
    given.flatMap(({ name, ...one }) => {
      const id = here.get(nameOf(name))?.id;
      return id === undefined ? [] : [[id, { problem_id: id, ...one }]];
    }),
  );
  return { url: textIn(url), good_at: instantIn(good_at, 'good_at'), seen: [...seen.values()] };
}

/** Finds the problems of lists, or adds those of links where that was asked for. */
function linkedProblems(applying: Applying) {
  const { tx, now, note } = applying;
  const figures = { added: 0, left: 0 };
  return {
    /** The sections with the ids of their problems, and the times that the list has. Throws badRow for a name of none. */
    async resolve(
      ownerId: bigint,
      sections: readonly GivenSection[],
      before: readonly SectionContent[],
    ): Promise<SectionContent[]> {
      const held = new Map(before.flatMap(({ items }) => items.map((one) => [one.problem_id, one.added_at])));
      const all = sections.flatMap(({ items }) => items.map(({ wanted }) => wanted));
      const here = await findHere(tx, all);
      await adopted(applying, [...here.values()]);
      const ids = new Map([...here].map(([name, { id }]) => [name, id]));
      const missing = new Map(all.filter((one) => !ids.has(nameOf(one))).map((one) => [nameOf(one), one]));
      for (const { source, key } of [...missing.values()].filter((one) => !isAddressed(one)))
        throw refused('badRow.noProblem', { source: source.slice(0, 50), key: key.slice(0, 100) });
      const links = [...missing.values()].filter(isAddressed);
      const added = await addLinks(applying, ownerId, links);
      for (const [one, id] of added) {
        figures[id === undefined ? 'left' : 'added']++;
        if (id !== undefined) ids.set(nameOf(one), id);
      }
      return sections.map(({ name, items }) => ({
        name,
        items: items.flatMap(({ wanted, memo, added_at }) => {
          const problem_id = ids.get(nameOf(wanted));
          if (problem_id === undefined) return [];
          return { problem_id, memo, added_at: added_at ?? held.get(problem_id) ?? now };
        }),
      }));
    },
    tell: (): void => tellAdded(note, figures.added, figures.left),
  };
}

/** Adds the problems of links where that was asked for, and counts those that are left out. */
async function addLinks<L extends AddressedProblem>(
  { tx, adding, count }: Applying,
  ownerId: bigint,
  links: readonly L[],
): Promise<[L, bigint | undefined][]> {
  const added = adding.isAsked ? await addAllowed(tx, ownerId, links, adding.limits) : [];
  return links.map((one, at) => {
    const id = added[at]?.id;
    if (id === undefined) count('unmatched', () => `link ${one.url}`);
    return [one, id];
  });
}

/** Says how many problems were added, and how many were left out. */
function tellAdded(note: Applying['note'], added: number, left: number): void {
  if (added > 0) note(phrase('imported.added', { count: added }));
  if (left > 0) note(phrase('imported.leftOut', { count: left }));
}

/* Finds the problems that the links of a text name, and tells those that can be added from links that name none. */

type Named = Pick<AddressedProblem, 'source' | 'key'>;

const isAddressed = (one: Named | AddressedProblem): one is AddressedProblem => 'by' in one;

/** The names that each link has, of which the first that is here counts: by source and key, and by its address. */
type NamedLinks = Map<FoundLink, (Named | AddressedProblem)[]>;

/** A link of a text: its problem, or the one that it names and that can be added; with what the text says of it. */
export type FoundItem = { memo?: string | undefined; solvedAt?: string | undefined } & (
  | { problem: ProblemRow }
  | { wanted: AddressedProblem; line: number; title?: string | undefined }
);

export interface ReadList {
  sections: { name: string; items: FoundItem[] }[];
  /** The links that name no problem. */
  lost: Pick<FoundLink, 'line' | 'address'>[];
  /** How many links name a problem that stands further up already. */
  repeated: number;
  /** How many problems were left out because a list holds no more. */
  beyond: number;
}

/** Links that take a few milliseconds, after which others have their turn. */
const portion = 500;

/** `most` is how many problems are taken. */
export async function resolveLinks(
  db: Db,
  sections: readonly FoundSection[],
  places: JudgePlaces,
  most: number = limits.problems,
): Promise<ReadList> {
  const named: NamedLinks = new Map();
  for (const { links } of sections)
    for (const one of links) {
      const at = problemAt(one.address, places);
      named.set(
        one,
        [one.named, at].filter((one) => one !== undefined),
      );
      if (named.size % portion === 0) await nextTurn();
    }
  const known = await findHere(db, [...named.values()].flat());
  return gathered(sorted(sections, named, known, most));
}

/** Puts each link at its place in the sections. */
function sorted(
  sections: readonly FoundSection[],
  named: NamedLinks,
  known: ReadonlyMap<string, ProblemRow>,
  most: number,
): ReadList {
  const read: ReadList = { sections: [], lost: [], repeated: 0, beyond: 0 };
  /** The line where a problem or an address stood last: one link often has its address as its text. */
  const lines = new Map<string | bigint, number>();
  let held = 0;
  for (const { name, links } of sections) {
    const items: FoundItem[] = [];
    for (const link of links) {
      const { line, address, title, memo, solvedAt } = link;
      const all = named.get(link) ?? [];
      const at = all.find((one) => known.has(nameOf(one))) ?? all.at(-1);
      // Without http:// it may be any words with a stroke between them.
      if (!at && !/^https?:/i.test(address)) continue;
      const problem = at && known.get(nameOf(at));
      const wanted = !problem && at && isAddressed(at) ? at : undefined;
      const id = problem?.id ?? (wanted ? nameOf(wanted) : address);
      const before = lines.get(id);
      lines.set(id, line);
      if (before !== undefined) {
        if (problem && before !== line) read.repeated++;
      } else if (wanted) items.push({ wanted, line, title, memo, solvedAt });
      else if (!problem) read.lost.push({ line, address });
      else if (++held > most) read.beyond++;
      else items.push({ problem, memo, solvedAt });
    }
    if (items.length > 0) read.sections.push({ name, items });
  }
  return read;
}

/** Puts what stands below too many headings into the last section that a list may have. */
function gathered(read: ReadList): ReadList {
  const { sections } = read;
  const rest = sections.splice(limits.sections);
  sections.at(-1)?.items.push(...rest.flatMap(({ items }) => items));
  return read;
}

/* A list of one member from any text with links, as the page “New list” reads it. */

interface ListedLink {
  list: string;
  section: string;
  link: FoundLink;
}

/** `fileName` names a list whose text has no name for it. */
export function textListImporter(fileName: string): Importer {
  const ofFile = tidyLine(fileName.replace(/^.*[/\\]/, '').replace(/(?:\.problems)?\.[a-z]{1,5}$/i, ''));
  async function* read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry<ListedLink>[]> {
    const found = readListText((await textOf(decoded(bytes))).replaceAll('\0', ''));
    if (!found) throw refused('badFile.manyLinks', { most: linksAtMost });
    const list = found.title || ofFile || 'List';
    for (const { name: section, links } of found.sections)
      yield links.map((link) => ({
        place: () => ({ line: link.line, column: 1 }),
        value: { list, section, link },
      }));
  }
  return { read, start: textListSink } as Importer;
}

function textListSink(applying: Applying): Sink<ListedLink> {
  const { tx, member, adding, count, note } = applying;
  const given: ListedLink[] = [];
  return {
    take: async (entries) => {
      given.push(...entries.map(({ value }) => value));
    },
    finish: async () => {
      const ownerId = member?.id ?? 0n;
      const bySection = Map.groupBy(given, ({ section }) => section);
      const found = [...bySection].map(([name, some]) => ({ name, links: some.map(({ link }) => link) }));
      const { sections, lost, beyond } = await resolveLinks(tx, found, adding.places);
      const wanted = sections.flatMap(({ items }) => items.flatMap((one) => ('wanted' in one ? one : [])));
      for (const { address } of lost) count('unmatched', () => `link ${address}`);
      const titled = wanted.map(({ wanted, title }) => ({ ...wanted, title }));
      const added = await addLinks(applying, ownerId, titled);
      const ids = new Map(wanted.map((one, at) => [one, added[at]?.[1]]));
      const content = sections.map(({ name, items }) => ({
        name,
        items: items.flatMap((one) => {
          const problemId = 'problem' in one ? one.problem.id : ids.get(one);
          return problemId === undefined ? [] : { problemId, memo: one.memo };
        }),
      }));
      const left = added.filter(([, id]) => id === undefined).length;
      tellAdded(note, added.length - left, left);
      if (beyond > 0) note(phrase('imported.beyond', { count: beyond }));
      const name = given[0]?.list ?? '';
      const all = content.flatMap(({ items }) => items);
      if (all.length === 0) return;
      const { id } = (await findOwnListNamed(tx, ownerId, name)) ?? {
        id: await makeList(tx, { ownerId, name }),
      };
      const { fresh } = await mergeInto(tx, { id, ownerId }, content);
      for (const { problemId } of all)
        count(fresh.has(problemId) ? 'new' : 'kept', () => `problem ${problemId} in list ${name}`);
    },
  };
}
