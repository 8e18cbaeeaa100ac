/** What is known of each judge's live feed. The rules are in `jobs/live-rules.ts`. */
import { prepared } from './prepared.ts';
import { deleteRows, findRow, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    /** `state` is the JSON of a LiveFeed. */
    live_feeds: { source: string; state: string };
  }
}

/** A member's submission without a final verdict. */
export interface PendingRow {
  id: number;
  handleId: number;
  contest: string | null;
  /** When its own list was last requested. */
  requestedAt: number;
  /** The last turn in which an answer showed it. */
  seenAt?: number;
}

/** Moments are in milliseconds since 1970; 0 stands for never. */
export const freshFeed = {
  /** The largest id that came, and when it was submitted by the judge's clock. */
  newestId: 0,
  newestAt: 0,
  /** When ids were last larger than before. */
  grownAt: 0,
  triedAt: 0,
  goodAt: 0,
  /** All submissions before this moment are here, except those of a gap. */
  completeAt: 0,
  /** Submissions between these moments may be missing. The gap goes on while it has no end. */
  gapFrom: null as number | null,
  gapUntil: null as number | null,
  /** When a member was last seen at the judge. */
  onlineAt: 0,
  sweptAt: 0,
  /** How many own lists the last sweep found missing. */
  missed: 0,
  rowsPerSecond: 0,
  failures: 0,
  failedAt: 0,
  /** The UTC day of the four figures below. */
  day: '',
  bytes: 0,
  answers: 0,
  gaps: 0,
  /** How many solves came after so many seconds. */
  delays: {} as Record<string, number>,
  isSlowed: false,
  /** Of bytes a day. */
  limit: 0,
  pending: [] as PendingRow[],
  /** Running contests that were read while the feed is refused: their largest ids, and when nothing was missing. */
  contests: {} as Record<string, { newestId: number; at: number; wholeAt: number }>,
  /** Running contests that the judge does not show. */
  refusedContests: [] as string[],
  cursor: null as unknown,
};
export type LiveFeed = typeof freshFeed;

export async function findLiveFeed(db: Db, source: string): Promise<LiveFeed | undefined> {
  const row = await findRow(db, 'live_feeds', { source });
  return row && { ...freshFeed, ...JSON.parse(row.state) };
}

const allFeeds = prepared((db) => db.selectFrom('live_feeds').selectAll());

export async function listLiveFeeds(db: Db): Promise<ReadonlyMap<string, LiveFeed>> {
  return new Map(
    (await allFeeds(db)).map(({ source, state }) => [source, { ...freshFeed, ...JSON.parse(state) }]),
  );
}

export const saveLiveFeed = (tx: Db, source: string, feed: LiveFeed) =>
  upsertRow(tx, 'live_feeds', ['source'], { source, state: JSON.stringify(feed) });

export const deleteLiveFeed = (tx: Db, source: string) => deleteRows(tx, 'live_feeds', { source });
