/** Histories of changes and submissions, and the bar that offers to undo the last change. */
import { parseInt64 } from '../../contract/common.ts';
import { judgeName, judgeOf } from '../../judges/judges.ts';
import { versionOf } from '../../practice/marks.ts';
import { findBookmarks } from '../../store/bookmarks.ts';
import { type Batch, type ChangesTable, findBatch, type ShownChange } from '../../store/changes.ts';
import { findProblem } from '../../store/problems.ts';
import type { ShownSolve } from '../../store/solves.ts';
import { findStatuses, type How, type State } from '../../store/statuses.ts';
import type { Store } from '../../store/store.ts';
import { attr, bdi, type Html, html } from '../markup.ts';
import { historyPath } from '../paths.ts';
import { dayAt } from '../request/clock.ts';
import type { MemberVisit } from '../request/visits.ts';
import { richWords, words } from '../words/words.ts';
import { dayHeading, moment } from './dates.ts';
import type { FormContext } from './form.ts';
import { icon } from './icons.ts';
import {
  type Forms,
  howButtons,
  howQuestion,
  judgeKey,
  markForm,
  problemLink,
  shownState,
  stateIcon,
  stateLabel,
  suggestedHow,
  undoBar,
  undoForm,
  webLink,
} from './marks.ts';

/** `already` is a problem that already had the requested status. */
export function returnAddress(from: string, batch: bigint | undefined, fragment = '', already?: bigint): string {
  const [path = '/', query = ''] = from.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  parameters.delete('changed');
  parameters.delete('already');
  if (batch !== undefined) parameters.set('changed', String(batch));
  else if (already !== undefined) parameters.set('already', String(already));
  return `${path}${parameters.size > 0 ? `?${parameters}` : ''}${fragment}`;
}

/** Returns undefined unless the address names a change of this member. */
export async function changeBar(visit: MemberVisit, from: string): Promise<Html | undefined> {
  const { store, member, query } = visit;
  const forms: Forms = { ...visit, from };
  const id = parseInt64(query.get('changed') ?? '');
  if (id === undefined) return unchangedBar(visit, forms);
  const first = await findBatch(store.reader, member.user_id, id);
  if (!first) return undefined;
  const isUndone = first.undone_at !== null;
  const text = richWords(isUndone ? 'change.undone' : 'change.done', {
    subject: first.size === 1n ? first.title : problemsText(first.size),
    change: changeText(first, first.size),
  });
  if (isUndone) return undoBar(forms, text, first.id, { name: 'redo' });
  const { status, how } = JSON.parse(first.after) ?? {};
  const asksHow = first.size === 1n && first.kind === 'status' && status === 'complete' && how === null;
  return undoBar(forms, text, first.id, {
    how: asksHow ? await howForm(store, member.user_id, first, forms) : undefined,
  });
}

/** Another tab had already made the mark. */
async function unchangedBar({ store, member, query }: MemberVisit, forms: Forms): Promise<Html | undefined> {
  const id = parseInt64(query.get('already') ?? '');
  const problem = id === undefined ? undefined : await findProblem(store.reader, id);
  if (!problem) return undefined;
  const [status] = await findStatuses(store.reader, member.user_id, [problem.id]);
  const state = shownState({ status, bookmark: undefined });
  return undoBar(
    forms,
    richWords('change.already', { subject: problem.title, status: words(`state.inText.${state}`) }),
  );
}

async function howForm(
  { reader }: Store,
  memberId: bigint,
  { problem_id }: ChangesTable,
  forms: Forms,
): Promise<Html | undefined> {
  const [row] = await findStatuses(reader, memberId, [problem_id]);
  if (row?.self_status !== 'complete') return undefined;
  const [bookmark] = await findBookmarks(reader, memberId, [problem_id]);
  const marks = { status: row, bookmark };
  const question = html`<span>${howQuestion(marks)}</span>${howButtons(undefined, suggestedHow(marks))}`;
  return markForm(forms, problem_id, versionOf(row), question, 'undo-how');
}

const problemsText = (count: bigint) => words('problem.count', { count });

const labelsOf = (state: { labels?: readonly string[] } | null) => state?.labels ?? [];

function labelChange(before: readonly string[], after: readonly string[]): string | undefined {
  const [added] = after.filter((one) => !before.includes(one));
  const [removed] = before.filter((one) => !after.includes(one));
  if (added !== undefined) return words('change.labelAdded', { label: added });
  return removed === undefined ? undefined : words('change.labelGone', { label: removed });
}

/** Such as "trying → solved". */
export function changeText(
  { kind, before, after }: Pick<ChangesTable, 'kind' | 'before' | 'after'>,
  size = 1n,
): string {
  const [old, current] = [JSON.parse(before), JSON.parse(after)] as const;
  const changedLabel = kind === 'bookmark' ? labelChange(labelsOf(old), labelsOf(current)) : undefined;
  if (changedLabel) return changedLabel;
  if (kind === 'bookmark')
    return words(current === null || current.starred === false ? 'change.unstarred' : 'change.starred');
  if (kind === 'note') return words(current === null || current.note === null ? 'change.noteGone' : 'change.noteSaved');
  const howText = (how: How) => words(`how.inText.${how}`);
  if (kind === 'how')
    return current.how === null ? words('change.howUnsaid') : words('change.how', { how: howText(current.how) });
  const stateText = (status: State) => words(`state.inText.${status}`);
  const currentText =
    current.status !== null && current.at === null ? words('change.undated') : stateText(current.status);
  // Before a bulk change each problem may have had another status.
  if (size > 1n) return words('change.now', { to: currentText });
  const [from, to] = [stateText(old.status ?? old.judge ?? 'not_started'), currentText];
  const isSame = from === to;
  if (!current.how) return isSame ? words('change.own', { to }) : words('change.status', { from, to });
  const how = howText(current.how);
  return isSame ? words('change.ownAndHow', { to, how }) : words('change.statusAndHow', { from, to, how });
}

export function dayList<T>(
  all: readonly T[],
  momentOf: (item: T) => string,
  renderItem: (item: T) => Html,
  renderHeading = (text: Html): Html => html`<h3>${text}</h3>`,
): Html {
  const days = Map.groupBy(all, (item) => dayAt(momentOf(item)));
  return html`
    <ol class="days">
      ${[...days].map(
        ([date, some]) =>
          html`<li>${renderHeading(dayHeading(date))}<ol class="events">${some.map(renderItem)}</ol></li>`,
      )}
    </ol>`;
}

interface Event {
  /** Attributes for scripts and tests. */
  about?: Html | '';
  icon: Html;
  text: Html | string;
  undone?: Html | false | undefined;
  more?: Html | false | null | undefined;
  undo?: Html | false;
  when: Html;
}

export function eventItem({ about, icon: mark, text, undone, more, undo, when }: Event): Html {
  return html`
    <li class="event"${about}${attr('data-undone', Boolean(undone))}>
      <span class="event-mark">${mark}</span>
      <div>
        <p${attr('class', undone && 'change undone')}>
          ${text}
          ${undone && html` <span class="faint">${undone}</span>`}
        </p>
        ${more}
      </div>
      ${undo}
      ${when}
    </li>`;
}

export function batchEvent(batch: Batch, forms: UndoForms): Html {
  const { problem_id: id, title, size } = batch;
  const what =
    size === 1n
      ? html`${problemLink(forms.site.basePath, { id, title })} ${judgeKey(batch)}`
      : html`<b>${problemsText(size)}</b>`;
  return changeEvent(batch, html`${what} ${changeText(batch, size)}`, size, forms);
}

export const undoneText = (at: string, madeAt: string) =>
  dayAt(at) === dayAt(madeAt)
    ? richWords('change.undoneAt', { time: moment(at, 'time') })
    : richWords('change.undoneOn', { day: moment(at, 'sentence') });

export type UndoForms = FormContext & { from?: string | undefined };

export const byProgram = (token: string) => richWords('history.byProgram', { token: bdi(token) });

export function changeEvent(
  { id, made_at, undone_at, by_inbox = 0n, by_program: token }: ShownChange,
  text: Html | string,
  size: bigint,
  forms: UndoForms,
): Html {
  const label = size === 1n ? words('change.undo') : words('change.undoAll', { count: size });
  const maker = token ? byProgram(token) : by_inbox > 0n && words('history.byInbox');
  return eventItem({
    about: attr('data-change', id),
    icon: icon(token ? 'key' : by_inbox > 0n ? 'inbox' : 'user', 'faint'),
    text: html`${text}${maker && html` <span class="faint">${maker}</span>`}`,
    undone: undone_at !== null && undoneText(undone_at, made_at),
    undo: undone_at === null && undoForm(forms, historyPath, id, label, forms.from),
    when: moment(made_at, 'time'),
  });
}

/** An unknown verdict stays as the judge wrote it. */
export function verdictWords({
  source,
  verdict,
  verdict_class,
}: Pick<ShownSolve, 'source' | 'verdict' | 'verdict_class'>): string {
  if (verdict === null) return words('verdict.waiting');
  const { verdicts = {} } = judgeOf(source) ?? {};
  const name = Object.hasOwn(verdicts, verdict) ? verdicts[verdict] : undefined;
  const text = name ? words(`verdict.${name}`) : verdict;
  const isOpen = verdict_class === 'pending' && name !== 'waiting';
  return isOpen ? words('history.notFinal', { verdict: text }) : text;
}

const iconsOfClasses = {
  solved: stateIcon('complete'),
  tried: icon('close', 'faint'),
  void: icon('info', 'faint'),
  pending: icon('clock', 'faint'),
} as const;

/** `causedState` is the status at the judge that the submission caused. */
export function solveEvent(solve: ShownSolve, causedState?: State | null, name?: Html | false): Html {
  const { source, submission_id: id, key, contest, verdict_class, participation, is_team, language, origin } = solve;
  const verdict = html`<b>${verdictWords(solve)}</b>`;
  const judge = judgeOf(source);
  const page = judge?.submissionPage?.({ id, key, contest }) ?? null;
  const facts = [
    !judge?.isInternalKey?.(key) && html`<span>${key}</span>`,
    participation && html`<span>${words(`participation.${participation}`)}</span>`,
    is_team === 1n && participation !== 'team' && html`<span>${words('participation.team')}</span>`,
    language && html`<span>${language}</span>`,
    html`<span>${richWords('history.sentAs', { handle: html`<bdi>${solve.name}</bdi>` })}</span>`,
    html`<span data-origin="${origin}">${words(`history.origin.${origin}`)}</span>`,
  ].filter(Boolean);
  return eventItem({
    about: html` data-submission="${id}" data-verdict="${verdict_class}"`,
    icon: iconsOfClasses[verdict_class],
    text: html`
      ${name && html`${name} `}
      ${webLink(page, verdict) ?? verdict} <span class="faint">
        ${facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`)}
      </span>`,
    more:
      causedState &&
      html`
        <p class="change">
          ${stateLabel(causedState)} <span class="faint">${words('history.saidBy', { judge: judgeName(source) })}</span>
        </p>`,
    when: moment(solve.submitted_at, 'time'),
  });
}
