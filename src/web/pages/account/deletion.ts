/** The page where members delete their own account, confirmed by username and password. */

import { isLastAdministrator, removeOwnAccount } from '../../../practice/members.ts';
import { fold } from '../../../store/case-folding.ts';
import { countBelongings, hasMembers } from '../../../store/members.ts';
import { actions, button, type Faults, form, hasFaults, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { notice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { accountPath, staffPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { accountPage } from './frame.ts';
import { checkPassword, memberHasPassword } from './password.ts';

const deletePath = `${accountPath}delete/`;

export async function submitDeletion(visit: MemberVisit): Promise<PageResult> {
  const { store, form, member } = visit;
  const faults: Record<string, string> = {};
  const username = (form.get('username') ?? '').trim().normalize('NFC');
  if (username.length > 100 || fold(username) !== fold(member.username))
    faults['username'] = words('deletion.wrongName');
  // The password is checked last, so that a typing error in the name does not count as an attempt.
  const passwordCheck = faults['username'] ? { faults: {} } : await checkPassword(visit, 'password');
  Object.assign(faults, passwordCheck.faults);
  if (hasFaults(faults)) return { ...(await showDeletion(visit, faults)), status: passwordCheck.status ?? 422 };
  try {
    await removeOwnAccount(store, member.user_id);
  } catch (error) {
    return { ...(await showDeletion(visit, { form: refusalText(error) })), status: 422 };
  }
  // Without a checkpoint, the deleted rows would remain in the write-ahead log of SQLite.
  store.checkpoint?.();
  return { to: '/?done=deleted', session: null };
}

const countedKinds = [
  ...(['statuses', 'bookmarks', 'plants', 'lists', 'changes', 'handles', 'submissions'] as const),
  ...(['tokens', 'webhooks', 'group_members'] as const),
];

export async function showDeletion(visit: MemberVisit, faults: Faults = {}): Promise<{ html: Html }> {
  const { store, member, site } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const countItems = countedKinds.map((kind) => {
    const count = belongings[kind];
    return count > 0n && html`<li>${words(`deletion.counted.${kind}`, { count })}</li>`;
  });
  const isAlone = !(await hasMembers(store.reader, member.user_id));
  const isNeeded =
    !isAlone && (await isLastAdministrator(store.reader, { ...member, id: member.user_id, is_disabled: 0n }));
  const toMembers = linkTo(`${site.basePath}${staffPath}members/`);
  const downloadLink = linkButton(`${site.basePath}${accountPath}data/`, words('deletion.keep'), { kind: 'quiet' });
  const fields = html`
    ${textField(words('deletion.username'), 'username', faults, {
      hint: richWords('deletion.typeName', { name: bdi(member.username) }),
    })}
    ${textField(words('deletion.password'), 'password', faults, {
      type: 'password',
      autocomplete: 'current-password',
      longest: 1000,
    })}
    ${actions(button(words('deletion.button'), 'danger'), downloadLink)}`;
  const content = html`
    <ul class="goes">
      <li>${words('deletion.record')}</li>
      ${countItems}
      <li>${words('deletion.sessions')}</li>
      <li>${words('deletion.shared')}</li>
    </ul>
    <p class="faint">${words('deletion.stays')} ${words('deletion.backups')}</p>
    ${isAlone && notice('warn', words('deletion.lastAccount'))}
    ${
      isNeeded
        ? notice('warn', richWords('deletion.lastAdministrator', { a: toMembers }))
        : (await memberHasPassword(visit))
          ? form(visit, { to: deletePath, className: 'form' }, fields)
          : html`<p>${richWords('deletion.noPassword', { role: member.role, a: toMembers })}</p>`
    }`;
  return accountPage(
    visit,
    { section: 'data/', title: words('deletion.title'), subtitle: words('deletion.sub') },
    html`
      ${faults['form'] && notice('bad', richWords('deletion.notDeleted', { why: faults['form'] }))}
      ${panel({ id: 'goes', heading: words('deletion.what') }, content)}`,
  );
}
