/** Giving a list to a group, with the moment when it is due, and the settings of one that is given. */

import { parseInt64 } from '../../../contract/common.ts';
import { giveList, takeListBack } from '../../../practice/group-lists.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import { listGardenLists, listOwnLists, type ShownList } from '../../../store/lists.ts';
import { type Due, dueFields, dueGiven, readDue } from '../../kit/due.ts';
import { button, type Faults, form, formActions, selectField } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { groupPath, newListPath, tablePath } from '../../paths.ts';
import { faultOf, field } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { coachedBy, coachedGroupOf, groupDone, groupFrame } from './frame.ts';
import { type Given, givenOf } from './table.ts';

const gardenListsShown = 200;

export async function showGive(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  return { html: await givePage(visit, group, {}, dueGiven(null, group.zone)) };
}

export async function takeGive(visit: MemberVisit): Promise<Answer> {
  const group = await coachedGroupOf(visit);
  const { form } = visit;
  const listId = parseInt64(field(form, 'list', 1000));
  const { given, at } = readDue(form, group.zone);
  const faults: Record<string, string> = {};
  if (listId === undefined) faults['list'] = words('groups.chooseList');
  if (at === undefined) faults['due_date'] = words('groups.noSuchMoment');
  if (listId !== undefined && at !== undefined) {
    try {
      await giveList(visit.store, { ...coachedBy(visit, group), listId }, at);
      return { to: groupDone(tablePath(group.id, listId), 'given') };
    } catch (error) {
      faults['list'] = faultOf(error);
    }
  }
  return { html: await givePage(visit, group, faults, given), status: 422 };
}

async function givePage(visit: MemberVisit, group: GroupWithLists, faults: Faults, due: Due): Promise<Html> {
  const { store, site, member, form: sent, query } = visit;
  const own = await listOwnLists(store.reader, member.user_id);
  const garden = await listGardenLists(store.reader, member.user_id, 0, gardenListsShown);
  const chosen = sent.get('list') ?? query.get('list') ?? '';
  const choiceOf = ({ id, name, problems }: ShownList) =>
    [String(id), words('groups.listOption', { name, count: problems })] as const;
  const lists = [
    ['', words('groups.chooseList')] as const,
    ...(own.length > 0 ? [[words('groups.ownLists'), own.map(choiceOf)] as const] : []),
    ...(garden.length > 0 ? [[words('groups.gardenLists'), garden.map(choiceOf)] as const] : []),
  ];
  const content =
    own.length + garden.length === 0
      ? html`<p class="soft">${richWords('groups.noLists', { lists: linkTo(site.basePath + newListPath) })}</p>`
      : form(
          visit,
          { to: `${groupPath(group.id)}give/`, className: 'form' },
          html`
          ${selectField(words('groups.list'), 'list', lists, chosen, { faults, isRequired: true })}
          ${dueFields(due, group.zone, faults)}
          ${formActions(words('groups.giveButton'))}`,
        );
  const title = words('groups.give');
  return groupFrame(visit, group, { tab: 'give/', title }, panel({ id: 'give', heading: title }, content));
}

/** When a list of the group is due, and its end there. */
export async function showGiven(visit: MemberVisit): Promise<Answer> {
  return { html: givenPage(visit, await coachedGiven(visit)) };
}

export async function takeGiven(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  const shown = await coachedGiven(visit);
  const { group, given } = shown;
  if (form.has('take_back')) {
    await takeListBack(visit.store, coachedBy(visit, group), given.list_id);
    return { to: groupDone(groupPath(group.id), 'taken') };
  }
  const { given: typed, at } = readDue(form, group.zone);
  if (at === undefined) return { html: givenPage(visit, shown, words('groups.noSuchMoment'), typed), status: 422 };
  try {
    await giveList(visit.store, { ...coachedBy(visit, group), listId: given.list_id }, at);
    return { to: groupDone(tablePath(group.id, given.list_id), 'saved') };
  } catch (error) {
    return { html: givenPage(visit, shown, faultOf(error), typed), status: 422 };
  }
}

async function coachedGiven(visit: MemberVisit): Promise<Given> {
  const shown = await givenOf(visit);
  if (shown.group.role !== 'coach') throw nothingHere(visit.path);
  return shown;
}

function givenPage(visit: MemberVisit, { group, given }: Given, fault?: string, typed?: Due): Html {
  const due = dueFields(typed ?? dueGiven(given.due_at, group.zone), group.zone, fault ? { due_date: fault } : {});
  const takeBack = button(words('groups.takeBack'), 'danger', ['take_back', 'yes']);
  const content = form(
    visit,
    { to: `${tablePath(group.id, given.list_id)}settings/`, className: 'form' },
    html`${due}${formActions(words('groups.saveDue'), takeBack)}`,
  );
  const tab = `lists/${given.list_id}/`;
  return groupFrame(
    visit,
    group,
    { tab, title: given.name, sub: words('groups.assignmentSettings') },
    panel({ id: 'due', heading: words('groups.due') }, content),
  );
}
