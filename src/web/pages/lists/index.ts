/** The page of lists: the member's own and those shared with all members. Also the routes of all pages of lists. */

import { listGardenLists, listOwnLists, type ShownList } from '../../../store/lists.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { byOwner, changedOn, listCard, listStyles, visibilityTag } from '../../kit/list-parts.ts';
import { pageNumberIn, pageSteps } from '../../kit/pager.ts';
import { emptyPanel } from '../../kit/panel.ts';
import { problemTabs } from '../../kit/problem-tabs.ts';
import { type Html, html } from '../../markup.ts';
import { libraryPath, listPath, listsPath, newListPath, problemsPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { listEditPages } from './edit.ts';
import { listFilePages } from './files.ts';
import { followPages } from './follow.ts';
import { libraryPages } from './library.ts';
import { listPages } from './list.ts';
import { newListPages } from './new.ts';

const perPage = 30;

const listIndexPages: readonly PageRoute<MemberVisit>[] = [{ path: listsPath, get: showLists }];

async function showLists(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query } = visit;
  const { basePath } = site;
  const page = pageNumberIn(query);
  const own = await listOwnLists(store.reader, member.user_id);
  const rows = await listGardenLists(store.reader, member.user_id, (page - 1) * perPage, perPage + 1);
  if (page > 1 && rows.length === 0) return { to: listsPath };
  const others = rows.slice(0, perPage);
  const cards = (lists: readonly ShownList[]) =>
    html`<ul class="list-cards">${lists.map((list) => card(list, basePath, list.owner_id === member.user_id))}</ul>`;
  const newButtons = html`
    ${linkButton(basePath + newListPath, words('lists.new'), { kind: 'primary', symbol: 'plus' })}
    ${linkButton(basePath + libraryPath, words('library.title'))}`;
  const emptyState = emptyPanel({ heading: words('lists.none'), text: words('lists.noneText'), actions: newButtons });
  const pages = rows.length > perPage ? 'more' : 'last';
  const steps = pageSteps({ path: basePath + listsPath, page, pages });
  const content = html`
    ${pageHead(words('lists.title'), {
      sub: words('lists.sub'),
      actions: newButtons,
    })}
    ${await problemTabs(visit, listsPath)}
    <div class="stack">
      ${
        own.length === 0
          ? emptyState
          : html`
            <section aria-labelledby="own-title"><h2 id="own-title">${words('lists.yours')}</h2>${cards(own)}</section>`
      }
      <section aria-labelledby="garden-title">
        <h2 id="garden-title">${words('lists.ofGarden')}</h2>
        ${others.length === 0 ? html`<p class="soft">${words('lists.noneOfGarden')}</p>` : cards(others)}
        ${steps}
      </section>
    </div>`;
  const options = { title: words('lists.title'), current: problemsPath, kind: 'p-lists', styles: listStyles };
  return { html: frame(visit, options, content) };
}

function card(list: ShownList, basePath: string, isOwn: boolean): Html {
  const by = isOwn ? '' : html`<span>${byOwner(list, basePath)}</span>`;
  const below = html`<p class="faint small">${visibilityTag(list)}${by}<span>${changedOn(list.updated_at)}</span></p>`;
  return listCard(basePath + listPath(list.id), list, ['data-list', list.id], below);
}

export const allListPages = [
  ...listIndexPages,
  ...newListPages,
  ...listPages,
  ...listEditPages,
  ...listFilePages,
  ...libraryPages,
  ...followPages,
];
