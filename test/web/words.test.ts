/**
 * Every word that a page shows is of the files of words: a visitor wants a pseudo-language, and nothing else is seen or
 * heard; a visitor wants a language of the garden, and no English is left.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from '@formatjs/icu-messageformat-parser';
import { routes as byVisitor } from '../../src/web/routes.ts';
import { languageTags } from '../../src/words/languages.ts';
import { dataTexts, openPages, openShownPages, sendForms, textsIn, tourOf } from '../support/crawl-words.ts';
import { type Page, parseHtml } from '../support/forms.ts';
import { root, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { hasAllLooks } from '../support/looks.ts';
import { textsOfMessage } from '../support/messages.ts';
import { pseudoTag } from '../support/pseudo-words.ts';
import { type ShownGarden, showGarden } from '../support/shown.ts';

const routes = Object.values(byVisitor)
  .flat()
  .filter(({ get }) => get);
const leadOn = [
  '/authentication/demo/',
  '/problem_list/problem/:id/timer/',
  '/problem_list/random/',
  '/problem_list/problem/:id/code/:file/file/',
  '/dashboard/groups/:id/assignments/:list/csv/',
  '/dashboard/groups/:id/assignments/:list/sheet/download/',
  '/dashboard/groups/:id/lists/:list/',
  '/dashboard/groups/:id/lists/:list/csv/',
  '/dashboard/groups/:id/lists/:list/settings/',
  '/dashboard/groups/:id/season/csv/',
  '/dashboard/groups/:id/seasons/:season/csv/',
  '/dashboard/groups/:id/seasons/:season/sheet/download/',
  '/dashboard/groups/:id/people/csv/',
  '/dashboard/rounds/:id/csv/',
  '/problem_list/lists/:id/json/',
  '/problem_list/lists/:id/md/',
  '/dashboard/upsolve/',
  '/members/:name/garden/',
  '/members/:name/year/',
  '/dashboard/bookmarks/',
  '/dashboard/follow/',
];

const data = new RegExp(
  `(?<!\\w)(?:${dataTexts
    .toSorted((one, other) => other.length - one.length)
    // A number is in the titles of contests of the sample.
    .map((text) => text.replaceAll(/[^\w ]/g, '\\$&').replaceAll('\\#', '\\d+'))
    .join('|')})(?!\\w)`,
  'g',
);

/** `facts` are texts that the page shows of a file. */
function strangeIn(html: string, facts: readonly string[] = []): string[] {
  const beside = (text: string) => facts.reduce((rest, fact) => rest.replaceAll(fact, ''), text);
  const strange = textsIn(html).filter((text) => isStrange(text) && isStrange(beside(text)));
  return [...new Set(strange.map((text) => text.trim()))];
}

const dateNamesIn = (tag: string) =>
  (['long', 'short'] as const).flatMap((width) =>
    [...Array(84).keys()].flatMap((nth) =>
      new Intl.DateTimeFormat(tag, { weekday: width, month: width, day: 'numeric', timeZone: 'UTC' })
        .formatToParts(Date.UTC(2024, nth % 12, nth + 1))
        .flatMap(({ type, value }) => (type === 'month' || type === 'weekday' ? value.replace(/\.$/, '') : [])),
    ),
  );
const dates = new RegExp(
  `(?<!\\p{L})(?:${dateNamesIn(pseudoTag).join('|')}|UTC|um(?= \\d\\d:))(?!\\p{L})|\\dT\\d|\\dZ\\b`,
  'gu',
);
const names = /https?:\/\/\S+|\b[\w/-]+\.(?:json|yaml|txt|md)\b|\b(?:ND)?(?:JSON|CSV)\b/g;

function isStrange(text: string): boolean {
  const isPlain = (rest: string) => /[a-z]/i.test(rest);
  return isPlain(text) && isPlain(text.replaceAll(names, '').replaceAll(data, '').replaceAll(dates, ''));
}

test('the words of all pages', async (t) => {
  const garden = await showGarden(t);
  await t.test('no page of any language has words of another left', (t) => saysNothingElse(t, garden));
  await t.test('the pages say nothing but their words', () => saysWordsAlone(garden));
});

async function saysWordsAlone(garden: ShownGarden): Promise<void> {
  const strange = new Map<string, string[]>();
  const visited = new Set<string>();
  const look = ({ path, text }: Page, ...facts: string[]) => {
    const name = path.split('?', 1)[0] ?? '';
    visited.add(name);
    assert.match(text, new RegExp(`<html lang="${pseudoTag}"`), name);
    const ids = [...text.matchAll(/<[^>]* id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], `${name} has an id twice`);
    const texts = strangeIn(text, facts);
    if (texts.length > 0) strange.set(name, texts);
  };
  const tour = tourOf(garden, pseudoTag, look);
  await openPages(tour);
  await sendForms(tour);

  const isVisited = ({ path }: { path: string }) =>
    [...visited].some((name) => matchesGlob(name, path.replaceAll(/:\w+/g, '*')));
  const unseen = routes.filter((route) => !isVisited(route)).map(({ path }) => path);
  assert.deepEqual(unseen.toSorted(), leadOn.toSorted(), 'a page was not visited');
  assert.deepEqual(Object.fromEntries(strange), {});
}

const fileOf = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>;
const inEnglish = fileOf('src/words/en.json');
const wordsIn = (text: string) => text.match(/[\p{L}\p{N}’']+/gu) ?? [];

/**
 * Finds texts of English messages that this language says in other words, the English names of months and days, and
 * letters of languages that are written in others.
 */
function strangerFinder(tag: string) {
  const own = fileOf(`src/words/${tag}.json`);
  const missing = Object.keys(inEnglish).filter((key) => own[key] === undefined);
  const shownInEnglish = missing.map((key) => ` ${wordsIn(inEnglish[key] ?? '').join(' ')} `).join('\n');
  const whole = new Set<string>();
  const parts = new Set(dateNamesIn('en'));
  for (const [key, message] of Object.entries(inEnglish)) {
    if (own[key] === undefined || own[key] === message) continue;
    const { texts, isWhole } = textsOfMessage(parse(message));
    for (const text of texts) {
      if (shownInEnglish.includes(` ${wordsIn(text).join(' ')} `)) continue;
      if (isWhole) whole.add(text);
      if (wordsIn(text).length >= (isWhole ? 2 : 3) || (isWhole && text.length >= 12)) parts.add(text);
    }
  }
  const byFirstWord = Map.groupBy(parts, (text) => wordsIn(text)[0] ?? '');
  const partIn = (text: string) =>
    wordsIn(text)
      .flatMap((word) => byFirstWord.get(word) ?? [])
      .find((part) => ` ${wordsIn(text).join(' ')} `.includes(` ${wordsIn(part).join(' ')} `));
  const spoken = [...Object.values(own), ...dateNamesIn(tag), ...dataTexts].join('\n');
  const letters = new Set(spoken);
  const isForeign = (letter: string) => !letters.has(letter) && /[^\P{L}\p{Script=Latin}]/u.test(letter);
  const known = new Map<string, boolean>();
  const isStranger = (text: string): boolean => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const english = whole.has(text) ? text : partIn(text);
    known.set(text, (english !== undefined && !spoken.includes(english)) || [...text].some(isForeign));
    return isStranger(text);
  };
  return { missing, isStranger };
}

async function saysNothingElse(t: TestContext, garden: ShownGarden): Promise<void> {
  const left = new Map<string, string[]>();
  for (const tag of hasAllLooks ? languageTags.slice(1) : (['ja'] as const)) {
    const { missing, isStranger } = strangerFinder(tag);
    if (missing.length > 0) t.diagnostic(`${tag} lacks ${missing.length} messages, which stay English`);
    const look = ({ path, text }: Page) => {
      assert.match(text, new RegExp(`<html lang="${tag}"`), path);
      const strangers = textsIn(text).filter((one) => isStranger(one.trim()));
      if (strangers.length > 0) left.set(`${tag} ${path}`, [...new Set(strangers)]);
    };
    // That the other pages say nothing but their words, the pseudo language shows.
    await (hasAllLooks ? openPages : openShownPages)(tourOf(garden, tag, look));
  }
  assert.deepEqual(Object.fromEntries(left), {});
}

test('a form that the road refuses is refused in the language of the visit', async (t) => {
  const { url } = await serveHere(t, { databaseUrl: await temporaryDatabase(t) });
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
