/** The message of a webhook about an assignment on the morning before it is due, to a group or to one member. */
import { counted } from '../store/examination.ts';
import { listDueInGroup, listGivenTo } from '../store/group-lists.ts';
import { countDone, findGroup } from '../store/groups.ts';
import type { Db } from '../store/tables.ts';
import { mayBeTold } from './groups.ts';
import { dueFacts, type Message, moment, type Owner, plain, sentences } from './message-words.ts';
import type { DueOccasion } from './occasions.ts';

export async function groupDue(db: Db, owner: Owner, occasion: DueOccasion): Promise<Message | undefined> {
  const { id: groupId, rule, baseUrl, now } = owner;
  const group = await findGroup(db, groupId);
  if (!group || Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listDueInGroup(db, groupId, momentOf(occasion.dueAt), 100);
  const due = all.find(({ list_id }) => list_id === occasion.listId);
  if (!due) return undefined;
  const { people, done: solvers } = await countDone(db, groupId, due.list_id);
  const done = mayBeTold(people) ? solvers : null;
  const facts = dueFacts(baseUrl, groupId, due);
  const text = [
    `${plain(group.name)}: ${plain(due.name)} is due ${moment(due.due_at, rule.zone)}.`,
    done !== null ? `${done} of ${counted(people, 'member has', 'members have')} solved all problems.` : '',
    facts.url,
  ];
  return {
    type: 'group.due',
    text: sentences(text),
    data: { group: { id: String(groupId), name: group.name }, due: facts, members: people, done },
  };
}

export async function memberDue(db: Db, owner: Owner, occasion: DueOccasion): Promise<Message | undefined> {
  const { id: memberId, rule, baseUrl, now } = owner;
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listGivenTo(db, memberId, momentOf(occasion.dueAt));
  const due = all.find((one) => one.list_id === occasion.listId && one.group_id === occasion.groupId);
  if (!due || due.solved >= due.problems) return undefined;
  const facts = dueFacts(baseUrl, due.group_id, due);
  const text = [
    `${plain(due.name)} (${plain(due.group)}) is due ${moment(occasion.dueAt, rule.zone)}: you have solved ${due.solved} of ${due.problems}.`,
    facts.url,
  ];
  return {
    type: 'member.due',
    text: sentences(text),
    data: {
      group: { id: String(due.group_id), name: due.group },
      due: facts,
      ...{ problems: Number(due.problems), solved: Number(due.solved) },
    },
  };
}

/** The lists that are due at that very moment. */
const momentOf = (at: string) => ({ from: at, until: `${at}~` });
