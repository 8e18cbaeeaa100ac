/** The addresses of the garden, and links from its numbers to the lists behind them. */

import type { GrownPlant } from '../../practice/garden.ts';
import type { PlantFilter } from '../../store/plants.ts';
import type { Html } from '../markup.ts';
import { listPath, plantingPath } from '../paths.ts';
import { countLink } from './links.ts';
import { isTagOfAddress, type ProblemQuery, queryFor, queryString } from './problem-query.ts';

/** The sheets that a page with plants in it loads. */
export const gardenStyles = ['plants.css', 'garden.css'] as const;

/** The address of the page on which a member plants for this topic; null is any topic. */
export function plantingFor(tag: string | null): string {
  return tag === null ? `${plantingPath}?any=true` : `${plantingPath}?tag=${encodeURIComponent(tag)}`;
}

export const plantingForList = (listId: bigint) => `${plantingPath}?list=${listId}`;

/** With what a plant grows. */
export type PlantScope = Pick<GrownPlant, 'tag' | 'list_name' | 'list' | keyof PlantFilter>;

/**
 * The problems of a plant's topic or list; undefined for a topic that no address can have, and for a list that is gone.
 */
export function groundQuery(
  { tag, list_name, list, ...part }: PlantScope,
  status: 'complete' | 'unsolved' | '',
): ProblemQuery | undefined {
  if (list) return queryFor({ status, list: String(list.id) });
  if (list_name !== null || (tag && !isTagOfAddress(tag))) return undefined;
  const number = (rating: bigint | null) => (rating === null ? undefined : Number(rating));
  return queryFor({
    status,
    tags: tag ? [tag] : [],
    source: part.source ?? '',
    ratingMin: number(part.rating_min),
    ratingMax: number(part.rating_max),
  });
}

export function groundAddress(ground: PlantScope, status: 'complete' | 'unsolved' | '' = ''): string | undefined {
  const query = groundQuery(ground, status);
  return query && listPath + queryString(query);
}

/** The number of solved problems of a plant's topic or list, with the way to them. */
export function solvedForPlantLink(
  basePath: string,
  plant: PlantScope & Pick<GrownPlant, 'done'>,
  text: (Html | string)[],
): Html {
  const to = groundAddress(plant, 'complete');
  return countLink(plant.done, to && basePath + to, text);
}
