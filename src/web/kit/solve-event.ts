/** A submission in a history: its verdict, when and how it was sent. */

import { judgeName, judgeOf } from '../../judges/addresses.ts';
import type { ShownSolve } from '../../store/problem-solves.ts';
import type { State } from '../../store/tables.ts';
import { type Html, html } from '../markup.ts';
import { richWords, words } from '../words/words.ts';
import { icon } from './icons.ts';
import { stateIcon, stateWords, webLink } from './marks.ts';
import { moment } from './moments.ts';
import { verdictWords } from './verdicts.ts';

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
        ${stateWords[word]} <span class="faint">${words('history.saidBy', { judge: judgeName(source) })}</span>
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
