/** The tables of the garden. All other tables are in `tables.ts`. */

/** The part of a topic, or of all problems, that a plant counts; null is any. */
export interface Narrowing {
  /** The judge. */
  source: string | null;
  rating_min: bigint | null;
  rating_max: bigint | null;
}

export interface PlantsTable extends Narrowing {
  id: bigint;
  user_id: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  planted_at: string;
  /** What it looks like; null for one that was planted before plants were drawn: then its topic says it. */
  species: string | null;
  /** The list with whose problems it grows. No list gets the id of a deleted one. */
  list_id: bigint | null;
  /** What the list was called when its member saw it last; null for a plant of a topic, or of any. */
  list_name: string | null;
  /** The names and targets that it had before, with the moments when they were changed, as JSON; null for none. */
  edits: string | null;
  /** The day until which its member wants to reach the target, such as 2026-12-31; null for none. */
  by_date: string | null;
}

/** A plant as it was when somebody uprooted it, kept for a day. */
export interface UprootedPlantsTable extends PlantsTable {
  uprooted_at: string;
}

/** A secret address at which everybody who knows it sees something of a member's. */
export interface SharedAddressesTable {
  secret: string;
  user_id: bigint;
  kind: 'garden' | 'year' | 'calendar';
  made_at: string;
}

export interface GardenTables {
  plants: PlantsTable;
  uprooted_plants: UprootedPlantsTable;
  shared_addresses: SharedAddressesTable;
}
