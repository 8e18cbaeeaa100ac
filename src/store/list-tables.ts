/** The tables of lists. All other tables are in `tables.ts`. */

export type Visibility = 'private' | 'garden' | 'secret';

export interface ListsTable {
  id: bigint;
  owner_id: bigint;
  name: string;
  visibility: Visibility;
  /** SHA-256 of what stands in the secret address, in hexadecimal; null for a list that has none. */
  secret_digest: string | null;
  created_at: string;
  updated_at: string;
  /** How often the list was changed; a form says which version it showed. */
  version: bigint;
}

export interface ListSectionsTable {
  list_id: bigint;
  /** From 1, without a gap. */
  position: bigint;
  /** Empty for problems that stand below no heading. */
  name: string;
}

/** A problem in a list. A list has a problem once. */
export interface ListItemsTable {
  list_id: bigint;
  /** The position of its section. */
  section: bigint;
  /** From 1 through the whole list. It has gaps where a problem was deleted. */
  position: bigint;
  problem_id: bigint;
  memo: string | null;
  /** When the problem came into the list. */
  added_at: string;
}

export interface ListTables {
  lists: ListsTable;
  list_sections: ListSectionsTable;
  list_items: ListItemsTable;
}
