/** Changes the password. Every other session ends, and this one is renewed. */

import { changeOwnPassword, verifyPassword } from '../../../auth/sign-in.ts';
import { AppError } from '../../../errors.ts';
import { findPassword } from '../../../store/members.ts';
import { type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { notice, panel } from '../../kit/panel.ts';
import { readPassword, revokeTokensField, tokensField } from '../../kit/sign-up.ts';
import { type Html, html } from '../../markup.ts';
import { accountPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { localizeText, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

const passwordPath = `${accountPath}password/`;

export async function submitPassword(visit: MemberVisit): Promise<PageResult> {
  const { store, form, member, client } = visit;
  const { password, faults } = readPassword(form, member.username, true);
  const passwordCheck = await checkPassword(visit, 'password_old');
  Object.assign(faults, passwordCheck.faults);
  if (hasFaults(faults)) return { ...(await showPassword(visit, faults)), status: passwordCheck.status ?? 422 };
  const passwordChange = { password, endsTokens: form.has(tokensField) };
  const session = await changeOwnPassword(store, member.user_id, passwordChange, client);
  return { to: sectionAddress('password/', 'password-changed'), session };
}

/** No faults if the field has the member's password. */
export async function checkPassword(
  { website, store, form, member, client }: MemberVisit,
  name: string,
): Promise<{ faults: Record<string, string>; status?: number }> {
  const password = form.get(name) ?? '';
  try {
    // No password is longer, and hashing a long text takes time.
    const isRight =
      password.length <= 1000 && (await verifyPassword(store, website.throttle, member, password, client));
    return { faults: isRight ? {} : { [name]: words('password.wrong') } };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { faults: { [name]: localizeText(error) }, status: 429 };
  }
}

/** False for members without a password, such as the demo member. */
export async function memberHasPassword({ store, member }: MemberVisit): Promise<boolean> {
  return typeof (await findPassword(store.reader, member.username))?.password_hash === 'string';
}

export async function showPassword(visit: MemberVisit, faults: Faults = {}): Promise<{ html: Html }> {
  const field = (name: string, label: string, autocomplete: string, hint?: string) =>
    textField(label, name, faults, { type: 'password', longest: 1000, autocomplete, hint });
  const fields = html`
    <input type="text" name="username" value="${visit.member.username}" autocomplete="username" hidden>
    ${field('password_old', words('password.old'), 'current-password')}
    ${field('password', words('password.new'), 'new-password', words('door.passwordHint'))}
    ${field('password_again', words('password.newAgain'), 'new-password')}
    ${revokeTokensField(visit.form.has(tokensField))}
    ${formActions(words('password.change'))}`;
  const content = (await memberHasPassword(visit))
    ? form(visit, { to: passwordPath, className: 'form' }, fields)
    : html`<p>${words('password.none')}</p>`;
  return accountPage(
    visit,
    { section: 'password/', subtitle: words('password.sub') },
    html`
      ${hasFaults(faults) && notice('bad', words('password.notChanged'))}
      ${panel({ id: 'change', heading: words('password.heading') }, content)}`,
  );
}
