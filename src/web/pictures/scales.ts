/** The scale of a judge, as pictures use it: its figures, its bands, and the filters that find what lies between two figures. */
import { judgeOf } from '../../judges/addresses.ts';
import type { Band } from '../../judges/judge.ts';
import type { ProblemQuery } from '../problem-query.ts';
import { words } from '../words.ts';

export interface Scale {
  source: string;
  judge: string;
  bands: readonly Band[];
  /** The place of a figure's band. */
  placeOf(figure: number): number;
  colourOf(figure: number): Band['colour'];
  /** Finds what is shown with figures from one on, and before the other. */
  between(from: number | undefined, before: number | undefined): Partial<ProblemQuery>;
}

/** Undefined for a judge without ratings. */
export function scaleOf(source: string): Scale | undefined {
  const judge = judgeOf(source);
  const { bands = [] } = judge ?? {};
  if (!judge || bands.length === 0) return undefined;
  const placeOf = (figure: number) =>
    Math.max(
      0,
      bands.findLastIndex(({ from }) => figure >= from),
    );
  const lowest = (figure: number) => judge.figures?.lowest(figure) ?? figure;
  return {
    source,
    judge: judge.name,
    bands,
    placeOf,
    colourOf: (figure) => bands[placeOf(figure)]?.colour ?? 'grey',
    between: (from, before) => ({
      ratingMin: from === undefined || from <= 0 ? undefined : lowest(from),
      ratingMax: before === undefined ? undefined : lowest(before) - 1,
    }),
  };
}

/** The figure that pages show for a rating of a judge. */
export const shownFigure = (source: string, rating: number) => judgeOf(source)?.figures?.of(rating) ?? rating;

/** A band in words, such as `1400 to 1599`. */
export function bandName({ bands }: Scale, place: number): string {
  const [from = 0, next] = [bands[place]?.from, bands[place + 1]?.from];
  if (next === undefined) return words('progress.bandFrom', { from: String(from) });
  if (from === 0) return words('progress.bandBelow', { to: String(next) });
  return words('progress.bandBetween', { from: String(from), to: String(next - 1) });
}
