/**
 * The problems that an archive needs: those that its other rows name. A garden adds the ones that it does not have, as their
 * member could add them by their links, and no others.
 */

import { nullable, text } from '../contract/common.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { phrase } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { type AddressedProblem, problemAt } from '../judges/addresses.ts';
import { judgeOf } from '../judges/judges.ts';
import { addAllowed, findHere, nameOf } from '../practice/added-problems.ts';
import { listNeededProblems, neededOrder } from '../store/problem-lists.ts';
import type { Applying, Sink } from './import.ts';
import type { OwnKind } from './own-kinds.ts';
import { type GivenMember, memberReferences } from './references.ts';

interface NeededProblem extends GivenMember {
  source?: string;
  source_key?: string;
  title?: string;
  url?: string | null;
}

const { source, source_key, title } = Problem.properties;

export const neededProblems: OwnKind = {
  fields: {
    properties: {
      username: UserRecord.properties.username,
      source,
      source_key,
      title,
      url: nullable(text('', '')),
    },
  },
  ids: {},
  start: neededSink,
  order: neededOrder,
  list: listNeededProblems,
};

function neededSink(applying: Applying): Sink<NeededProblem> {
  const { tx, each, count, note, adding } = applying;
  let beyond = 0;
  return {
    take: async (entries: readonly Located<NeededProblem>[]) => {
      const memberOf = await memberReferences(applying, entries);
      const rows = await each(entries, async (given) => ({
        ...{ member: memberOf(given), name: { source: given.source ?? '', key: given.source_key ?? '' } },
        ...{ title: given.title, url: given.url },
      }));
      const here = await findHere(
        tx,
        rows.map(({ value }) => value.name),
      );
      for (const [member, some] of Map.groupBy(rows, ({ value }) => value.member)) {
        const wanted: AddressedProblem[] = [];
        for (const { value } of some) {
          const line = () => `${value.name.source} ${value.name.key}`;
          if (here.has(nameOf(value.name))) count('kept', line);
          else {
            const named = addressed(value.name, value.url);
            if (named) wanted.push({ ...named, ...(value.title !== undefined && { title: value.title }) });
            else count('unmatched', line);
          }
        }
        const added = await addAllowed(tx, member, wanted, adding.limits);
        for (const [at, one] of added.entries()) {
          count(one ? 'new' : 'unmatched', () => `${wanted[at]?.source} ${wanted[at]?.key}`);
          if (!one) beyond++;
        }
      }
    },
    finish: async () => {
      const { perDay, inAll } = adding.limits;
      if (beyond === 0) return;
      note(phrase('imported.notAdded', { count: beyond, day: perDay, all: inAll }));
    },
  };

  /** The problem of this name, where its own address or that of its judge names it and nothing else does. */
  function addressed(
    name: { source: string; key: string },
    url: string | null | undefined,
  ): AddressedProblem | undefined {
    const pages = [url, judgeOf(name.source)?.problemPage?.(name.key, undefined)];
    return pages
      .flatMap((page) => (page == null ? [] : (problemAt(page, adding.places) ?? [])))
      .find((found) => nameOf(found) === nameOf(name));
  }
}
