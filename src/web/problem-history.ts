/** The history of one problem: the member's changes, each with its undo, and what was sent to the judges, by day. */
import { html } from 'hono/html';
import { judgeName, judgeOf } from '../judges/addresses.ts';
import type { listChangesOfProblem } from '../store/changes.ts';
import type { ShownSolve } from '../store/problem-solves.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { State } from '../store/tables.ts';
import { changeEvent, wordsOf } from './changes.ts';
import { dayAt, zoneWords } from './clock.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import { dayHeading, moment } from './moments.ts';
import { type Forms, type OwnMarks, stateIcon, stateWords, webLink } from './parts.ts';
import { verdictWords } from './verdicts.ts';
import { richWords, words } from './words.ts';

/** What a page needs of a problem's history. */
export interface ProblemHistory {
  changes: Awaited<ReturnType<typeof listChangesOfProblem>>;
  /** The newest submissions. */
  solves: readonly ShownSolve[];
  /** The number of all submissions. */
  sent: bigint;
}

interface Event {
  at: string;
  shown: Html;
}

export function historyPanel(
  { source }: Pick<ProblemRow, 'source'>,
  marks: OwnMarks,
  { changes, solves, sent }: ProblemHistory,
  forms: Forms,
): Html {
  const own: Event[] = changes.map((change) => ({
    at: change.made_at,
    shown: changeEvent(change, wordsOf(change), change.size, forms),
  }));
  const decisive = decisiveOf(marks, solves);
  const brought = solves.map((solve) => ({
    at: solve.submitted_at,
    shown: solveEvent(solve, solve === decisive ? marks.status?.judge_status : null),
  }));
  const events = [...own, ...brought, ...(decisive ? [] : wordEvent(marks, source))];
  events.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const days = Map.groupBy(events, ({ at }) => dayAt(at));
  const count = words('history.count', {
    sent,
    judge: judgeName(source),
    changes: changes.length,
    zone: zoneWords(),
  });
  const older = sent - BigInt(solves.length);
  const list = html`<ol class="days">${[...days].map(([date, some]) => html`<li><h3>${dayHeading(date)}</h3><ol class="events">${some.map(({ shown }) => shown)}</ol></li>`)}</ol>${older > 0n ? html`<p class="faint hint">${words('history.older', { count: older })}</p>` : ''}`;
  return html`<section class="panel" aria-labelledby="history-title"><div class="panel-head"><h2 id="history-title">${words('frame.history')}</h2>${sent > 0n || changes.length > 0 ? html`<p>${count}</p>` : ''}</div>${events.length === 0 ? html`<p class="soft">${words('history.none')}</p>` : list}</section>`;
}

/** The submission that made the judge's word what it is; undefined where the word came from elsewhere. */
function decisiveOf({ status }: OwnMarks, solves: readonly ShownSolve[]): ShownSolve | undefined {
  const reached = status?.judge_status === 'complete' ? 'solved' : 'tried';
  return solves.find((one) => one.submitted_at === status?.judge_at && one.verdict_class === reached);
}

/** The judge's word that came without a submission. */
function wordEvent({ status }: OwnMarks, source: string): Event[] {
  if (!status?.judge_status || !status.judge_at) return [];
  const shown = html`<li class="event"><span class="event-mark">${stateIcon(status.judge_status)}</span><div><p><b>${stateWords[status.judge_status]}</b> <span class="faint">${words('history.saidBy', { judge: judgeName(source) })}</span></p></div>${moment(status.judge_at, 'time')}</li>`;
  return [{ at: status.judge_at, shown }];
}

const marksOfClasses = {
  solved: stateIcon('complete'),
  tried: icon('close', 'faint'),
  void: icon('info', 'faint'),
  pending: icon('clock', 'faint'),
} as const;

/**
 * A submission; `word` is the judge's word if this submission made it, and `name` the problem where the page does not say it
 * already.
 */
export function solveEvent(solve: ShownSolve, word: State | null | undefined, name: Html | '' = ''): Html {
  const {
    source,
    name: handle,
    submission_id: id,
    key,
    contest,
    verdict_class,
    participation,
    language,
    way,
  } = solve;
  const judge = judgeOf(source);
  const verdict = html`<b>${verdictWords(solve)}</b>`;
  const page = judge?.submissionPage?.({ id, key, contest }) ?? null;
  const facts = [
    participation && html`<span>${words(`participation.${participation}`)}</span>`,
    language && html`<span>${language}</span>`,
    html`<span>${richWords('history.sentAs', { handle: html`<bdi>${handle}</bdi>` })}</span>`,
    html`<span data-way="${way}">${words(`history.way.${way}`)}</span>`,
  ].filter((fact) => fact !== null && fact !== '');
  const made = word
    ? html`<p class="change">${stateWords[word]} <span class="faint">${words('history.saidBy', { judge: judgeName(source) })}</span></p>`
    : '';
  return html`<li class="event" data-submission="${id}" data-verdict="${verdict_class}"><span class="event-mark">${marksOfClasses[verdict_class]}</span><div><p>${name === '' ? '' : html`${name} `}${webLink(page, verdict) ?? verdict} <span class="faint"><span>${key}</span>${facts.map((fact) => html` · ${fact}`)}</span></p>${made}</div>${moment(solve.submitted_at, 'time')}</li>`;
}
