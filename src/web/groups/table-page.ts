/** A list in a group: who solved what. A coach sees everybody in the group, a member their own line; nobody sees a note. */
import { html } from 'hono/html';
import { parseInt64 } from '../../contract/common.ts';
import { AppError } from '../../errors.ts';
import {
  type GroupTable,
  giveList,
  type Line,
  type Order,
  orders,
  readGroupTable,
  sortLines,
} from '../../practice/group-lists.ts';
import { readPreferences } from '../../practice/preferences.ts';
import { deleteGroupList, type GivenList, type GroupWithLists } from '../../store/group-lists.ts';
import { day } from '../account/dates.ts';
import { notice, panel } from '../account/rooms.ts';
import type { Faults } from '../forms.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { type Answer, type MemberVisit, nothingHere } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { dueFields, dueGiven, dueMoment, readDue } from './due.ts';
import { asCoach, fullName, groupDone, groupFrame, groupOf } from './parts.ts';
import { groupPath, tablePath } from './paths.ts';
import { legend, problemKey, table } from './table.ts';

interface Shown {
  group: GroupWithLists;
  given: GivenList;
}

/** The list of the address as it is given to the group. */
async function givenOf(visit: MemberVisit): Promise<Shown> {
  const group = await groupOf(visit);
  const id = parseInt64(visit.params['list'] ?? '');
  const given = group.lists.find(({ list_id }) => list_id === id);
  if (!given) throw nothingHere(visit.path);
  return { group, given };
}

/** The lines as this visitor sees them, in the order of the address. */
export async function readLines(
  visit: MemberVisit,
): Promise<Shown & { found: GroupTable; lines: Line[]; order: Order }> {
  const { store, member, query } = visit;
  const { group, given } = await givenOf(visit);
  const found = await readGroupTable(store.reader, group, given, member.user_id, Date.now());
  const order = orders.find((one) => one === query.get('order')) ?? 'name';
  return { group, given, found, order, lines: sortLines(found.lines, order, fullName) };
}

export async function showTable(visit: MemberVisit): Promise<Answer> {
  return { html: await tablePage(visit) };
}

export async function takeTable(visit: MemberVisit): Promise<Answer> {
  const { group, given } = await givenOf(visit);
  const { form, member } = visit;
  if (group.role !== 'coach') throw nothingHere(visit.path);
  const ids = { groupId: group.id, coachId: member.user_id, listId: given.list_id };
  if (form.has('take_back')) {
    await asCoach(visit, group.id, (tx) => deleteGroupList(tx, group.id, given.list_id));
    return { to: groupDone(groupPath(group.id), 'taken') };
  }
  const { given: typed, at } = readDue(form, group.zone);
  const faults: Record<string, string> = {};
  if (at === undefined) faults['due_date'] = words('groups.noSuchMoment');
  else {
    try {
      await asCoach(visit, group.id, (tx) => giveList(tx, ids, at));
      return { to: groupDone(tablePath(group.id, given.list_id), 'saved') };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'badSetting') throw error;
      faults['due_date'] = error.message;
    }
  }
  return { html: await tablePage(visit, faults, typed), status: 422 };
}

async function tablePage(
  visit: MemberVisit,
  faults: Faults = {},
  typed?: { date: string; time: string },
): Promise<Html> {
  const { store, site, member, antiForgery } = visit;
  const { group, given, found, lines, order } = await readLines(visit);
  const { problems, added, isChanged } = found;
  const isCoach = group.role === 'coach';
  const path = site.basePath + tablePath(group.id, given.list_id);
  // The statement for it is left out for coaches, who give the problems and see the whole table.
  const hides = !isCoach && (await readPreferences(store.reader, member.user_id)).hidesRatings;
  const solved = lines.reduce((sum, line) => sum + line.solved, 0);
  const quiet = lines.filter(({ isQuiet }) => isQuiet).length;
  const sub = html`${given.due_at === null ? '' : html`<span><span>${richWords('groups.dueAt', { when: dueMoment(given.due_at, group.zone) })}</span></span>`}${isCoach ? html`<span>${words('groups.count', { count: lines.length })}</span>` : ''}<span>${words('groups.solvedOf', { solved, all: lines.length * problems.length })}</span>`;
  const link = (one: Order) =>
    html`<li><a href="${path}${one === 'name' ? '' : `?order=${one}`}"${one === order ? html` aria-current="true"` : ''}>${one === 'quiet' ? words('groups.quietFirst', { count: quiet }) : words(`groups.order.${one}`)}</a></li>`;
  const tools = html`<div class="table-tools">${isCoach ? html`<nav class="orders" aria-label="${words('groups.orderBy')}"><span class="soft" aria-hidden="true">${words('groups.orderBy')}</span><ul>${orders.map(link)}</ul></nav>` : ''}${legend()}</div>`;
  const settings = html`<form class="form" method="post" action="${path}">${antiForgery}
${dueFields(typed ?? dueGiven(given.due_at, group.zone), group.zone, faults)}
<div class="actions"><button class="button">${words('groups.saveDue')}</button><button class="button danger" name="take_back" value="yes">${words('groups.takeBack')}</button></div></form>`;
  const changed = richWords('groups.changedSince', { day: day(given.given_at), added });
  const actions = html`<a class="button" href="${path}csv/${order === 'name' ? '' : `?order=${order}`}">${icon('download')}<span>${words('groups.csv')}</span></a>`;
  return groupFrame(
    visit,
    group,
    { tab: `lists/${given.list_id}/`, title: given.name, sub, actions },
    html`${isChanged ? notice('warn', changed) : ''}
${problems.length === 0 ? html`<p class="soft">${words('groups.noProblems')}</p>` : html`${tools}${table({ problems, lines, isCoach, hides, basePath: site.basePath })}`}
<section class="key-list" aria-labelledby="problems"><h2 id="problems">${words('frame.problems')}</h2><ol>${problems.map((problem, at) => problemKey(problem, at, { given, hides, basePath: site.basePath }))}</ol></section>
<p class="faint caption">${words(isCoach ? 'groups.whyCoach' : 'groups.whyMember')}</p>
<p class="print-only caption">${richWords('groups.asOf', { group: group.name, when: dueMoment(new Date().toISOString(), group.zone) })}</p>
${isCoach ? panel('due', words('groups.due'), settings) : ''}`,
  );
}
