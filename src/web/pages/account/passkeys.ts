/** The passkeys of a member: the list with names to change and buttons to remove them, and how one is added. */
import {
  addPasskey,
  optionsToAdd,
  type PasskeyPlace,
  passkeyPlaceOf,
  passkeysAtMost,
  renamePasskey,
} from '../../../auth/passkeys.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { removePasskey } from '../../../practice/sign-in-ways.ts';
import type { PasskeysTable } from '../../../store/passkeys.ts';
import { listSessions } from '../../../store/sessions.ts';
import { day, past } from '../../kit/dates.ts';
import { button, type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { longestAnswer, passkeyStep } from '../../kit/passkeys.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { waysPath } from '../../paths.ts';
import { field, idIn } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';
import { canConfirm, wrongPassword } from './password.ts';
import { browserName } from './sessions.ts';

const longestName = 100;
/** A member without a password shows by a sign-in of so many minutes ago that it is they who sit there. */
const freshMinutes = 15;

export const placeOfVisit = ({ site }: MemberVisit) => passkeyPlaceOf(site.baseUrl);

/** The faults of the form for a new passkey. */
export interface Refusal {
  faults: Faults;
  status: number;
}

/**
 * Does what a form of this page asks; undefined for one that is about no passkey. Throws badSetting and unknownItem.
 */
export async function takePasskeys(visit: MemberVisit): Promise<Answer | Refusal | undefined> {
  const { store, form: sent, member } = visit;
  const id = (name: string) => idIn(field(sent, name, 30), parseInt64);
  if (sent.has('remove_passkey')) {
    await removePasskey(store, member.user_id, id('remove_passkey'), placeOfVisit(visit));
    return { to: roomAfter('ways/', 'passkeyRemoved') };
  }
  const name = (sent.get('name') ?? '').trim();
  const fault = nameFault(name);
  if (sent.has('rename')) {
    if (fault !== undefined) return { faults: { form: fault }, status: 422 };
    await renamePasskey(store, member.user_id, id('rename'), name);
    return { to: roomAfter('ways/', 'passkeyRenamed') };
  }
  const place = placeOfVisit(visit);
  if (!place || !sent.has('answer')) return undefined;
  const answer = (sent.get('answer') ?? '').slice(0, longestAnswer);
  if (fault !== undefined) return { faults: { name: fault }, status: 422 };
  if (answer === '') return begin(visit, place, name);
  await addPasskey(store, place, { userId: member.user_id, name, browser: visit.browser }, answer);
  return { to: roomAfter('ways/', 'passkeyAdded') };
}

function nameFault(name: string): string | undefined {
  if (name === '') return words('passkeys.nameIt');
  if (name.length > longestName) return words('form.atMost', { longest: longestName });
  return /\p{Cc}/u.test(name) ? words('form.unshowable') : undefined;
}

/** Has the member confirm that it is they, and asks the device then. */
async function begin(visit: MemberVisit, place: PasskeyPlace, name: string): Promise<Answer | Refusal> {
  if (await canConfirm(visit)) {
    const { faults, status = 422 } = await wrongPassword(visit, 'password');
    if (hasFaults(faults)) return { faults, status };
  } else if (!(await isFresh(visit)))
    return { faults: { form: words('passkeys.stale', { minutes: freshMinutes }) }, status: 422 };
  const options = await optionsToAdd(visit.store, place, visit.member, visit.browser);
  const step = passkeyStep(visit, { to: waysPath, does: 'make', options, hidden: { name } });
  const back = html`<p><a href="${visit.site.basePath}${waysPath}">${words('openid.back.join')}</a></p>`;
  return {
    html: accountPage(
      visit,
      { room: 'ways/', title: words('passkeys.add'), sub: bdi(name), scripts: ['passkey.js'] },
      html`${panel({ id: 'make', heading: words('passkeys.make') }, step)}${back}`,
    ),
  };
}

async function isFresh({ store, member }: MemberVisit): Promise<boolean> {
  const now = Date.now();
  const sessions = await listSessions(store.reader, member.user_id, new Date(now).toISOString());
  const own = sessions.find(({ id }) => id === member.id);
  return own !== undefined && Date.parse(own.created_at) + freshMinutes * 60_000 > now;
}

/** The line below the name of a passkey. */
export function aboutPasskey(visit: MemberVisit, { host, made_at, used_at }: PasskeysTable): Html {
  const made = day(made_at);
  const use =
    used_at === null
      ? richWords('passkeys.unused', { day: made })
      : richWords('passkeys.used', { day: made, used: past(used_at) });
  return worksHere(visit, host) ? use : html`${use} ${words('passkeys.otherHost', { host })}`;
}

/** Whether browsers offer a passkey of this host here. */
export const worksHere = (visit: MemberVisit, host: string) => placeOfVisit(visit)?.host === host;

/** The forms that change the name of a passkey, and remove it. */
export function passkeyForms(visit: MemberVisit, { id, name }: PasskeysTable): Html {
  const rename = html`
    ${textField(words('passkeys.newName'), 'name', {}, { value: name, longest: longestName })}
    ${formActions(words('profile.save'))}`;
  return html`
    <div class="passkey-acts">
      ${form(
        visit,
        { to: waysPath },
        button(richWords('passkeys.remove', { name }), 'small danger', ['remove_passkey', id]),
      )}
      <details class="skipped">
        <summary>${richWords('passkeys.rename', { name })}</summary>
        ${form(visit, { to: waysPath, className: 'form', hidden: { rename: id } }, rename)}
      </details>
    </div>`;
}

/** The panel with the form for a new passkey, or why there is none. */
export async function addPanel(visit: MemberVisit, count: number, faults: Faults): Promise<Html> {
  const { site, form: sent, opening } = visit;
  const content = async (): Promise<Html> => {
    if (!placeOfVisit(visit)) return html`<p>${richWords('passkeys.noPlace', { address: bdi(site.baseUrl) })}</p>`;
    if (count >= passkeysAtMost) return html`<p>${words('badSetting.passkeys', { most: passkeysAtMost })}</p>`;
    const hasPassword = await canConfirm(visit);
    if (!hasPassword && !(await isFresh(visit)))
      return html`<p>${words('passkeys.stale', { minutes: freshMinutes })}</p>`;
    const value = sent.has('answer') ? (sent.get('name') ?? '') : browserName(opening.browser);
    const password = { type: 'password', autocomplete: 'current-password', longest: 1000 } as const;
    const fields = html`
      ${textField(words('planting.name'), 'name', faults, {
        ...{ value, longest: longestName, hint: words('passkeys.nameHint') },
      })}
      ${hasPassword && textField(words('password.old'), 'password', faults, password)}
      ${formActions(words('passkeys.continue'))}`;
    return html`
      <p data-without-passkeys>${words('passkeys.missing')}</p>
      <div data-with-passkeys hidden>
        ${form(visit, { to: waysPath, className: 'form', hidden: { answer: '' } }, fields)}
      </div>`;
  };
  return panel(
    { id: 'add', heading: words('passkeys.add') },
    html`<p class="soft">${words('passkeys.text')}</p>${await content()}`,
  );
}
