/** Which plants stand beside each other: beds by topic, and whole beds in rows that are as even as can be. */
import type { DrawnPlant } from './drawn-plant.ts';

export interface Bed {
  /** Null is any topic; undefined is the bed of plants that grow with lists. */
  topic: string | null | undefined;
  plants: readonly DrawnPlant[];
}

/** Beds in the order of their first plant. */
export function bedsOf(plants: readonly DrawnPlant[]): Bed[] {
  const beds = Map.groupBy(plants, ({ plant }) => (plant.list_name === null ? plant.tag || null : undefined));
  return Array.from(beds, ([topic, some]) => ({ topic, plants: some }));
}

interface Broken {
  cost: number;
  rows: Bed[][];
}

/** The least sum of squared empty places, by dynamic programming; and no more rows than needed. */
export function rowsOf(beds: readonly Bed[], places: number): Bed[][] {
  const parts = beds.flatMap((bed) => partsOf(bed, places));
  const best: Broken[] = [{ cost: 0, rows: [] }];
  for (const at of parts.keys()) {
    let used = 0;
    let least: Broken | undefined;
    for (let from = at; from >= 0; from--) {
      used += parts[from]?.plants.length ?? 0;
      if (used > places) break;
      const before = best[from];
      if (!before) break;
      const cost = before.cost + (places - used) ** 2 + places * places * 0.5;
      if (!least || cost < least.cost) least = { cost, rows: [...before.rows, parts.slice(from, at + 1)] };
    }
    if (least) best.push(least);
  }
  return best.at(-1)?.rows ?? [];
}

/** A bed that is longer than a row is halved, or more. */
function partsOf({ topic, plants }: Bed, places: number): Bed[] {
  const count = Math.ceil(plants.length / places);
  const size = Math.ceil(plants.length / count);
  return Array.from({ length: count }, (_, nth) => ({
    topic,
    plants: plants.slice(nth * size, (nth + 1) * size),
  }));
}
