/** The people of the sample: what they sent to judges, their lists, and their groups. */

import { judgeOf } from '../judges/addresses.ts';
import { dayMs } from '../practice/days.ts';
import { importList } from '../practice/lists.ts';
import { settleSubmissions } from '../practice/settling.ts';
import { following } from '../practice/solves.ts';
import { putGroupList } from '../store/group-lists.ts';
import { insertGroup, insertGroupMember } from '../store/groups.ts';
import { insertHandle, noteBrought } from '../store/handles.ts';
import type { Participation, SolvesTable } from '../store/judged-tables.ts';
import { findMembersByIds } from '../store/members.ts';
import { insertSolves } from '../store/solves.ts';
import type { Db } from '../store/tables.ts';
import { keyName } from './problems.ts';

const minuteMs = 60_000;
/**
 * All submissions to one problem: its key; when the last was sent, as days before today or, in a contest, its own time; and the
 * first letter of each verdict.
 */
export type Sent = readonly [
  key: string,
  at: number | string,
  verdicts: string,
  participation?: Participation | undefined,
];

const verdicts: Readonly<Record<string, readonly [SolvesTable['verdict_class'], Record<string, string>]>> = {
  A: ['solved', { codeforces: 'OK', atcoder: 'AC' }],
  W: ['tried', { codeforces: 'WRONG_ANSWER', atcoder: 'WA' }],
  T: ['tried', { codeforces: 'TIME_LIMIT_EXCEEDED', atcoder: 'TLE' }],
  R: ['tried', { codeforces: 'RUNTIME_ERROR', atcoder: 'RE' }],
};

type Ids = ReadonlyMap<string, bigint>;
type TimeOf = (deed: { days_ago: number }) => string;

/** Links a handle that no judge has, and keeps what was sent under it until now. */
export async function addSent(
  tx: Db,
  user_id: bigint,
  { source, all, ids, now }: { source: string; all: readonly Sent[]; ids: Ids; now: number },
): Promise<void> {
  const [member] = await findMembersByIds(tx, [user_id]);
  const linked_at = new Date(now - dayMs).toISOString();
  const name = `${member?.username}~sample`;
  const { id: handle_id } = await insertHandle(tx, { user_id, source, name, created_at: linked_at });
  await noteBrought(tx, handle_id, linked_at);
  const rows = all.flatMap(([key, at, letters, participation]): SolvesTable[] => {
    const last = typeof at === 'string' ? Date.parse(at) : now - at * dayMs;
    const problem_id = ids.get(keyName(source, key)) ?? null;
    const contest = judgeOf(source)?.placeOf?.(key)?.contest ?? null;
    const usual = contest === null ? null : 'practice';
    return [...letters].map((letter, place) => {
      const [verdict_class = 'tried', words] = verdicts[letter] ?? [];
      return {
        ...{ handle_id, submission_id: `${key}-${place}`, problem_id, key, verdict_class },
        verdict: words?.[source] ?? null,
        submitted_at: new Date(last - (letters.length - 1 - place) * 4 * minuteMs).toISOString(),
        ...{ contest, participation: participation ?? usual, language: 'C++20', way: 'file' },
      };
    });
  });
  // A contest may not have been held yet where a clock is behind.
  const past = rows.filter(({ submitted_at }) => Date.parse(submitted_at) <= now);
  await insertSolves(tx, past);
  const problemIds = [...new Set(past.flatMap(({ problem_id }) => problem_id ?? []))];
  await settleSubmissions(tx, user_id, problemIds, (current, said) => following(current, undefined, said));
}

export interface SampleList {
  owner: string;
  name: string;
  visibility: 'private' | 'garden';
  days_ago: number;
  sections: { name: string; items: [source: string, key: string, memo?: string][] }[];
}

/** Makes lists; answers their ids by their names. */
export async function addLists(
  tx: Db,
  lists: readonly SampleList[],
  { memberIds, ids, timeOf }: { memberIds: Ids; ids: Ids; timeOf: TimeOf },
): Promise<Ids> {
  const made = new Map<string, bigint>();
  for (const { owner, name, visibility, sections, ...ago } of lists) {
    const ownerId = memberIds.get(owner);
    if (ownerId === undefined) continue;
    const at = timeOf(ago);
    const content = sections.map((section) => ({
      name: section.name,
      items: section.items.map(([source, key, memo = null]) => {
        return { problem_id: ids.get(keyName(source, key)) ?? 0n, memo, added_at: at };
      }),
    }));
    const list = { ownerId, name, visibility, times: { created_at: at, updated_at: at } };
    made.set(name, await importList(tx, list, content));
  }
  return made;
}

export interface SampleGroup {
  name: string;
  coach: string;
  members: string[];
  on_board: string[];
  days_ago: number;
  lists: { list: string; days_ago: number; due_in: number }[];
}

/** Makes groups, to which lists are assigned that are due at the end of a day so many days from now. */
export async function addGroups(
  tx: Db,
  groups: readonly SampleGroup[],
  { memberIds, listIds, timeOf, now }: { memberIds: Ids; listIds: Ids; timeOf: TimeOf; now: number },
): Promise<void> {
  for (const { name, coach, members, on_board, lists, ...ago } of groups) {
    if (!memberIds.has(coach)) continue;
    const at = timeOf(ago);
    const has_board = on_board.length > 0 ? 1n : 0n;
    const group_id = await insertGroup(tx, { name, zone: 'UTC', has_board, created_at: at });
    for (const person of [coach, ...members]) {
      const user_id = memberIds.get(person);
      if (user_id === undefined) continue;
      const role = person === coach ? 'coach' : 'member';
      const own = { joined_at: at, on_board: on_board.includes(person) ? 1n : 0n } as const;
      await insertGroupMember(tx, { group_id, user_id, role, ...own });
    }
    for (const { list, due_in, ...given } of lists) {
      const due = (Math.floor(now / dayMs) + due_in + 1) * dayMs - minuteMs;
      await putGroupList(tx, {
        ...{ group_id, list_id: listIds.get(list) ?? 0n },
        ...{ due_at: new Date(due).toISOString(), given_at: timeOf(given) },
      });
    }
  }
}
