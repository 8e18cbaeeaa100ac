/** Settings that staff may change while the garden runs, and taking the sample out. */

import { removeSample, restoreSample, sampleRemovedAt } from '../../../importing/sample.ts';
import {
  type AccountMakers,
  isSignUpOpen,
  openSignUp,
  readAccountMakers,
  setAccountMakers,
} from '../../../practice/joining.ts';
import { askForAddress, asksForAddress } from '../../../practice/members.ts';
import { makeMembersByProxy, makesMembersByProxy } from '../../../practice/proxy-sign-in.ts';
import { asStaff } from '../../../practice/staff.ts';
import { countSample } from '../../../store/examination.ts';
import { actions, button, form, selectField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import { chosenIn, field } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { donePath, staffFrame, time } from './frame.ts';

const path = `${staffPath}settings/`;

const makers = (): readonly (readonly [AccountMakers, string])[] => [
  ['administrators', words('groupAccounts.administrators')],
  ['coaches', words('groupAccounts.coaches')],
  ['nobody', words('groupAccounts.nobody')],
];

export const settingsPage: PageRoute<MemberVisit> = {
  path,
  isSecret: true,
  show,
  change: take,
};

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, site } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const signUp = html`
    <p class="soft" data-sign-up="${isOpen ? 'open' : 'closed'}">
      ${
        isOpen
          ? richWords('signUp.open', {
              join: linkTo(`${site.basePath}/authentication/join/`),
              address: `${site.baseUrl}/authentication/join/`,
            })
          : richWords('signUp.closed')
      }
    </p>
    <div class="actions">
      <button class="button" name="sign_up" value="${isOpen ? 'closed' : 'open'}">
        ${words(isOpen ? 'signUp.close' : 'signUp.openIt')}
      </button>
    </div>`;
  const asks = await asksForAddress(store.reader);
  const profile = html`
    <p class="soft" data-profile="${asks ? 'on' : 'off'}">${words(asks ? 'profileFields.on' : 'profileFields.off')}</p>
    <div class="actions">
      <button class="button" name="profile_address" value="${asks ? 'off' : 'on'}">
        ${words(asks ? 'profileFields.stop' : 'profileFields.ask')}
      </button>
    </div>`;
  const who = await readAccountMakers(store.reader);
  const accounts = html`
    ${selectField(words('groupAccounts.who'), 'account_makers', makers(), who)}
    <p class="faint hint">${words('groupAccounts.hint')}</p>
    ${actions(button(words('profile.save')))}`;
  const header = visit.website.trustHeader;
  const ours = (content: Html) => form(visit, { to: path, className: 'form' }, content);
  return {
    html: staffFrame(
      visit,
      { title: words('staff.settings'), room: 'settings/', sub: words('settings.sub') },
      html`
        ${panel({ id: 'sign-up', heading: words('signUp.title') }, ours(signUp))}
        ${
          header !== undefined &&
          panel({ id: 'proxy', heading: words('proxyMembers.title') }, ours(await proxyChoice(visit, header)))
        }
        ${panel({ id: 'group-accounts', heading: words('groupAccounts.title') }, ours(accounts))}
        ${panel({ id: 'profile', heading: words('profileFields.title') }, ours(profile))}
        ${panel({ id: 'sample', heading: words('sample.title') }, await samplePanel(visit))}
        <p class="faint">${richWords('settings.others', { settings: linkTo(`${site.basePath}/docs/config/`) })}</p>`,
    ),
  };
}

async function proxyChoice({ store }: MemberVisit, header: string): Promise<Html> {
  const isOn = await makesMembersByProxy(store.reader);
  return html`
    <p class="soft" data-proxy="${isOn ? 'on' : 'off'}">
      ${isOn ? richWords('proxyMembers.on', { header }) : richWords('proxyMembers.off', { header })}
    </p>
    <div class="actions">
      <button class="button" name="proxy_members" value="${isOn ? 'off' : 'on'}">
        ${words(isOn ? 'proxyMembers.stop' : 'proxyMembers.make')}
      </button>
    </div>`;
}

/** Removing the demo data takes a second page that says what goes, and can be undone for a day. */
async function samplePanel(visit: MemberVisit): Promise<Html> {
  const { store, site, query } = visit;
  const { members, problems } = await countSample(store.reader);
  const here = `${site.basePath}${path}`;
  const ask = (act: 'remove' | 'restore', kind: string, text: Html, rest: Html | false = false) => {
    const end = actions(button(words(`sample.act.${act}`), kind, ['sample', act]), rest);
    return form(visit, { to: path, className: 'form' }, html`${text}${end}`);
  };
  const removedAt = await sampleRemovedAt(store.reader);
  // Sample problems that others use are still here.
  if (members === 0n && removedAt !== undefined)
    return ask('restore', '', html`<p class="soft">${richWords('sample.removed', { when: time(removedAt) })}</p>`);
  if (members + problems === 0n) return html`<p class="soft">${words('sample.none')}</p>`;
  const text = html`<p class="soft">${words('sample.text', { members, count: problems })}</p>`;
  if (query.get('ask') !== 'sample')
    return html`
      ${text}
      ${actions(linkButton(`${here}?ask=sample#sample`, words('sample.ask'), { kind: 'danger' }))}`;
  const warning = html`
    <div class="notice" data-kind="warn">
      <div><p><b>${words('sample.sure')}</b></p>${text}<p class="soft">${words('sample.undo')}</p></div>
    </div>`;
  const keep = linkButton(`${here}#sample`, words('uprooting.keep'));
  return ask('remove', 'danger', warning, keep);
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  if (field(form, 'sample', 20) === 'remove') {
    await asStaff(visit, async (tx) => ({ what: 'sample-removed', result: await removeSample(tx) }));
    return { to: donePath(path, 'sample-removed') };
  }
  if (field(form, 'sample', 20) === 'restore') {
    await asStaff(visit, async (tx) => ({ what: 'sample-restored', result: await restoreSample(tx) }));
    return { to: donePath(path, 'sample-restored') };
  }
  if (form.has('profile_address')) {
    const isAsked = field(form, 'profile_address', 20) === 'on';
    await asStaff(visit, async (tx) => ({
      what: 'profile-fields-set',
      result: await askForAddress(tx, isAsked),
    }));
    return { to: donePath(path, 'saved') };
  }
  if (form.has('proxy_members')) {
    const isWanted = field(form, 'proxy_members', 20) === 'on';
    await asStaff(visit, async (tx) => ({
      what: 'proxy-members-set',
      result: await makeMembersByProxy(tx, isWanted),
    }));
    return { to: donePath(path, 'saved') };
  }
  if (form.has('account_makers')) {
    const who = chosenIn(form, 'account_makers', makers());
    await asStaff(visit, async (tx) => ({ what: 'group-accounts-set', result: await setAccountMakers(tx, who) }));
    return { to: donePath(path, 'saved') };
  }
  const word = field(form, 'sign_up', 20);
  if (word !== 'open' && word !== 'closed') return { ...(await show(visit)), status: 422 } as Answer;
  const isOpen = word === 'open';
  await asStaff(visit, async (tx) => {
    await openSignUp(tx, isOpen);
    return { what: isOpen ? 'sign-up-opened' : 'sign-up-closed', result: undefined };
  });
  return { to: donePath(path, isOpen ? 'opened' : 'closed') };
}
