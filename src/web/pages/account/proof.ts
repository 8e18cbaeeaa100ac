/** Proves that a handle belongs to its member: by a submission, or by signing in at the judge (visitors/openid.ts). */

import { AppError } from '../../../errors.ts';
import { checkProof, type ProofCheck } from '../../../jobs/sync-on-request.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import type { Judge } from '../../../judges/judge.ts';
import { judgeOf, openIdJudges } from '../../../judges/judges.ts';
import { beginProof, endOfProofTask, findProofTaskOf, proofMinutes } from '../../../practice/handles.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { findProof, type HandlesTable, type ProofTasksTable } from '../../../store/handles.ts';
import { findProvider } from '../../../store/openid.ts';
import { findProblem, type ProblemRow } from '../../../store/problems.ts';
import { verdictWords } from '../../kit/changes.ts';
import { timeElement } from '../../kit/dates.ts';
import { actions, button, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { judgeKey, webLink } from '../../kit/marks.ts';
import { providerForm } from '../../kit/openid-buttons.ts';
import { notice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { formatter, zoneLabel } from '../../request/clock.ts';
import { fieldText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { localize, localizeText, richWords, words } from '../../words/words.ts';
import { accountPage, getOwnHandle, sectionAddress } from './frame.ts';

type JudgeWithProof = Judge & Required<Pick<Judge, 'proof'>>;

interface HandleContext {
  handle: HandlesTable;
  judge: JudgeWithProof;
}

export async function showProof(visit: MemberVisit): Promise<PageResult> {
  return proofPage(visit, await contextOf(visit));
}

export async function submitProof(visit: MemberVisit): Promise<PageResult> {
  const { store } = visit;
  const context = await contextOf(visit);
  const action = fieldText(visit.form, 'act', 20);
  if (action === 'begin') {
    const isRated = context.judge.bands !== undefined;
    await beginProof(store, context.handle, isRated);
    return { to: pathOf(context) };
  }
  return action === 'check' ? checkTask(visit, context) : { ...(await proofPage(visit, context)), status: 422 };
}

async function contextOf(visit: MemberVisit): Promise<HandleContext> {
  const handle = await getOwnHandle(visit);
  const judge = judgeOf(handle.source);
  if (!judge?.proof) throw pageNotFound(visit.path);
  return { handle, judge: judge as JudgeWithProof };
}

const pathOf = ({ handle }: HandleContext) => `${handlesPath}${handle.id}/proof/`;

async function checkTask(visit: MemberVisit, context: HandleContext): Promise<PageResult> {
  const { store, website } = visit;
  const { handle, judge } = context;
  const task = await findProofTaskOf(store.reader, handle);
  if (!task) return { to: pathOf(context) };
  try {
    const judgeAddress = (await listJudgeAddresses(store.reader, website.judgeUrls)).get(handle.source);
    const result = await checkProof(store, judge, handle, task, judgeAddress);
    if (result.is === 'proved') return { to: sectionAddress('handles/', 'proved') };
    const outcome = outcomeText(context, result);
    return { ...(await proofPage(visit, context, outcome)), status: result.is === 'too soon' ? 429 : 422 };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError)) throw error;
    return { ...(await proofPage(visit, context, localizeText(error))), status: error.status };
  }
}

/** Says what was found in place of the proof. */
function outcomeText({ handle, judge }: HandleContext, result: ProofCheck): Html | string {
  const { name, source } = handle;
  if (!('nearest' in result)) {
    if (result.is === 'too soon') return words('proof.tooSoon');
    if (result.is === 'conflict') return words('proof.conflict');
    return words('proof.nothingSent', { name, judge: judge.name });
  }
  const { key, submittedAt, verdict: judgeVerdict, verdictClass: verdict_class } = result.nearest;
  const verdict = verdictWords({ source, verdict: judgeVerdict, verdict_class });
  const when = exactTime(submittedAt);
  if (result.is === 'waiting') return richWords('proof.waiting', { key, when });
  if (result.is === 'another verdict') return richWords('proof.anotherVerdict', { key, when, verdict });
  if (result.is === 'before') return richWords('proof.before', { key, when });
  if (result.is === 'too late') return richWords('proof.late', { key, when, minutes: proofMinutes });
  return richWords('proof.anotherProblem', { key, when, verdict });
}

async function proofPage(visit: MemberVisit, context: HandleContext, outcome?: Html | string): Promise<{ html: Html }> {
  const { store } = visit;
  const { handle, judge } = context;
  const proof = await findProof(store.reader, handle.id);
  const task = await findProofTaskOf(store.reader, handle);
  const problem = task && (await findProblem(store.reader, task.problem_id));
  const offer = !proof && (await openIdOffer(visit, handle.source));
  const instructions = localize(judge.proof.instructions);
  const explanation = html`<p class="soft">${words('proof.how', { what: instructions, minutes: proofMinutes })}</p>`;
  const body = proof
    ? html`<p>${icon('check')} ${words('proof.already')}</p>`
    : task && problem
      ? taskContent(visit, context, task, problem)
      : html`${explanation}${actionForm(visit, context, 'begin', words('proof.begin'))}`;
  const subtitle = richWords('proof.sub', { name: bdi(handle.name), judge: judge.name });
  return accountPage(
    visit,
    { section: 'handles/', title: words('proof.title'), subtitle },
    html`
      ${outcome && notice('warn', outcome)}
      ${panel({ id: 'by-submission', heading: words('proof.bySubmission') }, body)}
      ${offer && panel({ id: 'by-openid', heading: words('proof.byOpenId', { judge: judge.name }) }, offer)}
      <p><a href="${visit.site.basePath}${handlesPath}">${words('proof.back')}</a></p>`,
  );
}

function taskContent(visit: MemberVisit, context: HandleContext, task: ProofTasksTable, problem: ProblemRow): Html {
  const { handle, judge } = context;
  const deadline = endOfProofTask(task);
  const isExpired = Date.parse(deadline) < Date.now();
  const title = html`${judgeKey(problem)} ${bdi(problem.title)}`;
  return html`
    <p data-task="${problem.source_key}">
      ${richWords('proof.task', {
        what: localize(judge.proof.instructions),
        problem: webLink(problem.url, title) ?? title,
        name: bdi(handle.name),
        from: exactTime(task.begun_at),
        until: exactTime(deadline),
      })}
    </p>
    <p class="soft">${isExpired ? words('proof.over', { minutes: proofMinutes }) : words('proof.thenCheck')}</p>
    ${judge.proof.isDelayed && html`<p class="soft">${words('proof.isLate', { site: judge.site })}</p>`}
    ${actionForm(visit, context, 'check', words('proof.check'))}
    ${isExpired && actionForm(visit, context, 'begin', words('proof.beginAnew'), '')}`;
}

function actionForm(
  visit: MemberVisit,
  context: HandleContext,
  action: 'begin' | 'check',
  text: string,
  kind = 'primary',
): Html {
  return form(visit, { to: pathOf(context), className: 'form' }, actions(button(text, kind, ['act', action])));
}

const clock = formatter({ timeStyle: 'medium' });

/** To the second, as judges show it. */
function exactTime(at: string): Html {
  return html`${timeElement(at, clock(at))} ${zoneLabel()}`;
}

/** Undefined if staff have not set up the judge as a provider. */
async function openIdOffer(visit: MemberVisit, source: string): Promise<Html | undefined> {
  const judge = openIdJudges.get(source)?.name;
  if (judge === undefined || !(await findProvider(visit.store.reader, source))) return undefined;
  const proveButton = actions(button(words('openid.prove', { judge })));
  return html`
    <p class="soft">${words('openid.text', { judge })}</p>
    ${providerForm(visit, source, 'proof', proveButton)}`;
}

export async function openIdOffers(visit: MemberVisit): Promise<Html[]> {
  const offers = await Promise.all([...openIdJudges.keys()].map((source) => openIdOffer(visit, source)));
  return offers.filter((offer) => offer !== undefined);
}
