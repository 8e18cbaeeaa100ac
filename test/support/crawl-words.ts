/** Opens every page and posts every form in one language, as a visitor, a member and staff, for tests of the words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HTMLElement } from 'node-html-parser';
import { serializeLocalizedText } from '../../src/errors.ts';
import { rowKinds } from '../../src/importing/row-kinds.ts';
import { sites } from '../../src/judges/address-book.ts';
import { contestFeeds } from '../../src/judges/contest-feeds.ts';
import { down } from '../../src/judges/faults.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { judges } from '../../src/judges/judges.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { languageNames } from '../../src/words/languages.ts';
import { submissionsOf } from '../importing/support.ts';
import { type Browser, browser, type Page, parseHtml, textOf } from './forms.ts';
import { root } from './garden.ts';
import { listNames, lostText, type ShownGarden, schoolName } from './shown.ts';
import { finished, ownUploads, uploaded } from './uploads.ts';
import { zipOf } from './zips.ts';

const others = [
  '/',
  '/language/?then=%2F',
  '/problem_list/bulk/?source=codeforces',
  '/problem_list/random/',
  '/problem_list/?contest=AtCoder',
  '/problem_list/?contest=nothing%20of%20the%20kind',
  '/problem_list/?q=https://cses.fi/problemset/task/1',
  '/problem_list/?q=https://example.org/',
  '/problem_list/views/save/',
  '/problem_list/lists/2/',
  '/problem_list/lists/add/?source=codeforces',
  '/problem_list/?list=1',
  '/dashboard/groups/1/assignments/',
  '/dashboard/groups/1/assignments/1/settings/',
  '/authentication/own-garden/',
  '/authentication/account/delete/',
  '/authentication/account/data/nothing/',
  '/authentication/account/data/upload/',
  '/authentication/account/data/upload/1/',
];
const ofStaff = [
  '/authentication/staff/members/1/',
  '/authentication/staff/imports/',
  '/authentication/staff/imports/1/',
  '/authentication/staff/judges/',
  '/authentication/staff/contests/',
  '/authentication/staff/problems/',
];
const password = 'a lantern beside the well';

/** Texts of the garden's problems, people and judges, which no language translates; `#` stands for a number. */
export const dataTexts: readonly string[] = [
  ...Object.values<Judge>(judges).flatMap(({ name, short, ratingName, site }) => [name, short, ratingName, site]),
  ...sites.values().flatMap(({ name, short }) => [name, short]),
  ...Object.values<Judge>(judges).flatMap(({ files }) =>
    Object.values(files).flatMap(({ title }) => (typeof title === 'string' ? title : Object.values(title.values))),
  ),
  ...[
    'problems',
    'plants',
    'bookmarks',
    'contests',
    'upcoming',
    'members',
    'lists',
    'groups',
    'ratings',
    'rounds',
  ].flatMap((noun) =>
    readFileSync(join(root, `src/importing/sample/${noun}.ndjson`), 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => {
        const { tags = [], aliases = [], sections = [], season = {}, ...row } = JSON.parse(line);
        const { source, source_key, key, title, name, tag, note, username, first_name, last_name } = row;
        const inSections = sections.flatMap((section: { name: string; items: string[][] }) => [
          section.name,
          ...section.items.map(([, , memo]) => memo),
        ]);
        const ofPeople = [username, first_name, last_name, `${username}~sample`];
        const short = String(title).replace('Codeforces ', '');
        return [
          source,
          source_key,
          key,
          title,
          short,
          short.replace(/ \(.*\)$/, ''),
          season.name,
          name,
          tag,
          note,
          ...tags,
          ...aliases,
          ...inSections,
          ...ofPeople,
        ];
      }),
  ),
  ...Object.values<Judge>(judges).flatMap(({ ranks = [] }) => ranks.map(({ name }: { name?: string }) => name)),
  ...Object.values<Judge>(judges).flatMap(({ contestKinds = [] }) => contestKinds.map(({ title }) => title)),
  ...[...contestFeeds.values()].map(({ site }) => site),
  ...[...'ABCDEFGH'].flatMap((place) => [place, `${place}1`, `${place}2`]),
  // The problems of the contest that nobody took (support/shown.ts).
  ...[...'ABCDEF'].flatMap((place) => [`1700${place}`, `Pond 1700${place}`]),
  'C++20',
  'C++',
  'main.cpp',
  'example.org',
  ...[
    schoolName,
    lostText.replace('?', ''),
    'demo',
    'Demo',
    'Gardener',
    'ada',
    'Chromium',
    'nothing of the kind',
    'two words',
  ],
  ...Object.values(languageNames),
  ...['demo_gardener', ...Object.values(listNames)],

  'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.',
].filter((text) => typeof text === 'string' && text !== '');

const found = '[data-check] h2[lang=en], .health [lang=en]';
const notWords = 'script, style, code, pre, kbd, svg, textarea, .face, .language, i[lang], article.prose, #try';
const labels = ['title', 'aria-label', 'placeholder', 'alt'];

export function textsIn(html: string): string[] {
  const page = parseHtml(html);
  const title = page.querySelector('article.prose h1')?.textContent ?? '';
  for (const element of page.querySelectorAll(`${notWords}, ${found}`)) element.remove();
  for (const section of page.querySelectorAll('.toc a[href^="#"], .toc-menu a[href^="#"]')) section.remove();
  const texts = textsOf(page).map((text) => (title === '' ? text : text.replace(title, '')));
  for (const element of page.querySelectorAll('*'))
    texts.push(...labels.map((label) => element.getAttribute(label) ?? ''));
  return texts;
}

function textsOf(element: HTMLElement): string[] {
  return element.childNodes.flatMap((node) =>
    'childNodes' in node && node.childNodes.length > 0
      ? textsOf(node as HTMLElement)
      : [/^<!doctype/.test(node.text) ? '' : node.text],
  );
}

export type Look = (page: Page, ...facts: string[]) => void;

interface Tour {
  garden: ShownGarden;
  look: Look;
  visitor: (as?: 'demo' | 'staff', url?: string) => Browser;
  lookAt: (visitor: Browser, paths: readonly string[]) => Promise<void>;
}

export function tourOf(garden: ShownGarden, tag: string, look: Look): Tour {
  return {
    garden,
    look,
    visitor: (as, url = garden.url) => {
      const one = browser(url, { 'Accept-Language': tag });
      if (as) one.cookies.set('session', garden.sessions[as]);
      return one;
    },
    lookAt: async (visitor, paths) => {
      for (const path of paths) look(await visitor.open(path));
    },
  };
}

const pathsFor = ({ pages }: ShownGarden, who: 'demo' | 'staff') =>
  pages.filter(({ as }) => as === who).map(({ path }) => path);

export async function openShownPages({ garden, visitor, lookAt }: Tour): Promise<void> {
  for (const { path, as, url } of garden.pages) await lookAt(visitor(as, url), [path]);
}

export async function openPages(tour: Tour): Promise<void> {
  const { garden, visitor, lookAt } = tour;
  await openShownPages(tour);
  await lookAt(visitor('demo'), others);
  // The staff member has no marks and lists, so pages show their empty states.
  await lookAt(visitor('staff'), [...pathsFor(garden, 'demo'), ...others, ...ofStaff]);
}

export async function sendForms(tour: Tour): Promise<void> {
  const demo = tour.visitor('demo');
  await listProblems(tour, demo);
  await linkHandles(tour, demo);
  await uploadFiles(tour, demo);
  await fillInSheets(tour, demo);
  await expectPeople(tour, demo);
  await keepTheGarden(tour, demo);
  await beginAnew(tour);
  await usePasskeys(tour, demo);
}

async function listProblems({ look, lookAt }: Tour, demo: Browser): Promise<void> {
  await demo.open('/problem_list/');
  look(await demo.submit({ within: 'tbody tr', name: 'status' }));
  look(await demo.submit({ within: '#bulk', name: 'do', value: 'mark' }));
  await demo.open('/problem_list/');
  look(await demo.submit({ within: '#bulk', name: 'do', value: 'list' }, { pick: ['1'] }));
  await demo.open('/problem_list/lists/new/');
  const links = ['https://codeforces.com/problemset/problem/4/A', 'https://codeforces.com/problemset/problem/9999/Z'];
  look(
    await demo.submit({ name: 'text' }, { text: [...links, ...links.slice(0, 1), 'https://example.org/'].join('\n') }),
  );
  for (const link of ['', links[0] ?? '', links[1] ?? '', 'https://example.org/p/1', 'https://example.org/'])
    look(await demo.open(`/problem_list/new/?url=${encodeURIComponent(link)}`));
  await demo.open('/problem_list/lists/new/');
  look(await demo.submit({ name: 'text' }, { text: 'demo' }));
  look(await demo.open('/problem_list/import/'));
  look(await demo.submit({ name: 'text' }, { text: '?' }));
  look(await demo.submit({ name: 'text' }, { text: [...links, 'https://example.org/p/2'].join('\n') }));
  look(await demo.submit({ name: 'content' }, { when: 'day', day: '' }));
  await demo.open('/problem_list/lists/2/edit/');
  look(await demo.submit({ name: 'do', value: 'delete' }));
  look(await demo.submit({ within: '#who', name: 'do' }, { visibility: 'secret' }));
  await lookAt(demo, ['/dashboard/history/', '/problem_list/problem/5/']);
  look(await demo.submit({ within: '.note-form' }, { note: 'x'.repeat(65_600) }));
}

async function fillInSheets({ look }: Tour, demo: Browser): Promise<void> {
  const bytes = 'demo,,demo\nPoints Possible,,\nana,,1\nben,,\nben,,\n9,,\n';
  for (const target of ['assignments/1', 'seasons/1']) {
    look(await demo.open(`/dashboard/groups/1/${target}/sheet/`));
    look(await demo.submit({ name: 'file' }, { file: { name: 'demo', bytes: 'demo' } }));
    look(await demo.submit({ name: 'file' }, { file: { name: 'demo', bytes } }));
    look(await demo.submit({ name: 'mark' }, { mark: '2' }), 'Points Possible');
  }
}

async function expectPeople({ look }: Tour, demo: Browser): Promise<void> {
  await demo.open('/dashboard/groups/1/people/expected/');
  const rows = ['demo,1', 'demo,1', 'ana,1', 'ana,', 'ana,', '9,', `demo,${'9'.repeat(50)}`];
  const people = `name,id,demo\n${rows.join('\n')}`;
  look(await demo.submit({ name: 'people' }, { people }), 'name', 'id', 'ana');
  look(await demo.submit({ name: 'add' }), 'ana');
  look(await demo.open('/dashboard/groups/1/people/'), 'ana');
  look(await demo.submit({ name: 'renew' }), 'ana');
}

async function linkHandles({ look, lookAt }: Tour, demo: Browser): Promise<void> {
  await demo.open('/authentication/account/handles/');
  look(await demo.submit({ name: 'handle' }, { judge: 'atcoder', handle: 'two words' }));
  look(await demo.submit({ name: 'handle' }, { judge: 'cses', handle: 'demo' }));
  await lookAt(demo, ['/authentication/account/handles/2/']);
  look(await demo.submit({ name: 'expected' }, { expected: '' }));
  look(await demo.submit({ name: 'expected' }));
  await demo.open('/authentication/account/handles/');
  const linked = await demo.submit({ name: 'handle' }, { judge: 'codeforces', handle: 'demo' });
  const [latest = 0] = [...linked.text.matchAll(/handles\/(\d+)\/proof\//g)]
    .map(([, id]) => Number(id))
    .sort((a, b) => b - a);
  await lookAt(demo, [`/authentication/account/handles/${latest}/proof/`]);
  look(await demo.submit({ name: 'act', value: 'begin' }));
  look(await demo.submit({ name: 'act', value: 'check' }));
}

async function uploadFiles({ garden, look }: Tour, demo: Browser): Promise<void> {
  const bytes = 'demo,demo\n1,1\n';
  const unread = await uploaded(demo, ownUploads, { file: { name: 'demo', bytes }, what: 'plants' });
  assert.match(textOf(unread, '[data-kind=bad]'), /demo/);
  look(unread);
  await lookAtUploads(demo, look);
  const { path: confirming = '' } = garden.pages.find(({ name }) => name === 'confirming') ?? {};
  const [handleId = ''] = /\d+/.exec(confirming) ?? [];
  const run = freshSync({ source: 'cses', task: 'submissions', handle_id: BigInt(handleId) });
  const at = new Date().toISOString();
  const fault = { fault: 'down', fault_text: serializeLocalizedText(down('CSES', 502)), fault_since: at } as const;
  await garden.store.write((tx) => saveSync(tx, { ...run, ...fault, tried_at: at, failures: 1n }));
  const failed = await demo.open(confirming);
  assert.match(textOf(failed, '[data-run=failed]'), /CSES.*502/);
  look(failed);
}

async function keepTheGarden({ look, lookAt, visitor }: Tour, demo: Browser): Promise<void> {
  const ada = visitor('staff');
  await ada.open('/authentication/account/tokens/');
  look(await ada.submit({ name: 'name' }, { scope: [] }));
  look(await ada.submit({ name: 'name' }, { name: 'ada', scope: ['problems:read'] }));
  await ada.open('/authentication/staff/invitations/');
  look(await ada.submit({ name: 'uses' }, { uses: 'many' }));
  look(await ada.submit({ name: 'uses' }, { uses: '3' }));
  await ada.open('/authentication/staff/settings/');
  look(await ada.submit({ name: 'sign_up' }));
  await ada.open('/authentication/staff/providers/codeforces/');
  look(await ada.submit({ name: 'act', value: 'save' }, { client_id: '', client_secret: 'demo' }));
  await lookAt(demo, ['/authentication/account/handles/', '/authentication/openid/codeforces/?state=demo']);
  await ada.open('/authentication/staff/members/');
  const list = 'username,email\nada\na b,\nben,\n';
  look(await ada.submit({ name: 'people' }, { people: list }), 'ada2', '"a b"', 'ben', 'username', 'email');
  await ada.open('/authentication/staff/members/1/');
  look(await ada.submit({ name: 'confirm' }, { confirm: 'nobody' }));
  look(await ada.submit({ name: 'act', value: 'reset' }));
  const [address = ''] = /\/authentication\/reset\/[\w-]+\//.exec(ada.page().text) ?? [];
  await lookAt(visitor(), [address, '/authentication/join/']);
}

async function beginAnew({ garden, look, lookAt, visitor }: Tour): Promise<void> {
  const setUp = garden.pages.find(({ name }) => name === 'set-up');
  const first = visitor(undefined, setUp?.url);
  await first.open(setUp?.path ?? '');
  const wrong = { username: 'a b', password: 'short' };
  look(await first.submit({ name: 'password' }, wrong));
  await first.submit({ name: 'password' }, { username: 'ada', password });
  await lookAt(first, [...pathsFor(garden, 'demo'), ...others, ...pathsFor(garden, 'staff')]);
  const nobody = visitor();
  await nobody.open('/authentication/sign-in/');
  look(await nobody.submit({ name: 'password' }, { username: 'ada', password: 'wrong' }));
}

async function usePasskeys({ look, visitor }: Tour, demo: Browser): Promise<void> {
  const nobody = visitor();
  await nobody.open('/authentication/sign-in/');
  look(await nobody.submit({ within: '[data-with-passkeys]' }));
  look(await nobody.submit({ within: '[data-passkey]' }, { answer: '{' }));
  await demo.open('/authentication/account/ways/');
  look(await demo.submit({ within: '[data-with-passkeys]' }, { name: '' }));
  look(await demo.submit({ within: '[data-with-passkeys]' }, { name: 'demo' }));
  look(await demo.submit({ within: '[data-passkey]' }, { answer: '{' }));
}

async function lookAtUploads(demo: Browser, look: Look): Promise<void> {
  const problem = { source: 'cses', source_key: '1068' };
  const lines = (...rows: (object | string)[]) =>
    rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
  const statuses = [
    { ...problem, status: 'reading' },
    { ...problem, status: 'done' },
    { ...problem, source_key: '9999', status: 'reading' },
    { ...problem, username: 'ana', status: 'reading' },
    { ...problem, statuss: 'reading' },
    { source: [], source_key: 1 },
    problem,
    '{"source" 1}',
    '{"source":1 2}',
    '{"source":',
  ];
  const handle = { source: 'codeforces', username: 'demo' };
  const archive = {
    'records.ndjson': lines({ username: 'demo', role: 'staff' }, { username: 'ana' }),
    'handles.ndjson': lines({ ...handle, name: 'ana' }, { ...handle, name: 'two words' }),
    'statuses.ndjson': lines(...statuses.slice(1, 3).map((row) => ({ username: 'demo', ...Object(row) })), '1'),
  };
  const sent = submissionsOf('ana', ['4A', 'OK', 10], ['9999A', 'OK', 20], ['100001A', 'OK', 30]);
  const files: Record<string, [bytes: string | Buffer, badRows: number]> = {
    statuses: [lines(...statuses), 9],
    plants: ['name,target\nana,2\nana\nana,1.5\nana,0\n,1\n', 4],
    handles: ['username,source,name\ndemo,codeforces,two words\ndemo,nowhere,ana\ndemo,atcoder,ana', 2],
    records: ['username,role\ndemo,staff\n', 0],
    archive: [zipOf(new Map(Object.entries(archive))), 5],
    bookmarks: [lines({ user: 1, source: 'cses' }), 0],
    'codeforces-submissions': [JSON.stringify(sent), 0],
  };
  const facts = [
    ...Object.keys(archive),
    Object.keys(rowKinds.statuses.fields).join(', '),
    'not_started, reading, practicing (trying), complete (solved), skipped, ignored',
    ...['"statuss"', '"status"', 'status', '"done"', 'source', 'target', '"nowhere"'],
  ];
  for (const [what, [bytes, badRows]] of Object.entries(files)) {
    const page = await uploaded(demo, ownUploads, { file: { name: 'demo', bytes }, what });
    assert.equal(page.document.querySelectorAll('.bad-rows li').length, badRows, what);
    look(page, ...facts);
    if (badRows === 0) continue;
    await demo.submit({ name: 'act', value: 'import-valid' });
    look(await finished(demo), ...facts);
  }
}
