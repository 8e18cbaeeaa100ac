/** Settings that staff may change while the garden runs, and taking the sample out. */
import { html } from 'hono/html';
import { removeSample } from '../../importing/sample.ts';
import {
  type AccountMakers,
  isSignUpOpen,
  openSignUp,
  readAccountMakers,
  setAccountMakers,
} from '../../practice/joining.ts';
import { countSample } from '../../store/summary.ts';
import { field } from '../fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { linkTo, richWords, words } from '../words.ts';
import { act } from './acts.ts';
import { chosenIn, donePath, panel, selectField, staffFrame, staffPath } from './parts.ts';

const path = `${staffPath}settings/`;

const makers: readonly (readonly [AccountMakers, string])[] = [
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
  const { store, site, antiForgery } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const { members, problems } = await countSample(store.reader);
  const begin = html`<form class="form" method="post" action="${site.basePath}${path}">${antiForgery}`;
  const signUp = html`${begin}<p class="soft" data-sign-up="${isOpen ? 'open' : 'closed'}">${isOpen ? richWords('signUp.open', { join: linkTo(`${site.basePath}/authentication/join/`), address: `${site.baseUrl}/authentication/join/` }) : richWords('signUp.closed')}</p><div class="actions"><button class="button" name="sign_up" value="${isOpen ? 'closed' : 'open'}">${words(isOpen ? 'signUp.close' : 'signUp.openIt')}</button></div></form>`;
  const who = await readAccountMakers(store.reader);
  const accounts = html`${begin}${selectField(words('groupAccounts.who'), 'account_makers', makers, who)}<p class="faint hint">${words('groupAccounts.hint')}</p><div class="actions"><button class="button">${words('profile.save')}</button></div></form>`;
  const sample =
    members + problems === 0n
      ? html`<p class="soft">${words('sample.none')}</p>`
      : html`${begin}<p class="soft">${words('sample.text', { count: problems })}</p><div class="actions"><button class="button danger" name="sample" value="remove">${words('sample.takeOut')}</button></div></form>`;
  return {
    html: staffFrame(
      visit,
      { title: words('staff.settings'), room: 'settings/', sub: words('settings.sub') },
      html`${panel('sign-up', words('signUp.title'), signUp)}
${panel('group-accounts', words('groupAccounts.title'), accounts)}
${panel('sample', words('sample.title'), sample)}
<p class="faint">${richWords('settings.others', { settings: linkTo(`${site.basePath}/docs/config/`) })}</p>`,
    ),
  };
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  if (field(form, 'sample', 20) === 'remove') {
    await act(visit, async (tx) => ({ what: 'sample-removed', result: await removeSample(tx) }));
    return { to: donePath(path, 'sample-removed') };
  }
  if (form.has('account_makers')) {
    const who = chosenIn(form, 'account_makers', makers);
    await act(visit, async (tx) => ({ what: 'group-accounts-set', result: await setAccountMakers(tx, who) }));
    return { to: donePath(path, 'saved') };
  }
  const word = field(form, 'sign_up', 20);
  if (word !== 'open' && word !== 'closed') return { ...(await show(visit)), status: 422 } as Answer;
  const isOpen = word === 'open';
  await act(visit, async (tx) => {
    await openSignUp(tx, isOpen);
    return { what: isOpen ? 'sign-up-opened' : 'sign-up-closed', result: undefined };
  });
  return { to: donePath(path, isOpen ? 'opened' : 'closed') };
}
