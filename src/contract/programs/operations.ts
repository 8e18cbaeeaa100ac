/** The operations for programs as data, from which routes, types, validation and their own OpenAPI document derive. */
import type { ObjectSchema } from '../common.ts';
import { oneOf } from '../common.ts';
import { parameters, queryText } from '../parameters.ts';
import {
  AddedProblem,
  AddedSolution,
  ChangedList,
  ChangedMark,
  ChangedTimer,
  ChangePage,
  Due,
  flag,
  GradedReview,
  ListItem,
  ListPage,
  line,
  Mark,
  MarkChange,
  Me,
  NewProblem,
  NewReview,
  NewSolution,
  PracticeList,
  Problem,
  ProblemPage,
  programStatuses,
  RunningTimer,
  SolutionPage,
  SolutionWithCode,
  StoredList,
  Suggestions,
  TimerAction,
  UndoneChange,
  whole,
} from './schemas.ts';

export const programVersion = '1.0.0';
export const programsPath = '/practice/v1';
export const mcpPath = '/practice/mcp';

export const programScopes = {
  'practice:read': 'Read the practice of the member, with the notes.',
  'practice:mark': 'Read and mark the practice of the member.',
  'practice:code': 'Read the member’s own code; with practice:mark also store it.',
} as const;
export type ProgramScope = keyof typeof programScopes;
export const allProgramScopes = Object.keys(programScopes) as ProgramScope[];

export interface ProgramOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Below `programsPath`; a segment may be a parameter, an id. */
  path: string;
  scope: ProgramScope;
  /** Needed besides `scope`. */
  secondScope?: ProgramScope;
  summary: string;
  description: string;
  query: ObjectSchema;
  body?: ObjectSchema;
  answer: ObjectSchema;
  /** The write may make something, which answers 201 with its Location. */
  makes?: true;
  /** If-Match must be sent. */
  needsVersion?: true;
}

const read = { method: 'GET', scope: 'practice:read', query: parameters({}) } as const;
const readCode = { method: 'GET', scope: 'practice:code', query: parameters({}) } as const;
const write = { scope: 'practice:mark', query: parameters({}) } as const;

const pageFields = {
  limit: whole('At most this many; 20 by default.', 20, { minimum: 1, maximum: 100 }),
  cursor: queryText('Where the page begins: `next` of the page before.'),
};
const PageQuery = parameters(pageFields);

const FindQuery = parameters({
  url: line(
    'The address of one problem; not with other filters.',
    'https://codeforces.com/contest/4/problem/A',
    2048,
  ),
  q: queryText('Words of the title or the key.', 'water'),
  topic: queryText('Only problems of this topic.', 'math'),
  judge: queryText('Only problems of this judge.', 'codeforces'),
  rating_min: whole('Only problems at least this hard.', 800),
  rating_max: whole('Only problems at most this hard.', 1600),
  status: oneOf(programStatuses, 'Only problems with this status.', 'trying'),
  starred: flag('Only problems that are starred, or are not.', true),
  ...pageFields,
});

const ChangesQuery = parameters({
  after: queryText('Where to begin: `next` of an answer before.'),
  limit: whole('At most this many; 100 by default. A page with long notes has fewer.', 100, {
    minimum: 1,
    maximum: 1000,
  }),
});

export const programOperations = {
  getMe: {
    ...read,
    path: '/me',
    summary: 'Look up the member of the token',
    description: 'For whom the token acts, and what it may do.',
    answer: Me,
  },
  findProblems: {
    ...read,
    path: '/problems',
    summary: 'Find problems',
    description:
      'Problems by their address or by filters, in ascending order of their ids. An address whose problem is not in this garden finds none; one that is no problem is refused.',
    query: FindQuery,
    answer: ProblemPage,
  },
  readProblem: {
    ...read,
    path: '/problems/{id}',
    summary: 'Look up a problem with its mark',
    description: 'One problem, with the note. The ETag has the version of the mark.',
    answer: Problem,
  },
  readMark: {
    ...read,
    path: '/marks/{problem}',
    summary: 'Look up a mark',
    description: 'What the member marked on a problem; not_started if nothing.',
    answer: Mark,
  },
  addProblem: {
    ...write,
    method: 'POST',
    path: '/problems',
    summary: 'Add a problem by its address',
    description:
      'Adds the problem (201) or finds it (200), and marks it: all or nothing. The status only moves forward.',
    body: NewProblem,
    answer: AddedProblem,
    makes: true,
  },
  changeMark: {
    ...write,
    method: 'PATCH',
    path: '/marks/{problem}',
    summary: 'Mark a problem',
    description:
      'What is absent stays, null takes away. A status goes back only with If-Match and the version of the mark. `how` belongs to solved problems, `minutes` to solved or trying.',
    body: MarkChange,
    answer: ChangedMark,
  },
  listDue: {
    ...read,
    path: '/due',
    summary: 'List what is due for review',
    description: 'The problems that the member should try again today.',
    answer: Due,
  },
  gradeReview: {
    ...write,
    method: 'POST',
    path: '/reviews/{problem}',
    summary: 'Grade a review',
    description:
      'Says how a problem went that is due. A problem that is not due is refused, so a repeat never counts.',
    body: NewReview,
    answer: GradedReview,
  },
  listNext: {
    ...read,
    path: '/next',
    summary: 'List suggestions',
    description: 'New problems by the level of the member, the same all day.',
    answer: Suggestions,
  },
  getTimer: {
    ...read,
    path: '/timer',
    summary: 'Look up the timer',
    description: 'The timer that runs, if one does.',
    answer: RunningTimer,
  },
  changeTimer: {
    ...write,
    method: 'POST',
    path: '/timer',
    summary: 'Start, pause or stop the timer',
    description:
      'A member has one timer. Starting it for a problem for which it runs changes nothing; while another runs, `instead` must name that one. Stopping it marks the problem.',
    body: TimerAction,
    answer: ChangedTimer,
  },
  listLists: {
    ...read,
    path: '/lists',
    summary: 'List the lists of the member',
    description: 'Their own lists, private ones too.',
    query: PageQuery,
    answer: ListPage,
  },
  readList: {
    ...read,
    path: '/lists/{id}',
    summary: 'Look up a list',
    description: 'One list of the member, in the form practice-list/1. The ETag has the version of the list.',
    answer: PracticeList,
  },
  createList: {
    ...write,
    method: 'POST',
    path: '/lists',
    summary: 'Make a list',
    description:
      'Makes a private list of the form practice-list/1. Problems that are not in this garden are added within the limits of the member, or nothing happens. At most 200 lists, with 1,000 problems in 100 sections each.',
    body: PracticeList,
    answer: StoredList,
    makes: true,
  },
  replaceList: {
    ...write,
    method: 'PUT',
    path: '/lists/{id}',
    summary: 'Replace a list',
    description:
      'The list becomes what is sent, with the rules of making one. Needs If-Match. It can be undone for 7 days, the last 20 times of a list.',
    body: PracticeList,
    answer: StoredList,
    needsVersion: true,
  },
  addToList: {
    ...write,
    method: 'POST',
    path: '/lists/{id}/problems',
    summary: 'Add a problem to a list',
    description:
      'Adds the problem at the end of the list, or of its section. If it is in the list already, nothing changes.',
    body: ListItem,
    answer: ChangedList,
  },
  listSolutions: {
    ...readCode,
    path: '/solutions/{problem}',
    summary: 'List own code of a problem',
    description: 'What the member stored with the problem, without the code itself.',
    query: PageQuery,
    answer: SolutionPage,
  },
  readSolution: {
    ...readCode,
    path: '/solutions/{problem}/{id}',
    summary: 'Read own code',
    description: 'One file with its code.',
    answer: SolutionWithCode,
  },
  addSolution: {
    ...write,
    secondScope: 'practice:code',
    method: 'POST',
    path: '/solutions/{problem}',
    summary: 'Store own code with a problem',
    description:
      'Adds a file (201), byte for byte, or finds the same bytes (200). Nobody else sees it. Undoing it removes every byte.',
    body: NewSolution,
    answer: AddedSolution,
    makes: true,
  },
  listChanges: {
    ...read,
    path: '/changes',
    summary: 'List what changed',
    description:
      'What changed for the member after a place, in the order of commits; without one everything that there is. Each thing comes once, at its latest change. Solutions come with practice:code alone. Go on with `next` while `more` is true, and later from there. What is gone stays for 90 days; a place from before is refused (41000): start again, and drop what does not come.',
    query: ChangesQuery,
    answer: ChangePage,
  },
  undoChange: {
    ...write,
    method: 'POST',
    path: '/undo/{change}',
    summary: 'Undo a change',
    description:
      'Takes back a write of a program, by whichever token of the member. Again it changes nothing. What changed since stays, and a change by hand is undone on the website.',
    answer: UndoneChange,
  },
} as const satisfies Record<string, ProgramOperation>;

export type ProgramOperations = typeof programOperations;
export type ProgramOperationId = keyof ProgramOperations;
export const programOperationIds = Object.keys(programOperations) as ProgramOperationId[];

export const idNamesOf = ({ path }: Pick<ProgramOperation, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
