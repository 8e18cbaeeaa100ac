/** The pages that the work `pages` asks for. */

export interface PageKind {
  name: string;
  title: string;
  path: string;
  /** Where it is not 200. */
  status?: number;
  /** Whether it is measured also as the first read after a change. */
  isAfterChange?: boolean;
  /** Whether each request comes after a change of the catalogue, so that no search is kept. */
  isFirst?: boolean;
}

export const sessionCookie = (session: string): Record<string, string> => ({ Cookie: `session=${session}` });

const list = (title: string, query = '', isAfterChange = false): PageKind => ({
  name: `list ${query || 'plain'}`,
  title: `List, ${title}`,
  path: `/problem_list/${query}`,
  isAfterChange,
});

/** A page that is measured also as the first read after a change. */
function changing(name: string, title: string, path: string): PageKind {
  return { name, title, path, isAfterChange: true };
}

const plain = list('plain', '', true);
const unsolved = list('not solved', '?status=unsolved', true);
const search = list('search', '?q=amber', true);
const firstSearch: PageKind = { ...search, name: 'first search', title: 'List, first search', isFirst: true };
const band = list('rating band', '?rating_min=1400&rating_max=1700');
const deep = (size: number) => list('deep page', `?page=${Math.floor(size / 25) - 10}`);
const problem = changing('problem', 'Problem', '/problem_list/problem/1/');
export const today = changing('today', 'Today', '/dashboard/');
const own = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'] as const;
const orders = ['title', 'source_key', 'rating', 'updated_at'] as const;

export function pageKinds(size: number): PageKind[] {
  return [
    plain,
    { ...list('200 rows', '?per_page=200'), name: 'long list' },
    ...own.map((state) => list(`status ${state}`, `?status=${state}`)),
    unsolved,
    list('tried', '?status=tried'),
    list('starred', '?bookmarked=true'),
    list('one judge', '?source=atcoder'),
    list('one topic', '?tag=dp', true),
    list('two topics', '?tag=dp&tag=graphs'),
    list('without a topic', '?without_tag=math'),
    list('topic without others', '?tag=dp&without_tag=math&without_tag=greedy'),
    band,
    list(
      'judge, band, topic, not solved',
      '?source=codeforces&rating_min=1400&rating_max=1900&tag=dp&status=unsolved',
    ),
    search,
    list('search of two words', '?q=amber+birch', true),
    list('search that finds nothing', '?q=zzzz'),
    list('search, not solved', '?q=amber&status=unsolved', true),
    // It leads to the problem at once.
    {
      ...list('pasted link', '?q=https%3A%2F%2Fcodeforces.com%2Fproblemset%2Fproblem%2F101%2FA'),
      status: 303,
    },
    list('pasted link of no judge', '?q=https%3A%2F%2Fclub.example%2Ftasks%2Fa&status=unsolved', true),
    deep(size),
    list('deep page, not solved', `?status=unsolved&page=${Math.floor((size * 0.9 - 2000) / 25)}`),
    ...orders.flatMap((name) => [
      list(`by ${name}`, `?order=${name}`),
      list(`by ${name}, down`, `?order=-${name}`),
    ]),
    list('deep page by title', `?order=title&page=${Math.floor(size / 50)}`),
    list('not solved, hardest first', '?status=unsolved&order=-rating'),
    problem,
    { name: 'problem plain', title: 'Problem without marks', path: '/problem_list/problem/2/' },
    { name: 'bulk', title: 'Bulk preview of all', path: '/problem_list/bulk/' },
    { name: 'bulk unsolved', title: 'Bulk preview, not solved', path: '/problem_list/bulk/?status=unsolved' },
    { name: 'views', title: 'Saved views', path: '/problem_list/views/?tag=dp' },
    { name: 'random', title: 'Random pick', path: '/problem_list/random/?status=unsolved', status: 303 },
    changing('contests', 'Contests', '/problem_list/contests/?source=codeforces'),
    changing('contests begun', 'Contests, begun', '/problem_list/contests/?source=codeforces&show=begun'),
    changing('review', 'Review', '/dashboard/review/'),
    changing('own list', 'A list of 100 in four sections', '/problem_list/lists/1/'),
    { name: 'own lists', title: 'Lists', path: '/problem_list/lists/' },
    { name: 'list edit', title: 'A list, edited', path: '/problem_list/lists/1/edit/' },
    list('of a list', '?list=1'),
    today,
    { name: 'days', title: 'Days', path: '/dashboard/days/' },
    { name: 'submissions', title: 'Submissions', path: '/dashboard/submissions/' },
    changing('garden', 'Garden of 60 plants', '/plants/'),
    { name: 'plant', title: 'Plant', path: '/plants/at/1/' },
    { name: 'planting', title: 'Planting', path: '/plants/new/' },
    { name: 'history', title: 'History', path: '/dashboard/history/' },
    { name: 'group table', title: 'Group, 60 people by 40 problems', path: '/dashboard/groups/1/lists/2/' },
    { name: 'group pick', title: 'Pick for a group of 60', path: '/dashboard/groups/1/pick/' },
    { name: 'groups', title: 'Groups', path: '/dashboard/groups/' },
    changing('progress', 'Progress', '/dashboard/progress/'),
    { name: 'group board', title: 'Group, board of 60', path: '/dashboard/groups/1/board/' },
    { name: 'member page', title: 'Public page', path: '/members/bench/' },
    { name: 'account', title: 'Account', path: '/authentication/account/' },
    ...['tokens', 'sessions', 'data', 'sharing', 'reminders'].map((name) => ({
      name: `account ${name}`,
      title: `Account, ${name}`,
      path: `/authentication/account/${name}/`,
    })),
  ];
}

/** What a plain page shows as well. */
export const pagesBeside = (size: number): PageKind[] => [plain, unsolved, firstSearch, band, deep(size)];

export const pagesOfSizes: readonly ((size: number) => PageKind)[] = [
  ...[plain, unsolved, list('one topic', '?tag=dp'), band, search, firstSearch].map((kind) => () => kind),
  deep,
  () => problem,
];
