/** A member's topics: how much of what they tried they solved, soon or later, and which of them rest. */
import { isWithin, type Reached, type Span } from './progress.ts';

/** A topic of a judge in figures. */
export interface TopicFigures {
  tag: string;
  /** Solved within three tries, and later. */
  soon: number;
  later: number;
  /** Tried and not solved. */
  open: number;
  /** Of those at the member's level, how many were tried and how many of them solved soon. */
  levelTried: number;
  levelSoon: number;
  /** The one that was reached last. */
  last: Reached;
  /** Whether nothing of it was reached for six weeks, while something else was. */
  rests: boolean;
}

/** The last number of tries that count as soon. */
export const soonTries = 3;
const restDays = 42;

export const triedOf = ({ soon, later, open }: TopicFigures) => soon + later + open;

/** The topics of what was reached within the days, the most tried first. */
export function topicsOf(
  reached: readonly Reached[],
  span: Span,
  level: readonly [from: number, to: number] | undefined,
  today: number,
): TopicFigures[] {
  const topics = new Map<string, TopicFigures>();
  const isActive = reached.some(({ day }) => today - day <= restDays);
  for (const one of reached) {
    if (!isWithin(span, one.day)) continue;
    const isSoon = one.isSolved && one.tries <= soonTries;
    const isAtLevel =
      level !== undefined && one.rating !== undefined && one.rating >= level[0] && one.rating <= level[1];
    for (const tag of new Set(one.tags)) {
      const none = { tag, soon: 0, later: 0, open: 0, levelTried: 0, levelSoon: 0, last: one, rests: false };
      const topic = topics.get(tag) ?? none;
      topics.set(tag, topic);
      topic[isSoon ? 'soon' : one.isSolved ? 'later' : 'open'] += 1;
      if (isAtLevel) topic.levelTried += 1;
      if (isAtLevel && isSoon) topic.levelSoon += 1;
      // They come in the order of their moments.
      topic.last = one;
      topic.rests = isActive && today - one.day > restDays;
    }
  }
  return [...topics.values()].sort((a, b) => triedOf(b) - triedOf(a) || (a.tag < b.tag ? -1 : 1));
}

/** Fewer tries at the level say little about a topic. */
const sayingAtLeast = 5;
const compared = 10;

/** Of the topics that are tried most, the ones with the highest and the lowest share solved soon at the level. */
export function surestAndSlowest(
  topics: readonly TopicFigures[],
): { surest: TopicFigures; slowest: TopicFigures } | undefined {
  const share = ({ levelSoon, levelTried }: TopicFigures) => levelSoon / levelTried;
  const ranked = topics
    .slice(0, compared)
    .filter(({ levelTried }) => levelTried >= sayingAtLeast)
    .toSorted((a, b) => share(b) - share(a));
  const [surest, slowest] = [ranked[0], ranked.at(-1)];
  if (!surest || !slowest || share(surest) === share(slowest)) return undefined;
  return { surest, slowest };
}
