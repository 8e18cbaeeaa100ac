/** What a webhook of a group says. It names people on the group's board alone, and counts the others. */
import { counted } from '../store/counted.ts';
import { listDueInGroup } from '../store/group-lists.ts';
import { countDone, listWeekOfGroup } from '../store/group-weeks.ts';
import { findGroup } from '../store/groups.ts';
import type { Db } from '../store/tables.ts';
import { dateOf } from './days.ts';
import {
  dueFacts,
  duesText,
  listsAtMost,
  type Message,
  moment,
  momentOf,
  type Place,
  plain,
  sentences,
  weekAhead,
  weekOf,
} from './message-words.ts';
import type { DueOccasion } from './occasions.ts';

const namedAtMost = 10;

export async function groupWeek(
  db: Db,
  groupId: bigint,
  monday: number,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const group = await findGroup(db, groupId);
  if (!group) return undefined;
  const people = await listWeekOfGroup(db, groupId, monday, monday + 6);
  const onBoard = people
    .flatMap(({ username, solved_first }) =>
      username === null ? [] : [{ username, first_solves: Number(solved_first ?? 0n) }],
    )
    .toSorted((a, b) => b.first_solves - a.first_solves || (a.username < b.username ? -1 : 1));
  const due = await listDueInGroup(db, groupId, weekAhead(now), listsAtMost);
  if (people.length + due.length === 0) return undefined;
  const board = onBoard
    .slice(0, namedAtMost)
    .map(({ username, first_solves }) => `${plain(username)} ${first_solves}`);
  const text = [
    `${plain(group.name)}, week of ${dateOf(monday)}${people.length > 0 ? `: ${counted(people.length, 'person', 'people')} practised` : ''}.`,
    board.length > 0 ? `Solved for the first time, of those on the board: ${board.join(', ')}.` : '',
    duesText(due, group.zone),
    `${baseUrl}/dashboard/groups/${groupId}/`,
  ];
  return {
    type: 'group.week',
    text: sentences(text),
    data: {
      group: { id: String(groupId), name: group.name },
      week: weekOf(monday),
      practised: people.length,
      board: onBoard,
      due: due.map((one) => dueFacts(baseUrl, groupId, one)),
    },
  };
}

export async function groupDue(
  db: Db,
  groupId: bigint,
  occasion: DueOccasion,
  zone: string,
  { baseUrl, now }: Place,
): Promise<Message | undefined> {
  const group = await findGroup(db, groupId);
  if (!group || Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listDueInGroup(db, groupId, momentOf(occasion.dueAt), 100);
  const due = all.find(({ list_id }) => list_id === occasion.listId);
  if (!due) return undefined;
  const { people, done } = await countDone(db, groupId, due.list_id);
  const facts = dueFacts(baseUrl, groupId, due);
  const text = [
    `${plain(group.name)}: ${plain(due.name)} is due ${moment(due.due_at, zone)}.`,
    people > 0 ? `${done} of ${counted(people, 'member has', 'members have')} solved all of it.` : '',
    facts.url,
  ];
  return {
    type: 'group.due',
    text: sentences(text),
    data: { group: { id: String(groupId), name: group.name }, due: facts, members: people, done },
  };
}
