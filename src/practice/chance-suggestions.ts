/** The suggestions of Today: likely, even and a stretch by their chance, or by the member's level where the chance is unknown. */
import type { ChanceModel } from '../judges/judge.ts';
import type { CompletedProblem } from '../store/activity.ts';
import type { Db } from '../store/tables.ts';
import { bandRange, type ChanceBand, chanceBandNames, chanceOf } from './chance.ts';
import { readStrengths, type StrengthAnswer } from './strength.ts';
import {
  bandOf,
  type DrawnProblem,
  drawProblems,
  type LevelKind,
  levelBands,
  readLevelsAtStart,
  type SuggestedBand,
  type SuggestionDay,
} from './suggestions.ts';

export interface ProblemSuggestion extends DrawnProblem<LevelKind | ChanceBand> {
  chance?: number;
}

export interface JudgeSuggestions {
  source: string;
  suggestions: readonly ProblemSuggestion[];
  /** Undefined at a judge whose ratings give no chances. */
  strength: StrengthAnswer | undefined;
}

interface Suggestions {
  judges: readonly JudgeSuggestions[];
  /** How many more solved problems of one judge the first suggestions need. */
  missing: number;
}

export async function listSuggestions(
  db: Db,
  userId: bigint,
  { models, ...day }: SuggestionDay & { models: ReadonlyMap<string, ChanceModel> },
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<Suggestions> {
  const { levels, missing, startOfDay } = await readLevelsAtStart(db, userId, day, loaded);
  const strengths = await readStrengths(db, userId, models, Date.parse(startOfDay));
  const sources = new Set([...levels.map(({ source }) => source), ...models.keys()]);
  const bands = [...sources].flatMap((source): SuggestedBand<LevelKind | ChanceBand>[] => {
    const model = models.get(source);
    const level = levels.find((one) => one.source === source);
    const strength = strengths.get(source)?.strength;
    if (model && strength !== undefined)
      return chanceBandNames.map((kind) => bandOf(source, kind, bandRange(model, kind, strength)));
    return level ? levelBands(level) : [];
  });
  const drawn = await drawProblems(db, userId, day.today, bands);
  const judges = [...sources].map((source): JudgeSuggestions => {
    const [model, strength] = [models.get(source), strengths.get(source)];
    const suggestions = drawn.filter(({ problem }) => problem.source === source);
    if (!model || strength?.strength === undefined) return { source, suggestions, strength };
    const chanceAt = (rating: bigint | null) => chanceOf(model, Number(rating), strength.strength);
    const withChances = suggestions.map((one) => ({ ...one, chance: chanceAt(one.problem.rating) }));
    return { source, suggestions: withChances, strength };
  });
  return { judges: judges.filter(({ suggestions }) => suggestions.length > 0), missing };
}
