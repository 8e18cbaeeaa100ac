/** Importing lists, by member and the moment when they were made; each row has a whole list. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { readInstant } from '../contract/parameters.ts';
import { asRow, badRow } from '../files/entries.ts';
import { type AddressedProblem, problemAt } from '../judges/addresses.ts';
import { badField, listOf, objectOf } from '../judges/fields.ts';
import { findHere, nameOf } from '../practice/added-problems.ts';
import type { JudgePlaces } from '../practice/judge-places.ts';
import { changeContent, importList, limits, memoOf, showTo, tidyLine } from '../practice/lists.ts';
import { findListsMadeAt, readContent, type SectionContent, type Visibility } from '../store/lists.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import type { FoundLink, FoundSection } from './list-text.ts';
import { findByKeys, keyName } from './problems.ts';
import { type GivenMember, memberReferences } from './references.ts';

interface GivenList extends GivenMember {
  name?: string;
  visibility?: Visibility;
  content?: string | null;
  created_at?: string;
  updated_at?: string;
}

export function listSink(applying: Applying): Sink<GivenList> {
  const { tx, now, each, count, wrote } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      await each(
        entries,
        async ({ name = '', visibility = 'private', content, created_at = now, updated_at, ...member }) => {
          const ownerId = memberOf(member);
          if (tidyLine(name) === '') throw badRow('name is missing; a list needs one.');
          const wanted = await contentOf(tx, content ?? '{}', now);
          const made = await findListsMadeAt(tx, ownerId, created_at);
          const found = made.find((one) => one.name === tidyLine(name)) ?? made[0];
          const line = () => `list ${tidyLine(name)}`;
          // A secret address is kept nowhere, so it does not come along.
          const shown = visibility === 'garden' ? 'garden' : 'private';
          if (!found) {
            const times = { created_at, updated_at: updated_at ?? now };
            await asRow(importList(tx, { ownerId, name, visibility: shown, times }, wanted));
            return count('new', line);
          }
          const own = { id: found.id, ownerId };
          const isSeenAlike = visibility === 'secret' || found.visibility === visibility;
          const isSame =
            found.name === tidyLine(name) &&
            JSON.stringify(withoutIds(await readContent(tx, found.id))) ===
              JSON.stringify(withoutIds(wanted));
          if (!isSeenAlike) await showTo(tx, own, shown);
          if (!isSame) await asRow(changeContent(tx, own, () => wanted, { name }));
          if (!isSeenAlike || !isSame) wrote();
          return count(isSeenAlike && isSame ? 'kept' : 'changed', line);
        },
      );
    },
  };
}

/** As JSON can say it. */
const withoutIds = (content: readonly SectionContent[]) =>
  content.map(({ name, items }) => [
    name,
    items.map(({ problem_id, memo, added_at }) => [String(problem_id), memo, added_at]),
  ]);

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

/** The sections of a row with the ids of their problems. Throws badRow. */
async function contentOf(tx: Db, text: string, now: string): Promise<SectionContent[]> {
  const { sections = [] } = objectOf(JSON.parse(text), 'content');
  const given = listOf(sections, 'sections').map((section) => {
    const { name, problems = [] } = objectOf(section, 'A section');
    const items = listOf(problems, 'problems').map((problem) => {
      const { source, source_key, memo, added_at } = objectOf(problem, 'A problem');
      const at = (added_at ?? null) === null ? now : readInstant(textIn(added_at));
      if (at === undefined) throw badField('added_at', added_at, 'an RFC 3339 time');
      return {
        ...{ source: textIn(source), key: textIn(source_key), memo: memoOf(textIn(memo)) },
        added_at: at,
      };
    });
    return { name: tidyLine(textIn(name)), items };
  });
  const ids = new Map<string, bigint>();
  const all = given.flatMap(({ items }) => items);
  for (const [source, some] of Map.groupBy(all, ({ source }) => source)) {
    const keys = [...new Set(some.map(({ key }) => key))];
    for (const { key, id } of await findByKeys(tx, source, keys)) ids.set(keyName(source, key), id);
  }
  return given.map(({ name, items }) => ({
    name,
    items: items.map(({ source, key, memo, added_at }) => {
      const problem_id = ids.get(keyName(source, key));
      if (problem_id === undefined)
        throw badRow(
          `no problem of ${source.slice(0, 50)} has the key ${key.slice(0, 100)}; import problems first.`,
        );
      return { problem_id, memo, added_at };
    }),
  }));
}

/* Finds the problems that the links of a text name, and tells those that can be added from links that name none. */

type Named = Pick<AddressedProblem, 'source' | 'key'>;

const isAddressed = (one: Named | AddressedProblem): one is AddressedProblem => 'by' in one;

/** The names that each link has, of which the first that is here counts: by source and key, and by its address. */
type NamedLinks = Map<FoundLink, (Named | AddressedProblem)[]>;

/** A link of a text: its problem, or the one that it names and that can be added; with what the text says of it. */
export type FoundItem = { memo?: string | undefined } & (
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
      const { line, address, title, memo } = link;
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
      } else if (wanted) items.push({ wanted, line, title, memo });
      else if (!problem) read.lost.push({ line, address });
      else if (++held > most) read.beyond++;
      else items.push({ problem, memo });
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
