/** Changes that members make on pages: the bar that offers to undo the last one, the history, and undoing. */
import { parseInt64 } from '../../contract/common.ts';
import { judgeName, judgeOf } from '../../judges/judges.ts';
import { versionOf } from '../../practice/marks.ts';
import type { ChangesTable } from '../../store/changes.ts';
import { type Batch, findBatch } from '../../store/changes.ts';
import { findProblem } from '../../store/problems.ts';
import type { ShownSolve } from '../../store/solves.ts';
import type { How, State } from '../../store/statuses.ts';
import { findStatusPairs } from '../../store/statuses.ts';
import type { Store } from '../../store/store.ts';
import { type Html, html } from '../markup.ts';
import { historyPath, problemPath } from '../paths.ts';
import { dayAt } from '../road/clock.ts';
import type { MemberVisit } from '../road/visits.ts';
import { richWords, words } from '../words/words.ts';
import { dayHeading, moment } from './dates.ts';
import { icon } from './icons.ts';
import {
  type Forms,
  hiddenFields,
  howButtons,
  judgeKey,
  shownState,
  stateIcon,
  stateWord,
  undoBar,
  webLink,
} from './marks.ts';

/** The address to go back to after a change, with what changed, or with the problem that was so already. */
export function backTo(from: string, batch: bigint | undefined, fragment = '', already?: bigint): string {
  const [path = '/', query = ''] = from.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  parameters.delete('changed');
  parameters.delete('already');
  if (batch !== undefined) parameters.set('changed', String(batch));
  else if (already !== undefined) parameters.set('already', String(already));
  return `${path}${parameters.size > 0 ? `?${parameters}` : ''}${fragment}`;
}

/**
 * The bar for the change that the address names, if it is the member's own: made, or undone since; `from` is this page.
 */
export async function changeBar(visit: MemberVisit, from: string): Promise<Html | undefined> {
  const { store, member, query, site, antiForgery } = visit;
  const forms: Forms = { basePath: site.basePath, antiForgery, from };
  const id = parseInt64(query.get('changed') ?? '');
  if (id === undefined) return alreadyBar(visit, forms);
  const first = await findBatch(store.reader, member.user_id, id);
  if (!first) return undefined;
  const isUndone = first.undone_at !== null;
  const text = richWords(isUndone ? 'change.undone' : 'change.done', {
    subject: first.size === 1n ? first.title : problemsText(first.size),
    change: wordsOf(first, first.size),
  });
  if (isUndone) return undoBar(forms, text, undefined);
  const { status, how } = JSON.parse(first.after) ?? {};
  const asksHow = first.size === 1n && first.kind === 'status' && status === 'complete' && how === null;
  return undoBar(forms, text, first.id, {
    how: asksHow ? await howForm(store, member.user_id, first, forms) : '',
  });
}

/** The bar for a mark that changed nothing, as another tab had made it before. */
async function alreadyBar({ store, member, query }: MemberVisit, forms: Forms): Promise<Html | undefined> {
  const id = parseInt64(query.get('already') ?? '');
  const problem = id === undefined ? undefined : await findProblem(store.reader, id);
  if (!problem) return undefined;
  const [status] = await findStatusPairs(store.reader, member.user_id, [problem.id]);
  const state = shownState({ status, bookmark: undefined });
  const text = richWords('change.already', {
    subject: problem.title,
    status: words(`state.inText.${state}`),
  });
  return undoBar(forms, text, undefined);
}

/** The question how it went, with the status that the question is about. */
async function howForm(
  store: Store,
  memberId: bigint,
  { problem_id }: ChangesTable,
  forms: Forms,
): Promise<Html | string> {
  const [row] = await findStatusPairs(store.reader, memberId, [problem_id]);
  if (row?.self_status !== 'complete') return '';
  return html`
    <form class="undo-how" method="post" action="${forms.basePath}${problemPath(problem_id)}">
      ${hiddenFields(forms, versionOf(row))}
      <span>${words('how.question')}</span>
      ${howButtons(undefined)}
    </form>`;
}

const problemsText = (count: bigint) => words('problem.count', { count });

/** A change in words, such as "trying → solved"; of many made together, such as "now solved". */
export function wordsOf({ kind, before, after }: Pick<ChangesTable, 'kind' | 'before' | 'after'>, size = 1n): string {
  const [one, other] = [JSON.parse(before), JSON.parse(after)] as const;
  if (kind === 'bookmark') return words(other === null ? 'change.unstarred' : 'change.starred');
  if (kind === 'note') return words(other?.note === null ? 'change.noteGone' : 'change.noteSaved');
  const howText = (how: How) => words(`how.inText.${how}`);
  if (kind === 'how')
    return other.how === null ? words('change.howUnsaid') : words('change.how', { how: howText(other.how) });
  const word = (status: State) => words(`state.inText.${status}`);
  // Before a bulk change each problem may have had another status.
  if (size > 1n) return words('change.now', { to: word(other.status) });
  const [from, to] = [word(one.status ?? one.judge ?? 'not_started'), word(other.status)];
  const isSame = from === to;
  if (!other.how) return isSame ? words('change.own', { to }) : words('change.status', { from, to });
  const how = howText(other.how);
  return isSame ? words('change.ownAndHow', { to, how }) : words('change.statusAndHow', { from, to, how });
}

/** Batches by day, the newest first; `head` makes the heading of a day. */
export function batchesByDay(batches: readonly Batch[], forms: UndoForms, head: (text: Html) => Html): Html {
  const days = Map.groupBy(batches, ({ made_at }) => dayAt(made_at));
  const event = (batch: Batch) => {
    const what =
      batch.size === 1n
        ? html`<a href="${forms.basePath}${problemPath(batch.problem_id)}">${batch.title}</a> ${judgeKey(batch)}`
        : html`<b>${problemsText(batch.size)}</b>`;
    return changeEvent(batch, html`${what} ${wordsOf(batch, batch.size)}`, batch.size, forms);
  };
  return html`
    <ol class="days">
      ${[...days].map(
        ([date, some]) => html`<li>${head(dayHeading(date))}<ol class="events">${some.map(event)}</ol></li>`,
      )}
    </ol>`;
}

/** The forms that undo share these; `from` is the page to go back to, if it is not the history. */
type UndoForms = Omit<Forms, 'from'> & { from: string | undefined };

/** A change of the member's own in a history, with the form that undoes it and what was changed together with it. */
export function changeEvent(
  { id, made_at, undone_at }: ChangesTable,
  text: Html | string,
  size: bigint,
  { basePath, antiForgery, from }: UndoForms,
): Html {
  const label = size === 1n ? words('change.undo') : words('change.undoAll', { count: size });
  const isSameDay = undone_at !== null && dayAt(undone_at) === dayAt(made_at);
  const undone = (at: string) =>
    isSameDay
      ? richWords('change.undoneAt', { time: moment(at, 'time') })
      : richWords('change.undoneOn', { day: moment(at) });
  const form = html`
    <form method="post" action="${basePath}${historyPath}">
      ${antiForgery}
      ${from === undefined ? '' : html`<input type="hidden" name="from" value="${from}">`}
      <button class="button small quiet" name="undo" value="${id}">${icon('undo')}<span>${label}</span></button>
    </form>`;
  return html`
    <li class="event" data-change="${id}"${undone_at ? html` data-undone` : ''}>
      <span class="event-mark">${icon('user', 'faint')}</span>
      <div>
        <p${undone_at ? html` class="change undone"` : ''}>
          ${text}
          ${undone_at ? html` <span class="faint">${undone(undone_at)}</span>` : ''}
        </p>
      </div>
      ${undone_at ? '' : form}
      ${moment(made_at, 'time')}
    </li>`;
}

/* A judge's verdict on a submission, in words. */

/** Such as "Wrong answer" for WRONG_ANSWER; a word that the judge's file does not know stays as the judge wrote it. */
export function verdictWords({
  source,
  verdict,
  verdict_class,
}: Pick<ShownSolve, 'source' | 'verdict' | 'verdict_class'>): string {
  if (verdict === null) return words('verdict.waiting');
  const { verdicts = {} } = judgeOf(source) ?? {};
  const known = Object.hasOwn(verdicts, verdict) ? verdicts[verdict] : undefined;
  const text = known ? words(`verdict.${known}`) : verdict;
  const isOpen = verdict_class === 'pending' && known !== 'waiting';
  return isOpen ? words('history.notFinal', { verdict: text }) : text;
}

/* A submission in a history: its verdict, when and how it was sent. */

const marksOfClasses = {
  solved: stateIcon('complete'),
  tried: icon('close', 'faint'),
  void: icon('info', 'faint'),
  pending: icon('clock', 'faint'),
} as const;

/**
 * A submission; `word` is the judge's word if this submission made it, and `name` the problem where the page does not
 * say it already.
 */
export function solveEvent(solve: ShownSolve, word: State | null | undefined, name: Html | '' = ''): Html {
  const { source, name: handle, submission_id: id, key, contest, verdict_class, participation, language, way } = solve;
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
    ? html`
      <p class="change">
        ${stateWord(word)} <span class="faint">${words('history.saidBy', { judge: judgeName(source) })}</span>
      </p>`
    : '';
  return html`
    <li class="event" data-submission="${id}" data-verdict="${verdict_class}">
      <span class="event-mark">${marksOfClasses[verdict_class]}</span>
      <div>
        <p>
          ${name === '' ? '' : html`${name} `}
          ${webLink(page, verdict) ?? verdict} <span class="faint">
            <span>${key}</span>
            ${facts.map((fact) => html` · ${fact}`)}
          </span>
        </p>
        ${made}
      </div>
      ${moment(solve.submitted_at, 'time')}
    </li>`;
}
