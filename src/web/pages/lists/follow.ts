/** The page where a list follows the list at an address, and the panel of a list that says whether this succeeds. */

import { localizedError } from '../../../errors.ts';
import { isPrivateHost } from '../../../jobs/public-hosts.ts';
import { problemAt } from '../../../judges/addresses.ts';
import { readAllowance } from '../../../practice/added-problems.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import {
  addMissing,
  longestFollowAddress,
  parseFollowAddress,
  readMissing,
  startFollowing,
  stopFollowing,
} from '../../../practice/list-follows.ts';
import type { OwnList } from '../../../practice/lists.ts';
import { findFollow, type ListFollowsTable, listRemovedItems } from '../../../store/list-follows.ts';
import { moment } from '../../kit/dates.ts';
import { actions, button, type Faults, form, formActions, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { allowanceText, crumbsOf, formPage, ownListOf } from '../../kit/list-parts.ts';
import { problemLink, webLink } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { followListPath, listPath, listsPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { type MessageKey, richWords, words } from '../../words/words.ts';

export const followPages: readonly PageRoute<MemberVisit>[] = [
  { path: `${listsPath}:id/follow/`, get: (visit) => showFollow(visit), post: submitFollow },
];

const removedItemsShown = 10;

async function submitFollow(visit: MemberVisit): Promise<PageResult> {
  const { store, form, website } = visit;
  const list = await ownListOf(visit);
  const action = form.get('do');
  try {
    if (action === 'stop') await stopFollowing(store, list);
    else if (action === 'add') await addMissingProblems(visit, list);
    else {
      const address = parseFollowAddress(form.get('url') ?? '');
      const url = new URL(address);
      if (isPrivateHost(url) && !website.privateOrigins.has(url.origin))
        throw localizedError('invalidValue.followPrivate');
      await startFollowing(store, list, address);
    }
  } catch (error) {
    return showFollow(visit, { [action === null ? 'url' : 'form']: refusalText(error) });
  }
  return { to: action === 'stop' ? followListPath(list.id) : listPath(list.id) };
}

/** Adds as many of the missing problems as the member may add now. Throws invalidValue if that is none. */
async function addMissingProblems({ store, website }: MemberVisit, list: OwnList): Promise<void> {
  const follow = await findFollow(store.reader, list.id);
  if (!follow) return;
  const judgeAddresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const { left } = await readAllowance(store.reader, list.owner_id, website.addLimits);
  const missing = readMissing(follow).some.flatMap((one) => {
    const problem = problemAt(one.url, judgeAddresses);
    return problem ? { ...one, problem } : [];
  });
  await addMissing(store, list, missing.slice(0, left || undefined), website.addLimits);
}

async function showFollow(visit: MemberVisit, faults: Faults = {}): Promise<PageResult> {
  const { store, site, website, form: input } = visit;
  const { id, name } = await ownListOf(visit);
  const follow = await findFollow(store.reader, id);
  const address = {
    value: input.get('url') ?? '',
    type: 'url',
    longest: longestFollowAddress,
    hint: words('follow.hint'),
  } as const;
  const fields = html`
    ${textField(words('follow.address'), 'url', faults, address)}
    ${formActions(words('follow.start'))}`;
  const to = followListPath(id);
  const headOptions = {
    crumbs: crumbsOf(site.basePath, [site.basePath + listPath(id), name]),
    sub: words('follow.sub'),
  };
  return formPage(
    visit,
    { title: words('follow.title'), kind: 'p-list-new', headOptions, faults },
    html`
      ${!website.syncsJudges && notice('warn', words('follow.off'))}
      ${
        follow
          ? await followPanel(visit, follow, { canStop: true })
          : panel({ id: 'follow', heading: words('follow.start') }, form(visit, { to, className: 'form' }, fields))
      }`,
  );
}

const faultMessages: Readonly<Record<string, MessageKey>> = {
  private: 'follow.fault.private',
  'unknown-host': 'follow.fault.unknownHost',
  timeout: 'follow.fault.timeout',
  redirect: 'follow.fault.redirect',
  'too-large': 'follow.fault.tooLarge',
  'not-utf8': 'follow.fault.notUtf8',
  broken: 'follow.fault.broken',
  'no-links': 'follow.fault.noLinks',
  'too-many-links': 'follow.fault.tooManyLinks',
};

/** The reason of a failure, as a part of a sentence. */
function faultText(fault: string): string {
  if (/^\d+$/.test(fault)) return words('follow.fault.status', { status: fault });
  return words(faultMessages[fault] ?? 'follow.fault.unreachable');
}

/** The page of following has a button to stop (`canStop`). The page of the list links to it. */
export async function followPanel(
  visit: MemberVisit,
  follow: ListFollowsTable,
  { canStop = false } = {},
): Promise<Html> {
  const { store, site, member, website } = visit;
  const { list_id: id, url, tried_at, good_at, fault } = follow;
  const removed = await listRemovedItems(store.reader, id);
  const { count } = readMissing(follow);
  const allowance = count > 0 && (await readAllowance(store.reader, member.user_id, website.addLimits));
  const to = followListPath(id);
  const titles = removed.slice(0, removedItemsShown).map((one) => html`<li>${problemLink(site.basePath, one)}</li>`);
  const checked =
    good_at === null ? words('follow.soon') : richWords('follow.checked', { day: moment(good_at, 'sentence') });
  const stopButton = actions(button(words('follow.stop'), '', ['do', 'stop']));
  const content = html`
    <div class="follow">
      <p><span class="lost-address">${webLink(url, html`<bdi>${url}</bdi>`) ?? html`<bdi>${url}</bdi>`}</span></p>
      <p class="soft">${checked}</p>
      ${
        fault !== null &&
        tried_at !== null &&
        notice('warn', richWords('follow.failed', { day: moment(tried_at, 'sentence'), why: faultText(fault) }))
      }
      ${removed.length > 0 && html`<p>${words('follow.gone', { count: removed.length })}</p><ul>${titles}</ul>`}
      ${
        count > 0 &&
        form(
          visit,
          { to, label: words('follow.missing', { count }) },
          html`
            <p>${words('follow.missing', { count })}</p>
            ${allowance && allowance.left < count && allowanceText(allowance, count - allowance.left)}
            ${actions(button(words('follow.add', { count }), '', ['do', 'add']))}`,
        )
      }
      ${canStop && form(visit, { to, label: words('follow.stop') }, stopButton)}
    </div>`;
  const beside = !canStop && linkButton(site.basePath + to, words('follow.change'), { kind: 'quiet' });
  return panel({ id: 'follow', heading: words('follow.heading'), beside }, content);
}
