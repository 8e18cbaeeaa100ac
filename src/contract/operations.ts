/** The nine operations as data, from which routes, types, validation and the OpenAPI document derive. */
import { Bookmark, BookmarksQuery } from './bookmarks.ts';
import type { ObjectSchema } from './common.ts';
import { OwnItemQuery, parameters } from './parameters.ts';
import { Plant } from './plants.ts';
import { Problem, ProblemsQuery } from './problems.ts';
import { RecordsQuery, UserRecord } from './records.ts';
import { ProblemStatus, StatusesQuery } from './statuses.ts';

export const apiVersion = '1.0.0';

export const scopes = {
  'records:read': 'Read user records: a member their own, staff all.',
  'bookmarks:read': 'Read bookmarks: a member their own, staff all.',
  'problems:read': 'Read problems.',
  'status:read': 'Read problem statuses: a member their own, staff all.',
  'plants:delete': 'Delete plants: a member their own, staff any.',
} as const;
export type Scope = keyof typeof scopes;
export const allScopes = Object.keys(scopes) as Scope[];

export interface Operation {
  kind: 'collection' | 'item' | 'deletion';
  method: 'GET' | 'DELETE';
  path: string;
  noun: string;
  scope: Scope;
  summary: string;
  description: string;
  row: ObjectSchema;
  query: ObjectSchema;
  exampleQuery?: string;
  /** Parameters whose results another scope protects. */
  parameterScopes?: Readonly<Record<string, Scope>>;
}

const ofRecords = { method: 'GET', noun: 'record', scope: 'records:read', row: UserRecord } as const;
const ofBookmarks = {
  method: 'GET',
  noun: 'bookmark (star) of problem',
  scope: 'bookmarks:read',
  row: Bookmark,
} as const;
const ofProblems = { method: 'GET', noun: 'problem', scope: 'problems:read', row: Problem } as const;
const ofStatuses = { method: 'GET', noun: 'problem', scope: 'status:read', row: ProblemStatus } as const;
const noParameters = parameters({});

export const operations = {
  deletePlant: {
    kind: 'deletion',
    method: 'DELETE',
    path: '/plants/{id}',
    noun: 'plant',
    scope: 'plants:delete',
    summary: 'Delete a plant',
    description:
      'Permanently deletes one plant. A member deletes their own, staff any. If several requests delete the same plant at the same time, exactly one gets 204. A deletion that was answered is durable. The id is never used again.',
    row: Plant,
    query: noParameters,
  },
  listRecords: {
    ...ofRecords,
    kind: 'collection',
    path: '/authentication/api/records/',
    summary: 'List user records',
    description:
      'All user records that the token may see, in ascending id order: a member sees their own, staff see all.',
    query: RecordsQuery,
    exampleQuery: 'role=member&limit=10',
  },
  getRecord: {
    ...ofRecords,
    kind: 'item',
    path: '/authentication/api/records/{id}/',
    summary: 'Look up a user record',
    description: 'One user record. A member may see their own, staff any.',
    query: noParameters,
  },
  listBookmarks: {
    ...ofBookmarks,
    kind: 'collection',
    path: '/dashboard/api/bookmarks/',
    summary: 'List bookmarks',
    description: 'All bookmarks of the token’s member, in ascending order of the problem’s id.',
    query: BookmarksQuery,
    exampleQuery: 'order=-updated_at&limit=10',
  },
  getBookmark: {
    ...ofBookmarks,
    kind: 'item',
    path: '/dashboard/api/bookmarks/{id}/',
    summary: 'Look up the bookmark of a problem',
    description: 'The bookmark of problem {id} of the token’s member: 200 if and only if they bookmarked it.',
    query: OwnItemQuery,
  },
  listProblems: {
    ...ofProblems,
    kind: 'collection',
    path: '/problem_list/api/problems/',
    summary: 'List problems',
    description: 'All problems of the garden, in ascending id order.',
    query: ProblemsQuery,
    exampleQuery: 'tag=dp&rating_min=800&limit=10',
    parameterScopes: { status: 'status:read', bookmarked: 'bookmarks:read' },
  },
  getProblem: {
    ...ofProblems,
    kind: 'item',
    path: '/problem_list/api/problems/{id}/',
    summary: 'Look up a problem',
    description: 'One problem.',
    query: noParameters,
  },
  listProblemStatuses: {
    ...ofStatuses,
    kind: 'collection',
    path: '/problem_list/api/status/',
    summary: 'List problem statuses',
    description:
      'All statuses that the token’s member or a judge set, in ascending order of the problem’s id.',
    query: StatusesQuery,
    exampleQuery: 'status=practicing&limit=10',
  },
  getProblemStatus: {
    ...ofStatuses,
    kind: 'item',
    path: '/problem_list/api/status/{id}/',
    summary: 'Look up the status of one problem',
    description:
      'The status of the token’s member on problem {id}. If it was never set, it is not_started with updated_at null.',
    query: OwnItemQuery,
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];
