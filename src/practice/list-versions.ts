/** Replaces a whole list, and brings back what it was before, which is stored as text for a limited time. */
import { hash } from 'node:crypto';
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { findOwnList, type ListsTable, readContent, type SectionContent } from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { trimListVersions } from '../store/program-writes.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { changeContent, contentOf, type NewSection, type OwnList, validContent, validName } from './lists.ts';

export const listVersions = { ofList: 20, storedMs: 7 * dayMs } as const;

/** JSON has no bigint. */
export const rowsOf = (content: readonly SectionContent[]) =>
  content.map(({ name, extras = null, items }) => [
    name,
    extras,
    items.map(({ problem_id, memo, added_at, extras = null }) => [
      String(problem_id),
      memo,
      added_at,
      extras,
    ]),
  ]);

type ContentRows = [
  name: string,
  extras: string | null,
  items: [id: string, memo: string | null, added_at: string, extras: string | null][],
][];

type ListTexts = Pick<ListsTable, 'name' | 'extras'>;

const textOf = ({ name, extras }: ListTexts, content: readonly SectionContent[]) =>
  JSON.stringify([name, extras, rowsOf(content)]);

/** Changes with everything of a list that a program can replace. */
export const digestOfList = async (db: Db, list: ListTexts & OwnList): Promise<string> =>
  hash('sha256', textOf(list, await readContent(db, list.id)));

export interface WholeList {
  name: string;
  extras?: string | null | undefined;
  content: readonly NewSection<bigint>[];
}

const hasItems = ({ items }: SectionContent) => items.length > 0;

/**
 * A problem that stays was added when it was before. Returns what the list was and the digest of what it is; undefined if
 * it was the same, apart from empty sections, which no file has. Throws invalidValue.
 */
export const replaceList = inTransaction(
  async (
    tx: Db,
    list: ListsTable,
    whole: WholeList,
  ): Promise<{ before: string; after: string } | undefined> => {
    const old = await readContent(tx, list.id);
    const times = new Map(
      old.flatMap(({ items }) => items.map(({ problem_id, added_at }) => [problem_id, added_at])),
    );
    const now = new Date();
    const content = validContent(contentOf(whole.content, (id) => times.get(id) ?? now.toISOString()));
    const texts = { name: validName(whole.name), extras: whole.extras ?? null };
    if (textOf(list, old.filter(hasItems)) === textOf(texts, content)) return undefined;
    await changeContent(tx, list, () => content, { ...texts, version: list.version });
    const since = new Date(now.getTime() - listVersions.storedMs).toISOString();
    // The version of now is the newest.
    await trimListVersions(tx, list.id, { since, most: listVersions.ofList - 1 });
    return { before: textOf(list, old), after: await digestOfList(tx, { ...list, ...texts }) };
  },
);

/** Throws preconditionFailed if the list has changed since it had the digest `after`, or is gone. */
export async function restoreList(tx: Db, memberId: bigint, id: bigint, before: string, after: string) {
  const list = await findOwnList(tx, id, memberId);
  if (!list || (await digestOfList(tx, list)) !== after) throw localizedError('preconditionFailed.list');
  const [name, extras, rows]: [string, string | null, ContentRows] = JSON.parse(before);
  const ids = rows.flatMap(([, , items]) => items.map(([one]) => BigInt(one)));
  const existing = new Set((await findProblemsByIds(tx, ids)).map((problem) => problem.id));
  const content = rows.map(([sectionName, sectionExtras, items]) => ({
    name: sectionName,
    extras: sectionExtras,
    items: items
      .map(([one, memo, added_at, extras]) => ({ problem_id: BigInt(one), memo, added_at, extras }))
      .filter(({ problem_id }) => existing.has(problem_id)),
  }));
  await changeContent(tx, list, () => content, { name, extras });
}
