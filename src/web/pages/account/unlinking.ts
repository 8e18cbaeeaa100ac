/** Unlinks a handle, after a page that lists what is deleted with it. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName, newestAtMost, siteOf } from '../../../judges/judges.ts';
import { planUnlinking, type UnlinkingPlan, unlink, versionOfUnlinking } from '../../../practice/handles.ts';
import { countUnsyncableSolves } from '../../../store/solves.ts';
import { actions, button, form } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { stateIcon, stateLabel, statusOrder } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { handlePage, sectionAddress } from './frame.ts';

export async function showUnlinking(visit: MemberVisit): Promise<PageResult> {
  const { store, member, path } = visit;
  const plan = await planUnlinking(store.longReader, idOf(visit), member.user_id);
  if (!plan) throw pageNotFound(path);
  return await unlinkingPage(visit, plan);
}

export async function submitUnlinking(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, path } = visit;
  const result = await unlink(store, idOf(visit), member.user_id, form.get('expected') ?? '');
  if (!result) throw pageNotFound(path);
  if (result.isDone) return { to: sectionAddress('handles/', 'unlinked') };
  return { ...(await unlinkingPage(visit, result.plan, richWords('unlinking.conflict'))), status: 409 };
}

function idOf({ params }: MemberVisit): bigint {
  return idIn(params['id'], parseInt64);
}

async function unlinkingPage(visit: MemberVisit, plan: UnlinkingPlan, warning?: Html) {
  const { handle, submissions, removedByState, changedCount, ownCount } = plan;
  const newest = newestAtMost(handle.source, handle.name);
  const unsyncable = await countUnsyncableSolves(visit.store.longReader, handle.id, newest);
  const { basePath } = visit.site;
  const total = removedByState.values().reduce((sum, count) => sum + count, 0);
  const statusCounts = statusOrder.flatMap((state) => {
    const count = removedByState.get(state);
    return count ? [html`<span>${stateIcon(state)} ${thousands.format(count)} ${stateLabel(state)}</span> `] : [];
  });
  const item = (kind: string, count: number | bigint, text: Html | string) =>
    html`<li data-goes="${kind}" data-count="${count}">${text}</li>`;
  const items = html`
    ${item(
      'submissions',
      submissions,
      richWords('unlinking.submissions', { count: submissions, handle: bdi(handle.name) }),
    )}
    ${
      unsyncable > 0 &&
      html`<li data-unsyncable="${unsyncable}">${richWords('unlinking.unsyncable', {
        count: unsyncable,
        judge: siteOf(handle.source, handle.name).branch?.site ?? judgeName(handle.source),
      })}</li>`
    }
    ${item('statuses', total, richWords('unlinking.statuses', { count: total, kinds: html`${statusCounts}` }))}
    ${changedCount > 0 && item('changed', changedCount, words('unlinking.changed', { count: changedCount }))}`;
  const cancelLink = linkButton(`${basePath}${handlesPath}`, words('proof.back'), { kind: 'quiet' });
  const content = html`
    <ul class="goes">${items}</ul>
    <p>${richWords('unlinking.rename', { link: linkTo(`${basePath}${handlesPath}#handle-${handle.id}`) })}</p>
    <p class="faint" data-stays="${ownCount}">
      ${ownCount > 0 && html`${words('unlinking.own', { count: ownCount })} `}
      ${words('unlinking.stays')}
    </p>
    ${form(
      visit,
      { to: `${handlesPath}${handle.id}/`, className: 'form', hidden: { expected: versionOfUnlinking(plan) } },
      actions(button(words('unlinking.button'), 'danger'), cancelLink),
    )}`;
  return handlePage(
    visit,
    words('unlinking.title'),
    handle,
    html`${warning && notice('warn', warning)}${panel({ id: 'goes', heading: words('deletion.what') }, content)}`,
  );
}
