/** Importing a list of one member from any text with links, as the page “New list” reads it. */
import { text as textOf } from 'node:stream/consumers';
import { phrase, refused } from '../errors.ts';
import type { Entry } from '../files/entries.ts';
import { decoded } from '../files/utf8.ts';
import { addAllowed } from '../practice/added-problems.ts';
import { makeList, mergeInto, tidyLine } from '../practice/lists.ts';
import { findOwnListNamed } from '../store/inbox.ts';
import type { Applying, Importer, Sink } from './import.ts';
import { type FoundLink, linksAtMost, readListText } from './list-text.ts';
import { leftOut, resolveLinks } from './lists.ts';

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

function textListSink({ tx, member, adding, count, note }: Applying): Sink<ListedLink> {
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
      const titled = wanted.map(({ wanted, title }) => ({ ...wanted, title }));
      const added = adding.isAsked ? await addAllowed(tx, ownerId, titled, adding.limits) : [];
      const ids = new Map(wanted.map((one, at) => [one, added[at]?.id]));
      const content = sections.map(({ name, items }) => ({
        name,
        items: items.flatMap((one) => {
          const problemId = 'problem' in one ? one.problem.id : ids.get(one);
          return problemId === undefined ? [] : { problemId, memo: one.memo };
        }),
      }));
      const left = wanted.filter((one) => ids.get(one) === undefined).map(({ wanted: { url } }) => url);
      for (const link of [...lost.map(({ address }) => address), ...left])
        count('unmatched', () => `link ${link}`);
      tell(wanted.length - left.length, left.length, beyond);
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

  function tell(added: number, left: number, beyond: number): void {
    if (added > 0) note(phrase('imported.added', { count: added }));
    if (left > 0) note(leftOut(left));
    if (beyond > 0) note(phrase('imported.beyond', { count: beyond }));
  }
}
