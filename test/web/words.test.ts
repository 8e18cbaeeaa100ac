/** Every word that a page shows is of the file of words: a visitor wants a pseudo-language, and nothing else is seen or heard. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import test from 'node:test';
import type { HTMLElement } from 'node-html-parser';
import { keptSentence } from '../../src/errors.ts';
import { ownKinds } from '../../src/importing/own-kinds.ts';
import { sites } from '../../src/judges/address-book.ts';
import { contestFeeds } from '../../src/judges/contest-feeds.ts';
import { down } from '../../src/judges/faults.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { judges } from '../../src/judges/judges.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { routes as byVisitor } from '../../src/web/routes.ts';
import { submissionsOf } from '../importing/support.ts';
import { type Browser, browser, type Page, parseHtml, textOf } from '../support/forms.ts';
import { root } from '../support/garden.ts';
import { pseudoTag } from '../support/pseudo-words.ts';
import { listNames, lostText, schoolName, showGarden } from '../support/shown.ts';
import { finished, ownUploads, uploaded } from '../support/uploads.ts';
import { zipOf } from '../support/zips.ts';

const routes = Object.values(byVisitor)
  .flat()
  .filter(({ show }) => show);
const leadOn = [
  '/authentication/demo/',
  '/problem_list/random/',
  '/dashboard/groups/:id/lists/:list/csv/',
  '/dashboard/groups/:id/season/csv/',
  '/dashboard/groups/:id/seasons/:season/csv/',
  '/dashboard/groups/:id/people/csv/',
  '/dashboard/rounds/:id/csv/',
  '/problem_list/lists/:id/json/',
  '/problem_list/lists/:id/md/',
  '/dashboard/upsolve/',
  '/members/:name/garden/',
  '/members/:name/year/',
  '/dashboard/bookmarks/',
];

const notYet: readonly string[] = [];

const others = [
  '/',
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
  '/dashboard/groups/1/lists/1/settings/',
  '/authentication/own-garden/',
  '/authentication/account/delete/',
  '/authentication/account/data/nothing/',
  '/authentication/account/data/upload/',
  '/authentication/account/data/upload/1/',
];
const speaking = (url: string) => browser(url, { 'Accept-Language': pseudoTag });
const password = 'a lantern beside the well';

const data = new RegExp(
  `(?<!\\w)(?:${[
    ...Object.values<Judge>(judges).flatMap(({ name, short, rating, site }) => [name, short, rating, site]),
    ...sites.values().flatMap(({ name, short }) => [name, short]),
    ...Object.values<Judge>(judges).flatMap(({ files }) =>
      Object.values(files).flatMap(({ title }) => (typeof title === 'string' ? title : Object.values(title.facts))),
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
    'C++20',
    'example.org',
    ...[schoolName, lostText.replace('?', ''), 'demo', 'Demo', 'Gardener', 'ada', 'Chromium', 'nothing of the kind'],
    ...['demo_gardener', ...Object.values(listNames)],

    'The path is not percent-encoded UTF-8; encode it as encodeURIComponent does.',
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .toSorted((one, other) => other.length - one.length)
    // A number is in the titles of contests of the sample.
    .map((text) => text.replaceAll(/[^\w ]/g, '\\$&').replaceAll('\\#', '\\d+'))
    .join('|')})(?!\\w)`,
  'g',
);

const found = '[data-check] h2, [data-check] .health';
const notWords = 'script, style, code, pre, kbd, svg, textarea, .face, i[lang], article.prose, #try';
const labels = ['title', 'aria-label', 'placeholder', 'alt'];

/** `facts` are texts that the page shows of a file. */
function strangeIn(html: string, facts: readonly string[] = []): string[] {
  const page = parseHtml(html);
  const title = page.querySelector('article.prose h1')?.textContent ?? '';
  for (const element of page.querySelectorAll(`${notWords}, ${found}`)) element.remove();
  for (const section of page.querySelectorAll('.toc a[href^="#"], .toc-menu a[href^="#"]')) section.remove();
  const texts = textsOf(page).map((text) => (title === '' ? text : text.replace(title, '')));
  for (const element of page.querySelectorAll('*'))
    texts.push(...labels.map((label) => element.getAttribute(label) ?? ''));
  const beside = (text: string) => facts.reduce((rest, fact) => rest.replaceAll(fact, ''), text);
  return [...new Set(texts.filter((text) => isStrange(text) && isStrange(beside(text))).map((text) => text.trim()))];
}

function textsOf(element: HTMLElement): string[] {
  return element.childNodes.flatMap((node) =>
    'childNodes' in node && node.childNodes.length > 0
      ? textsOf(node as HTMLElement)
      : [/^<!doctype/.test(node.text) ? '' : node.text],
  );
}

const dateNames = (['long', 'short'] as const).flatMap((width) =>
  [...Array(84).keys()].flatMap((nth) =>
    new Intl.DateTimeFormat(pseudoTag, { weekday: width, month: width, day: 'numeric', timeZone: 'UTC' })
      .formatToParts(Date.UTC(2024, nth % 12, nth + 1))
      .flatMap(({ type, value }) => (type === 'month' || type === 'weekday' ? value.replace(/\.$/, '') : [])),
  ),
);
const dates = new RegExp(`(?<!\\p{L})(?:${dateNames.join('|')}|UTC|um(?= \\d\\d:))(?!\\p{L})|\\dT\\d|\\dZ\\b`, 'gu');
const names = /https?:\/\/\S+|\b[\w/-]+\.(?:json|yaml|txt|md)\b|\b(?:ND)?(?:JSON|CSV)\b/g;

function isStrange(text: string): boolean {
  const isPlain = (rest: string) => /[a-z]/i.test(rest);
  return isPlain(text) && isPlain(text.replaceAll(names, '').replaceAll(data, '').replaceAll(dates, ''));
}

test('the pages say nothing but their words', async (t) => {
  const garden = await showGarden(t);
  const strange = new Map<string, string[]>();
  const visited = new Set<string>();
  const look = ({ path, text }: Page, ...facts: string[]) => {
    const name = path.split('?', 1)[0] ?? '';
    visited.add(name);
    assert.match(text, new RegExp(`<html lang="${pseudoTag}">`), name);
    const ids = [...text.matchAll(/<[^>]* id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], `${name} has an id twice`);
    const texts = strangeIn(text, facts);
    const known = notYet.find((pattern) => matchesGlob(name, pattern));
    if (texts.length > 0) strange.set(known ?? name, texts);
  };
  /** The pages that this visitor may open, at each address and at those that the pages before led to. */
  const lookAt = async (visitor: Browser, paths: readonly string[]) => {
    for (const path of paths) look(await visitor.open(path));
  };
  const signedIn = (as: 'demo' | 'staff') => {
    const visitor = speaking(garden.url);
    visitor.cookies.set('session', garden.sessions[as]);
    return visitor;
  };

  for (const { path, as, url = garden.url } of garden.pages) {
    await lookAt(as ? signedIn(as) : speaking(url), [path]);
  }
  const ofMembers = [...garden.pages.filter(({ as }) => as === 'demo').map(({ path }) => path), ...others];
  const ofStaff = garden.pages.filter(({ as }) => as === 'staff').map(({ path }) => path);
  const demo = signedIn('demo');
  await lookAt(demo, others);
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
  const bytes = 'demo,demo\n1,1\n';
  const unread = await uploaded(demo, ownUploads, { file: { name: 'demo', bytes }, what: 'plants' });
  assert.match(textOf(unread, '[data-kind=bad]'), /"demo"/);
  look(unread);
  await lookAtUploads(demo, look);
  const { path: confirming = '' } = garden.pages.find(({ name }) => name === 'confirming') ?? {};
  const [handleId = ''] = /\d+/.exec(confirming) ?? [];
  const run = freshSync({ source: 'cses', task: 'submissions', handle_id: BigInt(handleId) });
  const at = new Date().toISOString();
  const fault = { fault: 'down', fault_text: keptSentence(down('CSES', 502)), fault_since: at } as const;
  await garden.store.write((tx) => saveSync(tx, { ...run, ...fault, tried_at: at, failures: 1n }));
  const failed = await demo.open(confirming);
  assert.match(textOf(failed, '[data-run=failed]'), /CSES .*502/);
  look(failed);
  // Staff are members who have nothing yet.
  await lookAt(signedIn('staff'), [
    ...ofMembers,
    '/authentication/staff/members/1/',
    '/authentication/staff/imports/',
    '/authentication/staff/imports/1/',
    '/authentication/staff/judges/',
    '/authentication/staff/contests/',
    '/authentication/staff/problems/',
  ]);
  const ada = signedIn('staff');
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
  look(await ada.submit({ name: 'people' }, { people: list }), '"a b"', 'ben');
  await ada.open('/authentication/staff/members/');
  look(await ada.submit({ name: 'people' }, { people: 'demo' }), 'username, first_name, last_name, email');
  await ada.open('/authentication/staff/members/1/');
  look(await ada.submit({ name: 'confirm' }, { confirm: 'nobody' }));
  look(await ada.submit({ name: 'act', value: 'reset' }));
  const [address = ''] = /\/authentication\/reset\/[\w-]+\//.exec(ada.page().text) ?? [];
  await lookAt(speaking(garden.url), [address, '/authentication/join/']);
  const setUp = garden.pages.find(({ name }) => name === 'set-up');
  const first = speaking(setUp?.url ?? '');
  await first.open(setUp?.path ?? '');
  const wrong = { username: 'a b', password: 'short' };
  look(await first.submit({ name: 'password' }, wrong));
  await first.submit({ name: 'password' }, { username: 'ada', password });
  await lookAt(first, [...ofMembers, ...ofStaff]);
  const nobody = speaking(garden.url);
  await nobody.open('/authentication/sign-in/');
  look(await nobody.submit({ name: 'password' }, { username: 'ada', password: 'wrong' }));

  const isVisited = ({ path }: { path: string }) =>
    [...visited].some((name) => matchesGlob(name, path.replaceAll(/:\w+/g, '*')));
  const unseen = routes.filter((route) => !isVisited(route)).map(({ path }) => path);
  assert.deepEqual(unseen.toSorted(), leadOn.toSorted(), 'a page was not visited');
  const faults = [...strange].filter(([name]) => !notYet.includes(name));
  assert.deepEqual(Object.fromEntries(faults), {});
  assert.deepEqual(
    notYet.filter((pattern) => !strange.has(pattern)),
    [],
    'these say nothing else any more',
  );
});

/** Files of which some rows are not valid, before and after the others are imported. */
async function lookAtUploads(demo: Browser, look: (page: Page, ...facts: string[]) => void): Promise<void> {
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
    Object.keys(ownKinds.statuses.fields.properties).join(', '),
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

test('a form that the road refuses is refused in the language of the visit', async (t) => {
  const { url } = await showGarden(t);
  const refused = await fetch(`${url}/authentication/sign-in/`, {
    method: 'POST',
    headers: {
      accept: 'text/html',
      'accept-language': pseudoTag,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'a'.repeat(700_000),
  });
  assert.equal(refused.status, 413);
  const sentence = parseHtml(await refused.text()).querySelector('.empty .soft')?.textContent ?? '';
  assert.match(sentence, /640/);
  assert.deepEqual(strangeIn(`<p>${sentence}</p>`), []);
});
