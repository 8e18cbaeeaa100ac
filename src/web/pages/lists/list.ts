/** The page of one list: its sections and problems with the member's marks and progress. */

import { parseInt64 } from '../../../contract/common.ts';
import { type Course, courseOf, moduleOf } from '../../../practice/courses.ts';
import { readPlant } from '../../../practice/garden.ts';
import { shownAsNewMs } from '../../../practice/list-follows.ts';
import { findSharedList } from '../../../practice/lists.ts';
import { readPace, readPlantPlans } from '../../../practice/plan.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import { findFollow, listAddedSince } from '../../../store/list-follows.ts';
import {
  findVisibleList,
  type ListSection,
  listProgress,
  listSections,
  type ProblemInList,
  type Progress,
  type ShownList,
} from '../../../store/lists.ts';
import { findPlantsByMember } from '../../../store/plants.ts';
import { changeBar } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { countLink, linkButton } from '../../kit/links.ts';
import {
  byOwner,
  changedOn,
  crumbsOf,
  fileLinks,
  listStyles,
  perPage,
  progressBar,
  sharedListView,
  visibilityTag,
} from '../../kit/list-parts.ts';
import { pageOf, pageSteps } from '../../kit/pager.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { planLines } from '../../kit/plan.ts';
import { newPlantAddressForList } from '../../kit/plant-links.ts';
import { type ProblemQuery, queryString, readProblemQuery } from '../../kit/problem-query.ts';
import { bulkBar, problemTables } from '../../kit/problem-table.ts';
import { attr, type Html, html } from '../../markup.ts';
import {
  editListPath,
  groupPath,
  listFilePath,
  listPath,
  listsPath,
  plantPath,
  problemsPath,
  sharedListsPath,
} from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound, type Visit } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { courseParts } from './course.ts';
import { followPanel } from './follow.ts';

export const listPages: readonly PageRoute<MemberVisit>[] = [{ path: `${listsPath}:id/`, get: showList }];

async function showList(visit: MemberVisit): Promise<PageResult> {
  const { store, member, params, path } = visit;
  const id = idIn(params['id'], parseInt64);
  const list = await findVisibleList(store.reader, id, member.user_id);
  if (!list) throw pageNotFound(path);
  const file = (form: string) => listFilePath(id, form);
  return { html: await listView(visit, list, { path: listPath(id), file, hasFilter: true }) };
}

/** The filters of the problem list do not show a list that the member may see only by its secret address. */
interface ListAddresses {
  path: string;
  file: (form: 'json' | 'md') => string;
  hasFilter: boolean;
}

async function listView(visit: MemberVisit, list: ShownList, { path, file, hasFilter }: ListAddresses): Promise<Html> {
  const { store, member, site, query } = visit;
  const { reader } = store;
  const { id, name, problems } = list;
  const { page, pages } = pageOf(query, problems, perPage);
  const follow = list.owner_id === member.user_id && hasFilter ? await findFollow(reader, id) : undefined;
  const sections = await listSections(reader, id, { offset: (page - 1) * perPage, limit: perPage });
  if (sections.some(({ extras }) => moduleOf(extras)))
    return courseView(visit, list, { path, file, hasFilter }, follow);
  const rows = sections.flatMap((section) => section.problems);
  const progress = new Map((await listProgress(reader, [id], member.user_id)).map((one) => [one.section, one]));
  const returnPath = page > 1 ? `${path}?page=${page}` : path;
  const { forms, table } = await problemTables(visit, rows, returnPath);
  const recentIds = await listAddedSince(reader, id, new Date(Date.now() - shownAsNewMs).toISOString());
  const taggedTable = (some: readonly ProblemInList[], title: string) =>
    table(some, title, ({ id }) => (recentIds.has(id) ? { tags: [words('follow.new')] } : {}));
  const shown = sections.filter(({ problems, name }) => problems.length > 0 || (name !== '' && pages === 1));
  // An only section without a name has no heading.
  const isOnlySection = shown.length === 1;
  const content = html`
    ${await listHead(visit, list, hasFilter)}
    <div class="stack">
      ${listCounts(list, site.basePath, hasFilter)}
      ${await planPanel(visit, id)}
      ${follow && (await followPanel(visit, follow))}
      ${shown.map((section) =>
        sectionPart(section, progress.get(section.position), isOnlySection && section.name === '', taggedTable),
      )}
      ${pageSteps({ path: site.basePath + path, page, pages })}
      ${problems > 0n && fileLinks(site.basePath, file, sections)}
    </div>
    ${rows.length > 0 && hasFilter ? bulkBar(forms, queryInList(id), Number(problems)) : ''}`;
  const bar = await changeBar(visit, returnPath);
  const options = { title: name, current: problemsPath, kind: 'p-problems p-list', styles: listStyles, bar };
  return frame(visit, options, content);
}

async function courseView(
  visit: MemberVisit,
  list: ShownList,
  { path, file, hasFilter }: ListAddresses,
  follow: Awaited<ReturnType<typeof findFollow>>,
): Promise<Html> {
  const { store, site } = visit;
  const { id, name } = list;
  const sections = await listSections(store.reader, id);
  const course = courseOf(sections) as Course<ProblemInList>;
  const { facts, main, side } = await courseParts(visit, course, id, path);
  const content = html`
    ${await listHead(visit, list, hasFilter, facts)}
    <div${attr('class', side && 'with-side')}>
      <div class="stack">
        ${await planPanel(visit, id)}
        ${follow && (await followPanel(visit, follow))}
        ${main}
        ${fileLinks(site.basePath, file, sections)}
      </div>
      ${side && html`<aside class="stack" aria-label="${words('course.way')}">${side}</aside>`}
    </div>`;
  const bar = await changeBar(visit, path);
  const options = {
    title: name,
    current: problemsPath,
    kind: 'p-problems p-list',
    styles: ['lists.css', 'rounds.css'] as const,
    bar,
  };
  return frame(visit, options, content);
}

/** The plan of the member's goal for this list; undefined without one. */
async function planPanel({ store, member, site, days }: MemberVisit, listId: bigint): Promise<Html | undefined> {
  const [db, memberId, now] = [store.reader, member.user_id, Date.now()];
  const goals = await findPlantsByMember(db, memberId);
  const goal = goals.find(({ list_id, by_date }) => list_id === listId && by_date !== null);
  const plant = goal && (await readPlant(db, memberId, goal.id, new Date(now)));
  if (!plant) return undefined;
  const plans = await readPlantPlans(db, memberId, [plant], await readPace(db, memberId, now), now);
  const plan = plans.get(plant.id);
  if (!plan) return undefined;
  const dateHref = `${site.basePath}${plantPath(goal.id)}#by_date-hint`;
  return unheadedPanel({}, planLines(plan, days.at(now), site.basePath, dateHref));
}

const queryInList = (id: bigint) => readProblemQuery(new URLSearchParams({ list: String(id) }));

/** For a coach: to the group that gets the list, or a menu of their groups. */
async function assignButton({ store, member, site: { basePath } }: MemberVisit, listId: bigint): Promise<Html | ''> {
  if (member.coached_group === null) return '';
  const give = (group: bigint) => `${basePath}${groupPath(group)}give/?list=${listId}`;
  const label = words('groups.giveButton');
  if (member.coached_group > 0n) return linkButton(give(member.coached_group), label, { symbol: 'people' });
  const joined = await listJoinedGroups(store.reader, member.user_id);
  const groups = joined.filter(({ role, archived_at }) => role === 'coach' && archived_at === null);
  return html`
    <details class="menu end" name="menu">
      <summary class="button">${icon('people')}<span>${label}</span>${icon('down')}</summary>
      <div class="menu-panel">
        <ul>${groups.map(({ id, name }) => html`<li><a href="${give(id)}"><bdi>${name}</bdi></a></li>`)}</ul>
      </div>
    </details>`;
}

async function listHead(visit: MemberVisit, list: ShownList, hasFilter: boolean, facts?: Html): Promise<Html> {
  const {
    member,
    site: { basePath },
  } = visit;
  const { id, name, problems, updated_at } = list;
  const isOwn = list.owner_id === member.user_id;
  const headButton = (to: string, symbol: 'random' | 'garden' | 'note' | 'share', text: string) =>
    linkButton(basePath + to, text, { symbol });
  return pageHead(html`<bdi>${name}</bdi>`, {
    crumbs: crumbsOf(basePath),
    sub: html`
      ${facts}
      ${visibilityTag(list, isOwn)}
      ${isOwn ? '' : html`<span>${byOwner(list, basePath)}</span>`}
      <span>${changedOn(updated_at)}</span>`,
    actions: html`
      ${
        hasFilter &&
        problems > 0n &&
        html`
          ${headButton(`${problemsPath}random/${queryString(queryInList(id))}`, 'random', words('problems.random'))}
          ${headButton(newPlantAddressForList(id), 'garden', words('lists.plant'))}
          ${(isOwn || list.visibility === 'garden') && (await assignButton(visit, id))}`
      }
      ${
        isOwn &&
        html`
          ${headButton(editListPath(id), 'note', words('lists.edit'))}
          ${headButton(`${editListPath(id)}#audience`, 'share', words('lists.share'))}`
      }`,
  });
}

function listCounts(list: ShownList, basePath: string, hasFilter: boolean): Html {
  const { id, name, problems, solved } = list;
  if (problems === 0n)
    return emptyPanel({
      heading: words('lists.empty'),
      text: words('lists.emptyText'),
      actions: linkButton(`${basePath}${problemsPath}`, words('lists.toProblems'), { kind: 'primary' }),
    });
  const count = (number: bigint, text: string, status: ProblemQuery['status']) => {
    const shown = html`<b class="num">${number}</b> ${text}`;
    const to = `${basePath}${problemsPath}${queryString(queryInList(id), { status })}`;
    return hasFilter ? countLink(number, to, shown) : html`<span>${shown}</span>`;
  };
  return unheadedPanel(
    { label: words('lists.progress'), className: 'list-progress', total: problems },
    html`
      ${progressBar(list, words('lists.progressIn', { name }))}
      <p class="list-counts">
        ${count(solved, words('lists.solved', { count: solved }), 'complete')}
        ${count(problems - solved, words('lists.left'), 'unsolved')}
        ${count(problems, words('lists.inAll'), '')}
      </p>`,
  );
}

function sectionPart(
  { name, problems: rows }: ListSection,
  { problems = 0n, solved = 0n }: Partial<Progress> = {},
  isBare: boolean,
  table: (rows: readonly ProblemInList[], title: string) => Html,
): Html {
  const title = name === '' ? words('lists.unnamed') : name;
  const head = html`
    <div class="list-section-head">
      <h2><bdi>${title}</bdi></h2>
      <p class="num soft">${words('lists.ofProblems', { solved, problems })}</p>
    </div>`;
  return html`
    <section class="list-section" aria-label="${title}">
      ${!isBare && head}
      ${rows.length === 0 ? html`<p class="soft">${words('lists.emptySection')}</p>` : table(rows, title)}
    </section>`;
}

export const sharedListPages: readonly PageRoute[] = [
  // No browser stores the page, so that a revoked address is gone at once.
  { path: `${sharedListsPath}:secret/`, get: showShared, isUncached: true },
];

async function showShared(visit: Visit): Promise<PageResult> {
  const { store, params, member, path } = visit;
  const secret = params['secret'] ?? '';
  const list = await findSharedList(store.reader, secret, member?.user_id);
  if (!list) throw pageNotFound(path);
  const listAddress = `${sharedListsPath}${secret}/`;
  const file = (form: string) => `${sharedListsPath}${secret}.${form}`;
  if (member) {
    // The problem list shows a list by the rights of the member, to which a secret address adds none.
    const isVisible = (await findVisibleList(store.reader, list.id, member.user_id)) !== undefined;
    return { html: await listView(visit as MemberVisit, list, { path: listAddress, file, hasFilter: isVisible }) };
  }
  const sections = await listSections(store.reader, list.id, { limit: 0 });
  return { html: await sharedListView(visit, list, listAddress, fileLinks(visit.site.basePath, file, sections)) };
}
