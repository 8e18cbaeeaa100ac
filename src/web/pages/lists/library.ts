/** The library: lists, called shelves, that this server makes from its catalogue, for members to read and copy. */

import { judgeName, libraryRules } from '../../../judges/judges.ts';
import { copyShelf, countSolvedOnShelves, readLibrary, type Shelf } from '../../../practice/library.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { changeBar } from '../../kit/changes.ts';
import { bandPosition } from '../../kit/difficulty.ts';
import { actions, button, form } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { crumbsOf, listCard, listStyles, perPage } from '../../kit/list-parts.ts';
import { pageOf, pageSteps } from '../../kit/pager.ts';
import { emptyPanel, notice } from '../../kit/panel.ts';
import { problemTables } from '../../kit/problem-table.ts';
import { problemTabs } from '../../kit/problem-tabs.ts';
import { type Html, html } from '../../markup.ts';
import {
  importsPath,
  libraryContestPath,
  libraryPath,
  listPath,
  listsPath,
  newListPath,
  problemsPath,
} from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

export const libraryPages: readonly PageRoute<MemberVisit>[] = [
  { path: libraryPath, get: showLibrary },
  { path: `${libraryPath}:source/:shelf/`, get: (visit) => showShelf(visit), post: submitCopy },
];

function shelfName(shelf: Shelf): string {
  const { part } = shelf;
  const name = nameOf(shelf);
  return part ? words('library.part', { name, number: part.number, of: part.of }) : name;
}

function nameOf({ subject, source }: Shelf): string {
  if ('all' in subject) return words('library.all');
  if ('topic' in subject) return subject.topic;
  if ('ladder' in subject) return subject.ladder;
  const { from, to } = subject;
  const range = to === undefined ? `${from}+` : `${from}–${to}`;
  const { colour } = bandPosition(source, from);
  const isByColour = libraryRules.get(source)?.by === 'band' && colour;
  return isByColour ? words('library.band', { colour: words(`library.colour.${colour}`), range }) : range;
}

const listName = (shelf: Shelf) =>
  words('library.listName', { judge: judgeName(shelf.source), name: shelfName(shelf) });

async function showLibrary(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const library = await readLibrary(store.reader, libraryRules);
  const solved = await countSolvedOnShelves(store.reader, library, member.user_id);
  const bySource = Map.groupBy(library.shelves, ({ source }) => source);
  const judgeSection = ([source, shelves]: [string, readonly Shelf[]]) => html`
    <section class="shelves" aria-labelledby="of-${source}">
      <h2 id="of-${source}">${judgeName(source)}</h2>
      <p class="soft">${words(ruleMessages[libraryRules.get(source)?.by ?? 'topic'])}</p>
      <ul class="list-cards">${shelves.map((shelf) => card(visit, shelf, solved))}</ul>
    </section>`;
  const empty = emptyPanel({
    heading: words('library.none'),
    text: words('library.noneText'),
    actions: html`
      ${
        member.role === 'staff' && linkButton(basePath + importsPath, words('problems.toImports'), { symbol: 'upload' })
      }
      ${linkButton(basePath + newListPath, words('lists.new'), { kind: 'primary' })}`,
    total: 0,
  });
  const content = html`
    ${pageHead(words('library.title'), { crumbs: crumbsOf(basePath), sub: words('library.sub') })}
    ${await problemTabs(visit, listsPath)}
    <div class="stack">${bySource.size === 0 ? empty : [...bySource].map(judgeSection)}</div>`;
  const options = {
    title: words('library.title'),
    current: problemsPath,
    kind: 'p-lists p-library',
    styles: listStyles,
  };
  return { html: frame(visit, options, content) };
}

const ruleMessages = { topic: 'library.byTopic', hundred: 'library.byHundred', band: 'library.byBand' } as const;

type Solved = ReadonlyMap<Shelf, number>;

const countsOf = (shelf: Shelf, solved: Solved) => ({
  problems: BigInt(shelf.count),
  solved: BigInt(solved.get(shelf) ?? 0),
});

function card(visit: MemberVisit, shelf: Shelf, solved: Solved): Html {
  const { source, key } = shelf;
  const list = { name: shelfName(shelf), ...countsOf(shelf, solved) };
  const href = visit.site.basePath + libraryContestPath(source, key);
  return listCard(href, list, ['data-shelf', `${source} ${key}`], copyForm(visit, shelf, ''));
}

function copyForm(visit: MemberVisit, shelf: Shelf, kind: string): Html {
  const label = words('library.copyOf', { name: listName(shelf) });
  const options = { to: libraryContestPath(shelf.source, shelf.key), label };
  return form(visit, options, actions(button(words('library.copy'), kind, ['do', 'copy'])));
}

async function shelfOf({ store, params, path }: MemberVisit) {
  const library = await readLibrary(store.reader, libraryRules);
  const shelf = library.shelves.find(({ source, key }) => source === params['source'] && key === params['shelf']);
  if (!shelf) throw pageNotFound(path);
  return { shelf, library };
}

async function submitCopy(visit: MemberVisit): Promise<PageResult> {
  const { shelf } = await shelfOf(visit);
  try {
    const id = await copyShelf(visit.store, visit.member.user_id, shelf, listName(shelf));
    return { to: listPath(id) };
  } catch (error) {
    return showShelf(visit, refusalText(error));
  }
}

async function showShelf(visit: MemberVisit, fault?: string): Promise<PageResult> {
  const { store, member, site, query } = visit;
  const { basePath } = site;
  const { shelf, library } = await shelfOf(visit);
  const { problems, solved } = countsOf(shelf, await countSolvedOnShelves(store.reader, library, member.user_id));
  const shelfAddress = libraryContestPath(shelf.source, shelf.key);
  const { page, pages } = pageOf(query, problems, perPage);
  const all = shelf.sections.flatMap(({ name, ids }) => ids.map((id) => ({ name, id })));
  const pageItems = all.slice((page - 1) * perPage, page * perPage);
  const ids = pageItems.map(({ id }) => id);
  const byId = new Map((await findProblemsByIds(store.reader, ids)).map((row) => [row.id, row]));
  const rows = pageItems.flatMap(({ name, id }) => {
    const row = byId.get(id);
    return row ? { ...row, name, section: 1n, position: 1n, memo: null, added_at: '', extras: null } : [];
  });
  const returnPath = page > 1 ? `${shelfAddress}?page=${page}` : shelfAddress;
  const { table } = await problemTables(visit, rows, returnPath);
  const name = listName(shelf);
  const section = ([heading, sectionRows]: [string, typeof rows]) => html`
    <section class="list-section" aria-label="${heading || name}">
      ${shelf.sections.length > 1 && html`<div class="list-section-head"><h2><bdi>${heading}</bdi></h2></div>`}
      ${table(sectionRows, heading || name)}
    </section>`;
  const content = html`
    ${pageHead(html`<bdi>${name}</bdi>`, {
      crumbs: crumbsOf(basePath, [basePath + libraryPath, words('library.title')]),
      sub: words('lists.ofProblems', { problems, solved }),
      actions: copyForm(visit, shelf, 'primary'),
    })}
    <div class="stack" data-total="${shelf.count}">
      ${fault && notice('warn', fault)}
      ${[...Map.groupBy(rows, ({ name }) => name)].map(section)}
      ${pageSteps({ path: basePath + shelfAddress, page, pages })}
    </div>`;
  const bar = await changeBar(visit, returnPath);
  const options = { title: name, current: problemsPath, kind: 'p-problems p-list', styles: listStyles, bar };
  return { html: frame(visit, options, content), ...(fault && { status: 422 }) };
}
