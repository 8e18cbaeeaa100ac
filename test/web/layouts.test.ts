/**
 * Every page in every language, and in a pseudo language that is written from right to left: nothing scrolls
 * sideways and no text is cut. `npm test` looks on a phone at the pseudo language, whose words are four tenths longer than English.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { icon, spriteFor } from '../../src/web/kit/icons.ts';
import { withViewer } from '../../src/web/words/viewer.ts';
import { richWords, words } from '../../src/web/words/words.ts';
import { english, languageOf } from '../../src/words/catalogue.ts';
import { languageTags } from '../../src/words/languages.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { hasAllLooks, layoutOf } from '../support/looks.ts';
import { leftwardTag } from '../support/pseudo-words.ts';
import { showGarden } from '../support/shown.ts';

const languages = [...(hasAllLooks ? languageTags : []), leftwardTag];
const widths = hasAllLooks ? [320, 1440] : [320];

test('layouts hold in every language and direction', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const garden = await showGarden(t);
  for (const tag of languages) {
    for (const width of widths) {
      await t.test(`${tag} at ${width} px`, async () => {
        const faults: string[] = [];
        const { page } = await openPage(chromium, garden.url, { locale: tag, viewport: { width, height: 900 } });
        for (const { name, path, as, url = garden.url } of garden.pages) {
          if (as) await page.context().addCookies([{ name: 'session', value: garden.sessions[as], url }]);
          await page.goto(url + path);
          // The pseudo language has longer words than any other.
          const layout = await layoutOf(page, { brokenWords: tag !== leftwardTag });
          assert.deepEqual([layout.language, layout.direction], [tag, directionOf(tag)], path);
          faults.push(...layout.faults.map((fault) => `${name}: ${fault}`));
          if (as) await page.context().clearCookies();
        }
        await page.close();
        assert.deepEqual(faults, []);
      });
    }
  }
});

test('what stands in a sentence from right to left keeps its own direction', () => {
  const said = (tag: string) =>
    withViewer({ language: languageOf([tag]) ?? english }, () => [
      words('timer.instead', { title: 'A+B (easy)' }),
      String(richWords('timer.instead', { title: 'A+B (easy)' })),
      String(spriteFor(icon('right'))),
    ]);
  for (const text of said(leftwardTag)) assert.match(text, /\u2068A\+B \(easy\)\u2069|matrix\(-1 0 0 1 16 0\)/);
  for (const text of said('en')) assert.doesNotMatch(text, /[\u2068\u2069]|matrix/);
});

const directionOf = (tag: string) => (tag === leftwardTag ? 'rtl' : 'ltr');
