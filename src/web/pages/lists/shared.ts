/**
 * A list behind its secret address, for everybody who has it, to read; a member who is signed in sees their own marks
 * in it.
 */

import { findShared } from '../../../practice/lists.ts';
import { findVisibleList } from '../../../store/lists.ts';
import { plainView } from '../../kit/plain-list.ts';
import { sharedListsPath } from '../../paths.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute, type Visit } from '../../road/visits.ts';
import { listView } from './list.ts';

export const sharedListPages: readonly PageRoute[] = [
  // Looked up at every request, and kept by no browser: a revoked address is gone at once.
  { path: `${sharedListsPath}:secret/`, show: showShared, isSecret: true },
];

async function showShared(visit: Visit): Promise<Answer> {
  const { store, params, member, path } = visit;
  const secret = params['secret'] ?? '';
  const list = await findShared(store.reader, secret, member?.user_id);
  if (!list) throw nothingHere(path);
  const at = `${sharedListsPath}${secret}/`;
  if (member) {
    // The problem list finds a list by the rights of the member, to which a secret address adds none.
    const isSeen = (await findVisibleList(store.reader, list.id, member.user_id)) !== undefined;
    return { html: await listView(visit as MemberVisit, list, at, isSeen) };
  }
  return { html: await plainView(visit, list, at) };
}
