/** The handles of a member for staff: which are proved, and by whom else. */

import { judgeName, judgeOf } from '../../../judges/addresses.ts';
import { listOtherProvers, listProvedHandles } from '../../../store/handle-proofs.ts';
import { icon } from '../../kit/icons.ts';
import { webLink } from '../../kit/marks.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { date } from './frame.ts';

export async function memberHandles({ store }: MemberVisit, userId: bigint): Promise<Html> {
  const handles = await listProvedHandles(store.reader, userId);
  if (handles.length === 0) return html`<p class="soft">${words('member.noHandles')}</p>`;
  const lines = handles.map(async (handle) => {
    const { source, name, proved_at } = handle;
    const judge = judgeOf(source);
    const title = html`<bdi>${name}</bdi>`;
    const mark =
      proved_at === null
        ? html`<span class="faint">${words('member.handleUnproved')}</span>`
        : html`
          <span class="tag good">${icon('check')}${richWords('member.handleProved', { day: date(proved_at) })}</span>`;
    const others = (await listOtherProvers(store.reader, userId, handle)).map(
      (other) =>
        html` <span class="small" data-also>${richWords('member.alsoProved', {
          name: html`<bdi>${other.username}</bdi>`,
          day: date(other.proved_at),
        })}</span>`,
    );
    return html`
      <li data-handle="${handle.id}">
        ${judgeName(source)} ${webLink(judge?.handle?.pageOf?.(name) ?? null, title) ?? title} ${mark}
        ${others}
      </li>`;
  });
  return html`<ul class="files">${await Promise.all(lines)}</ul>`;
}
