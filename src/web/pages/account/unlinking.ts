/** Unlinking a handle, after a page that says exactly what goes with it. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/judges.ts';
import { planUnlinking, type Unlinking, unlink, versionOfUnlinking } from '../../../practice/handles.ts';
import { stateIcon, states, stateWord } from '../../kit/marks.ts';
import { notice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';

export async function showUnlinking(visit: MemberVisit): Promise<Answer> {
  const { store, member, path } = visit;
  const plan = await planUnlinking(store.reader, idOf(visit), member.user_id);
  if (!plan) throw nothingHere(path);
  return { html: unlinkingPage(visit, plan) };
}

export async function takeUnlinking(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, path } = visit;
  const unlinked = await unlink(store, idOf(visit), member.user_id, form.get('expected') ?? '');
  if (!unlinked) throw nothingHere(path);
  if (unlinked.isDone) return { to: roomAfter('handles/', 'unlinked') };
  const page = unlinkingPage(visit, unlinked.plan, richWords('unlinking.overtaken'));
  return { html: page, status: 409 };
}

function idOf({ params }: MemberVisit): bigint {
  return idIn(params['id'], parseInt64);
}

function unlinkingPage(visit: MemberVisit, plan: Unlinking, warning?: Html): Html {
  const { site, antiForgery } = visit;
  const { handle, submissions, gone, changed, own } = plan;
  const judge = judgeName(handle.source);
  const total = gone.values().reduce((sum, count) => sum + count, 0);
  const kinds = states.flatMap((state) => {
    const count = gone.get(state);
    return count ? [html`<span>${stateIcon(state)} ${thousands.format(count)} ${stateWord(state)}</span> `] : [];
  });
  const lines = [
    html`
      <li data-goes="submissions" data-count="${submissions}">
        ${richWords('unlinking.submissions', { count: submissions, handle: html`<bdi>${handle.name}</bdi>` })}
      </li>`,
    html`
      <li data-goes="statuses" data-count="${total}">
        ${richWords('unlinking.statuses', { count: total, kinds: html`${kinds}` })}
      </li>`,
    changed > 0 &&
      html`<li data-goes="changed" data-count="${changed}">${words('unlinking.changed', { count: changed })}</li>`,
  ].filter((line) => line !== false);
  return accountPage(
    visit,
    {
      room: 'handles/',
      title: words('unlinking.title'),
      sub: richWords('unlinking.sub', { handle: html`<bdi>${handle.name}</bdi>`, judge }),
    },
    html`
      ${warning ? notice('warn', warning) : ''}
      <section class="panel" aria-labelledby="goes">
        <div class="panel-head"><h2 id="goes">${words('deletion.what')}</h2></div>
        <ul class="goes">${lines}</ul>
        <p class="faint" data-stays="${own}">
          ${own > 0 ? html`${words('unlinking.own', { count: own })} ` : ''}
          ${words('unlinking.stays')}
        </p>
        <form class="form" method="post" action="${site.basePath}${handlesPath}${handle.id}/">
          ${antiForgery}
          <input type="hidden" name="expected" value="${versionOfUnlinking(plan)}">
          <div class="actions">
            <button class="button danger">${words('unlinking.button')}</button>
            <a class="button quiet" href="${site.basePath}${handlesPath}">${words('proof.back')}</a>
          </div>
        </form>
      </section>`,
  );
}
