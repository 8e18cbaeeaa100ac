/** The frame of every page. */

import { isLanguage, languageNames } from '../../words/languages.ts';
import { attr, type Html, html } from '../markup.ts';
import {
  accountDaysPath,
  appearancePath,
  contestsPath,
  gardenPath,
  groupsPath,
  historyImportPath,
  inboxSettingsPath,
  languagePath,
  manifestPath,
  newProblemPath,
  newRoundPath,
  openSearchPath,
  ownGardenPath,
  progressPath,
  ratingsPath,
  referencePath,
  roundsPath,
  submissionsPath,
  timesPath,
  translatingPath,
  upcomingPath,
} from '../paths.ts';
import type { Site } from '../request/site.ts';
import type { Visit } from '../request/visits.ts';
import { currentViewer } from '../words/viewer.ts';
import { linkTo, type MessageKey, richWords, words } from '../words/words.ts';
import { type AssetName, assetPaths } from './assets.ts';
import { type IconName, icon, spriteFor } from './icons.ts';
import { notice } from './panel.ts';
import { themeColours, themeForm, themeLabel } from './theme.ts';
import { timerPill } from './timer.ts';

function demoPill({ site, member, isLocal }: Visit): Html | '' {
  if (member?.is_sample !== 1n) return '';
  const text = words('demo.short');
  return isLocal
    ? html`<a class="tag demo" href="${site.basePath}${ownGardenPath}">${text}</a>`
    : html`<span class="tag demo">${text}</span>`;
}

export function demoLine({ site, member, isLocal }: Visit): Html {
  if (member?.is_sample !== 1n) return html``;
  const link = html` <a href="${site.basePath}${ownGardenPath}">${words('demo.makeItYours')}</a>`;
  return html`<p class="demo-line">${words('demo.youAre')}${isLocal && link}</p>`;
}

interface PageOptions {
  title: string;
  kind?: string;
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  /** Asks search engines to leave it out. */
  isUnlisted?: boolean;
  header: Html;
  footer: readonly (readonly [path: string, name: string])[];
  foot?: string | undefined;
  floating?: Html | string;
  bodyAttributes?: Html | string;
}

export function page({ basePath }: Site, options: PageOptions, content: Html): Html {
  const { title, kind = '', styles = [], scripts = [], header, footer, foot, floating = '', isUnlisted } = options;
  const { bodyAttributes = '' } = options;
  const { language, theme } = currentViewer();
  const asset = (name: AssetName) => basePath + assetPaths[name];
  const body = html`
    ${header}
    <main class="page" id="content" tabindex="-1">\n${content}\n</main>
    <footer class="foot">
      <div class="foot-in">
        <p>${words('page.foot')}${foot && html`<br>${foot}`}${language.tag !== 'en' && draftNotice(basePath)}</p>
        <ul>
          ${footer.map(([path, name]) => html`<li><a href="${basePath}${path}">${name}</a></li>`)}
          <li>${languageLink(basePath)}</li>
          <li><a href="${basePath}${appearancePath}" rel="nofollow">${themeLabel()}</a></li>
        </ul>
      </div>
    </footer>
    ${floating}`;
  return html`
    <!doctype html>
    <html lang="${language.tag}"${attr('dir', language.direction === 'rtl' && 'rtl')}${attr('data-theme', theme)}>
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="color-scheme" content="${theme ?? 'light dark'}">
        ${themeColours(theme)}
        ${isUnlisted && html`\n<meta name="robots" content="noindex">`}
        <title>${words('page.titleOf', { title })}</title>
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
        <link rel="apple-touch-icon" href="${asset('icon-180.png')}">
        <link rel="manifest" href="${basePath}${manifestPath}" crossorigin="use-credentials">
        <link
          rel="search" href="${basePath}${openSearchPath}" type="application/opensearchdescription+xml"
          title="${words('page.name')}"
        >
        ${(['site.css', ...styles] as const).map((name) => html`<link rel="stylesheet" href="${asset(name)}">\n`)}
        <link rel="service-desc" href="${basePath}/openapi.json" type="application/json">
        ${scripts.map((name) => html`<script src="${asset(name)}" defer></script>\n`)}
      </head>
      <body${attr('class', kind || undefined)}${bodyAttributes}>
        <a class="skip" href="#content">${words('page.skip')}</a>
        ${spriteFor(body)}
        ${body}
      </body>
    </html>`;
}

/** No native speaker has read these translations. */
function draftNotice(basePath: string): Html {
  const help = linkTo(basePath + translatingPath);
  return html`<br><span class="faint">${richWords('language.draft', { help })}</span>`;
}

function languageLink(basePath: string): Html {
  const { tag } = currentViewer().language;
  const name = isLanguage(tag) ? languageNames[tag] : tag;
  const label = words('contests.stateOf', { title: words('language.title'), state: '' });
  return html`
    <a class="language" href="${basePath}${languagePath}" rel="nofollow">
      ${icon('globe')}<span class="sr">${label}</span><span>${name}</span>
    </a>`;
}

export function brand(basePath: string): Html {
  return html`
    <a class="brand" href="${basePath}/">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path class="brand-stem" d="M16 29V15"/>
        <path class="brand-leaf" d="M16 17C16 9 11 5 3 5c0 8 5 12 13 12z"/>
        <path class="brand-bud" d="M16 21c0-6 4-9 12-9 0 6-4 9-12 9z"/>
      </svg>
      <span>${words('page.name')}</span>
    </a>`;
}

export function currentAttribute(path: string, current: string): Html | string {
  return path === current ? html` aria-current="page"` : '';
}

/* The script assets/site.js handles these keys. */

const keyboardShortcuts = [
  ['j k', 'keys.move'],
  ['o', 'keys.open'],
  ['x', 'keys.select'],
  ['0 … 5', 'keys.statuses'],
  ['s', 'keys.star'],
  ['n', 'keys.note'],
  ['t', 'keys.topics'],
  ['u', 'keys.undo'],
  ['/', 'keys.find'],
  ['a', 'frame.add'],
  ['?', 'keys.these'],
] as const;

export function shortcutsButton(): Html {
  return html`
    <button type="button" class="button" popovertarget="keys" aria-label="${words('keys.title')}">
      <kbd aria-hidden="true">?</kbd>
      <span>${words('keys.title')}</span>
    </button>`;
}

function shortcutsOverlay(): Html {
  return html`
    <div id="keys" popover class="keys" role="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">${words('keys.title')}</h2>
      <dl>
        ${keyboardShortcuts.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words(does)}</dd></div>`)}
      </dl>
      <p class="faint">${words('keys.when')}</p>
      <label class="tick"><input type="checkbox" id="keys-off" autocomplete="off"> ${words('keys.off')}</label>
    </div>`;
}

interface FrameOptions extends Omit<PageOptions, 'header' | 'footer' | 'floating' | 'bodyAttributes'> {
  /** The path in the navigation that the page belongs to. */
  current?: string;
  isPlain?: boolean;
  bar?: Html | undefined;
  /** Of `followAttributes`. */
  follow?: Html | undefined;
}

const navigationItems: readonly (readonly [path: string, name: MessageKey, icon: IconName])[] = [
  ['/dashboard/', 'frame.today', 'today'],
  ['/problem_list/', 'frame.problems', 'list'],
  ['/problem_list/contests/', 'contests.title', 'grid'],
  [groupsPath, 'frame.groups', 'people'],
  ['/dashboard/progress/', 'frame.progress', 'chart'],
];

export const footerLinks = () =>
  [
    [referencePath, words('docs.reference')],
    ['/docs/api/', words('docs.guide')],
    ['/docs/members/', words('docs.members')],
    ['/docs/accessibility/', words('docs.accessibility')],
  ] as const;

export function frame(visit: Visit, options: FrameOptions, content: Html): Html {
  const { basePath } = visit.site;
  const {
    current = '',
    isPlain = visit.member === undefined,
    bar = '',
    styles = [],
    scripts = [],
    follow,
    ...pageOptions
  } = options;
  const hasTimer = !isPlain && visit.member?.timer !== undefined;
  const zone = visit.member?.time_zone;
  const needsZone = zone === null && !scripts.includes('zone.js');
  const link = linkTo(basePath + accountDaysPath);
  const zoneNotice = visit.hasNewZone && zone && notice('good', richWords('frame.zoneTaken', { zone, link }));
  const header = isPlain ? plainHeader(basePath) : memberHeader(visit, current);
  const floating = isPlain ? bar : html`${bar}\n${bottomNavigation(visit, current)}\n${shortcutsOverlay()}`;
  return page(
    visit.site,
    {
      ...pageOptions,
      header,
      footer: footerLinks(),
      floating,
      bodyAttributes: html`${!isPlain && !visit.website.isDemo && unsentAttributes(visit)}${follow}`,
      styles: [...(hasTimer ? (['timer.css'] as const) : []), ...styles],
      scripts: [
        ...(isPlain ? [] : (['site.js'] as const)),
        ...(needsZone ? (['zone.js'] as const) : []),
        ...(hasTimer ? (['timer.js'] as const) : []),
        ...(follow ? (['follow.js'] as const) : []),
        ...scripts,
      ],
    },
    html`${zoneNotice}${content}`,
  );
}

/** With these, assets/site.js gives back what the member typed when the session had ended. */
const unsentAttributes = ({ member }: Visit) =>
  html` data-visitor="${member?.user_id}" data-unsent="${words('frame.unsent')}"`;

export function plainHeader(basePath: string): Html {
  return html`<header class="top plain"><div class="top-in">${brand(basePath)}</div></header>`;
}

/** A member of one group goes straight to its page. */
function navigationHref({ site: { basePath }, member }: Visit, path: string): string {
  const group = path === groupsPath ? member?.own_group : undefined;
  return `${basePath}${path}${group ? `${group}/` : ''}`;
}

function memberHeader(visit: Visit, current: string): Html {
  const { basePath } = visit.site;
  return html`
    <header class="top">
      <div class="top-in">
        ${brand(basePath)}
        <nav class="top-nav" aria-label="${words('frame.main')}">
          ${navigationItems.map(
            ([path, text]) =>
              html`<a href="${navigationHref(visit, path)}"${currentAttribute(path, current)}>${words(text)}</a>`,
          )}
        </nav>
        ${demoPill(visit)}
        ${visit.member && timerPill(basePath, visit.member)}
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
        ${addMenu(visit)}
        ${accountMenu(visit)}
      </div>
    </header>`;
}

const menuItem = (basePath: string, path: string, symbol: IconName, text: string) =>
  html`<li><a href="${basePath}${path}">${icon(symbol)}<span>${text}</span></a></li>`;

function addMenu({ site: { basePath }, member }: Visit): Html {
  const coached = member?.coached_group;
  const assignPath = coached ? `${groupsPath}${coached}/give/` : groupsPath;
  return html`
    <details class="menu end add-menu" name="menu">
      <summary class="icon-button" aria-label="${words('frame.add')}" title="${words('frame.add')}">
        ${icon('plus')}
      </summary>
      <div class="menu-panel">
        <ul>
          ${menuItem(basePath, newProblemPath, 'plus', words('frame.addProblem'))}
          ${menuItem(basePath, '/problem_list/lists/new/', 'list', words('frame.addList'))}
          ${menuItem(basePath, newRoundPath, 'cup', words('frame.addRound'))}
          ${coached == null ? '' : menuItem(basePath, assignPath, 'people', words('frame.addAssignment'))}
          ${menuItem(basePath, '/plants/new/', 'garden', words('frame.addPlant'))}
        </ul>
        <ul class="menu-more">
          ${menuItem(basePath, historyImportPath, 'upload', words('frame.addHistory'))}
        </ul>
      </div>
    </details>`;
}

function accountMenu(visit: Visit): Html {
  const { site, member, antiForgery } = visit;
  const { basePath } = site;
  const name = member?.first_name ?? member?.username ?? '';
  const isStaff = member?.role === 'staff';
  const staff = menuItem(basePath, '/authentication/staff/', 'shield', words('frame.staff'));
  return html`
    <details class="menu end account" name="menu">
      <summary aria-label="${words('frame.accountOf', { name })}">
        <span class="face" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>
      </summary>
      <div class="menu-panel">
        <p class="menu-title">
          <b><bdi>${name}</bdi></b> <span>
            ${isStaff ? words('staff.admin') : html`<bdi>${member?.username}</bdi>`}
          </span>
        </p>
        <ul>
          ${menuItem(basePath, '/authentication/account/', 'user', words('frame.settings'))}
          ${menuItem(basePath, '/authentication/account/handles/', 'sync', words('handles.title'))}
          ${menuItem(basePath, inboxSettingsPath, 'inbox', words('inbox.title'))}
          ${menuItem(basePath, '/dashboard/history/', 'undo', words('history.title'))}
        </ul>
        ${isStaff && html`<ul class="menu-more">${staff}</ul>`}
        ${themeForm(visit, { className: 'menu-more' })}
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
    </details>`;
}

function bottomNavigation(visit: Visit, current: string): Html {
  return html`
    <nav class="thumb" aria-label="${words('frame.mainBelow')}">
      ${navigationItems.map(
        ([path, name, symbol]) =>
          html`
            <a href="${navigationHref(visit, path)}"${currentAttribute(path, current)}>
              ${icon(symbol)}
              <span>${words(name)}</span>
            </a>`,
      )}
    </nav>`;
}

export function pageHead(
  title: string | Html,
  {
    sub,
    actions,
    crumbs = [],
  }: {
    sub?: Html | string;
    actions?: Html | undefined;
    crumbs?: readonly (readonly [href: string, name: string])[] | undefined;
  } = {},
): Html {
  const trail = crumbs.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`);
  return html`
    <div class="page-head">
      <div>
        ${
          trail.length > 0 &&
          html`<nav class="crumbs" aria-label="${words('frame.whereYouAre')}"><ol>${trail}</ol></nav>`
        }
        <h1>${title}</h1>
        ${sub && html`<p class="sub">${sub}</p>`}
      </div>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>`;
}

export type SideNavigation = Readonly<Record<string, readonly [name: MessageKey, icon: IconName]>>;

export function sideNavigation(
  base: string,
  itemsByPath: SideNavigation,
  openPath: string,
  current: 'page' | 'true' = 'page',
): Html {
  const items = Object.entries(itemsByPath).map(
    ([path, [name, symbol]]) =>
      html`
        <li>
          <a href="${base}${path}"${attr('aria-current', path === openPath && current)}>
            ${icon(symbol)}
            <span>${words(name)}</span>
          </a>
        </li>`,
  );
  return html`<ul>${items}</ul>`;
}

export function tabList(label: string, items: unknown): Html {
  return html`<nav class="tabs" aria-label="${label}" tabindex="0"><ul>${items}</ul></nav>`;
}

type Tabs = readonly (readonly [path: string, name: MessageKey])[];

const tabsOf = (label: MessageKey, tabs: Tabs) => (basePath: string, current: string) =>
  tabList(
    words(label),
    tabs.map(
      ([path, name]) =>
        html`<li><a href="${basePath}${path}"${currentAttribute(path, current)}>${words(name)}</a></li>`,
    ),
  );

export const progressTabs = tabsOf('frame.progress', [
  [progressPath, 'progress.overview'],
  [gardenPath, 'frame.garden'],
  [ratingsPath, 'ratings.title'],
  [timesPath, 'progress.time'],
  [submissionsPath, 'progress.activity'],
]);

export const contestTabs = tabsOf('contests.title', [
  [upcomingPath, 'contests.tab.upcoming'],
  [contestsPath, 'contests.tab.past'],
  [roundsPath, 'contests.tab.rounds'],
]);

export const crumbsToGarden = (basePath: string) =>
  [
    [basePath + progressPath, words('frame.progress')],
    [basePath + gardenPath, words('frame.garden')],
  ] as const;
