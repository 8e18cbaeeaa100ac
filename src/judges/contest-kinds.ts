/** Kinds of contests, as a judge's file lists them: the grid of contests is filtered by these. */

export interface ContestKind {
  /** As it stands in addresses. */
  name: string;
  /** As the judge calls it. */
  title: string;
  has: string;
  lacks?: string;
}
