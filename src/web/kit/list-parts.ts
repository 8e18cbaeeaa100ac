/** Components that the pages of lists share. */

import { parseInt64 } from '../../contract/common.ts';
import { type AddAllowance, limitMessage } from '../../practice/added-problems.ts';
import { moduleOf } from '../../practice/courses.ts';
import { findOwnList, type ListsTable, listSections, type ShownList } from '../../store/lists.ts';
import { attr, type Html, html } from '../markup.ts';
import { listsPath, problemsPath } from '../paths.ts';
import { idIn } from '../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound, type Visit } from '../request/visits.ts';
import { localize, richWords, words } from '../words/words.ts';
import { moment } from './dates.ts';
import { difficulty } from './difficulty.ts';
import { type Faults, hasFaults } from './form.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import { judgeKey, webLink } from './marks.ts';
import { nameLink } from './member-name.ts';
import { pageOf, pageSteps } from './pager.ts';
import { notice, unheadedPanel } from './panel.ts';

export const listStyles = ['lists.css'] as const;

export const crumbsOf = (basePath: string, ...more: [href: string, name: string][]) =>
  [
    [`${basePath}${problemsPath}`, words('frame.problems')],
    [`${basePath}${listsPath}`, words('lists.title')],
    ...more,
  ] as [string, string][];

interface FormPage {
  title: string;
  heading?: string;
  kind: string;
  headOptions: Parameters<typeof pageHead>[1];
  /** The error with the key `form` is about the whole form and shown above it. */
  faults?: Faults;
  status?: number;
  bar?: Html | undefined;
}

export function formPage(
  visit: Visit,
  { title, heading = title, kind, headOptions, faults = {}, status = 422, bar }: FormPage,
  panels: Html,
): PageResult {
  const content = html`
    ${pageHead(heading, headOptions)}
    <div class="stack">
      ${faults['form'] && notice('warn', faults['form'])}
      ${panels}
    </div>`;
  const options = { title, current: problemsPath, kind, styles: listStyles, bar };
  return { html: frame(visit, options, content), ...(hasFaults(faults) && { status }) };
}

/** How many problems the member can add now, and which limit leaves out the `rest`. */
export function allowanceText(allowance: AddAllowance, rest: number): Html {
  const text = words('lists.canAdd', { left: allowance.left, rest });
  return html`<p class="soft">${text}${rest > 0 && ` ${localize(limitMessage(allowance))}`}</p>`;
}

const icons = { private: 'lock', garden: 'people', secret: 'share' } as const;

/** A private list of somebody else is one that was assigned to a group of the visitor. */
export function visibilityTag({ visibility }: Pick<ShownList, 'visibility'>, isOwn = true): Html {
  if (visibility === 'private' && !isOwn)
    return html`<span class="who">${icon('people')}${words('lists.tag.given')}</span>`;
  return html`<span class="who">${icon(icons[visibility])}${words(`lists.tag.${visibility}`)}</span>`;
}

/** The text has an element of its own, because the flexbox around it would drop its spaces. */
export function byOwner({ owner, has_page }: Pick<ShownList, 'owner' | 'has_page'>, basePath: string): Html {
  return html`<span>${richWords('lists.by', { owner: nameLink(basePath, { username: owner, has_page }) })}</span>`;
}

export function changedOn(at: string): Html {
  return html`<span>${richWords('lists.changed', { day: moment(at) })}</span>`;
}

/** `sections` say whether the list is a course. */
export function fileLinks(
  basePath: string,
  to: (format: 'json' | 'md') => string,
  sections: readonly { extras: string | null }[],
): Html {
  const link = (format: 'json' | 'md', text: string) => html`<a href="${basePath}${to(format)}" download>${text}</a>`;
  const course = String(sections.some(({ extras }) => moduleOf(extras)));
  const links = { json: link('json', words('lists.file.json')), md: link('md', words('lists.file.md')) };
  return html`<p class="soft small list-files">${richWords('lists.files', { ...links, course })}</p>`;
}

export function progressBar({ problems, solved }: Pick<ShownList, 'problems' | 'solved'>, label: string): Html {
  return html`
    <progress class="bar" value="${solved}" max="${problems === 0n ? 1n : problems}" aria-label="${label}">
      ${words('lists.ofProblems', { solved, problems })}
    </progress>`;
}

export function listCard(
  href: string,
  { name, problems, solved }: Pick<ShownList, 'name' | 'problems' | 'solved'>,
  dataAttribute: readonly [name: string, value: string | bigint],
  below: Html,
): Html {
  const progress = html`
    ${progressBar({ problems, solved }, words('lists.progressIn', { name }))}
    <p class="num soft">${words('lists.ofProblems', { problems, solved })}</p>`;
  return html`
    <li class="panel"${attr(...dataAttribute)}>
      <h3><a href="${href}"><bdi>${name}</bdi></a></h3>
      ${problems === 0n ? html`<p class="soft">${words('lists.empty')}</p>` : progress}
      ${below}
    </li>`;
}

export const listOption = ({ id, name, problems }: ShownList) =>
  [String(id), words('groups.listOption', { name, count: problems })] as const;

/** Throws unknownPath where the visitor has no such list. */
export async function ownListOf({ store, member, params, path }: MemberVisit): Promise<ListsTable> {
  const list = await findOwnList(store.reader, idIn(params['id'], parseInt64), member.user_id);
  if (!list) throw pageNotFound(path);
  return list;
}

export const perPage = 100;
export const gardenListsAtMost = 200;

export async function sharedListView(visit: Visit, list: ShownList, at: string, below: Html | '' = ''): Promise<Html> {
  const { store, site, query } = visit;
  const { id, name, problems, updated_at } = list;
  const { page, pages } = pageOf(query, problems, perPage);
  const range = { offset: (page - 1) * perPage, limit: perPage };
  const sections = (await listSections(store.reader, id, range)).filter(({ problems }) => problems.length > 0);
  const content = html`
    ${pageHead(html`<bdi>${name}</bdi>`, {
      sub: html`
        <span>${byOwner(list, site.basePath)}</span>
        <span>${changedOn(updated_at)}</span>
        <span>${words('problem.count', { count: problems })}</span>`,
    })}
    <div class="stack" data-total="${problems}">
      ${sections.map(({ name, problems }) =>
        unheadedPanel(
          { label: name || words('lists.unnamed') },
          html`
            ${name === '' ? '' : html`<h2><bdi>${name}</bdi></h2>`}
            <ol class="found-problems">
              ${problems.map(
                (row) =>
                  html`
                    <li data-problem="${row.id}">
                      ${judgeKey(row)} <span>${webLink(row.url, row.title) ?? row.title}</span>
                      ${row.rating !== null && html` ${difficulty(row)}`}
                      ${row.memo && html`<span class="memo"><bdi>${row.memo}</bdi></span>`}
                    </li>`,
              )}
            </ol>`,
        ),
      )}
      ${problems === 0n && html`<p class="soft">${words('lists.empty')}</p>`}
      ${pageSteps({ path: site.basePath + at, page, pages })}
      ${below}
    </div>`;
  return frame(visit, { title: name, kind: 'p-list-shared', styles: listStyles, isUnlisted: true }, content);
}
