/** A list as everybody may see it, without the marks of anybody. */

import { listListed, listSections } from '../../store/list-content.ts';
import type { ShownList } from '../../store/lists.ts';
import { type Html, html } from '../markup.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';
import { difficulty } from './difficulty.ts';
import { frame, pageHead } from './frame.ts';
import { byOwner, changedOn, listStyles, pageOf, pageSteps, perPage } from './list-parts.ts';
import { judgeKey, webLink } from './marks.ts';

/** The list without anybody's marks. */
export async function plainView(visit: Visit, list: ShownList, at: string): Promise<Html> {
  const { store, site, query } = visit;
  const { id, name, problems, updated_at } = list;
  const { page, pages } = pageOf(query, problems);
  const rows = await listListed(store.reader, id, { offset: (page - 1) * perPage, limit: perPage });
  const bySection = Map.groupBy(rows, ({ section }) => section);
  const shown = (await listSections(store.reader, id)).filter(({ position }) => bySection.has(position));
  const content = html`
    ${pageHead(html`<bdi>${name}</bdi>`, {
      sub: html`
        <span>${byOwner(list, site.basePath)}</span>
        <span>${changedOn(updated_at)}</span>
        <span>${words('problem.count', { count: problems })}</span>`,
    })}
    <div class="stack" data-total="${problems}">
      ${shown.map(
        ({ position, name }) =>
          html`
            <section class="panel" aria-label="${name || words('lists.unnamed')}">
              ${name === '' ? '' : html`<h2><bdi>${name}</bdi></h2>`}
              <ol class="found-problems">
                ${(bySection.get(position) ?? []).map(
                  (row) =>
                    html`
                      <li data-problem="${row.id}">
                        ${judgeKey(row)} <span>${webLink(row.url, row.title) ?? row.title}</span> ${difficulty(row)}
                        ${row.memo ? html`<span class="memo"><bdi>${row.memo}</bdi></span>` : ''}
                      </li>`,
                )}
              </ol>
            </section>`,
      )}
      ${problems === 0n ? html`<p class="soft">${words('lists.empty')}</p>` : ''}
      ${pageSteps(site.basePath + at, page, pages)}
    </div>`;
  return frame(visit, { title: name, kind: 'p-list-shared', styles: listStyles, isUnlisted: true }, content);
}
