/** Settings that staff may change while the garden runs, and taking the sample out. */
import { html } from 'hono/html';
import { removeSample } from '../../importing/sample.ts';
import { isSignUpOpen, openSignUp } from '../../practice/joining.ts';
import { countSample } from '../../store/summary.ts';
import { field } from '../fields.ts';
import { thousands } from '../parts.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { act } from './acts.ts';
import { donePath, panel, staffFrame, staffPath } from './parts.ts';

const path = `${staffPath}settings/`;

export const settingsPage: PageRoute<MemberVisit> = { path, isSecret: true, show, change: take };

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, site, antiForgery } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const { members, problems } = await countSample(store.reader);
  const begin = html`<form class="form" method="post" action="${site.basePath}${path}">${antiForgery}`;
  const signUp = html`${begin}<p class="soft" data-sign-up="${isOpen ? 'open' : 'closed'}">${isOpen ? html`<b>Open.</b> Everybody who reaches this garden can make an account at <a href="${site.basePath}/authentication/join/">${site.baseUrl}/authentication/join/</a>.` : html`<b>Closed.</b> People join by an invitation only.`}</p><div class="actions"><button class="button" name="sign_up" value="${isOpen ? 'closed' : 'open'}">${isOpen ? 'Close sign-up' : 'Open sign-up'}</button></div></form>`;
  const sample =
    members + problems === 0n
      ? html`<p class="soft">There is no sample here.</p>`
      : html`${begin}<p class="soft">The demo member with all that is theirs, and those of the ${thousands.format(problems)} sample problems on which nobody else has a status or a star.</p><div class="actions"><button class="button danger" name="sample" value="remove">Take the sample out</button></div></form>`;
  return {
    html: staffFrame(
      visit,
      { title: 'Settings', room: 'settings/', sub: 'They hold at once, in every process.' },
      html`${panel('sign-up', 'Sign-up', signUp)}
${panel('sample', 'Sample', sample)}
<p class="faint">All other settings are read when the server starts: <a href="${site.basePath}/docs/config/">Settings</a>.</p>`,
    ),
  };
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  if (field(form, 'sample', 20) === 'remove') {
    await act(visit, async (tx) => ({ what: 'sample-removed', result: await removeSample(tx) }));
    return { to: donePath(path, 'sample-removed') };
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
