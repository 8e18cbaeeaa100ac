/** The pages by which a coach assigns a list to a group, and changes or ends an assignment. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { requestContest } from '../../../jobs/sync-on-request.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { assignContest, assignList, unassignList } from '../../../practice/assignments.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { listGardenLists, listOwnLists } from '../../../store/lists.ts';
import { readContestLink } from '../../kit/contest-link.ts';
import { type DueFields, dueFields, dueValues, readDue } from '../../kit/due.ts';
import { button, type Faults, form, formActions, selectField, textField } from '../../kit/form.ts';
import { gardenListsAtMost, listOption } from '../../kit/list-parts.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { assignmentPath, groupPath, newListPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { linkTo, localizeText, richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachedGroupOf, coachOfGroup, type GroupDone, groupFrame, sessionOf } from './frame.ts';
import { assignmentOf, type GroupAssignment } from './table.ts';

export async function showAssign(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  return { html: await assignPage(visit, group, {}, dueValues(null, group.zone)) };
}

export async function submitAssign(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { form } = visit;
  const listId = parseInt64(fieldText(form, 'list', 1000));
  const link = fieldText(form, 'contest', longestAddress).trim();
  const { given: due, at } = readDue(form, group.zone);
  const faults: Record<string, string> = {};
  if (link !== '') return assignLinkedContest(visit, group, link, { given: due, at });
  if (listId === undefined) faults['list'] = words('groups.chooseList');
  if (at === undefined) faults['due_date'] = words('groups.noSuchMoment');
  if (listId !== undefined && at !== undefined) {
    try {
      await assignList(visit.store, { ...coachOfGroup(visit, group), listId }, at);
      return { to: addressWithNotice(assignmentPath(group.id, listId), noticeOfDue(at, 'given')) };
    } catch (error) {
      faults['list'] = refusalText(error);
    }
  }
  return { html: await assignPage(visit, group, faults, due), status: 422 };
}

const noticeOfDue = (at: string | null, done: GroupDone) =>
  at !== null && Date.parse(at) < Date.now() ? 'past' : done;

/** Requests the problems of a contest from its judge, makes a list of them and assigns it. */
async function assignLinkedContest(
  visit: MemberVisit,
  group: GroupWithLists,
  link: string,
  { given: due, at }: ReturnType<typeof readDue>,
): Promise<PageResult> {
  const { store, member, website, form } = visit;
  const withFaults = async (faults: Faults, status = 422) => ({
    html: await assignPage(visit, group, faults, due),
    status,
  });
  if (at === undefined) return withFaults({ due_date: words('groups.noSuchMoment') });
  if (fieldText(form, 'list', 1000) !== '') return withFaults({ contest: words('groups.listOrContest') });
  try {
    const request = await readContestLink(visit, link);
    if (!request) throw localizedError('invalidValue.contestLink');
    const apiKey = await readGymKey(store.reader, coachOfGroup(visit, group), sessionOf(visit));
    const contest = await requestContest(store, member.user_id, { ...request, apiKey });
    const listId = await assignContest(store, coachOfGroup(visit, group), contest, at, website.addLimits);
    return { to: addressWithNotice(assignmentPath(group.id, listId), noticeOfDue(at, 'given')) };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError))
      return withFaults({ contest: refusalText(error) });
    return withFaults({ contest: localizeText(error) }, error.status);
  }
}

async function assignPage(visit: MemberVisit, group: GroupWithLists, faults: Faults, due: DueFields): Promise<Html> {
  const { store, site, member, form: input, query } = visit;
  const ownLists = await listOwnLists(store.reader, member.user_id);
  const gardenLists = await listGardenLists(store.reader, member.user_id, 0, gardenListsAtMost);
  const selectedId = input.get('list') ?? query.get('list') ?? '';
  const lists = [
    ['', words('groups.chooseList')] as const,
    ...(ownLists.length > 0 ? [[words('groups.ownLists'), ownLists.map(listOption)] as const] : []),
    ...(gardenLists.length > 0 ? [[words('groups.gardenLists'), gardenLists.map(listOption)] as const] : []),
  ];
  const listField =
    ownLists.length + gardenLists.length === 0
      ? html`<p class="soft">${richWords('groups.noLists', { lists: linkTo(site.basePath + newListPath) })}</p>`
      : selectField(words('groups.list'), 'list', lists, selectedId, { faults });
  const linkOptions = {
    type: 'url',
    value: input.get('contest') ?? '',
    longest: longestAddress,
    isOptional: true,
  } as const;
  const content = form(
    visit,
    { to: `${groupPath(group.id)}give/`, className: 'form' },
    html`
      ${listField}
      ${textField(words('groups.contest'), 'contest', faults, {
        ...linkOptions,
        hint: richWords('groups.contestHint', {
          settings: linkTo(`${site.basePath}${groupPath(group.id)}settings/#key`),
        }),
      })}
      ${dueFields(due, group.zone, faults)}
      ${formActions(words('groups.giveButton'))}`,
  );
  const title = words('groups.give');
  return groupFrame(visit, group, { tab: 'give/', title }, panel({ id: 'give', heading: title }, content));
}

export async function showAssignment(visit: MemberVisit): Promise<PageResult> {
  return { html: assignmentPage(visit, await getCoachedAssignment(visit)) };
}

export async function submitAssignment(visit: MemberVisit): Promise<PageResult> {
  const { form } = visit;
  const assigned = await getCoachedAssignment(visit);
  const { group, assignment } = assigned;
  if (form.has('take_back')) {
    await unassignList(visit.store, coachOfGroup(visit, group), assignment.list_id);
    return { to: addressWithNotice(groupPath(group.id), 'taken') };
  }
  const { given: input, at } = readDue(form, group.zone);
  if (at === undefined)
    return { html: assignmentPage(visit, assigned, words('groups.noSuchMoment'), input), status: 422 };
  try {
    await assignList(visit.store, { ...coachOfGroup(visit, group), listId: assignment.list_id }, at);
    return { to: addressWithNotice(assignmentPath(group.id, assignment.list_id), noticeOfDue(at, 'saved')) };
  } catch (error) {
    return { html: assignmentPage(visit, assigned, refusalText(error), input), status: 422 };
  }
}

async function getCoachedAssignment(visit: MemberVisit): Promise<GroupAssignment> {
  const assigned = await assignmentOf(visit);
  if (assigned.group.role !== 'coach') throw pageNotFound(visit.path);
  return assigned;
}

function assignmentPage(
  visit: MemberVisit,
  { group, assignment }: GroupAssignment,
  fault?: string,
  input?: DueFields,
): Html {
  const due = dueFields(
    input ?? dueValues(assignment.due_at, group.zone),
    group.zone,
    fault ? { due_date: fault } : {},
  );
  const unassignButton = button(words('groups.takeBack'), 'danger', ['take_back', 'yes']);
  const content = form(
    visit,
    { to: `${assignmentPath(group.id, assignment.list_id)}settings/`, className: 'form' },
    html`${due}${formActions(words('groups.saveDue'), unassignButton)}`,
  );
  return groupFrame(
    visit,
    group,
    { tab: 'assignments/', title: assignment.name, subtitle: words('groups.assignmentSettings') },
    panel({ id: 'due', heading: words('groups.due') }, content),
  );
}
