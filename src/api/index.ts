/** The nine operations bound to their handlers: a missing or misspelt one does not compile. */
import type { OperationId } from '../contract/operations.ts';
import { getBookmark, listBookmarks } from './bookmarks.ts';
import type { Handler } from './handlers.ts';
import { deletePlant } from './plants.ts';
import { getProblem, listProblems } from './problems.ts';
import { getRecord, listRecords } from './records.ts';
import { getProblemStatus, listProblemStatuses } from './statuses.ts';

export const handlers: { [Id in OperationId]: Handler<Id> } = {
  deletePlant,
  listRecords,
  getRecord,
  listBookmarks,
  getBookmark,
  listProblems,
  getProblem,
  listProblemStatuses,
  getProblemStatus,
};
