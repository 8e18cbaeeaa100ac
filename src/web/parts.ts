/** Pieces that several pages share: a problem's key, its difficulty, its status with the buttons that change it. */
import { html } from 'hono/html';
import { judgeOf } from '../judges/addresses.ts';
import type { Band } from '../judges/judge.ts';
import { versionOf } from '../practice/marks.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { How, State, StatusesTable } from '../store/tables.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';

/** The words of the statuses on screen (DESIGN §3). */
export const stateWords: Readonly<Record<State, string>> = {
  not_started: 'Not started',
  reading: 'Reading',
  practicing: 'Trying',
  complete: 'Solved',
  skipped: 'Skipped',
  ignored: 'Ignored',
};
export const states = Object.keys(stateWords) as State[];
export const hows: readonly (readonly [How, string])[] = [
  ['alone', 'Alone'],
  ['hint', 'Hint'],
  ['editorial', 'Editorial'],
];

/** What a member has on a problem: their status row and whether it is bookmarked, with the note. */
export interface OwnMarks {
  status: StatusesTable | undefined;
  isBookmarked: boolean;
  note: string | null;
}

export function shownState({ status }: OwnMarks): State {
  return status?.self_status ?? status?.judge_status ?? 'not_started';
}

export function stateIcon(state: State, isOwnWord = false): Html {
  return icon(state === 'complete' && isOwnWord ? 's-self' : `s-${state}`, `st ${state}`);
}

export function judgeKey({ source, source_key }: Pick<ProblemRow, 'source' | 'source_key'>): Html {
  const judge = judgeOf(source);
  return html`<span class="key"><abbr class="judge" title="${judge?.name ?? source}">${judge?.short ?? source}</abbr><span>${source_key}</span></span>`;
}

/** A circle that fills with the place of the rating inside its band of the judge, and the rating in figures. */
export function difficulty({ source, rating }: Pick<ProblemRow, 'source' | 'rating'>): Html {
  const judge = judgeOf(source);
  if (rating === null) {
    return html`<span class="diff none"><span aria-hidden="true">–</span><span class="sr">no rating</span></span>`;
  }
  // AtCoder shows what is below 400 squeezed into 0 to 400 (AtCoder Problems, ProblemModelUtil.ts).
  const given = Number(rating);
  const figure = source === 'atcoder' && given < 400 ? Math.round(400 / Math.exp(1 - given / 400)) : given;
  const bands: readonly Band[] = judge?.bands ?? [];
  const place = bands.findLastIndex(({ from }) => figure >= from);
  const band = bands[place];
  if (!band) return html`<span class="diff none">${figure}</span>`;
  const end = bands[place + 1]?.from ?? band.from + 600;
  const level = Math.min(10, Math.max(1, Math.ceil(((figure - band.from + 1) / (end - band.from)) * 10)));
  return html`<span class="diff" data-band="${band.colour}" data-level="${level}" title="${judge?.rating} ${figure}">${figure}</span>`;
}

/** The round mark is one click: solved, or back. The word opens all six. All are buttons of the form with this id. */
export function statusControl(title: string, marks: OwnMarks, formId: string): Html {
  const state = shownState(marks);
  const next: State = state === 'complete' ? 'not_started' : 'complete';
  const label = next === 'complete' ? 'Mark solved' : 'Take back';
  const isOwnWord = marks.status?.self_status !== null && marks.status?.judge_status !== 'complete';
  return html`<div class="status" data-state="${state}">
<button class="status-mark" form="${formId}" name="status" value="${next}" title="${label}">${stateIcon(state, isOwnWord)}<span class="sr">${label}: ${title}</span></button>
<details class="menu" name="menu"><summary><span class="status-word">${stateWords[state]}</span><span class="sr">, change status of ${title}</span>${icon('down')}</summary>
<div class="menu-panel"><ul>${states.map((name, place) => html`<li><button form="${formId}" name="status" value="${name}"${name === state ? html` aria-current="true"` : ''}>${stateIcon(name)}<span>${stateWords[name]}</span><kbd aria-hidden="true">${place}</kbd></button></li>`)}</ul></div></details></div>`;
}

export function star(title: string, { isBookmarked }: OwnMarks, formId: string): Html {
  return html`<button class="star" form="${formId}" name="bookmark" value="${!isBookmarked}" aria-pressed="${isBookmarked}">${icon(isBookmarked ? 'star-on' : 'star')}<span class="sr">Star: ${title}</span></button>`;
}

/** The form behind the buttons of one problem: where it is sent, what its page showed, and where the browser goes back to. */
export function markForm(
  { basePath, antiForgery, from }: { basePath: string; antiForgery: Html; from: string },
  id: bigint,
  marks: OwnMarks,
): Html {
  return html`<form id="m${id}" method="post" action="${basePath}/problem_list/problem/${id}/" hidden>${antiForgery}<input type="hidden" name="version" value="${versionOf(marks.status)}"><input type="hidden" name="from" value="${from}"></form>`;
}

/** Topics that stay hidden until they are asked for; solving a problem oneself is the point. */
export function topics(
  { title, tags }: Pick<ProblemRow, 'title' | 'tags'>,
  { isOpen, hrefOf }: { isOpen: boolean; hrefOf: (tag: string) => string },
): Html {
  const names = JSON.parse(tags) as string[];
  if (names.length === 0)
    return html`<span class="faint" aria-hidden="true">–</span><span class="sr">no topics</span>`;
  const chips = html`<span class="chips">${names.map((tag) => html`<a class="chip" href="${hrefOf(tag)}">${tag}</a>`)}</span>`;
  if (isOpen) return chips;
  const count = names.length === 1 ? '1 topic' : `${names.length} topics`;
  return html`<details class="reveal"><summary>${count}<span class="sr"> of ${title}, reveal</span></summary>${chips}</details>`;
}

/** An address as a link, if it is one of the web. */
export function webLink(address: string | null, text: string, className = ''): Html {
  if (address === null || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return html``;
  return html`<a${className ? html` class="${className}"` : ''} href="${address}" rel="noreferrer">${text}</a>`;
}

/** What just changed and the way back; it comes with the page that answers a change. */
export function undoBar(
  { basePath, antiForgery, from }: { basePath: string; antiForgery: Html; from: string },
  text: Html | string,
  changeId: bigint,
): Html {
  return html`<div class="undo" role="status"><p>${icon('check')}<span>${text}</span></p>
<form class="undo-end" method="post" action="${basePath}/dashboard/history/">${antiForgery}<input type="hidden" name="from" value="${from}"><button class="undo-main" name="undo" value="${changeId}">${icon('undo')}Undo <kbd aria-hidden="true">u</kbd></button></form></div>`;
}

export const thousands = new Intl.NumberFormat('en');
