/** How hard a problem is: its rating on the scale of its judge. */

import type { RatingBand } from '../../judges/judge.ts';
import { bandPlace, judgeOf } from '../../judges/judges.ts';
import type { ProblemRow } from '../../store/problems.ts';
import { type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';

/** A circle that fills with the place of the rating inside its band of the judge, and the rating in figures. */
export function difficulty({ source, rating }: Pick<ProblemRow, 'source' | 'rating'>): Html {
  if (rating === null)
    return html`
      <span class="diff none">
        <span aria-hidden="true">–</span>
        <span class="sr">${words('problem.noRating')}</span>
      </span>`;
  const { colour, share } = placeInBand(source, Number(rating));
  if (!colour) return html`<span class="diff none">${rating}</span>`;
  const level = Math.min(10, Math.max(1, Math.ceil(share * 10)));
  const title = `${judgeOf(source)?.rating} ${rating}`;
  return html`<span class="diff" data-band="${colour}" data-level="${level}" title="${title}">${rating}</span>`;
}

/** The same, which stays hidden until it is asked for where the member does not want to see it. */
export function shownDifficulty(problem: Pick<ProblemRow, 'source' | 'rating' | 'title'>, isHidden: boolean): Html {
  const shown = difficulty(problem);
  if (!isHidden || problem.rating === null) return shown;
  return reveal(words('problem.show'), words('problem.difficultyOf', { title: problem.title }), shown);
}

/** Something that stays hidden until it is asked for; `about` says of what, for screen readers. */
export function reveal(text: string, about: string, content: Html): Html {
  return html`
    <details class="reveal">
      <summary>${text}<span class="sr"> ${about}</span></summary>
      ${content}
    </details>`;
}

/** The place of a rating on its judge's scale. */
export interface InBand {
  /** Undefined where the judge has no bands. */
  colour: RatingBand['colour'] | undefined;
  /** How much of its band lies at or below it. */
  share: number;
  /** How much of the judge's scale does, by which ratings of two judges can be put in an order. */
  height: number;
}

export function placeInBand(source: string, rating: number): InBand {
  const bands: readonly RatingBand[] = judgeOf(source)?.bands ?? [];
  const place = bandPlace(source, rating);
  const band = bands[place];
  if (!band) return { colour: undefined, share: 0, height: 0 };
  const end = bands[place + 1]?.from ?? band.from + 600;
  const share = (rating - band.from + 1) / (end - band.from);
  return { colour: band.colour, share, height: (place + Math.min(share, 1)) / bands.length };
}
