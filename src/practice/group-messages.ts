/**
 * The messages to the chat of a group: an assignment on the morning before it is due, contests on their morning, the
 * week and the season. They name only people on the board and count the others.
 */
import { listDueInGroup } from '../store/assignments.ts';
import {
  type BoardPerson,
  countListFinishers,
  findGroup,
  type GroupsTable,
  listBoardPeople,
} from '../store/groups.ts';
import { listSourcesOfGroup } from '../store/handles.ts';
import { findSeason } from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import type { UpcomingContestsTable } from '../store/upcoming.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { translate } from '../words/catalogue.ts';
import { readActivity } from './activity.ts';
import { daysOf } from './days.ts';
import { isLargeEnoughToPublish } from './groups.ts';
import {
  chatSafe,
  chosenLanguage,
  type DueOccasion,
  dayText,
  dueFacts,
  duesText,
  exactMoment,
  type GroupRecipient,
  joinWithCommas,
  listsAtMost,
  type MessageContext,
  type MessageDraft,
  momentText,
  morningHour,
  type Occasion,
  staleText,
  weekAhead,
  weekSpan,
} from './messages.ts';
import { dayRuleOf } from './preferences.ts';
import { readSeasonTable, type SeasonColumn } from './season-table.ts';
import { listContestsAhead } from './upcoming.ts';

const contestsAtMost = 10;
const boardPeopleAtMost = 10;
const leadersAtMost = 3;

export const findGroupOfWebhook = async (db: Db, { group_id }: WebhooksTable) =>
  group_id === null ? undefined : findGroup(db, group_id);
export const dayRuleOfGroup = (group: GroupsTable | undefined) => dayRuleOf(group?.zone, '0');

export async function messageToGroup(
  db: Db,
  webhook: WebhooksTable,
  occasion: Occasion,
  context: MessageContext,
): Promise<MessageDraft | undefined> {
  const group = await findGroupOfWebhook(db, webhook);
  if (!group || group.archived_at !== null) return undefined;
  const language = chosenLanguage(group.language, context);
  const recipient = { ...context, id: group.id, group, dayRule: dayRuleOfGroup(group), language };
  const draft = await draftForGroup(db, recipient, occasion);
  return draft && { ...draft, data: { group: { id: String(group.id), name: group.name }, ...draft.data } };
}

async function draftForGroup(
  db: Db,
  recipient: GroupRecipient,
  occasion: Occasion,
): Promise<MessageDraft | undefined> {
  const { language, baseUrl, group } = recipient;
  if (occasion.kind === 'contests') return draftContests(db, recipient, occasion.day);
  if (occasion.kind === 'due') return draftDue(db, recipient, occasion);
  if (occasion.kind === 'season') return draftSeason(db, recipient, occasion.first);
  if (occasion.kind === 'week') return draftWeek(db, recipient, occasion.first);
  const facts = { group: chatSafe(group.name), address: `${baseUrl}/` };
  return { type: 'test', text: [translate(language, 'reminder.testOf', facts)], data: {} };
}

async function draftDue(
  db: Db,
  recipient: GroupRecipient,
  occasion: DueOccasion,
): Promise<MessageDraft | undefined> {
  const { id: groupId, group, language, baseUrl, now } = recipient;
  if (Date.parse(occasion.dueAt) <= now) return undefined;
  const all = await listDueInGroup(db, groupId, exactMoment(occasion.dueAt), 100);
  const due = all.find(({ list_id }) => list_id === occasion.listId);
  if (!due) return undefined;
  const { people, done: solvers } = await countListFinishers(db, groupId, due.list_id);
  const done = isLargeEnoughToPublish(people) ? solvers : null;
  const facts = dueFacts(baseUrl, groupId, due);
  const text = [
    translate(language, 'reminder.groupDue', {
      group: chatSafe(group.name),
      list: chatSafe(due.name),
      when: momentText(due.due_at, recipient),
    }),
    done !== null ? translate(language, 'reminder.groupDone', { done, count: people }) : '',
    facts.url,
  ];
  return { type: 'group.due', text, data: { due: facts, members: people, done } };
}

async function draftContests(
  db: Db,
  recipient: GroupRecipient,
  day: number,
): Promise<MessageDraft | undefined> {
  const { id: groupId, group, dayRule: rule, language, baseUrl, now, judgeName } = recipient;
  const until = daysOf({ zone: rule.zone, startHour: morningHour }).start(day + 1);
  const contests = await listContestsOfGroup(db, groupId, { from: now, until });
  if (contests.length === 0) return undefined;
  const each = contests.map(({ title, source, starts_at }) =>
    translate(language, 'reminder.contest', {
      title: chatSafe(title),
      judge: chatSafe(judgeName(source)),
      when: momentText(starts_at, recipient),
    }),
  );
  const text = [
    translate(language, 'reminder.contests', { group: chatSafe(group.name), count: contests.length }),
    `${each.join('; ')}.`,
    `${baseUrl}/problem_list/contests/upcoming/`,
  ];
  const data = contests.map(({ source: judge, title, url, starts_at, duration_s }) => ({
    judge,
    title,
    url,
    starts_at,
    duration_s: Number(duration_s),
  }));
  return { type: 'group.contests', text, data: { contests: data } };
}

/** Contests of judges at which people of the group have handles. */
export async function listContestsOfGroup(
  db: Db,
  groupId: bigint,
  span: { from: number; until: number },
): Promise<UpcomingContestsTable[]> {
  const sources = await listSourcesOfGroup(db, groupId);
  const all = await listContestsAhead(db, { ...span, isSample: false });
  const isOfGroup = ({ source, starts_at, cancelled_at }: UpcomingContestsTable) =>
    cancelled_at === null && Date.parse(starts_at) > span.from && sources.includes(source);
  return all.filter(isOfGroup).slice(0, contestsAtMost);
}

/**
 * Whether a figure about these people may be published: a reader can subtract those on the board, which must not reveal
 * a few others.
 */
function mayPublish(people: readonly Pick<BoardPerson, 'on_board' | 'role'>[]): boolean {
  const unnamed = people.filter(({ on_board }) => on_board === 0n);
  // A coach who reads the message knows their own figure and does not count.
  const readers = unnamed.some(({ role }) => role === 'coach') ? 1 : 0;
  return unnamed.length === 0 || isLargeEnoughToPublish(unnamed.length - readers);
}

async function draftWeek(
  db: Db,
  recipient: GroupRecipient,
  firstDay: number,
): Promise<MessageDraft | undefined> {
  const { id: groupId, group, language, baseUrl, now } = recipient;
  const people = await listPeopleWhoPractised(db, groupId, firstDay);
  const onBoard = people
    .flatMap(({ person: { username, on_board }, first_solves }) =>
      on_board === 1n ? { username, first_solves } : [],
    )
    .toSorted((a, b) => b.first_solves - a.first_solves);
  const due = await listDueInGroup(db, groupId, weekAhead(now), listsAtMost);
  const everybody = await listBoardPeople(db, groupId);
  const practised = mayPublish(everybody) ? people.length : null;
  if ((practised ?? onBoard.length) + due.length === 0) return undefined;
  const boardNames = new Set(onBoard.map(({ username }) => username));
  const shownPeople = everybody.filter(({ username }) => practised !== null || boardNames.has(username));
  const stale = (await recipient.listStale(shownPeople.map(({ user_id }) => user_id))).map(
    ({ people, ...one }) =>
      people !== undefined && isLargeEnoughToPublish(people - 1) ? { ...one, people } : one,
  );
  const board = onBoard
    .slice(0, boardPeopleAtMost)
    .map(({ username, first_solves }) => `${chatSafe(username)} ${first_solves}`);
  const week = { group: chatSafe(group.name), day: dayText(firstDay, recipient) };
  const text = [
    practised
      ? translate(language, 'reminder.weekPractised', { ...week, count: practised })
      : translate(language, 'reminder.week', week),
    board.length > 0
      ? translate(language, 'reminder.board', { people: joinWithCommas(recipient, board) })
      : '',
    staleText(stale, recipient),
    duesText(due, recipient),
    `${baseUrl}/dashboard/groups/${groupId}/`,
  ];
  const dues = due.map((one) => dueFacts(baseUrl, groupId, one));
  const data = { week: weekSpan(firstDay), practised, board: onBoard, stale, due: dues };
  return { type: 'group.week', text, data };
}

/**
 * Contests of the week before and of the week to come, and the first of those who are on the board. Undefined if there
 * is no such contest.
 */
async function draftSeason(
  db: Db,
  recipient: GroupRecipient,
  firstDay: number,
): Promise<MessageDraft | undefined> {
  const { id: groupId, group, dayRule: rule, language, baseUrl, now, pointsOf } = recipient;
  const season = await findSeason(db, groupId);
  if (!season) return undefined;
  const table = await readSeasonTable(db, group, season, { now, isShown: () => true, pointsOf });
  const days = daysOf(rule);
  const [from, middle, until] = [firstDay, firstDay + 7, firstDay + 14].map((day) =>
    new Date(days.start(day)).toISOString(),
  );
  const between = (start = '', end = '') =>
    table.columns.filter(
      ({ startsAt, phase }) => (phase === 'held' || phase === 'ahead') && startsAt >= start && startsAt < end,
    );
  const [past, coming] = [between(from, middle), between(middle, until)];
  if (past.length + coming.length === 0) return undefined;
  const counted = mayPublish(table.rows.map(({ person }) => person))
    ? table.rows
    : table.rows.filter(({ person }) => person.on_board === 1n);
  const countLive = (column: SeasonColumn) => {
    const at = table.columns.indexOf(column);
    return counted.length === 0 && table.rows.length > 0
      ? null
      : counted.filter(({ cells }) => cells[at]?.participation === 'live').length;
  };
  const contests = past.map((column) => ({
    name: column.contest.title,
    at: column.startsAt,
    live: countLive(column),
  }));
  const next = coming.map(({ contest, startsAt }) => ({ name: contest.title, at: startsAt }));
  const leaders = table.rows
    .filter(({ person, total }) => person.on_board === 1n && total > 0)
    .slice(0, leadersAtMost)
    .map(({ person, total }) => ({ username: person.username, points: total / 2 }));
  const url = `${baseUrl}/dashboard/groups/${groupId}/season/`;
  const pastText = ({ name, live }: (typeof contests)[number]) =>
    live === null
      ? chatSafe(name)
      : translate(language, counted === table.rows ? 'reminder.live' : 'reminder.liveOnBoard', {
          contest: chatSafe(name),
          count: live,
        });
  const nextText = ({ name, at }: (typeof next)[number]) =>
    translate(language, 'reminder.at', { what: chatSafe(name), when: momentText(at, recipient) });
  const names = { group: chatSafe(group.name), season: chatSafe(season.name) };
  const text = [
    translate(language, 'reminder.season', { ...names, held: table.pastCount, count: table.contestCount }),
    contests.length > 0
      ? translate(language, 'reminder.lastWeek', {
          contests: joinWithCommas(recipient, contests.map(pastText)),
        })
      : '',
    next.length > 0
      ? translate(language, 'reminder.thisWeek', { contests: joinWithCommas(recipient, next.map(nextText)) })
      : '',
    leaders.length > 0
      ? translate(language, 'reminder.leaders', {
          people: joinWithCommas(
            recipient,
            leaders.map(({ username, points }) => `${chatSafe(username)} ${points}`),
          ),
        })
      : '',
    url,
  ];
  const seasonFacts = { id: String(season.id), name: season.name, url };
  return {
    type: 'group.season',
    text,
    data: { season: seasonFacts, week: weekSpan(firstDay), contests, next, leaders },
  };
}

async function listPeopleWhoPractised(db: Db, groupId: bigint, firstDay: number) {
  const practised = [];
  for (const person of await listBoardPeople(db, groupId)) {
    const days = daysOf(dayRuleOf(person.time_zone, person.day_start));
    const rows = await readActivity(db, person.user_id, days, [firstDay, firstDay + 6]);
    const first_solves = rows.reduce((sum, row) => sum + Number(row.first_solves), 0);
    if (rows.length > 0) practised.push({ person, first_solves });
  }
  return practised;
}
