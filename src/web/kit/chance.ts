/** The chance to solve a problem in a contest: in words, with pieces of which some are filled. */
import { chanceModels } from '../../judges/judges.ts';
import { type ChancePhrase, phraseOf } from '../../practice/chance.ts';
import type { Preferences } from '../../practice/preferences.ts';
import type { Chance } from '../../practice/strength.ts';
import { attr, type Html, html } from '../markup.ts';
import { chancePath } from '../paths.ts';
import { richWords, words } from '../words/words.ts';

/** None for a member who hides chances. */
export const modelsFor = ({ hidesChances }: Preferences): typeof chanceModels =>
  hidesChances ? new Map() : chanceModels;

export const phraseText = ({ kind, some, all }: ChancePhrase): string => words(`chance.phrase.${kind}`, { some, all });

const piecesAtMost = 10;

/** Screen readers skip the pieces, because words beside them say the same. */
export const pieces = (count: number, filled: number): Html =>
  html`
    <span class="odds-bar" aria-hidden="true">
      ${Array.from({ length: count }, (_, at) => html`<i${attr('class', at < filled && 'on')}></i>`)}
    </span>`;

function chanceLine(chance: number): Html {
  const phrase = phraseOf(chance);
  const count = Math.min(phrase.all, piecesAtMost);
  return html`
    <p class="odds">
      ${pieces(count, { under: 0, about: phrase.some, over: count }[phrase.kind])}
      <span>${richWords('chance.inContest', { chance: html`<b>${phraseText(phrase)}</b>` })}</span>
    </p>`;
}

/** From what the chance is said, or what is missing to say it. */
export function basisText(answer: Chance): string {
  const { contests } = answer;
  if (answer.strength !== undefined) return words(`chance.from.${answer.basis}`, { contests });
  return contests < 2 ? words('chance.missing', { contests }) : words('chance.unsure');
}

export function chanceWithReason(basePath: string, answer: Chance, more: Html | string = ''): Html {
  if (answer.chance === undefined) return html`<p class="faint small">${basisText(answer)}</p>`;
  return html`
    ${chanceLine(answer.chance)}
    <details class="why">
      <summary>${words('chance.why')}</summary>
      <p>
        ${basisText(answer)} ${words('chance.average')} ${more}${' '}
        <a href="${basePath}${chancePath}">${words('chance.right')}</a>
      </p>
    </details>`;
}
