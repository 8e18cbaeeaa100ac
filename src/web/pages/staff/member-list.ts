/** Many members at once: the list of people with the group that they join, and the links to hand out. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { expectAccounts } from '../../../importing/class-list.ts';
import {
  accountFields,
  checkPeople,
  createPeople,
  fullNameOf,
  type ListedPerson,
  signUpAddress,
  signUpCsv,
} from '../../../importing/member-list.ts';
import { slipDays } from '../../../practice/groups.ts';
import type { NewMember } from '../../../practice/joining.ts';
import { asStaff } from '../../../practice/staff.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import type { Db } from '../../../store/tables.ts';
import { checkedList, peopleInForm, slipsPanel } from '../../kit/class-list.ts';
import { selectField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { type Html, html } from '../../markup.ts';
import { staffMembersPath } from '../../paths.ts';
import type { UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { staffPage } from './frame.ts';

/** The answer is a message if the list cannot be read. */
export async function submitList(visit: MemberVisit, file?: UploadedFile): Promise<PageResult | string> {
  const { store, form: input, member, site } = visit;
  try {
    const { people, notes } = await peopleInForm(visit, accountFields, file);
    if (!input.has('add')) {
      const content = await checkedMembers(visit, await checkPeople(store.reader, people), notes);
      return staffPage(visit, { title: words('members.check'), section: 'members/' }, content);
    }
    const { members, refused } = await asStaff(
      visit,
      async (tx) => {
        const checked = await checkPeople(tx, people);
        const ready = checked.filter(({ fault }) => !fault);
        const made = await createPeople(tx, ready, { role: 'member', madeBy: member.user_id });
        const slips = await makeSlips(tx, visit, ready, made);
        return {
          members: made.map((one, at) => ({ ...one, joinSecret: slips[at]?.secret })),
          refused: checked.filter(({ fault }) => fault),
        };
      },
      ({ members: made }) => ['member-made', ...made.map((one) => one.member.id)],
    );
    const rest = refused.length > 0 && (await checkedMembers(visit, refused, []));
    const links = members.length > 0 && (await linksPanel(members, site.baseUrl));
    return staffPage(visit, { title: words('members.links'), section: 'members/' }, html`${links}${rest}`);
  } catch (error) {
    if (error instanceof AppError && ['badFile', 'invalidValue'].includes(error.code)) return localizeText(error);
    throw error;
  }
}

type AccountRow = ListedPerson<(typeof accountFields)[number]>;

/** For the chosen group, if there is one. */
async function makeSlips(
  tx: Db,
  { form: input, member }: MemberVisit,
  people: readonly AccountRow[],
  made: readonly NewMember[],
) {
  const groupId = parseInt64(input.get('group') ?? '');
  if (groupId === undefined || people.length === 0) return [];
  const accounts = made.map(({ member: { id } }, at) => ({ ...(people[at] as AccountRow).value, id }));
  return expectAccounts(tx, { groupId, coachId: member.user_id }, accounts, member.user_id);
}

/** The groups that the administrator coaches. */
async function groupField({ store, member, form: input }: MemberVisit): Promise<Html | ''> {
  const joined = await listJoinedGroups(store.reader, member.user_id);
  const groups = joined.filter(({ role, archived_at }) => role === 'coach' && archived_at === null);
  const [only, ...others] = groups.map(({ id, name }): [string, string] => [String(id), name]);
  if (!only) return '';
  const isRequired = others.length > 0;
  const choices = [...(isRequired ? [['', '–'] as const] : []), ['none', words('members.noGroup')] as const];
  const chosen = input.get('group') ?? (isRequired ? '' : only[0]);
  const options = { hint: words('members.groupHint'), isRequired };
  return selectField(words('members.group'), 'group', [...choices, only, ...others], chosen, options);
}

async function checkedMembers(
  visit: MemberVisit,
  people: readonly AccountRow[],
  notes: readonly Html[],
): Promise<Html> {
  return checkedList(visit, {
    to: staffMembersPath,
    fields: accountFields,
    people,
    notes,
    add: (count) => words('members.addReady', { count }),
    more: await groupField(visit),
  });
}

async function linksPanel(members: readonly NewMember[], baseUrl: string): Promise<Html> {
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(signUpCsv(members, baseUrl))}`;
  const slips = members.map((one) => ({
    id: one.member.id,
    lines: slipLines(one),
    address: signUpAddress(one, baseUrl),
  }));
  return slipsPanel({ role: 'staff' }, slips, {
    title: words('members.added', { count: members.length }),
    text: words('members.handOutText', { days: slipDays }),
    more: html`
      <a class="button" href="${file}" download="members.csv">
        ${icon('download')}
        <span>${words('members.csv')}</span>
      </a>`,
  });
}

function slipLines({ member }: NewMember): Html {
  const name = fullNameOf(member);
  return html`
    ${name !== '' && html`<p><bdi>${name}</bdi></p>`}
    <p>${richWords('contests.stateOf', { title: words('door.name'), state: html`<b>${member.username}</b>` })}</p>`;
}
