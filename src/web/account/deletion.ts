/** Deleting one's own account: by the name and the password, for good and completely. */
import { html } from 'hono/html';
import { AppError } from '../../errors.ts';
import { removeOwnAccount } from '../../practice/members.ts';
import { fold } from '../../store/case-folding.ts';
import { countBelongings } from '../../store/members.ts';
import { type Faults, textField } from '../forms.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import type { Answer, MemberVisit } from '../visits.ts';
import { canConfirm, wrongPassword } from './password.ts';
import { accountPage, accountPath, notice } from './rooms.ts';

const deletePath = `${accountPath}delete/`;

export async function showDeletion(visit: MemberVisit): Promise<Answer> {
  return { html: await deletionPage(visit, {}) };
}

export async function takeDeletion(visit: MemberVisit): Promise<Answer> {
  const { store, form, member } = visit;
  const faults: Record<string, string> = {};
  const typed = (form.get('username') ?? '').trim();
  if (typed.length > 100 || fold(typed) !== fold(member.username))
    faults['username'] = 'This is not your name; nothing was deleted.';
  // The password is looked at last, so that a typing error in the name counts as no attempt.
  const wrong = faults['username'] ? { faults: {} } : await wrongPassword(visit, 'password');
  Object.assign(faults, wrong.faults);
  if (Object.keys(faults).length > 0)
    return { html: await deletionPage(visit, faults), status: wrong.status ?? 422 };
  try {
    await store.write((tx) => removeOwnAccount(tx, member.user_id));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'badSetting') throw error;
    return { html: await deletionPage(visit, { form: error.message }), status: 422 };
  }
  // Until then the rows stand in the log of the file.
  store.checkpoint?.();
  return { to: '/', session: null };
}

async function deletionPage(visit: MemberVisit, faults: Faults): Promise<Html> {
  const { store, member, site, antiForgery } = visit;
  const belongings = await countBelongings(store.reader, member.user_id);
  const { statuses, bookmarks, tokens, plants, changes, handles, submissions } = belongings;
  const counted = (count: bigint, one: string, many = `${one}s`) =>
    count === 0n ? '' : html`<li>${thousands.format(count)} ${count === 1n ? one : many}</li>`;
  const form = html`<form class="form" method="post" action="${site.basePath}${deletePath}">${antiForgery}
${textField('Your username', 'username', faults, { hint: html`Type <b><bdi>${member.username}</bdi></b> to say that you mean it.` })}
${textField('Your password', 'password', faults, { type: 'password', autocomplete: 'current-password', longest: 1000 })}
<div class="actions"><button class="button danger">Delete my account for good</button><a class="button quiet" href="${site.basePath}${accountPath}data/">Keep it</a></div></form>`;
  const none = html`<p>Your account has no password, so nobody can confirm this here. Staff can delete it, or give you a one-time address that sets a password.</p>`;
  return accountPage(
    visit,
    {
      room: 'data/',
      title: 'Delete your account',
      sub: 'At once, for good, and completely. There is no undo.',
    },
    html`${faults['form'] ? notice('bad', html`<b>Nothing was deleted.</b> ${faults['form']}`) : ''}
<section class="panel" aria-labelledby="goes"><div class="panel-head"><h2 id="goes">What goes</h2></div><ul class="goes"><li>your record</li>${counted(statuses, 'status', 'statuses')}${counted(bookmarks, 'bookmark with its note', 'bookmarks with their notes')}${counted(plants, 'plant')}${counted(changes, 'line of history', 'lines of history')}${counted(handles, 'handle')}${counted(submissions, 'kept submission')}${counted(tokens, 'token')}<li>every session</li></ul><p class="faint">Backups that staff made earlier still have them until they are replaced.</p>
${(await canConfirm(visit)) ? form : none}</section>`,
  );
}
