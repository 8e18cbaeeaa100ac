/**
 * The text of a message to a webhook. It is made anew for each try, so that nobody is named who has left the board meanwhile. Who
 * reads it is not known, so no note is read here.
 */
import { findGroup } from '../store/groups.ts';
import { findMembersByIds } from '../store/members.ts';
import type { Db } from '../store/tables.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { groupDue, memberDue } from './due-messages.ts';
import { type Message, type Place, plain } from './message-words.ts';
import { dayRuleOfWebhook, type Occasion } from './occasions.ts';
import { groupWeek, memberWeek } from './week-messages.ts';

/** Discord takes 2,000 characters. */
const longestText = 1900;

/**
 * Undefined where there is nothing to say: a quiet week without assignments, a list that was taken back, a member who is shut out,
 * a kind of message that is not wanted any more.
 */
export async function messageFor(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: Place,
): Promise<Message | undefined> {
  if (!isWanted(hook, occasion)) return undefined;
  if (hook.user_id !== null) {
    const [member] = await findMembersByIds(db, [hook.user_id]);
    if (!member || member.is_disabled === 1n) return undefined;
  }
  const message = await make(db, hook, occasion, place);
  return message && { ...message, text: message.text.slice(0, longestText) };
}

function isWanted({ sends_weeks, sends_dues }: WebhooksTable, { kind }: Occasion): boolean {
  if (kind === 'test') return true;
  return (kind === 'week' ? sends_weeks : sends_dues) === 1n;
}

async function make(
  db: Db,
  hook: WebhooksTable,
  occasion: Occasion,
  place: Place,
): Promise<Message | undefined> {
  const { group_id, user_id } = hook;
  if (occasion.kind === 'test') return test(db, hook, place);
  const id = group_id ?? user_id;
  if (id === null) return undefined;
  const owner = { ...place, id, rule: await dayRuleOfWebhook(db, hook) };
  if (occasion.kind === 'due') return (group_id === null ? memberDue : groupDue)(db, owner, occasion);
  return (group_id === null ? memberWeek : groupWeek)(db, owner, occasion.first);
}

async function test(db: Db, { group_id }: WebhooksTable, { baseUrl }: Place): Promise<Message | undefined> {
  if (group_id === null) {
    const text = `This is a test of your reminders from Practice Garden, ${baseUrl}/`;
    return { type: 'test', text, data: {} };
  }
  const group = await findGroup(db, group_id);
  if (!group) return undefined;
  const text = `This is a test of the reminders of ${plain(group.name)} from Practice Garden, ${baseUrl}/`;
  return { type: 'test', text, data: { group: { id: String(group.id), name: group.name } } };
}
