/** The addresses of lists. */
import { listPath } from '../problem-query.ts';

export const listsPath = `${listPath}lists/`;
export const newListPath = `${listsPath}new/`;
export const addPath = `${listsPath}add/`;
export const sharedPath = `${listPath}shared/`;
export const pathOfList = (id: bigint) => `${listsPath}${id}/`;
export const editPathOf = (id: bigint) => `${listsPath}${id}/edit/`;
