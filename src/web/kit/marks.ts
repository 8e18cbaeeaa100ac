/** A problem's key, status and star, with the buttons that change them. */

import { raw } from 'hono/html';
import { judgeName, judgeShort } from '../../judges/judges.ts';
import { versionOf } from '../../practice/marks.ts';
import type { BookmarksTable } from '../../store/bookmarks.ts';
import type { ProblemRow } from '../../store/problems.ts';
import type { How, State, StatusesTable } from '../../store/statuses.ts';
import { shownStateOf } from '../../store/statuses.ts';
import { attr, type Html, html } from '../markup.ts';
import { historyPath, problemPath, problemsPath } from '../paths.ts';
import { perLanguage } from '../words/viewer.ts';
import { type MessageKey, words } from '../words/words.ts';
import { reveal } from './difficulty.ts';
import { type FormContext, form } from './form.ts';
import { icon } from './icons.ts';
import { chip } from './links.ts';

export const statusOrder: readonly State[] = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'];
export const commonStates = ['not_started', 'practicing', 'complete', 'skipped'] as const satisfies readonly State[];
export const rareStates = ['reading', 'ignored'] as const satisfies readonly State[];
export type StatusFilter = State | 'unsolved' | 'tried' | 'attempted';
export const stateLabel = (state: StatusFilter) => words(`state.${state}`);
export const stateWithHint = (state: State) =>
  html`<span>${stateLabel(state)}<small>${words(`state.does.${state}`)}</small></span>`;
export const solveMethods: readonly (readonly [how: How, label: MessageKey, text: MessageKey])[] = [
  ['alone', 'how.alone', 'how.aloneText'],
  ['hint', 'how.hint', 'how.hintText'],
  ['editorial', 'how.editorial', 'how.editorialText'],
];

export interface ProblemMarks {
  status: StatusesTable | undefined;
  bookmark: BookmarksTable | undefined;
}

export interface Forms extends FormContext {
  /** The address that a form returns to. */
  from: string;
}

export function shownState({ status }: ProblemMarks): State {
  return shownStateOf(status);
}

export function stateIcon(state: State, isSelfReported = false): Html {
  return icon(state === 'complete' && isSelfReported ? 's-self' : `s-${state}`, `st ${state}`);
}

export function memberStateIcon(marks: ProblemMarks): Html {
  const { self_status = null, judge_status } = marks.status ?? {};
  return stateIcon(shownState(marks), self_status !== null && judge_status !== 'complete');
}

export function problemLink(basePath: string, { id, title }: Pick<ProblemRow, 'id' | 'title'>): Html {
  return html`<a href="${basePath}${problemPath(id)}">${title}</a>`;
}

export function judgeBadge(source: string): Html {
  return html`<abbr class="judge" title="${judgeName(source)}">${judgeShort(source)}</abbr>`;
}

export const roundBadge = (): Html =>
  html`<span class="judge" title="${words('season.round')}">${icon('people')}</span>`;

/** In characters. Longer keys, as LeetCode has, are cut off in a table and wrap elsewhere. */
const longestShortKey = 16;

export function judgeKey({ source, source_key: key }: Pick<ProblemRow, 'source' | 'source_key'>): Html {
  const isLong = key.length > longestShortKey;
  return html`
    <span class="key${isLong ? ' long' : ''}"${attr('title', isLong && key)}>
      ${judgeBadge(source)}
      <span>${key}</span>
    </span>`;
}

/** Without `version`, the form overwrites a later change. */
export function markForm(
  forms: Forms,
  id: bigint,
  version: string | undefined,
  content: Html,
  className?: string,
): Html {
  const hidden = { ...(version !== undefined && { version }), from: forms.from };
  return form(forms, { to: problemPath(id), className, hidden }, content);
}

export const stateButtons = byState((state) => {
  const buttons = (some: readonly State[]) => html`
    <ul>
      ${some.map(
        (name) =>
          html`
            <li>
              <button name="status" value="${name}"${attr('aria-current', name === state && 'true')}>
                ${stateIcon(name)}
                ${stateWithHint(name)}
                <kbd aria-hidden="true">${statusOrder.indexOf(name)}</kbd>
              </button>
            </li>`,
      )}
    </ul>`;
  return html`${buttons(commonStates)}${moreStatesDetails(state, buttons(rareStates))}`;
});

export function stateChoices(current: State | undefined, make: (state: State) => Html, extra?: Html): Html {
  return html`
    <div class="choices">${commonStates.map(make)}${extra}</div>
    ${moreStatesDetails(current, html`<div class="choices">${rareStates.map(make)}</div>`)}`;
}

function moreStatesDetails(current: State | undefined, content: Html): Html {
  const isOpen = rareStates.some((state) => state === current);
  const open = attr('open', isOpen);
  return html`<details class="rare"${open}><summary>${words('frame.more')}</summary>${content}</details>`;
}

/** Builds the markup of each state once; copying it joins the strings that V8 would otherwise join for each page. */
function byState(make: (state: State) => Html): () => Readonly<Record<State, Html>> {
  const flatten = (markup: Html) => raw(Buffer.from(String(markup)).toString());
  return perLanguage(
    () => Object.fromEntries(statusOrder.map((state) => [state, flatten(make(state))])) as Record<State, Html>,
  );
}

export function suggestedHow({ status, bookmark }: ProblemMarks): How | undefined {
  const solvedAt = status?.judge_status === 'complete' ? status.judge_at : status?.self_at;
  const at = bookmark?.editorial_at;
  return at && solvedAt && at < solvedAt && status?.how === null ? 'editorial' : undefined;
}

export const howQuestion = (marks: ProblemMarks): string =>
  words(suggestedHow(marks) ? 'how.questionEditorial' : 'how.question');

/** Each button also marks the problem as solved. */
export function howButtons(current: How | null | undefined, suggested?: How): Html {
  const pressed = (name: How) => attr('aria-pressed', current === undefined ? undefined : String(name === current));
  const button = ([name, label]: (typeof solveMethods)[number]) =>
    html`
      <button${attr('class', name === suggested && 'suggested')} name="how" value="${name}"${pressed(name)}>
        ${words(label)}
      </button>`;
  return html`${solveMethods.map(button)}`;
}

/** The icon toggles solved; the word opens a menu of all statuses. */
export function statusControl(forms: Forms, id: bigint, title: string, marks: ProblemMarks): Html {
  const href = forms.site.basePath + problemPath(id);
  const state = shownState(marks);
  const isSolved = state === 'complete';
  return html`
    <form class="status" data-state="${state}" method="post" action="${href}">
      ${forms.antiForgery}
      <input type="hidden" name="version" value="${versionOf(marks.status)}">
      <input type="hidden" name="from" value="${forms.from}">
      <button
        class="status-mark" name="status" value="${isSolved ? 'not_started' : 'complete'}"
        title="${words(isSolved ? 'marks.takeBack' : 'marks.markSolved')}"
      >
        ${memberStateIcon(marks)}
        <span class="sr">${words(isSolved ? 'marks.takeBackOf' : 'marks.markSolvedOf', { title })}</span>
      </button>
      <details class="menu" name="menu">
        <summary>
          <span class="status-word">${stateLabel(state)}</span>
          <span class="sr">${words('marks.changeStatus', { title })}</span>
          ${icon('down')}
        </summary>
        <div class="menu-panel">
          ${stateButtons()[state]}
          ${
            isSolved &&
            html`
              <p class="menu-title">${words('how.question')}</p>
              <div class="menu-row">${howButtons(marks.status?.how ?? null)}</div>`
          }
          <p class="menu-foot">
            <a href="${href}#note-text">
              ${words(marks.bookmark?.note ? 'marks.yourNote' : 'marks.writeNote')}
              <span class="sr"> ${words('marks.noteOn', { title })}</span>
            </a>
          </p>
        </div>
      </details>
    </form>`;
}

export function star(forms: Forms, id: bigint, title: string, { bookmark }: ProblemMarks): Html {
  const isOn = bookmark?.is_starred === 1n;
  const button = html`
    <button class="star" name="bookmark" value="${String(!isOn)}" aria-pressed="${String(isOn)}">
      ${icon(isOn ? 'star-on' : 'star')}
      <span class="sr">${words('marks.star', { title })}</span>
    </button>`;
  return markForm(forms, id, undefined, button, 'star-form');
}

export function problemLines<T extends ProblemRow>(
  basePath: string,
  shown: readonly T[],
  total: number,
  more?: (problem: T) => Html,
): Html {
  const rest = total - shown.length;
  return html`
    <ul class="plain">
      ${shown.map((row) => html`<li>${judgeKey(row)} ${problemLink(basePath, row)}${more?.(row)}</li>`)}
    </ul>
    ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}`;
}

/** Hidden by default, because guessing the topic is part of solving. */
export function topics({ title, tags }: Pick<ProblemRow, 'title' | 'tags'>, isOpen: boolean, basePath: string): Html {
  const names = JSON.parse(tags) as string[];
  if (names.length === 0)
    return html`<span class="faint" aria-hidden="true">–</span><span class="sr">${words('problem.noTopics')}</span>`;
  const chips = html`
    <span class="chips">
      ${names.map((tag) => chip(`${basePath}${problemsPath}?tag=${encodeURIComponent(tag)}`, tag))}
    </span>`;
  return isOpen
    ? chips
    : reveal(words('problem.topics', { count: names.length }), words('problem.topicsOf', { title }), chips);
}

export function webLink(address: string | null, text: Html | string, className?: string): Html | undefined {
  if (address === null || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return undefined;
  return html`<a${attr('class', className)} href="${address}" rel="noreferrer">${text}</a>`;
}

export function undoForm(context: FormContext, to: string, id: bigint, label: Html | string, from?: string): Html {
  const button = html`
    <button class="button small quiet" name="undo" value="${id}">${icon('undo')}<span>${label}</span></button>`;
  return form(context, { to, hidden: from === undefined ? {} : { from } }, button);
}

interface UndoOptions {
  /** Asks how the problem was solved. */
  how?: Html | undefined;
  to?: string;
  name?: string;
  hidden?: Readonly<Record<string, string>>;
}

export function undoBar(
  forms: Forms,
  text: Html | string,
  id?: bigint | string,
  { how, to = historyPath, name = 'undo', hidden }: UndoOptions = {},
): Html {
  const { site, from } = forms;
  const close = html`
    <a class="undo-close" href="${site.basePath}${from}">
      <span class="sr">${words('change.dismiss')}</span>
      ${icon('close')}
    </a>`;
  const button = html`
    <button class="undo-main" name="${name}" value="${id}">
      ${icon(name === 'redo' ? 'sync' : 'undo')}
      ${words(name === 'redo' ? 'change.redo' : 'change.undo')} <kbd aria-hidden="true">u</kbd>
    </button>
    ${close}`;
  const end =
    id === undefined
      ? html`<div class="undo-end">${close}</div>`
      : form(forms, { to, className: 'undo-end', hidden: { from, ...hidden } }, button);
  return html`<div class="undo" role="status"><p>${icon('check')}<span>${text}</span></p>${how}${end}</div>`;
}
