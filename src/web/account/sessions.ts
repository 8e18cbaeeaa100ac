/** Where a member is signed in: each session can be ended, or all others at once. */
import { html } from 'hono/html';
import { parseInt64 } from '../../contract/common.ts';
import { AppError } from '../../errors.ts';
import { deleteSession, deleteSessionsOf, listSessions } from '../../store/sessions.ts';
import type { SessionsTable } from '../../store/tables.ts';
import { field, idIn } from '../fields.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { Answer, MemberVisit } from '../visits.ts';
import { browserName } from './browser-names.ts';
import { day, past } from './dates.ts';
import { accountPage, accountPath, roomAfter } from './rooms.ts';

const sessionsPath = `${accountPath}sessions/`;
/** The date of the last use is as exact as this. */
const hourMs = 3_600_000;

export async function showSessions(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const sessions = await listSessions(store.reader, member.user_id, new Date().toISOString());
  const own = sessions.filter(({ id }) => id === member.id);
  const others = sessions.filter(({ id }) => id !== member.id);
  const lines = [...own, ...others].map((session) => sessionLine(session, visit));
  const endOthers = html`<form method="post" action="${site.basePath}${sessionsPath}">${antiForgery}<button class="button danger" name="end_others" value="true">Sign out everywhere else</button></form>`;
  return {
    html: accountPage(
      visit,
      {
        room: 'sessions/',
        sub: 'A browser stays signed in until it was not used for 30 days. End what you do not know, and change the password then.',
      },
      html`<ul class="panel tokens">${lines}</ul>
${others.length > 0 ? endOthers : html`<p class="faint">You are signed in nowhere else.</p>`}`,
    ),
  };
}

export async function takeSessions({ store, form, member }: MemberVisit): Promise<Answer> {
  if (form.get('end_others') === 'true') {
    await store.write((tx) => deleteSessionsOf(tx, member.user_id, member.id));
    return { to: roomAfter('sessions/', 'others-ended') };
  }
  const id = idIn(field(form, 'end', 30), parseInt64);
  if (!(await store.write((tx) => deleteSession(tx, member.user_id, id))))
    throw new AppError('unknownItem', 'There is no such session of yours, and nothing was changed.');
  if (id === member.id) return { to: '/authentication/sign-in/', session: null };
  return { to: roomAfter('sessions/', 'ended') };
}

function sessionLine(session: SessionsTable, { member, site, antiForgery }: MemberVisit): Html {
  const { id, browser, network, created_at, seen_at } = session;
  const isHere = id === member.id;
  const isRecent = Date.now() - Date.parse(seen_at) < hourMs;
  return html`<li class="token" data-session="${id}"><div><h2>${browserName(browser)}${isHere ? html` <span class="tag good">${icon('check')}This browser</span>` : ''}</h2><p class="faint small">from <bdi>${network}</bdi>, signed in <span>${day(created_at)}</span></p></div>
<dl class="one"><div><dt>Last seen</dt><dd>${isHere ? 'now' : isRecent ? html`<time datetime="${seen_at}" title="${seen_at.slice(0, 16).replace('T', ' ')} UTC">in the last hour</time>` : past(seen_at)}</dd></div></dl>
<form method="post" action="${site.basePath}${sessionsPath}">${antiForgery}<button class="button small danger" name="end" value="${id}">${isHere ? 'Sign out' : html`End<span class="sr"> ${browserName(browser)}, ${network}</span>`}</button></form></li>`;
}
