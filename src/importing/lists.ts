/** Importing lists, by member and the moment when they were made; each row has a whole list. */
import { readInstant } from '../contract/times.ts';
import { asRow, badRow } from '../files/entries.ts';
import { badField, listOf, objectOf } from '../judges/fields.ts';
import { changeContent, importList, memoOf, showTo, tidyLine } from '../practice/lists.ts';
import { readContent, type SectionContent } from '../store/list-content.ts';
import { findListsMadeAt } from '../store/list-rows.ts';
import type { Visibility } from '../store/list-tables.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
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
