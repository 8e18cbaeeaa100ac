/** Giving a list to a group, with the moment when it is due. */
import { html } from 'hono/html';
import { parseInt64 } from '../../contract/common.ts';
import { AppError } from '../../errors.ts';
import { giveList } from '../../practice/group-lists.ts';
import type { GroupWithLists } from '../../store/group-lists.ts';
import { listGardenLists, listOwnLists, type ShownList } from '../../store/lists.ts';
import { panel } from '../account/rooms.ts';
import { field } from '../fields.ts';
import type { Faults } from '../forms.ts';
import type { Html } from '../layout.ts';
import type { Answer, MemberVisit } from '../visits.ts';
import { words } from '../words.ts';
import { dueFields, dueGiven, readDue } from './due.ts';
import { asCoach, coachedGroupOf, groupDone, groupFrame } from './parts.ts';
import { groupPath, tablePath } from './paths.ts';

const gardenListsShown = 200;

export async function showGive(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  return { html: await givePage(visit, group, {}, dueGiven(null, group.zone)) };
}

export async function takeGive(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const { form, member } = visit;
  const listId = parseInt64(field(form, 'list', 1000));
  const { given, at } = readDue(form, group.zone);
  const faults: Record<string, string> = {};
  if (listId === undefined) faults['list'] = words('groups.chooseList');
  if (at === undefined) faults['due_date'] = words('groups.noSuchMoment');
  if (listId !== undefined && at !== undefined) {
    try {
      const wanted = { groupId: group.id, coachId: member.user_id, listId };
      await asCoach(visit, group.id, (tx) => giveList(tx, wanted, at));
      return { to: groupDone(tablePath(group.id, listId), 'given') };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'badSetting') throw error;
      faults['list'] = error.message;
    }
  }
  return { html: await givePage(visit, group, faults, given), status: 422 };
}

async function givePage(
  visit: MemberVisit,
  group: GroupWithLists,
  faults: Faults,
  due: { date: string; time: string },
): Promise<Html> {
  const { store, site, member, form, query, antiForgery } = visit;
  const own = await listOwnLists(store.reader, member.user_id);
  const garden = await listGardenLists(store.reader, member.user_id, 0, gardenListsShown);
  const chosen = form.get('list') ?? query.get('list') ?? '';
  const options = (label: string, lists: readonly ShownList[]) =>
    lists.length === 0
      ? ''
      : html`<optgroup label="${label}">${lists.map(({ id, name, problems }) => html`<option value="${id}"${String(id) === chosen ? html` selected` : ''}>${words('groups.listOption', { name, count: problems })}</option>`)}</optgroup>`;
  const fault = faults['list'];
  const content =
    own.length + garden.length === 0
      ? html`<p class="soft">${words('groups.noLists')}</p>`
      : html`<form class="form" method="post" action="${site.basePath}${groupPath(group.id)}give/">${antiForgery}
<label class="field">${words('groups.list')}<select name="list" required${fault ? html` aria-invalid="true" aria-describedby="list-fault"` : ''}><option value="">${words('groups.chooseList')}</option>${options(words('groups.ownLists'), own)}${options(words('groups.gardenLists'), garden)}</select>${fault ? html`<span class="fault" id="list-fault">${fault}</span>` : ''}</label>
${dueFields(due, group.zone, faults)}
<div class="actions"><button class="button primary">${words('groups.giveButton')}</button></div></form>`;
  const title = words('groups.give');
  return groupFrame(visit, group, { tab: 'give/', title }, panel('give', title, content));
}
