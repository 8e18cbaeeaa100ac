/** Pieces that several pages share: a problem's key, its status with the buttons that change it. */

import { raw } from 'hono/html';
import { judgeName, judgeShort } from '../../judges/judges.ts';
import { bookmarkVersionOf, versionOf } from '../../practice/marks.ts';
import type { BookmarksTable } from '../../store/bookmarks.ts';
import type { ProblemRow } from '../../store/problems.ts';
import type { How, State, StatusesTable } from '../../store/statuses.ts';
import { type Html, html } from '../markup.ts';
import { problemPath } from '../paths.ts';
import { perLanguage } from '../words/reader.ts';
import { type WordKey, words } from '../words/words.ts';
import { icon } from './icons.ts';

export const states: readonly State[] = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'];
/** What a list can be filtered by besides. */
export type Filtered = State | 'unsolved' | 'tried' | 'attempted';
/** The word of a status on screen (DESIGN §3). */
export const stateWord = (state: Filtered) => words(`state.${state}`);
/** How a problem was solved: on a button, and in a sentence. */
export const hows: readonly (readonly [how: How, label: WordKey, text: WordKey])[] = [
  ['alone', 'how.alone', 'how.aloneText'],
  ['hint', 'how.hint', 'how.hintText'],
  ['editorial', 'how.editorial', 'how.editorialText'],
];

/** A member's own rows about a problem. */
export interface OwnMarks {
  status: StatusesTable | undefined;
  bookmark: BookmarksTable | undefined;
}

/** The forms of a page share the base path, the anti-forgery field, and the page to go back to. */
export interface Forms {
  basePath: string;
  antiForgery: Html;
  from: string;
}

/** As many rows of a member as forms let them have; before there were such limits some had more. */
const rowsAtMost = 200;

/** Those of a member's rows that a page shows, and the link to the next. `keep` is the rest of the query. */
export function pageOfRows<T>(
  { site, query }: { site: { basePath: string }; query: URLSearchParams },
  path: string,
  rows: readonly T[],
  keep: Readonly<Record<string, string>> = {},
): { shown: readonly T[]; more: Html | '' } {
  const asked = query.get('from');
  const from = asked !== null && /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 0;
  const next = from + rowsAtMost;
  const address = () => `${site.basePath}${path}?${new URLSearchParams({ ...keep, from: String(next) })}`;
  const more =
    rows.length > next
      ? html`<p class="actions"><a class="button" href="${address()}">${words('pages.next')}</a></p>`
      : '';
  return { shown: rows.slice(from, next), more };
}

export function shownState({ status }: OwnMarks): State {
  return status?.self_status ?? status?.judge_status ?? 'not_started';
}

export function stateIcon(state: State, isOwnWord = false): Html {
  return icon(state === 'complete' && isOwnWord ? 's-self' : `s-${state}`, `st ${state}`);
}

/** A judge in a few letters, with its name as the title. */
export function judgeMark(source: string): Html {
  return html`<abbr class="judge" title="${judgeName(source)}">${judgeShort(source)}</abbr>`;
}

/** In characters. Longer ones, as LeetCode has, are cut off in a table, and wrap elsewhere. */
const longestShortKey = 16;

export function judgeKey({ source, source_key: key }: Pick<ProblemRow, 'source' | 'source_key'>): Html {
  const isLong = key.length > longestShortKey;
  return html`
    <span class="key${isLong ? ' long' : ''}"${isLong ? html` title="${key}"` : ''}>
      ${judgeMark(source)}
      <span>${key}</span>
    </span>`;
}

/** The hidden fields of a form that changes something of a problem, with what its page showed of that. */
export function hiddenFields({ antiForgery, from }: Forms, version: string): Html {
  return html`
    ${antiForgery}
    <input type="hidden" name="version" value="${version}">
    <input type="hidden" name="from" value="${from}">`;
}

/** The six statuses as buttons of a form, for the panel of a menu. They are half of a row, and made once. */
export const stateButtons = byState(
  (state) =>
    html`
      <ul>
        ${states.map(
          (name, place) =>
            html`
              <li>
                <button name="status" value="${name}"${name === state ? html` aria-current="true"` : ''}>
                  ${stateIcon(name)}
                  <span>${stateWord(name)}</span>
                  <kbd aria-hidden="true">${place}</kbd>
                </button>
              </li>`,
        )}
      </ul>`,
);

/** As one piece of text: V8 would keep the hundred pieces of which it was made, and go over them for each page. */
function byState(make: (state: State) => Html): () => Readonly<Record<State, Html>> {
  const whole = (markup: Html) => raw(Buffer.from(String(markup)).toString());
  return perLanguage(
    () => Object.fromEntries(states.map((state) => [state, whole(make(state))])) as Record<State, Html>,
  );
}

/** How it went as buttons of a form; each says solved as well. */
export function howButtons(current: How | null | undefined): Html {
  return html`${hows.map(
    ([name, label]) =>
      html`
        <button
          name="how" value="${name}"${current === undefined ? '' : html` aria-pressed="${String(name === current)}"`}
        >
          ${words(label)}
        </button>`,
  )}`;
}

/** The round mark is one click: solved, or back. The word opens all six. */
export function statusControl(forms: Forms, id: bigint, title: string, marks: OwnMarks): Html {
  const state = shownState(marks);
  const isSolved = state === 'complete';
  const { self_status = null, judge_status = null, how = null } = marks.status ?? {};
  const isOwnWord = self_status !== null && judge_status !== 'complete';
  return html`
    <form class="status" data-state="${state}" method="post" action="${forms.basePath}${problemPath(id)}">
      ${hiddenFields(forms, versionOf(marks.status))}
      <button
        class="status-mark" name="status" value="${isSolved ? 'not_started' : 'complete'}"
        title="${words(isSolved ? 'marks.takeBack' : 'marks.markSolved')}"
      >
        ${stateIcon(state, isOwnWord)}
        <span class="sr">${words(isSolved ? 'marks.takeBackOf' : 'marks.markSolvedOf', { title })}</span>
      </button>
      <details class="menu" name="menu">
        <summary>
          <span class="status-word">${stateWord(state)}</span>
          <span class="sr">${words('marks.changeStatus', { title })}</span>
          ${icon('down')}
        </summary>
        <div class="menu-panel">
          ${stateButtons()[state]}
          ${
            isSolved
              ? html`<p class="menu-title">${words('how.question')}</p><div class="menu-row">${howButtons(how)}</div>`
              : ''
          }
          <p class="menu-foot">
            <a href="${forms.basePath}${problemPath(id)}#note-text">
              ${words(marks.bookmark?.note ? 'marks.yourNote' : 'marks.writeNote')}
              <span class="sr"> ${words('marks.noteOn', { title })}</span>
            </a>
          </p>
        </div>
      </details>
    </form>`;
}

export function star(forms: Forms, id: bigint, title: string, { bookmark }: OwnMarks): Html {
  const isOn = bookmark !== undefined;
  return html`
    <form class="star-form" method="post" action="${forms.basePath}${problemPath(id)}">
      ${hiddenFields(forms, bookmarkVersionOf(bookmark))}
      <button class="star" name="bookmark" value="${String(!isOn)}" aria-pressed="${String(isOn)}">
        ${icon(isOn ? 'star-on' : 'star')}
        <span class="sr">${words('marks.star', { title })}</span>
      </button>
    </form>`;
}

/** Topics that stay hidden until they are asked for; solving a problem oneself is the point. */
export function topics({ title, tags }: Pick<ProblemRow, 'title' | 'tags'>, isOpen: boolean, basePath: string): Html {
  const names = JSON.parse(tags) as string[];
  if (names.length === 0)
    return html`<span class="faint" aria-hidden="true">–</span><span class="sr">${words('problem.noTopics')}</span>`;
  const chips = html`
    <span class="chips">
      ${names.map(
        (tag) => html`<a class="chip" href="${basePath}/problem_list/?tag=${encodeURIComponent(tag)}">${tag}</a>`,
      )}
    </span>`;
  if (isOpen) return chips;
  return html`
    <details class="reveal">
      <summary>
        ${words('problem.topics', { count: names.length })}
        <span class="sr"> ${words('problem.topicsOf', { title })}</span>
      </summary>
      ${chips}
    </details>`;
}

/** An address as a link, if it is one of the web. */
export function webLink(address: string | null, text: Html | string, className = ''): Html | undefined {
  if (address === null || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return undefined;
  return html`<a${className ? html` class="${className}"` : ''} href="${address}" rel="noreferrer">${text}</a>`;
}

interface UndoWay {
  how?: Html | string;
  path?: string;
  name?: string;
}

/**
 * A bar that says what just changed, with the way back if there is one: a button of the form at `path`. It comes with the
 * page that answers a form.
 */
export function undoBar(
  forms: Forms,
  text: Html | string,
  id: bigint | undefined,
  { how = '', path = '/dashboard/history/', name = 'undo' }: UndoWay = {},
): Html {
  const { basePath, antiForgery, from } = forms;
  const close = html`
    <a class="undo-close" href="${basePath}${from}">
      <span class="sr">${words('change.dismiss')}</span>
      ${icon('close')}
    </a>`;
  const end =
    id === undefined
      ? html`<div class="undo-end">${close}</div>`
      : html`
        <form class="undo-end" method="post" action="${basePath}${path}">
          ${antiForgery}
          <input type="hidden" name="from" value="${from}">
          <button class="undo-main" name="${name}" value="${id}">
            ${icon('undo')}
            ${words('change.undo')} <kbd aria-hidden="true">u</kbd>
          </button>
          ${close}
        </form>`;
  return html`<div class="undo" role="status"><p>${icon('check')}<span>${text}</span></p>${how}${end}</div>`;
}
