/** Links between the garden and lists of problems. */

import type { PlantWithGrowth } from '../../practice/garden.ts';
import type { PlantFilter } from '../../store/plants.ts';
import type { Html } from '../markup.ts';
import { newPlantPath, problemsPath } from '../paths.ts';
import { countLink } from './links.ts';
import { fitsInAddress, type ProblemQuery, queryFor, queryString } from './problem-query.ts';

export const gardenStyles = ['plants.css', 'garden.css'] as const;

/** Null is any topic. */
export function newPlantAddress(tag: string | null): string {
  return tag === null ? `${newPlantPath}?any=true` : `${newPlantPath}?tag=${encodeURIComponent(tag)}`;
}

export const newPlantAddressForList = (listId: bigint) => `${newPlantPath}?list=${listId}`;

export type PlantScope = Pick<PlantWithGrowth, 'tag' | 'list_name' | 'list' | keyof PlantFilter>;

/** Returns undefined for a topic that fits no address, and for a deleted list. */
export function plantQuery(
  { tag, list_name, list, ...filter }: PlantScope,
  status: 'complete' | 'unsolved' | '',
): ProblemQuery | undefined {
  if (list) return queryFor({ status, list: String(list.id) });
  if (list_name !== null || (tag && !fitsInAddress(tag))) return undefined;
  const number = (rating: bigint | null) => (rating === null ? undefined : Number(rating));
  return queryFor({
    status,
    tags: tag ? [tag] : [],
    source: filter.source ?? '',
    ratingMin: number(filter.rating_min),
    ratingMax: number(filter.rating_max),
  });
}

export function plantListAddress(scope: PlantScope, status: 'complete' | 'unsolved' | '' = ''): string | undefined {
  const query = plantQuery(scope, status);
  return query && problemsPath + queryString(query);
}

export function solvedForPlantLink(
  basePath: string,
  plant: PlantScope & Pick<PlantWithGrowth, 'done'>,
  text: (Html | string)[],
): Html {
  const to = plantListAddress(plant, 'complete');
  return countLink(plant.done, to && basePath + to, text);
}
