/** The chance to solve a problem in a contest, in words and with pieces of which some are filled, and performances. */
import { chanceModels, judgeName, judgeShort } from '../../judges/judges.ts';
import { type ChancePhrase, phraseOf } from '../../practice/chance.ts';
import {
  type ContestTaken,
  type JudgePerformance,
  performancesOf,
  readContestsTaken,
} from '../../practice/performances.ts';
import { type Preferences, readPreferences } from '../../practice/preferences.ts';
import type { Chance } from '../../practice/strength.ts';
import type { ProblemRow } from '../../store/problems.ts';
import { attr, type Html, html } from '../markup.ts';
import { chancePath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList } from '../words/formats.ts';
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

function chanceLine(chance: number, short: Html | string = ''): Html {
  const phrase = phraseOf(chance);
  const count = Math.min(phrase.all, piecesAtMost);
  return html`
    <p class="odds">
      ${pieces(count, { under: 0, about: phrase.some, over: count }[phrase.kind])}
      <span>${richWords('chance.inContest', { chance: html`<b>${phraseText(phrase)}</b>` })}</span>
      ${short}
    </p>`;
}

/** On a narrow screen, where a column has no heading, the cell says "In a contest". */
export const chanceCell = ({ chance }: Partial<Chance> = {}): Html | '' =>
  chance === undefined ? '' : chanceLine(chance, html`<span class="short">${phraseText(phraseOf(chance))}</span>`);

/** For each judge at which nothing can be said, what is missing. */
export function missingChances(
  problems: readonly Pick<ProblemRow, 'id' | 'source'>[],
  chances: ReadonlyMap<bigint, Chance>,
): Html {
  const texts = problems.flatMap(({ id, source }) => {
    const answer = chances.get(id);
    return answer && answer.chance === undefined
      ? words('contests.stateOf', { title: judgeName(source ?? ''), state: basisText(answer) })
      : [];
  });
  return html`${[...new Set(texts)].map((text) => html`<p class="faint small">${text}</p>`)}`;
}

/** From what the chance is said, or what is missing to say it. */
export function basisText(answer: Chance): string {
  const { contests } = answer;
  if (answer.strength !== undefined) return words(`chance.from.${answer.basis}`, { contests });
  if (contests < 2) return words('chance.missing', { contests });
  return words(answer.isTooOld ? 'chance.old' : 'chance.unsure');
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

/** Such as "about 1,740"; with several judges, each is named. */
export function performanceText(performances: readonly JudgePerformance[]): string {
  const isNamed = performances.length > 1;
  const textOf = ({ bound, strength, source }: JudgePerformance) =>
    (isNamed ? `${judgeShort(source)} ` : '') +
    words('performance.text', { bound, rating: Math.round(strength / 10) * 10 });
  return commaList(performances.map(textOf));
}

/** The member's own, of all that `isPart` of a round or season; nobody else sees it, on paper neither. */
export async function ownPerformance(
  { store, member }: MemberVisit,
  sources: readonly string[],
  isPart: (one: ContestTaken) => boolean,
): Promise<Html | ''> {
  const models = modelsFor(await readPreferences(store.reader, member.user_id));
  if (models.size === 0) return '';
  const taken = await readContestsTaken(store.reader, member.user_id, sources, Date.now());
  const all = performancesOf(
    models,
    taken.filter(isPart).flatMap(({ rows }) => rows),
  );
  if (all.length === 0) return '';
  const text = words('contests.stateOf', { title: words('performance.title'), state: performanceText(all) });
  return html` <span class="worth">${text}</span>`;
}

export const performanceHint = (basePath: string): Html =>
  html`<p class="worth">
    ${words('performance.hint')} <a href="${basePath}${chancePath}">${words('chance.right')}</a>
  </p>`;
