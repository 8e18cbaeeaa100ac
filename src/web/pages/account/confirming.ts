/**
 * Bringing what a judge shows to its member alone: the member confirms a token at the judge, which stands in this
 * page's form and nowhere else. It is used for one run.
 */

import { AppError, parseLocalizedText } from '../../../errors.ts';
import { interactiveLimits, judgeClient } from '../../../jobs/judge-client.ts';
import { newHolder, underLease } from '../../../jobs/lease.ts';
import { beginConfirmed, isRunning, wasInterrupted } from '../../../jobs/sync-runs.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import type { ConfirmedApi, Judge } from '../../../judges/judge.ts';
import { judgeOf } from '../../../judges/judges.ts';
import { proveByConfirmation } from '../../../practice/handles.ts';
import { type JudgeAddress, listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { fold } from '../../../store/case-folding.ts';
import type { HandlesTable } from '../../../store/handles.ts';
import { findSync, type SyncsTable } from '../../../store/syncs.ts';
import { past } from '../../kit/dates.ts';
import { actions, button, form } from '../../kit/form.ts';
import { notice, panel } from '../../kit/panel.ts';
import { waitSeconds } from '../../kit/sync-health.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { field } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { handlePage, ownHandle } from './frame.ts';

const longestToken = 1000;

export const confirmingPage: PageRoute<MemberVisit> = {
  path: `${handlesPath}:id/confirm/`,
  isSecret: true,
  show: async (visit) => page(visit, await subjectOf(visit)),
  change: take,
};

const pathOf = ({ id }: HandlesTable) => `${handlesPath}${id}/confirm/`;

interface Subject {
  handle: HandlesTable;
  judge: Judge;
  confirmed: ConfirmedApi;
  place: JudgeAddress | undefined;
}

interface Given {
  token: string;
  address: string;
}

async function subjectOf(visit: MemberVisit): Promise<Subject> {
  const { store, website, path } = visit;
  const handle = await ownHandle(visit);
  const judge = judgeOf(handle.source);
  const confirmed = judge?.api?.confirmed;
  if (!judge || !confirmed) throw nothingHere(path);
  const place = (await listJudgeAddresses(store.reader, website.judgeUrls)).get(handle.source);
  return { handle, judge, confirmed, place };
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { store, form: sent } = visit;
  const subject = await subjectOf(visit);
  const { handle, judge, confirmed, place } = subject;
  const act = field(sent, 'act', 20);
  const ask = judgeClient(store, judge, { place, pace: interactiveLimits });
  const step = async (): Promise<Answer> => {
    if (act === 'begin') return await page(visit, subject, { given: await confirmed.begin(ask) });
    const given = givenIn(sent, ask.site);
    if (act !== 'bring' || !given) return await page(visit, subject, { status: 422 });
    const name = await confirmed.nameOf(ask, given.token);
    const refused = (fault: Html) => page(visit, subject, { given, fault, status: 422 });
    if (name === undefined)
      return await refused(richWords('confirming.notYet', { judge: judge.name, name: handle.name }));
    if (fold(name) !== handle.name_key)
      return await refused(richWords('confirming.otherName', { judge: judge.name, other: name, name: handle.name }));
    await proveByConfirmation(store, handle.id);
    await beginConfirmed(store, visit.website.enqueueJob, handle, given.token);
    return { to: `${pathOf(handle)}?begun=1` };
  };
  try {
    // So that nobody fills the queue of the judge for all.
    const answer = await underLease(store, `confirming ${visit.member.user_id}`, newHolder(), step);
    return answer ?? page(visit, subject, { fault: words('confirming.busy', { judge: judge.name }), status: 429 });
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) throw error;
    return page(visit, subject, { fault: localizeText(error), status: error.status });
  }
}

/** The values of the page before this one; undefined for a text that no page of ours has. */
function givenIn(form: URLSearchParams, site: string): Given | undefined {
  const token = field(form, 'token', longestToken);
  const address = field(form, 'address', longestAddress);
  const isOwn = URL.parse(address)?.origin === new URL(site).origin;
  return isOwn && /^[\x21-\x7e]+$/.test(token) ? { token, address } : undefined;
}

async function page(
  visit: MemberVisit,
  subject: Subject,
  { given, fault, status }: { given?: Given; fault?: Html | string; status?: number } = {},
): Promise<Answer> {
  const { store, site, query } = visit;
  const { handle, judge } = subject;
  // In this order: a run that ends in between has written its row.
  const runs = await isRunning(store.reader, handle.id);
  const row = await findSync(store.reader, { source: handle.source, task: 'submissions', handle_id: handle.id });
  const heading = words('confirming.how', { judge: judge.name });
  const content = html`
    ${fault !== undefined && notice('bad', fault)}
    ${runs ? isAtWork(judge) : lastRun(judge, row)}
    ${!runs && panel({ id: 'confirm', heading }, given ? givenPart(visit, subject, given) : beginPart(visit, subject))}
    <p><a href="${site.basePath}${handlesPath}">${words('proof.back')}</a></p>`;
  return {
    ...handlePage(visit, words('confirming.title'), handle, content),
    ...(status !== undefined && { status }),
    ...(runs && query.has('begun') && { refreshSeconds: waitSeconds }),
  };
}

function isAtWork(judge: Judge): Html {
  const text = `${words('confirming.runs', { judge: judge.name })} ${words('sync.looksAgain')}`;
  return notice('good', text, { symbol: 'clock', more: { 'data-run': 'on' } });
}

function lastRun(judge: Judge, row: SyncsTable | undefined): Html | undefined {
  if (!row) return undefined;
  const { fault_text, good_at, tried_at, news } = row;
  if (fault_text !== null && tried_at !== null)
    return html`
      <div data-run="failed">
        ${notice(
          'bad',
          richWords('confirming.failed', { when: past(tried_at), why: localizeText(parseLocalizedText(fault_text)) }),
        )}
      </div>`;
  if (good_at === null || wasInterrupted(row))
    return html`
      <div data-run="broken-off">${notice('warn', words('confirming.brokenOff', { judge: judge.name }))}</div>`;
  return html`
    <div data-run="good">${notice('good', richWords('confirming.good', { when: past(good_at), count: news }))}</div>`;
}

function beginPart(visit: MemberVisit, { handle, judge }: Subject): Html {
  const begin = button(words('confirming.begin', { judge: judge.name }), 'primary', ['act', 'begin']);
  return html`
    <p class="soft">${words('confirming.text', { judge: judge.name, name: handle.name })}</p>
    ${form(visit, { to: pathOf(handle), className: 'form' }, actions(begin))}`;
}

function givenPart(visit: MemberVisit, { handle, judge }: Subject, { token, address }: Given): Html {
  const open = html`
    <a class="button" href="${address}" target="_blank" rel="noopener noreferrer" data-away>
      ${words('confirming.open', { judge: judge.name })}
    </a>`;
  const bring = button(words('confirming.bring'), 'primary', ['act', 'bring']);
  return html`
    <ol class="steps">
      <li>${open} <span class="soft">${words('confirming.where', { host: new URL(address).host })}</span></li>
      <li>${richWords('confirming.signIn', { name: bdi(handle.name) })}</li>
      <li>${words('confirming.comeBack')}</li>
    </ol>
    <p class="faint hint">${words('confirming.noToken')}</p>
    ${form(visit, { to: pathOf(handle), className: 'form', hidden: { token, address } }, actions(bring))}`;
}
