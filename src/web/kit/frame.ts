/** The frame around the pages of the website: navigation, footer, and the bar that offers to undo. */
import { type Html, html } from '../markup.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';
import type { AssetName } from './assets.ts';
import { demoPill } from './demo-line.ts';
import { brand, here, page } from './document.ts';
import { type IconName, icon } from './icons.ts';
import { keysOverlay } from './keys.ts';

interface FrameOptions {
  title: string;
  /** The place in the navigation that the page belongs to: its path. */
  current?: string;
  /** The class of the page's own styles. */
  kind?: string;
  /** Sheets of styles that only some pages need. */
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  /** Door pages have no navigation. */
  isPlain?: boolean;
  /** Whether engines that search the web are asked to leave it out. */
  isUnlisted?: boolean;
  /** The bar that says what just changed, with the way back. */
  bar?: Html | undefined;
}

const groupsPath = '/dashboard/groups/';
const places: readonly (readonly [path: string, name: string, icon: IconName])[] = [
  ['/dashboard/', words('frame.today'), 'today'],
  ['/problem_list/', words('frame.problems'), 'list'],
  ['/problem_list/contests/', words('contests.title'), 'grid'],
  [groupsPath, words('frame.groups'), 'people'],
  ['/dashboard/progress/', words('frame.progress'), 'chart'],
];

export const footerLinks = [
  ['/docs/', words('docs.try')],
  ['/docs/reference/', words('docs.reference')],
  ['/docs/api/', words('docs.guide')],
  ['/docs/members/', words('docs.members')],
] as const;

/** A page of the website, which knows who is signed in. */
export function frame(visit: Visit, options: FrameOptions, content: Html): Html {
  const { basePath } = visit.site;
  const {
    title,
    current = '',
    kind = '',
    styles = [],
    scripts = [],
    isPlain = visit.member === undefined,
    bar = '',
    isUnlisted = false,
  } = options;
  const header = isPlain ? plainHeader(basePath) : memberHeader(visit, current);
  const floating = isPlain ? bar : html`${bar}\n${thumbBar(visit, current)}\n${keysOverlay()}`;
  return page(
    visit.site,
    {
      ...{ title, kind, styles, isUnlisted, header, footer: footerLinks, floating },
      scripts: [...(isPlain ? [] : (['site.js'] as const)), ...scripts],
    },
    content,
  );
}

export function plainHeader(basePath: string): Html {
  return html`<header class="top plain"><div class="top-in">${brand(basePath)}</div></header>`;
}

/** A member of one group goes straight to its page. */
function hrefOf({ site: { basePath }, member }: Visit, path: string): string {
  const group = path === groupsPath ? member?.own_group : undefined;
  return `${basePath}${path}${group ? `${group}/` : ''}`;
}

function memberHeader(visit: Visit, current: string): Html {
  const { site, member, antiForgery } = visit;
  const { basePath } = site;
  const name = member?.first_name ?? member?.username ?? '';
  const item = (path: string, symbol: IconName, text: string) =>
    html`<li><a href="${basePath}${path}">${icon(symbol)}<span>${text}</span></a></li>`;
  const coached = member?.coached_group;
  return html`
    <header class="top">
      <div class="top-in">
        ${brand(basePath)}
        <nav class="top-nav" aria-label="${words('frame.main')}">
          ${places.map(([path, text]) => html`<a href="${hrefOf(visit, path)}"${here(path, current)}>${text}</a>`)}
        </nav>
        ${demoPill(visit)}
        <form
          class="top-search" role="search" aria-label="${words('frame.allProblems')}" action="${basePath}/problem_list/"
        >
          <label>
            <span class="sr">${words('frame.findProblem')}</span>
            ${icon('search')}
            <input type="search" name="q" placeholder="${words('frame.findProblem')}" autocomplete="off">
            <kbd aria-hidden="true">/</kbd>
          </label>
        </form>
        <a
          class="icon-button to-search" href="${basePath}/problem_list/#find" aria-label="${words('frame.findProblem')}"
        >
          ${icon('search')}
        </a>
        <details class="menu end add-menu" name="menu">
          <summary class="icon-button" aria-label="${words('frame.add')}" title="${words('frame.add')}">
            ${icon('plus')}
          </summary>
          <div class="menu-panel">
            <ul>
              ${item('/problem_list/lists/new/', 'list', words('frame.addList'))}
              ${
                coached == null
                  ? ''
                  : item(coached ? `${groupsPath}${coached}/give/` : groupsPath, 'people', words('frame.addAssignment'))
              }
              ${item('/plants/new/', 'garden', words('frame.addPlant'))}
            </ul>
            <ul class="menu-more">
              ${item('/authentication/account/data/upload/', 'upload', words('frame.addHistory'))}
            </ul>
          </div>
        </details>
        <details class="menu end account" name="menu">
          <summary aria-label="${words('frame.accountOf', { name })}">
            <span class="face" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>
          </summary>
          <div class="menu-panel">
            <p class="menu-title">
              <b><bdi>${name}</bdi></b> <span>
                ${member?.role === 'staff' ? words('staff.admin') : html`<bdi>${member?.username}</bdi>`}
              </span>
            </p>
            <ul>
              ${item('/authentication/account/', 'user', words('frame.settings'))}
              ${item('/authentication/account/handles/', 'sync', words('handles.title'))}
              ${item('/dashboard/history/', 'undo', words('history.title'))}
            </ul>
            ${
              member?.role === 'staff'
                ? html`<ul class="menu-more">${item('/authentication/staff/', 'shield', words('frame.staff'))}</ul>`
                : ''
            }
            <ul class="menu-more">
              <li>
                <button type="button" popovertarget="keys">
                  ${icon('info')}
                  <span>${words('keys.title')}</span>
                  <kbd aria-hidden="true">?</kbd>
                </button>
              </li>
            </ul>
            <form class="menu-more" method="post" action="${basePath}/authentication/sign-out/">
              ${antiForgery}
              <button>${words('frame.signOut')}</button>
            </form>
          </div>
        </details>
      </div>
    </header>`;
}

/** The same places below a narrow page. */
function thumbBar(visit: Visit, current: string): Html {
  return html`
    <nav class="thumb" aria-label="${words('frame.mainBelow')}">
      ${places.map(
        ([path, name, symbol]) =>
          html`<a href="${hrefOf(visit, path)}"${here(path, current)}>${icon(symbol)}<span>${name}</span></a>`,
      )}
    </nav>`;
}

/** The head of a page: its title, facts below, and what one can do. */
export function pageHead(
  title: string | Html,
  {
    sub,
    actions,
    crumbs = [],
  }: {
    sub?: Html | string;
    actions?: Html;
    crumbs?: readonly (readonly [href: string, name: string])[];
  } = {},
): Html {
  const way = crumbs.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`);
  return html`
    <div class="page-head">
      <div>
        ${
          way.length > 0
            ? html`<nav class="crumbs" aria-label="${words('frame.whereYouAre')}"><ol>${way}</ol></nav>`
            : ''
        }
        <h1>${title}</h1>
        ${sub ? html`<p class="sub">${sub}</p>` : ''}
      </div>
      ${actions ? html`<div class="actions">${actions}</div>` : ''}
    </div>`;
}
