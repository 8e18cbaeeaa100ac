/** A list behind its secret address, for everybody who has it, to read; a member who is signed in sees their own marks in it. */
import { html } from 'hono/html';
import { findShared } from '../../practice/lists.ts';
import { listListed, listSections } from '../../store/list-content.ts';
import { findVisibleList, type ShownList } from '../../store/lists.ts';
import { difficulty } from '../difficulty.ts';
import { frame, pageHead } from '../frame.ts';
import type { Html } from '../layout.ts';
import { judgeKey, webLink } from '../parts.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute, type Visit } from '../visits.ts';
import { words } from '../words.ts';
import { listView, pageOf, pageSteps, perPage } from './list-page.ts';
import { byOwner, changedOn, listStyles } from './parts.ts';
import { sharedPath } from './paths.ts';

export const sharedListPages: readonly PageRoute[] = [
  // Looked up at every request, and kept by no browser: a revoked address is gone at once.
  { path: `${sharedPath}:secret/`, show: showShared, isSecret: true },
];

async function showShared(visit: Visit): Promise<Answer> {
  const { store, params, member, path } = visit;
  const secret = params['secret'] ?? '';
  const list = await findShared(store.reader, secret, member?.user_id);
  if (!list) throw nothingHere(path);
  const at = `${sharedPath}${secret}/`;
  if (member) {
    // The problem list finds a list by the rights of the member, to which a secret address adds none.
    const isSeen = (await findVisibleList(store.reader, list.id, member.user_id)) !== undefined;
    return { html: await listView(visit as MemberVisit, list, at, isSeen) };
  }
  return { html: await plainView(visit, list, at) };
}

/** The list without anybody's marks. */
export async function plainView(visit: Visit, list: ShownList, at: string): Promise<Html> {
  const { store, site, query } = visit;
  const { id, name, problems, updated_at } = list;
  const { page, pages } = pageOf(query, problems);
  const rows = await listListed(store.reader, id, { offset: (page - 1) * perPage, limit: perPage });
  const bySection = Map.groupBy(rows, ({ section }) => section);
  const shown = (await listSections(store.reader, id)).filter(({ position }) => bySection.has(position));
  const content = html`${pageHead(html`<bdi>${name}</bdi>`, {
    sub: html`<span>${byOwner(list, site.basePath)}</span><span>${changedOn(updated_at)}</span><span>${words('problem.count', { count: problems })}</span>`,
  })}
<div class="stack" data-total="${problems}">${shown.map(
    ({ position, name }) =>
      html`<section class="panel" aria-label="${name || words('lists.unnamed')}">${name === '' ? '' : html`<h2><bdi>${name}</bdi></h2>`}<ol class="found-problems">${(bySection.get(position) ?? []).map((row) => html`<li data-problem="${row.id}">${judgeKey(row)} <span>${webLink(row.url, row.title) ?? row.title}</span> ${difficulty(row)}${row.memo ? html`<span class="memo"><bdi>${row.memo}</bdi></span>` : ''}</li>`)}</ol></section>`,
  )}${problems === 0n ? html`<p class="soft">${words('lists.empty')}</p>` : ''}${pageSteps(site.basePath + at, page, pages)}</div>`;
  return frame(visit, { title: name, kind: 'p-list-shared', styles: listStyles, isUnlisted: true }, content);
}
