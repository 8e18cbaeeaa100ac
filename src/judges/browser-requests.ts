/** Judges that answer a page of another site (CORS), so that the member's own browser can ask them where our server may not. */

/** How a browser asks for the submissions of a handle, the newest first. */
export interface BrowserWay {
  /** The judge's own address of its interface, without a slash at the end. */
  baseUrl: string;
  /** Below it; the number of the first row is put at the end, from 1. */
  pathOf(handle: string): string;
  /** Rows that an answer is asked for. It may have fewer; the one after the last has none. */
  pageSize: number;
  /** Rows that an answer shares with a full one before it, because the list may move meanwhile. */
  sharedRows: number;
  /** The least time between two requests. */
  intervalMs: number;
  /** The judge's file that such an answer is. */
  file: string;
}

const ways: Readonly<Record<string, BrowserWay>> = {
  // cftracker, a static site, asks from its members' browsers (src/data/queries/codeforcesQuery.ts).
  codeforces: {
    baseUrl: 'https://codeforces.com/api',
    pathOf: (handle) => `/user.status?handle=${encodeURIComponent(handle)}&lang=en&count=250&from=`,
    pageSize: 250,
    sharedRows: 10,
    intervalMs: 2000,
    file: 'submissions',
  },
};

export function browserWayOf(source: string): BrowserWay | undefined {
  return Object.hasOwn(ways, source) ? ways[source] : undefined;
}
