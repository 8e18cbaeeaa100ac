/**
 * Imports submissions that a judge shows only to their author, who confirms a token on the judge's site. The token is
 * in the form of this page and nowhere else, and is used for one import.
 */

import { AppError, parseLocalizedText } from '../../../errors.ts';
import { interactiveLimits, judgeClient } from '../../../jobs/judge-client.ts';
import { newHolder, tryUnderLease } from '../../../jobs/lease.ts';
import { beginTokenSync, isTokenSyncRunning, wasInterrupted } from '../../../jobs/sync-runs.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import type { Judge, MemberTokenApi } from '../../../judges/judge.ts';
import { judgeOf } from '../../../judges/judges.ts';
import { proveByConfirmation } from '../../../practice/handles.ts';
import { type JudgeAddress, listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { fold } from '../../../store/case-folding.ts';
import type { HandlesTable } from '../../../store/handles.ts';
import { findSync, type SyncsTable } from '../../../store/syncs.ts';
import { timeAgo } from '../../kit/dates.ts';
import { actions, button, form } from '../../kit/form.ts';
import { notice, panel } from '../../kit/panel.ts';
import { reloadSeconds } from '../../kit/sync-health.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { fieldText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { getOwnHandle, handlePage } from './frame.ts';

const longestToken = 1000;

export const confirmedSyncPage: PageRoute<MemberVisit> = {
  path: `${handlesPath}:id/confirm/`,
  isUncached: true,
  get: async (visit) => renderPage(visit, await contextOf(visit)),
  post: submit,
};

const pagePath = ({ id }: HandlesTable) => `${handlesPath}${id}/confirm/`;

interface HandleContext {
  handle: HandlesTable;
  judge: Judge;
  api: MemberTokenApi;
  judgeAddress: JudgeAddress | undefined;
}

interface Confirmation {
  token: string;
  address: string;
}

async function contextOf(visit: MemberVisit): Promise<HandleContext> {
  const { store, website, path } = visit;
  const handle = await getOwnHandle(visit);
  const judge = judgeOf(handle.source);
  const api = judge?.api?.memberToken;
  if (!judge || !api) throw pageNotFound(path);
  const judgeAddress = (await listJudgeAddresses(store.reader, website.judgeUrls)).get(handle.source);
  return { handle, judge, api, judgeAddress };
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { store, form: input } = visit;
  const context = await contextOf(visit);
  const { handle, judge, api, judgeAddress } = context;
  const action = fieldText(input, 'act', 20);
  const client = judgeClient(store, judge, { address: judgeAddress, pace: interactiveLimits });
  const handleAction = async (): Promise<PageResult> => {
    if (action === 'begin') return await renderPage(visit, context, { confirmation: await api.begin(client) });
    const confirmation = readConfirmation(input, client.site);
    if (action !== 'bring' || !confirmation) return await renderPage(visit, context, { status: 422 });
    const name = await api.usernameOf(client, confirmation.token);
    const withFault = (fault: Html) => renderPage(visit, context, { confirmation, fault, status: 422 });
    if (name === undefined)
      return await withFault(richWords('confirming.notYet', { judge: judge.name, name: handle.name }));
    if (fold(name) !== handle.name_key)
      return await withFault(richWords('confirming.otherName', { judge: judge.name, other: name, name: handle.name }));
    await proveByConfirmation(store, handle);
    await beginTokenSync(store, visit.website.enqueueJob, handle, confirmation.token);
    return { to: `${pagePath(handle)}?begun=1` };
  };
  try {
    // One request of a member at a time, so that nobody fills the judge's queue.
    const answer = await tryUnderLease(store, `confirming ${visit.member.user_id}`, newHolder(), handleAction);
    return (
      answer ?? renderPage(visit, context, { fault: words('confirming.busy', { judge: judge.name }), status: 429 })
    );
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) throw error;
    return renderPage(visit, context, { fault: localizeText(error), status: error.status });
  }
}

/** Undefined for values that no page of this server has sent. */
function readConfirmation(form: URLSearchParams, judgeSite: string): Confirmation | undefined {
  const token = fieldText(form, 'token', longestToken);
  const address = fieldText(form, 'address', longestAddress);
  const isAtJudge = URL.parse(address)?.origin === new URL(judgeSite).origin;
  return isAtJudge && /^[\x21-\x7e]+$/.test(token) ? { token, address } : undefined;
}

async function renderPage(
  visit: MemberVisit,
  context: HandleContext,
  { confirmation, fault, status }: { confirmation?: Confirmation; fault?: Html | string; status?: number } = {},
): Promise<PageResult> {
  const { store, site, query } = visit;
  const { handle, judge } = context;
  // The job is looked up before its row, because a job that ends in between has written the row by then.
  const isSyncing = await isTokenSyncRunning(store.reader, handle.id);
  const lastSync = await findSync(store.reader, { source: handle.source, task: 'submissions', handle_id: handle.id });
  const heading = words('confirming.how', { judge: judge.name });
  const panelContent = confirmation ? confirmationSteps(visit, context, confirmation) : beginForm(visit, context);
  const content = html`
    ${fault !== undefined && notice('bad', fault)}
    ${isSyncing ? runningNotice(judge) : lastRunNotice(judge, lastSync)}
    ${!isSyncing && panel({ id: 'confirm', heading }, panelContent)}
    <p><a href="${site.basePath}${handlesPath}">${words('proof.back')}</a></p>`;
  return {
    ...handlePage(visit, words('confirming.title'), handle, content),
    ...(status !== undefined && { status }),
    ...(isSyncing && query.has('begun') && { refreshSeconds: reloadSeconds }),
  };
}

function runningNotice(judge: Judge): Html {
  const text = `${words('confirming.runs', { judge: judge.name })} ${words('sync.looksAgain')}`;
  return notice('good', text, { symbol: 'clock', more: { 'data-run': 'on' } });
}

function lastRunNotice(judge: Judge, lastSync: SyncsTable | undefined): Html | undefined {
  if (!lastSync) return undefined;
  const { fault_text, good_at, tried_at, news } = lastSync;
  if (fault_text !== null && tried_at !== null)
    return html`
      <div data-run="failed">
        ${notice(
          'bad',
          richWords('confirming.failed', {
            when: timeAgo(tried_at),
            why: localizeText(parseLocalizedText(fault_text)),
          }),
        )}
      </div>`;
  if (good_at === null || wasInterrupted(lastSync))
    return html`
      <div data-run="broken-off">${notice('warn', words('confirming.brokenOff', { judge: judge.name }))}</div>`;
  const text = richWords('confirming.good', { when: timeAgo(good_at), count: news });
  return html`<div data-run="good">${notice('good', text)}</div>`;
}

function beginForm(visit: MemberVisit, { handle, judge }: HandleContext): Html {
  const beginButton = button(words('confirming.begin', { judge: judge.name }), 'primary', ['act', 'begin']);
  return html`
    <p class="soft">${words('confirming.text', { judge: judge.name, name: handle.name })}</p>
    ${form(visit, { to: pagePath(handle), className: 'form' }, actions(beginButton))}`;
}

function confirmationSteps(
  visit: MemberVisit,
  { handle, judge }: HandleContext,
  { token, address }: Confirmation,
): Html {
  const judgeLink = html`
    <a class="button" href="${address}" target="_blank" rel="noopener noreferrer" data-away>
      ${words('confirming.open', { judge: judge.name })}
    </a>`;
  const importButton = button(words('confirming.bring'), 'primary', ['act', 'bring']);
  return html`
    <ol class="steps">
      <li>${judgeLink} <span class="soft">${words('confirming.where', { host: new URL(address).host })}</span></li>
      <li>${richWords('confirming.signIn', { name: bdi(handle.name) })}</li>
      <li>${words('confirming.comeBack')}</li>
    </ol>
    <p class="faint hint">${words('confirming.noToken')}</p>
    ${form(visit, { to: pagePath(handle), className: 'form', hidden: { token, address } }, actions(importButton))}`;
}
