/** Settings that staff may change while the server runs, and removing the demo data. */

import { isDeepStrictEqual } from 'node:util';
import { removeSample, restoreSample, sampleRemovedAt } from '../../../importing/sample.ts';
import {
  type LimitsByRole,
  limitsOfRole,
  readLimits,
  saveLimits,
  settableLimit,
} from '../../../practice/added-problems.ts';
import {
  type AccountCreators,
  isSignUpOpen,
  readAccountCreators,
  setAccountCreators,
  setSignUpOpen,
} from '../../../practice/joining.ts';
import { asksForAddress, setAddressFields } from '../../../practice/members.ts';
import { createsMembersByProxy, setCreatesMembersByProxy } from '../../../practice/proxy-sign-in.ts';
import { asStaff } from '../../../practice/staff.ts';
import { countSample } from '../../../store/overview.ts';
import type { StaffDeed } from '../../../store/staff-log.ts';
import type { Db } from '../../../store/tables.ts';
import { actions, button, type Faults, form, hasFaults, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { noticeOf, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import { choiceIn, fieldText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { donePath, staffPage, staffTime } from './frame.ts';

const path = `${staffPath}settings/`;

const creatorOptions = (): readonly (readonly [AccountCreators, string])[] => [
  ['administrators', words('groupAccounts.administrators')],
  ['coaches', words('groupAccounts.coaches')],
  ['nobody', words('groupAccounts.nobody')],
];

export const settingsPage: PageRoute<MemberVisit> = {
  path,
  isUncached: true,
  get: (visit) => show(visit),
  post: submit,
};

async function show(visit: MemberVisit, faults: Faults = {}): Promise<PageResult> {
  const { reader } = visit.store;
  const { basePath, baseUrl } = visit.site;
  const formPanel = (id: string, heading: string, content: Html) =>
    panel({ id, heading }, form(visit, { to: path, className: 'form' }, content));
  const isOpen = await isSignUpOpen(reader);
  const address = `${baseUrl}/authentication/join/`;
  const join = linkTo(`${basePath}/authentication/join/`);
  const signUp = isOpen
    ? switchButton(
        ['sign-up', 'open'],
        richWords('signUp.open', { join, address }),
        'sign_up',
        'closed',
        'signUp.close',
      )
    : switchButton(['sign-up', 'closed'], richWords('signUp.closed'), 'sign_up', 'open', 'signUp.openIt');
  const profile = (await asksForAddress(reader))
    ? switchButton(['profile', 'on'], words('profileFields.on'), 'profile_address', 'off', 'profileFields.stop')
    : switchButton(['profile', 'off'], words('profileFields.off'), 'profile_address', 'on', 'profileFields.ask');
  const accounts = html`
    ${selectField(words('groupAccounts.who'), 'account_makers', creatorOptions(), await readAccountCreators(reader))}
    <p class="faint hint">${words('groupAccounts.hint')}</p>
    ${actions(button(words('profile.save')))}`;
  const header = visit.website.trustHeader;
  const proxy =
    header !== undefined &&
    ((await createsMembersByProxy(reader))
      ? switchButton(
          ['proxy', 'on'],
          richWords('proxyMembers.on', { header }),
          'proxy_members',
          'off',
          'proxyMembers.stop',
        )
      : switchButton(
          ['proxy', 'off'],
          richWords('proxyMembers.off', { header }),
          'proxy_members',
          'on',
          'proxyMembers.make',
        ));
  const page = staffPage(
    visit,
    { section: 'settings/', sub: words('settings.sub') },
    html`
      ${formPanel('sign-up', words('signUp.title'), signUp)}
      ${proxy && formPanel('proxy', words('proxyMembers.title'), proxy)}
      ${formPanel('group-accounts', words('groupAccounts.title'), accounts)}
      ${formPanel('add-limits', words('addLimits.title'), await limitFields(visit, faults))}
      ${formPanel('profile', words('profileFields.title'), profile)}
      ${panel({ id: 'sample', heading: words('sample.title') }, await samplePanel(visit))}
      <p class="faint">${richWords('settings.others', { settings: linkTo(`${basePath}/docs/config/`) })}</p>`,
  );
  return { ...page, ...(hasFaults(faults) && { status: 422 }) };
}

const limitRoles = ['member', 'staff'] as const;
const limitPeriods = ['perDay', 'total'] as const;

const limitFieldName = (role: string, period: string) => `add_limit_${role}_${period}`;

async function limitFields({ store, website, form: values }: MemberVisit, faults: Faults): Promise<Html> {
  const limits = await readLimits(store.reader);
  const fields = limitRoles.flatMap((role) => {
    const defaults = limitsOfRole(role, { ...limits, [role]: {} }, website.addLimits);
    return limitPeriods.map((period) => {
      const name = limitFieldName(role, period);
      return textField(words('addLimits.field', { role, period }), name, faults, {
        value: values.get(name) ?? String(limits[role][period] ?? ''),
        isOptional: true,
        longest: 7,
        more: { inputmode: 'numeric' },
        hint: words('addLimits.default', { most: defaults[period] }),
      });
    });
  });
  return html`
    <p class="soft">${words('addLimits.text')}</p>
    ${fields}
    ${actions(button(words('profile.save')))}`;
}

async function saveAddLimits(visit: MemberVisit): Promise<PageResult> {
  const limits: LimitsByRole = { member: {}, staff: {} };
  const faults: Record<string, string> = {};
  for (const role of limitRoles)
    for (const period of limitPeriods) {
      const name = limitFieldName(role, period);
      const text = (visit.form.get(name) ?? '').trim();
      if (text === '') continue;
      if (/^\d{1,7}$/.test(text) && Number(text) <= settableLimit) limits[role][period] = Number(text);
      else faults[name] = words('addLimits.fault', { most: settableLimit });
    }
  if (hasFaults(faults)) return show(visit, faults);
  const set = limitRoles.flatMap((role) =>
    Object.entries(limits[role]).map(([period, most]) => `${role}:${period}:${most}`),
  );
  const deed = set.length > 0 ? (`add-limits-set ${set.join(' ')}` as const) : 'add-limits-set';
  return saveSetting(visit, deed, readLimits, (tx) => saveLimits(tx, limits));
}

/** What is saved as it was is no deed. */
async function saveSetting(
  visit: MemberVisit,
  deed: StaffDeed,
  read: (db: Db) => Promise<unknown>,
  save: (tx: Db) => Promise<unknown>,
): Promise<PageResult> {
  const work = async (tx: Db) => {
    const before = await read(tx);
    await save(tx);
    return !isDeepStrictEqual(before, await read(tx));
  };
  await asStaff(visit, work, (isChanged) => (isChanged ? [deed] : undefined));
  return { to: donePath(path, 'saved') };
}

function switchButton(
  [dataName, state]: readonly [dataName: string, state: string],
  text: Html | string,
  name: string,
  value: string,
  label: MessageKey,
): Html {
  return html`
    <p class="soft"${attr(`data-${dataName}`, state)}>${text}</p>
    ${actions(button(words(label), '', [name, value]))}`;
}

/** Removing the demo data needs a confirmation, and can be undone for a day. */
async function samplePanel(visit: MemberVisit): Promise<Html> {
  const { store, site, query } = visit;
  const { members, problems } = await countSample(store.reader);
  const address = `${site.basePath}${path}`;
  const sampleForm = (act: 'remove' | 'restore', kind: string, text: Html, rest: Html | false = false) => {
    const buttons = actions(button(words(`sample.act.${act}`), kind, ['sample', act]), rest);
    return form(visit, { to: path, className: 'form' }, html`${text}${buttons}`);
  };
  const removedAt = await sampleRemovedAt(store.reader);
  // Sample problems that members use were not removed.
  if (members === 0n && removedAt !== undefined)
    return sampleForm(
      'restore',
      '',
      html`<p class="soft">${richWords('sample.removed', { when: staffTime(removedAt) })}</p>`,
    );
  if (members + problems === 0n) return html`<p class="soft">${words('sample.none')}</p>`;
  const text = html`<p class="soft">${words('sample.text', { members, count: problems })}</p>`;
  if (query.get('ask') !== 'sample')
    return html`
      ${text}
      ${actions(linkButton(`${address}?ask=sample#sample`, words('sample.ask'), { kind: 'danger' }))}`;
  const question = html`<p><b>${words('sample.sure')}</b></p>${text}<p class="soft">${words('sample.undo')}</p>`;
  const warning = noticeOf('warn', question);
  const cancelLink = linkButton(`${address}#sample`, words('uprooting.keep'));
  return sampleForm('remove', 'danger', warning, cancelLink);
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { form } = visit;
  const isOn = (name: string) => fieldText(form, name, 20) === 'on';
  const changeSetting = async (
    deed: StaffDeed,
    result: Parameters<typeof donePath>[1],
    change: (tx: Db) => Promise<unknown>,
  ) => {
    await asStaff(visit, change, deed);
    return { to: donePath(path, result) };
  };
  const sample = fieldText(form, 'sample', 20);
  if (sample === 'remove') return changeSetting('sample-removed', 'sample-removed', removeSample);
  if (sample === 'restore') return changeSetting('sample-restored', 'sample-restored', restoreSample);
  if (form.has('profile_address'))
    return saveSetting(visit, `profile-fields-set ${isOn('profile_address')}`, asksForAddress, (tx) =>
      setAddressFields(tx, isOn('profile_address')),
    );
  if (form.has('proxy_members'))
    return saveSetting(visit, `proxy-members-set ${isOn('proxy_members')}`, createsMembersByProxy, (tx) =>
      setCreatesMembersByProxy(tx, isOn('proxy_members')),
    );
  if (form.has('account_makers')) {
    const who = choiceIn(form, 'account_makers', creatorOptions());
    const deed = `group-accounts-set ${who}` as const;
    return saveSetting(visit, deed, readAccountCreators, (tx) => setAccountCreators(tx, who));
  }
  if (form.has(limitFieldName('member', 'perDay'))) return saveAddLimits(visit);
  const signUpChoice = fieldText(form, 'sign_up', 20);
  if (signUpChoice === 'open') return changeSetting('sign-up-opened', 'opened', (tx) => setSignUpOpen(tx, true));
  if (signUpChoice === 'closed') return changeSetting('sign-up-closed', 'closed', (tx) => setSignUpOpen(tx, false));
  return { ...(await show(visit)), status: 422 };
}
