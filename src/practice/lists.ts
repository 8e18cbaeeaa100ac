/**
 * Lists: a name, sections, and problems in an order, each with a memo. Their owner changes them; who else sees them says their
 * visibility. A list is small enough to be written as a whole, so every change is one: read, change, write, under its version.
 */
import { isSecret, newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { AppError } from '../errors.ts';
import { readContent, type SectionContent, writeContent } from '../store/list-content.ts';
import type { Visibility } from '../store/list-tables.ts';
import {
  changeList,
  countOwnLists,
  findOwnList,
  findSecretList,
  insertList,
  type ShownList,
} from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';

export const limits = { lists: 200, problems: 1000, sections: 100, name: 200, memo: 200 } as const;

/** A name on one line, without what cannot be seen, and cut to the limit; empty where nothing is left. */
export function tidyLine(text: string, longest: number = limits.name): string {
  const seen = text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const line = seen.replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

export interface NewList {
  ownerId: bigint;
  name: string;
  visibility?: Exclude<Visibility, 'secret'>;
  content?: readonly { name: string; items: readonly { problemId: bigint; memo?: string | null }[] }[];
}

type ImportedList = Omit<NewList, 'content'> & { times: { created_at: string; updated_at: string } };

/** Makes a list and answers its id. A problem that comes twice stays where it came first. Throws badSetting. */
export async function makeList(
  tx: Db,
  { ownerId, name, visibility = 'private', content = [] }: NewList,
): Promise<bigint> {
  const at = new Date().toISOString();
  const sections = content.map(({ name, items }) => ({
    name: tidyLine(name),
    items: items.map(({ problemId, memo }) => ({ problem_id: problemId, memo: memoOf(memo), added_at: at })),
  }));
  return importList(tx, { ownerId, name, visibility, times: { created_at: at, updated_at: at } }, sections);
}

/** Makes a list that was made at other times, such as in another garden. Throws badSetting. */
export async function importList(
  tx: Db,
  { ownerId, name, visibility = 'private', times }: ImportedList,
  content: readonly SectionContent[],
): Promise<bigint> {
  if ((await countOwnLists(tx, ownerId)) >= limits.lists)
    throw new AppError(
      'badSetting',
      `You can have up to ${limits.lists} lists; delete one that you no longer need.`,
    );
  const whole = checked(content);
  const own = { owner_id: ownerId, name: nameOf(name), visibility, secret_digest: null };
  const id = await insertList(tx, { ...own, ...times });
  await writeContent(tx, id, whole);
  return id;
}

/** One list of its owner's. */
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
export async function changeContent(
  tx: Db,
  { id, ownerId }: OwnList,
  change: (content: SectionContent[]) => SectionContent[],
  { name, seen }: { name?: string | undefined; seen?: bigint | undefined } = {},
): Promise<void> {
  const values = name === undefined ? {} : { name: nameOf(name) };
  if (!(await changeList(tx, { id, owner_id: ownerId }, values, seen))) {
    if (await findOwnList(tx, id, ownerId)) throw new ListOvertaken();
    throw new AppError('unknownPath', 'This list no longer exists, or it isn’t yours.');
  }
  await writeContent(tx, id, checked(change(await readContent(tx, id))));
}

/** Adds problems at the end of the last section, and answers how many were new there. */
export async function addToList(tx: Db, list: OwnList, problemIds: readonly bigint[]): Promise<number> {
  const known = new Set((await findProblemsByIds(tx, problemIds)).map(({ id }) => id));
  const at = new Date().toISOString();
  let added = 0;
  await changeContent(tx, list, (content) => {
    const held = new Set(content.flatMap(({ items }) => items.map(({ problem_id }) => problem_id)));
    const fresh = [...new Set(problemIds)].filter((id) => known.has(id) && !held.has(id));
    added = fresh.length;
    const items = fresh.map((problem_id) => ({ problem_id, memo: null, added_at: at }));
    const last = content.at(-1) ?? { name: '', items: [] };
    return [...content.slice(0, -1), { ...last, items: [...last.items, ...items] }];
  });
  return added;
}

function nameOf(text: string): string {
  const name = tidyLine(text);
  if (name === '') throw new AppError('badSetting', 'Enter a name for the list.');
  return name;
}

/** A memo as it is stored; null for none. */
export function memoOf(text: string | null | undefined): string | null {
  return tidyLine(text ?? '', limits.memo) || null;
}

/** What may be written: each problem once, and no more than a list holds. Throws badSetting. */
function checked(content: readonly SectionContent[]): SectionContent[] {
  const held = new Set<bigint>();
  const once = content.map(({ name, items }) => ({
    name,
    items: items.filter(({ problem_id }) => held.size !== held.add(problem_id).size),
  }));
  if (held.size > limits.problems)
    throw new AppError(
      'badSetting',
      `A list can have up to ${limits.problems} problems, and this would be ${held.size}; create a second list.`,
    );
  if (once.length > limits.sections)
    throw new AppError(
      'badSetting',
      `A list can have up to ${limits.sections} sections, and this would be ${once.length}; remove some.`,
    );
  return once;
}

/** Says who sees a list; a former secret address ends. */
export async function showTo(
  tx: Db,
  { id, ownerId }: OwnList,
  visibility: Exclude<Visibility, 'secret'>,
): Promise<boolean> {
  return changeList(tx, { id, owner_id: ownerId }, { visibility, secret_digest: null });
}

/** Puts a list behind a new secret address and answers what stands in it; a former one ends. */
export async function shareList(tx: Db, { id, ownerId }: OwnList): Promise<string | undefined> {
  const secret = newSecret();
  const values = { visibility: 'secret', secret_digest: secretDigest(secret) } as const;
  return (await changeList(tx, { id, owner_id: ownerId }, values)) ? secret : undefined;
}

/** The list behind a secret address, with the progress of this member. */
export async function findShared(
  db: Db,
  secret: string,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  return isSecret(secret) ? findSecretList(db, secretDigest(secret), memberId) : undefined;
}
