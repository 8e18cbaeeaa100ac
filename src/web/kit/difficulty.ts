/** The difficulty of a problem. */

import type { RatingBand } from '../../judges/judge.ts';
import { bandIndex, judgeOf } from '../../judges/judges.ts';
import type { ProblemRow } from '../../store/problems.ts';
import { type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';

/** The circle fills with the rating's position inside its band. */
export function difficulty({ source, rating }: Pick<ProblemRow, 'source' | 'rating'>): Html {
  if (rating === null)
    return html`
      <span class="diff none">
        <span aria-hidden="true">–</span>
        <span class="sr">${words('problem.noRating')}</span>
      </span>`;
  const { colour, shareOfBand } = bandPosition(source, Number(rating));
  if (!colour) return html`<span class="diff none">${rating}</span>`;
  const level = Math.min(10, Math.max(1, Math.ceil(shareOfBand * 10)));
  const title = `${judgeOf(source)?.ratingName} ${rating}`;
  return html`<span class="diff" data-band="${colour}" data-level="${level}" title="${title}">${rating}</span>`;
}

export function shownDifficulty(problem: Pick<ProblemRow, 'source' | 'rating' | 'title'>, isHidden: boolean): Html {
  const content = difficulty(problem);
  if (!isHidden || problem.rating === null) return content;
  return reveal(words('problem.show'), words('problem.difficultyOf', { title: problem.title }), content);
}

/** `hiddenSubject` tells screen readers what is hidden. */
export function reveal(text: string, hiddenSubject: string, content: Html): Html {
  return html`
    <details class="reveal">
      <summary>${text}<span class="sr"> ${hiddenSubject}</span></summary>
      ${content}
    </details>`;
}

export interface BandPosition {
  colour: RatingBand['colour'] | undefined;
  /** From 0 to 1 inside the band. */
  shareOfBand: number;
  /** From 0 to 1 on the judge's whole scale, which makes judges comparable. */
  shareOfScale: number;
}

export function bandPosition(source: string, rating: number): BandPosition {
  const bands: readonly RatingBand[] = judgeOf(source)?.bands ?? [];
  const index = bandIndex(source, rating);
  const band = bands[index];
  if (!band) return { colour: undefined, shareOfBand: 0, shareOfScale: 0 };
  const end = bands[index + 1]?.from ?? band.from + 600;
  const shareOfBand = (rating - band.from + 1) / (end - band.from);
  return { colour: band.colour, shareOfBand, shareOfScale: (index + Math.min(shareOfBand, 1)) / bands.length };
}
