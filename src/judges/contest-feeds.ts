/** Lists of upcoming contests that administrators can switch on. */
import { dayMs } from '../durations.ts';
import { localizedError, localizedText, message } from '../errors.ts';
import { type CalendarEvent, readCalendarInThread } from '../files/calendar.ts';
import { contestInBook } from './address-book.ts';
import { contestAtAddress, contestListing, secondsOf, titleAndTimesOf, titleOf } from './contest-listings.ts';
import { entriesIn, judgeFault, oddAnswer, parseUnlessBusy } from './faults.ts';
import { isoTimeOf, matchOf, objectOf, textOf } from './fields.ts';
import type { ContestListing, Judge, JudgeAnswer, JudgeApi, JudgeClient, UpcomingContest } from './judge.ts';
import { judges } from './judges.ts';

interface FeedRequest {
  key: string | undefined;
  now: Date;
}

export interface ContestFeed {
  site: string;
  api: Pick<JudgeApi, 'baseUrl' | 'intervalMs' | 'headers'>;
  /** The page where a site gives the key that it requires. */
  keyPage?: string;
  listContests(ask: JudgeClient, request: FeedRequest): Promise<ContestListing>;
}

/* CodeChef: the undocumented API of its own pages. */

const codechef: ContestFeed = {
  site: 'CodeChef',
  api: { baseUrl: 'https://www.codechef.com', intervalMs: 5000 },
  listContests: (ask) =>
    ask('/api/list/contests/all?sort_by=START&sorting_order=asc&offset=0&mode=all', (answer) => {
      const body = Object(parseUnlessBusy(answer, 'CodeChef')) as Record<string, unknown>;
      const lists = ['present_contests', 'future_contests'].flatMap((name) =>
        entriesIn(body[name], 'CodeChef', 'contest_code'),
      );
      return contestListing(lists, codechefContest);
    }),
};

function codechefContest(value: unknown): UpcomingContest {
  const row = objectOf(value);
  const code = matchOf(row['contest_code'], 'contest_code', /^\w{1,40}$/, message('expected.contestCode'));
  const minutes = matchOf(
    row['contest_duration'],
    'contest_duration',
    /^\d{1,8}$/,
    message('expected.minutes'),
  );
  const fields = {
    titleField: 'contest_name',
    startField: 'contest_start_date_iso',
    seconds: Number(minutes) * 60,
  };
  const key = code.toUpperCase();
  return { source: 'codechef', key, url: `https://www.codechef.com/${key}`, ...titleAndTimesOf(row, fields) };
}

/* CLIST gathers contests of hundreds of sites (clist.by/api/v4/doc/). */

const clistResources = [
  ...['codeforces.com', 'atcoder.jp', 'leetcode.com', 'codechef.com', 'dmoj.ca', 'yukicoder.me'],
  ...['luogu.com.cn', 'ac.nowcoder.com', 'open.kattis.com', 'toph.co', 'tlx.toki.id', 'usaco.org'],
  ...['facebook.com/hackercup', 'icpc.global', 'eolymp.com', 'acm.timus.ru', 'spoj.com', 'ucup.ac'],
];
const clistRows = 200;

const clist: ContestFeed = {
  site: 'CLIST',
  // "10 requests per minute" (clist.by/api/v4/doc/).
  api: { baseUrl: 'https://clist.by', intervalMs: 6000 },
  keyPage: 'https://clist.by/api/v4/doc/',
  listContests: (ask, { key = '' }) => {
    const resources = encodeURIComponent(clistResources.join(','));
    const path = `/api/v4/contest/?upcoming=true&resource__in=${resources}&order_by=start&limit=${clistRows}`;
    return ask(path, clistListing, { headers: { Authorization: `ApiKey ${key}` } });
  },
};

function clistListing(answer: JudgeAnswer): ContestListing {
  if (answer.status === 401 || answer.status === 403)
    throw judgeFault('refused', localizedError('judgeFailed.feedKey', { judge: 'CLIST' }));
  const { meta, objects } = Object(parseUnlessBusy(answer, 'CLIST')) as Record<string, unknown>;
  const rows = entriesIn(objects, 'CLIST', 'event');
  const isComplete = rows.length < clistRows && (Object(meta).next ?? null) === null;
  return contestListing(rows, clistContest, isComplete);
}

/** CLIST's times are UTC without a zone. */
function clistContest(value: unknown): UpcomingContest {
  const row = objectOf(value);
  return {
    ...contestAtAddress(row['href'], 'href'),
    title: titleOf(row['event'], 'event'),
    starts_at: isoTimeOf(row['start'], 'start'),
    duration_s: secondsOf(row['duration']),
  };
}

/* Contest Hive (github.com/Contest-Hive/Contest-Hive) gathers contests of seven judges. */

const hiveName = 'Contest Hive';

const contestHive: ContestFeed = {
  site: hiveName,
  api: { baseUrl: 'https://contest-hive.vercel.app', intervalMs: 5000 },
  listContests: (ask) =>
    ask('/api/all', (answer) => {
      const { ok, data } = Object(parseUnlessBusy(answer, hiveName)) as Record<string, unknown>;
      if (ok !== true || typeof data !== 'object' || data === null)
        throw oddAnswer(hiveName, message('odd.lacks', { field: 'data' }));
      const rows = Object.entries(data).flatMap(([platform, all]) =>
        (Array.isArray(all) ? all : []).map((row: unknown) => ({ platform, row })),
      );
      return contestListing(rows, hiveContest);
    }),
};

const hivePages: Readonly<Record<string, (name: string) => string>> = {
  atcoder: (name) => `https://atcoder.jp/contests/${name}`,
  codechef: (name) => `https://www.codechef.com/${name}`,
  codeforces: (name) => `https://codeforces.com/contests/${name}`,
  hackerearth: (name) => `https://${name}`,
  hackerrank: (name) => `https://www.hackerrank.com/${name}`,
  leetcode: (name) => `https://leetcode.com/contest/${name}`,
  toph: (name) => `https://toph.co/c/${name}`,
};

/** A row is an object, or a list of title, id, start and seconds. */
function hiveContest(value: unknown): UpcomingContest {
  const { platform, row } = value as { platform: string; row: unknown };
  const contest = Array.isArray(row)
    ? {
        title: row[0],
        url: hivePages[platform]?.(encodeURI(textOf(row[1], 'id', 300))),
        startTime: row[2],
        duration: row[3],
      }
    : objectOf(row);
  const fields = { titleField: 'title', startField: 'startTime', seconds: contest['duration'] };
  return { ...contestAtAddress(contest['url'], 'url'), ...titleAndTimesOf(contest, fields) };
}

const monthMs = 31 * dayMs;
const aheadMonths = 3;
/** In MiB. */
export const calendarMiB = 4;

export function calendarFeed(source: string, name: string, address: string): ContestFeed {
  return {
    site: name,
    api: {
      baseUrl: address,
      intervalMs: 5000,
      headers: { Accept: 'text/calendar, text/plain;q=0.5' },
    },
    listContests: async (ask, { now }) => {
      const text = await ask('', (answer) => {
        if (answer.status === 200) return answer.text;
        throw oddAnswer(name, message('odd.status', { status: answer.status }));
      });
      const from = now.getTime() - monthMs;
      const calendar = await readCalendarInThread(text, {
        from,
        until: now.getTime() + aheadMonths * monthMs,
      });
      if ('fault' in calendar) throw oddAnswer(name, calendar.fault);
      const linkCounts = new Map<string | undefined, number>();
      for (const { links } of calendar.events) {
        const id = idOf(contestOfLinks(links));
        linkCounts.set(id, (linkCounts.get(id) ?? 0) + 1);
      }
      const readEvent = (value: unknown) => {
        const { key, title, startsAt, seconds, links, repeats } = value as CalendarEvent;
        const contest = contestOfLinks(links);
        // Several events may link to one page, such as a series of contests.
        const isContest = contest && !repeats && linkCounts.get(idOf(contest)) === 1;
        return {
          ...(isContest ? contest : { source, key, url: firstLink(links) }),
          title: titleOf(title, 'SUMMARY'),
          starts_at: startsAt,
          duration_s: BigInt(seconds),
        };
      };
      const listing = contestListing(calendar.events, readEvent, calendar.odd.length === 0);
      return { ...listing, skipped: [...calendar.odd.map(localizedText), ...listing.skipped] };
    },
  };
}

function contestOfLinks(
  links: readonly string[],
): Pick<UpcomingContest, 'source' | 'key' | 'url'> | undefined {
  for (const link of links) {
    const url = URL.parse(link);
    const contest = url && contestInBook(url);
    if (contest) return { source: contest.source, key: contest.key, url: contest.address ?? url.href };
  }
  return undefined;
}

const idOf = (contest: ReturnType<typeof contestOfLinks>) => contest && `${contest.source} ${contest.key}`;

function firstLink(links: readonly string[]): string | null {
  const urls = links.flatMap((link) => URL.parse(link) ?? []);
  const isAllowed = ({ username, password, href }: URL) => username + password === '' && href.length <= 500;
  return urls.find(isAllowed)?.href ?? null;
}

const judgeFeeds = Object.entries<Judge>(judges).flatMap(([source, { site, api }]) => {
  const { upcoming } = api ?? {};
  if (!api || !upcoming) return [];
  return [
    [source, { site, api, listContests: (ask, { now }) => upcoming(ask, now) } satisfies ContestFeed],
  ] as const;
});

export const contestFeeds: ReadonlyMap<string, ContestFeed> = new Map<string, ContestFeed>([
  ...judgeFeeds,
  ['codechef', codechef],
  ['clist', clist],
  ['contest-hive', contestHive],
]);

export const alwaysFetchedFeeds: readonly string[] = Object.entries<Judge>(judges).flatMap(
  ([source, { api }]) => (api?.parseUpcoming ? [source] : []),
);

export function readFeedKey(text: string): string | undefined {
  const key = text.trim().replace(/^ApiKey\s+/i, '');
  return /^[\w.@+-]{1,150}:[\w-]{8,100}$/.test(key) ? key : undefined;
}
