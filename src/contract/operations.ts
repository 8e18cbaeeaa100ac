/**
 * The nine operations as data. Routes, types, validation and the OpenAPI document derive from this table;
 * api/index.ts binds each operation to its handler.
 */
import Type from 'typebox';
import { Bookmark, BookmarkQuery, BookmarksQuery } from './bookmarks.ts';
import type { Fields } from './common.ts';
import { Problem, ProblemsQuery } from './problems.ts';
import { RecordsQuery, UserRecord } from './records.ts';
import {
  type Refusal,
  refusalsOfCollection,
  refusalsOfDeletion,
  refusalsOfItem,
  staffOnly,
  unknownMember,
} from './refusals.ts';
import { ProblemStatus, StatusesQuery, StatusQuery } from './statuses.ts';

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

export const tags = {
  plants: 'Practice goals in a member’s garden.',
  authentication: 'The members’ records.',
  dashboard: 'A member’s bookmarks.',
  problem_list: 'Problems, and how far a member is with each.',
} as const;

export interface Operation {
  kind: 'collection' | 'item' | 'deletion';
  method: 'GET' | 'DELETE';
  path: string;
  tag: keyof typeof tags;
  /** The word for the item of the path's id, for messages. */
  noun: string;
  scope: Scope;
  summary: string;
  description: string;
  /** The resource of the answer's rows; a deletion has none. */
  row: Fields | null;
  query: Fields;
  /** The query of the example request, if it has one. */
  exampleQuery?: string;
  /** Parameters whose answers another scope protects. */
  parameterScopes?: Readonly<Record<string, Scope>>;
  /** The refusals in the document, one example each. test/contract/examples.test.ts sends them. */
  refusals: readonly Refusal[];
}

const noParameters = Type.Object({});

export const operations = {
  deletePlant: {
    kind: 'deletion',
    method: 'DELETE',
    path: '/plants/{id}',
    tag: 'plants',
    noun: 'plant',
    scope: 'plants:delete',
    summary: 'Delete a plant',
    description:
      'Deletes one plant for good. A member deletes their own, staff any. Of any number of concurrent deletes of one plant exactly one answers 204; once answered, the deletion is on disk. Its id is never given out again.',
    row: null,
    query: noParameters,
    refusals: refusalsOfDeletion('plant', 'plants:delete'),
  },
  listRecords: {
    kind: 'collection',
    method: 'GET',
    path: '/authentication/api/records/',
    tag: 'authentication',
    noun: 'record',
    scope: 'records:read',
    summary: 'List user records',
    description:
      'All user records that the token may see, in ascending id order: a member sees their own, staff see all.',
    row: UserRecord,
    query: RecordsQuery,
    exampleQuery: 'role=member&limit=10',
    refusals: refusalsOfCollection('records:read'),
  },
  getRecord: {
    kind: 'item',
    method: 'GET',
    path: '/authentication/api/records/{id}/',
    tag: 'authentication',
    noun: 'record',
    scope: 'records:read',
    summary: 'Look up a user record',
    description: 'One user record. A member may see their own, staff any.',
    row: UserRecord,
    query: noParameters,
    refusals: refusalsOfItem('record', 'records:read'),
  },
  listBookmarks: {
    kind: 'collection',
    method: 'GET',
    path: '/dashboard/api/bookmarks/',
    tag: 'dashboard',
    noun: 'bookmark',
    scope: 'bookmarks:read',
    summary: 'List bookmarks',
    description: 'All bookmarks of the token’s member, in ascending order of the problem’s id.',
    row: Bookmark,
    query: BookmarksQuery,
    exampleQuery: 'order=-updated_at&limit=10',
    refusals: [...refusalsOfCollection('bookmarks:read'), staffOnly, unknownMember],
  },
  getBookmark: {
    kind: 'item',
    method: 'GET',
    path: '/dashboard/api/bookmarks/{id}/',
    tag: 'dashboard',
    noun: 'bookmark',
    scope: 'bookmarks:read',
    summary: 'Look up the bookmark of a problem',
    description: 'The token’s member’s bookmark of problem {id}: 200 exactly if they bookmarked it.',
    row: Bookmark,
    query: BookmarkQuery,
    refusals: [...refusalsOfItem('bookmark', 'bookmarks:read'), unknownMember],
  },
  listProblems: {
    kind: 'collection',
    method: 'GET',
    path: '/problem_list/api/problems/',
    tag: 'problem_list',
    noun: 'problem',
    scope: 'problems:read',
    summary: 'List problems',
    description: 'All problems of the garden, in ascending id order.',
    row: Problem,
    query: ProblemsQuery,
    exampleQuery: 'tag=dp&rating_min=800&limit=10',
    parameterScopes: { status: 'status:read', bookmarked: 'bookmarks:read' },
    refusals: refusalsOfCollection('problems:read'),
  },
  getProblem: {
    kind: 'item',
    method: 'GET',
    path: '/problem_list/api/problems/{id}/',
    tag: 'problem_list',
    noun: 'problem',
    scope: 'problems:read',
    summary: 'Look up a problem',
    description: 'One problem.',
    row: Problem,
    query: noParameters,
    refusals: refusalsOfItem('problem', 'problems:read'),
  },
  listProblemStatuses: {
    kind: 'collection',
    method: 'GET',
    path: '/problem_list/api/status/',
    tag: 'problem_list',
    noun: 'status',
    scope: 'status:read',
    summary: 'List problem statuses',
    description:
      'All statuses that the token’s member set or a judge gave, in ascending order of the problem’s id.',
    row: ProblemStatus,
    query: StatusesQuery,
    exampleQuery: 'status=practicing&limit=10',
    refusals: [...refusalsOfCollection('status:read'), staffOnly, unknownMember],
  },
  getProblemStatus: {
    kind: 'item',
    method: 'GET',
    path: '/problem_list/api/status/{id}/',
    tag: 'problem_list',
    noun: 'problem',
    scope: 'status:read',
    summary: 'Look up the status of one problem',
    description:
      'How far the token’s member is with problem {id}. A problem they never touched is not_started with updated_at null.',
    row: ProblemStatus,
    query: StatusQuery,
    refusals: [...refusalsOfItem('problem', 'status:read'), unknownMember],
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];
