/** A judge's rating scale for charts. */

import type { RatingBand } from '../../../judges/judge.ts';
import { bandIndex, judgeOf } from '../../../judges/judges.ts';
import type { ProblemQuery } from '../../kit/problem-query.ts';
import { words } from '../../words/words.ts';

export interface Scale {
  source: string;
  judge: string;
  bands: readonly RatingBand[];
  bandIndexOf(rating: number): number;
  colourOf(rating: number): RatingBand['colour'];
  ratingFilter(from: number | undefined, before: number | undefined): Partial<ProblemQuery>;
}

/** Returns undefined for a judge without bands. */
export function scaleOf(source: string): Scale | undefined {
  const judge = judgeOf(source);
  const { bands = [] } = judge ?? {};
  if (!judge || bands.length === 0) return undefined;
  const bandIndexOf = (rating: number) => Math.max(0, bandIndex(source, rating));
  return {
    source,
    judge: judge.name,
    bands,
    bandIndexOf,
    colourOf: (rating) => bands[bandIndexOf(rating)]?.colour ?? 'grey',
    ratingFilter: (from, before) => ({
      ratingMin: from === undefined || from <= 0 ? undefined : from,
      ratingMax: before === undefined ? undefined : before - 1,
    }),
  };
}

/** Such as `1400 to 1599`. */
export function bandName({ bands }: Scale, place: number): string {
  const [from = 0, next] = [bands[place]?.from, bands[place + 1]?.from];
  if (next === undefined) return words('progress.bandFrom', { from: String(from) });
  if (from === 0) return words('progress.bandBelow', { to: String(next) });
  return words('progress.bandBetween', { from: String(from), to: String(next - 1) });
}
