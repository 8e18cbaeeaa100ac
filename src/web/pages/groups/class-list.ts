/** The class list of a group, for its coaches: who is expected, who has joined, and the slips with a link for each. */

import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { addClass, checkClass, needsSlip, type RenewedSlip, renewAccountSlips } from '../../../importing/class-list.ts';
import { classFields, signUpAddress } from '../../../importing/member-list.ts';
import { forgetExpected, longestStudentNumber, renewSlips, type Slip, slipDays } from '../../../practice/groups.ts';
import { canCreateAccounts } from '../../../practice/joining.ts';
import { asStaff } from '../../../practice/staff.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { type ExpectedPerson, listExpectedPeople } from '../../../store/groups.ts';
import { checkedList, listUploadPanel, peopleInForm, slipsPanel } from '../../kit/class-list.ts';
import { dateElement } from '../../kit/dates.ts';
import { actions, button, type Faults, form, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { nameLink } from '../../kit/member-name.ts';
import { notice, panel } from '../../kit/panel.ts';
import { stackedTable } from '../../kit/table.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { rosterPath } from '../../paths.ts';
import { idIn, refusalText, type UploadedFile } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachedGroupOf, coachOfGroup, confirmed, groupFrame } from './frame.ts';

const isStaff = ({ member }: MemberVisit) => member.role === 'staff';

const classPath = (id: bigint) => `${rosterPath(id)}expected/`;

export async function classPanel(visit: MemberVisit, group: GroupWithLists): Promise<Html> {
  const people = await listExpectedPeople(visit.store.reader, group.id, new Date().toISOString());
  const joined = people.filter(({ user_id }) => user_id !== null).length;
  const canChange = group.archived_at === null;
  const add = linkButton(visit.site.basePath + classPath(group.id), words('class.add'), {
    symbol: 'plus',
    kind: people.length === 0 ? 'primary' : '',
  });
  const heads = [words('groups.member'), words('groups.number'), words('class.joined'), ...(canChange ? [''] : [])];
  const waiting = people.length - joined;
  const renewAll = confirmed(
    html`${words('class.renewAll', { count: waiting })}`,
    words('class.renewText'),
    ['renew', 'all'],
    '',
  );
  const rows = html`
    ${stackedTable(
      words('roster.title'),
      heads,
      people.map((one) => personRow(visit, one, canChange)),
    )}
    ${canChange && waiting > 0 && renewAll}`;
  const content = html`
    <div class="stack">
      <p class="soft">${words('class.text')}</p>
      ${canChange && waiting > 0 && !isStaff(visit) && html`<p class="soft">${words('class.renewAccount')}</p>`}
      ${people.length > 0 && form(visit, { to: classPath(group.id), className: 'stack' }, rows)}
      ${canChange && actions(add)}
    </div>`;
  const beside = people.length > 0 && html`<p>${words('class.count', { joined, count: people.length })}</p>`;
  return panel({ id: 'expected', heading: words('class.title'), ...(beside && { beside }) }, content);
}

function personRow({ site }: MemberVisit, person: ExpectedPerson, canChange: boolean) {
  const { id, name, student_number, user_id, username, has_page, expires_at } = person;
  const state =
    user_id !== null && username !== null
      ? html`<span class="ok">${icon('check')}${nameLink(site.basePath, { username, has_page }, username)}</span>`
      : expires_at === null
        ? html`<span class="late">${words('class.noLink')}</span>`
        : html`<span class="soft">${richWords('class.waits', { day: dateElement(expires_at) })}</span>`;
  const renew = button(richWords('class.renew', { name }), 'small', ['renew', id]);
  const forget = confirmed(richWords('class.remove', { name }), words('class.removeText'), ['forget', id], 'danger');
  return {
    about: html` data-expected="${id}"`,
    cells: [
      html`<b>${bdi(name)}</b>`,
      bdi(student_number ?? ''),
      state,
      ...(canChange ? [html`<div class="actions">${user_id === null && renew}${forget}</div>`] : []),
    ],
  };
}

export async function showClass(visit: MemberVisit): Promise<PageResult> {
  return { html: await addingPage(visit, await coachedGroupOf(visit)) };
}

async function addingPage(visit: MemberVisit, group: GroupWithLists, faults: Faults = {}): Promise<Html> {
  const to = classPath(group.id);
  const givesAccounts = await canCreateAccounts(visit.store.reader, { made_by: visit.member.user_id });
  const texts = { heading: words('class.add'), hint: words('class.listHint'), example: words('class.listExample') };
  const one = html`
    <div class="field-pair even">
      ${textField(words('groups.member'), 'name', {})}
      ${textField(words('groups.number'), 'student_number', {}, { longest: longestStudentNumber, isOptional: true })}
    </div>
    ${actions(button(words('class.addReady', { count: 1 }), '', ['add', 'true']))}`;
  const content = html`
    <p class="soft">
      ${words('class.rule', { days: slipDays })}${' '}
      ${words(givesAccounts ? 'groups.linkGivesAccounts' : 'groups.linkNoAccounts')}
    </p>
    ${listUploadPanel(visit, { to, ...texts }, faults)}
    ${panel(
      { id: 'one', heading: words('class.one') },
      form(visit, { to, className: 'form', hidden: { line: '1', checked: 'true' } }, one),
    )}`;
  return classFrame(visit, group, words('class.add'), content);
}

function classFrame(visit: MemberVisit, group: GroupWithLists, title: string, content: Html): Html {
  return groupFrame(visit, group, { tab: 'people/', title, styles: ['staff.css'] }, content);
}

export async function submitClass(visit: MemberVisit, file?: UploadedFile): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { store, form: input, member } = visit;
  const coach = coachOfGroup(visit, group);
  if (input.has('forget')) {
    if (!(await forgetExpected(store, coach, idIn(input.get('forget') ?? '', parseInt64))))
      throw pageNotFound(visit.path);
    return { to: addressWithNotice(rosterPath(group.id), 'saved') };
  }
  if (input.has('renew')) {
    const renewed = input.get('renew') ?? '';
    const personToRenew = renewed === 'all' ? undefined : idIn(renewed, parseInt64);
    const slips = isStaff(visit)
      ? await asStaff(visit, (tx) => renewAccountSlips(tx, coach, member.user_id, personToRenew), resetsOf)
      : await renewSlips(store, coach, member.user_id, personToRenew);
    return slips.length > 0 ? slipsPage(visit, group, slips) : { to: rosterPath(group.id) };
  }
  try {
    const { people, notes } = await peopleInForm(visit, classFields, file);
    if (!input.has('add')) {
      const checked = await checkClass(store.reader, group.id, people, isStaff(visit));
      return { html: classFrame(visit, group, words('members.check'), checkedClass(visit, group, checked, notes)) };
    }
    const { slips, refused } = await addClass(store, coach, people, member.user_id, isStaff(visit));
    const rest = refused.length > 0 ? checkedClass(visit, group, refused) : html``;
    if (slips.length > 0) return slipsPage(visit, group, slips, rest);
    const isChanged = refused.length < people.length;
    if (isChanged && !refused.some(({ wrongField }) => wrongField))
      return { to: addressWithNotice(rosterPath(group.id), 'saved') };
    return { html: classFrame(visit, group, words('members.check'), rest), status: isChanged ? 200 : 422 };
  } catch (error) {
    return { html: await addingPage(visit, group, { [file ? 'file' : 'people']: refusalText(error) }), status: 422 };
  }
}

function checkedClass(
  visit: MemberVisit,
  group: GroupWithLists,
  people: Awaited<ReturnType<typeof checkClass>>,
  notes: readonly Html[] = [],
): Html {
  const slips = people.filter(needsSlip).length;
  const add = () => (slips > 0 ? words('class.addReady', { count: slips }) : words('groups.save'));
  const list = checkedList(visit, { to: classPath(group.id), fields: classFields, people, notes, add });
  if (people.some(({ fault, wrongField }) => !fault || wrongField)) return list;
  return html`${notice('good', words('class.allKnown', { count: people.length }))}${list}`;
}

function resetsOf(slips: readonly RenewedSlip[]) {
  const ids = slips.flatMap(({ key, account }) => (key && account ? account.id : []));
  return ids.length > 0 ? (['reset-made', ...ids] as const) : undefined;
}

type ShownSlip = Slip & Partial<RenewedSlip> & { username?: string | undefined };

async function slipsPage(
  { site, ...visit }: MemberVisit,
  group: GroupWithLists,
  slips: readonly ShownSlip[],
  rest = html``,
): Promise<PageResult> {
  const day = dateElement(new Date(Date.now() + slipDays * dayMs).toISOString());
  const names = Map.groupBy(slips, ({ name }) => name);
  const group_name = html`<b><bdi>${group.name}</bdi></b>`;
  const handOuts = slips.map(({ id, name, student_number, secret, key, account, username = account?.username }) => ({
    id,
    // The number tells two people of the same name apart.
    lines: html`
      <p><b>${bdi(name)}</b> ${names.get(name)?.length !== 1 && bdi(student_number ?? '')}</p>
      ${
        username !== undefined &&
        html`<p>${richWords('contests.stateOf', { title: words('door.name'), state: html`<b>${username}</b>` })}</p>`
      }
      <p>${richWords('groups.joinHead', { name: group_name })}</p>
      <p class="small faint">${richWords('class.once', { day })}</p>`,
    address:
      key !== undefined
        ? signUpAddress({ key, joinSecret: secret }, site.baseUrl)
        : `${site.baseUrl}/authentication/join/${secret}/${username ? `?how=${account ? 'account' : 'sign-in'}` : ''}`,
  }));
  const unsure = slips.flatMap(({ name, isUnsure }) => (isUnsure ? name : [])).join(', ');
  const warning = unsure !== '' && notice('warn', html`<b>${bdi(unsure)}</b> ${words('class.renewAccount')}`);
  const content = await slipsPanel(visit.member, handOuts, {
    title: words('class.made', { count: slips.length }),
    text: words('class.madeText'),
    more: linkButton(site.basePath + rosterPath(group.id), words('roster.title')),
    kind: 'eight',
  });
  return { html: classFrame({ site, ...visit }, group, words('class.slips'), html`${warning}${content}${rest}`) };
}
