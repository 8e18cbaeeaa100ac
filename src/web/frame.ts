/** What stands around the pages of the website: navigation, footer, and the bar that offers to undo. */
import { html } from 'hono/html';
import type { AssetName } from './assets.ts';
import { demoLine } from './demo-line.ts';
import { type IconName, icon } from './icons.ts';
import type { Html } from './layout.ts';
import { brand, here, page } from './page.ts';
import type { Visit } from './visits.ts';
import { words } from './words.ts';

interface FrameOptions {
  title: string;
  /** The place in the navigation that the page belongs to: its path. */
  current?: string;
  /** The class of the page's own styles. */
  kind?: string;
  /** Sheets of styles that only some pages need. */
  styles?: readonly AssetName[];
  /** Door pages have no navigation. */
  isPlain?: boolean;
  /** Whether engines that search the web are asked to leave it out. */
  isUnlisted?: boolean;
  /** What just changed, with the way back. */
  bar?: Html | undefined;
}

const places: readonly (readonly [path: string, name: string, icon: IconName])[] = [
  ['/dashboard/', words('frame.today'), 'today'],
  ['/problem_list/', words('frame.problems'), 'list'],
  ['/dashboard/progress/', words('frame.progress'), 'chart'],
  ['/plants/', words('frame.garden'), 'garden'],
  ['/problem_list/contests/', words('contests.title'), 'grid'],
  ['/dashboard/groups/', words('frame.groups'), 'people'],
  ['/dashboard/history/', words('frame.history'), 'clock'],
  ['/authentication/account/', words('frame.account'), 'user'],
];

export const footerLinks = [
  ['/docs/', words('frame.interface')],
  ['/docs/reference/', words('frame.reference')],
  ['/docs/api/', words('frame.guide')],
] as const;

/** A page of the website, which knows who is signed in. */
export function frame(visit: Visit, options: FrameOptions, content: Html): Html {
  const { basePath } = visit.site;
  const {
    title,
    current = '',
    kind = '',
    styles = [],
    isPlain = visit.member === undefined,
    bar = '',
    isUnlisted = false,
  } = options;
  const header = isPlain ? plainHeader(basePath) : memberHeader(visit, current);
  const floating = isPlain ? bar : html`${bar}\n${thumbBar(basePath, current)}`;
  return page(
    visit.site,
    {
      ...{ title, kind, styles, isUnlisted, header, footer: footerLinks, floating },
      scripts: isPlain ? [] : ['site.js'],
    },
    isPlain ? content : html`${demoLine(visit)}${content}`,
  );
}

export function plainHeader(basePath: string): Html {
  return html`<header class="top plain"><div class="top-in">${brand(basePath)}</div></header>`;
}

function memberHeader({ site: { basePath }, member, antiForgery }: Visit, current: string): Html {
  const name = member?.first_name ?? member?.username ?? '';
  return html`<header class="top"><div class="top-in">
${brand(basePath)}
<nav class="top-nav" aria-label="${words('frame.main')}">${places.map(([path, text]) => html`<a href="${basePath}${path}"${here(path, current)}>${text}</a>`)}</nav>
<form class="top-search" role="search" aria-label="${words('frame.allProblems')}" action="${basePath}/problem_list/"><label><span class="sr">${words('frame.findProblem')}</span>${icon('search')}<input type="search" name="q" placeholder="${words('frame.findProblem')}" autocomplete="off"><kbd aria-hidden="true">/</kbd></label></form>
<details class="menu end account" name="menu"><summary aria-label="${words('frame.accountOf', { name })}"><span class="face" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span></summary>
<div class="menu-panel"><p class="menu-title"><bdi>${name}</bdi> <span><bdi>${member?.username}</bdi></span></p><ul>
<li><a href="${basePath}/authentication/account/">${words('frame.account')}</a></li><li><a href="${basePath}/authentication/account/tokens/">${words('frame.tokens')}</a></li>
${member?.role === 'staff' ? html`<li><a href="${basePath}/authentication/staff/">${words('frame.staff')}</a></li>` : ''}</ul>
<form method="post" action="${basePath}/authentication/sign-out/">${antiForgery}<button>${words('frame.signOut')}</button></form></div></details>
</div></header>`;
}

/** What fits below a narrow page; the rest is behind More. */
const thumbPlaces = 4;

function thumbBar(basePath: string, current: string): Html {
  const more = places.slice(thumbPlaces);
  return html`<nav class="thumb" aria-label="${words('frame.mainBelow')}">
${places.slice(0, thumbPlaces).map(([path, name, symbol]) => html`<a href="${basePath}${path}"${here(path, current)}>${icon(symbol)}<span>${name}</span></a>`)}
<details class="menu up end" name="menu"><summary${more.some(([path]) => path === current) ? html` data-current` : ''}>${icon('more')}<span>${words('frame.more')}</span></summary><div class="menu-panel"><ul>${more.map(([path, name]) => html`<li><a href="${basePath}${path}"${here(path, current)}>${name}</a></li>`)}</ul></div></details>
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
  return html`<div class="page-head">
<div>${way.length > 0 ? html`<nav class="crumbs" aria-label="${words('frame.whereYouAre')}"><ol>${way}</ol></nav>` : ''}<h1>${title}</h1>${sub ? html`<p class="sub">${sub}</p>` : ''}</div>
${actions ? html`<div class="actions">${actions}</div>` : ''}</div>`;
}
