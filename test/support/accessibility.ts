/** What docs/accessibility.md says of every page beside axe: its names, its targets, focus that no bar covers, and stillness. */
import assert from 'node:assert/strict';
import type { CDPSession } from 'playwright-core';
import { type Looks, type MoreLooks, outline, violations } from './looks.ts';

const controls =
  'button checkbox combobox link listbox menuitem radio searchbox slider spinbutton switch tab textbox'.split(' ');
const landmarks = 'banner complementary contentinfo form main navigation region search'.split(' ');

/** Interactive elements without a name, and landmarks of one role that no name tells apart. */
async function faultsInTree(session: CDPSession): Promise<string[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const shown = nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '').trim() }));
  assert.ok(
    shown.some(({ role }) => role === 'link'),
    'the tree has links',
  );
  const unnamed = shown.filter(({ role, name }) => name === '' && (controls.includes(role) || /Disclosure/.test(role)));
  // A form or region without a name is no landmark (WAI-ARIA 1.2).
  const isLandmark = (role: string, name: string) =>
    landmarks.includes(role) && (name !== '' || !['form', 'region'].includes(role));
  const groups = Map.groupBy(
    shown.filter(({ role, name }) => isLandmark(role, name)),
    ({ role, name }) => `${role} "${name}"`,
  );
  return [
    ...unnamed.map(({ role }) => `a ${role} has no name`),
    ...[...groups].filter(([, some]) => some.length > 1).map(([one, some]) => `${some.length} landmarks are ${one}`),
    ...(shown.filter(({ role }) => role === 'main').length === 1 ? [] : ['not one main']),
  ];
}

const controlsOfPage = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))`;

const namesOfControls = `${controlsOfPage}.map((one) => [kindOf(one) + namedBy(one), one])`;

/** Which bars it can come under is a matter of the table, form or region in which it is. */
const besideBars = `(() => {
  const bars = elements.filter((one) => /sticky|fixed/.test(getComputedStyle(one).position)).map((one) => one.localName + '.' + one.className);
  const around = (one) => kindOf(one.closest('table, form, nav, header, footer, aside, dialog, [popover], body'));
  return ${controlsOfPage}.map((one) => [[kindOf(one), around(one), ...new Set(bars)].join(), one]);
})()`;

/** Targets that are small beside another one, or that one covers. */
const closeTargets = `(() => {
  const all = ${controlsOfPage}.map((one) => ({ one, box: one.getBoundingClientRect() }));
  const apart = (one, other) => Math.max(one.left - other.right, other.left - one.right, one.top - other.bottom, other.top - one.bottom);
  return all.flatMap(({ one, box }) => {
    const nearest = box.width < 24 || box.height < 24 ? 24 : 0;
    const near = all.filter((other) => other.one !== one && apart(box, other.box) < nearest);
    return near.map((other) => [[kindOf(one), one.parentElement.className, kindOf(other.one)].join(), one]);
  });
})()`;

/** Puts each element where a bar would cover it, focuses it, and looks whether any part of it is on top (2.4.11). */
const coveredFocus = (chosen: string) => `((chosen) => {
  const faults = [];
  for (const one of chosen) {
    for (const edge of ['start', 'end']) {
      one.blur();
      scrollBy(0, edge === 'start' ? one.getBoundingClientRect().top : one.getBoundingClientRect().bottom - innerHeight);
      one.focus();
      const box = one.getBoundingClientRect();
      if (document.activeElement !== one || box.width < 2) continue;
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      const points = [0.05, 0.5, 0.95].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, top + (bottom - top) * y]));
      const isOnTop = ([x, y]) => {
        const found = document.elementFromPoint(x, y);
        return found && (one.contains(found) || found.contains(one) || [...(one.labels ?? [])].some((label) => label.contains(found)));
      };
      if (!points.some(isOnTop)) faults.push('focus is covered at the ' + edge + ': ' + one.outerHTML.slice(0, 150));
    }
  }
  return faults;
})(${chosen})`;

/** What moves is a matter of the element and of what it is in. */
const kindsOfMotion = `elements.map((one) => [[one, one.parentElement].map((one) => one?.localName + '.' + one?.getAttribute('class')).join(), one])`;

const motion = (chosen: string) => `${chosen}.flatMap((one) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(one);
  const seconds = (text) => Math.max(...text.split(',').map(parseFloat));
  const moves = (animationName !== 'none' && seconds(animationDuration) > 0.01) || seconds(transitionDuration) > 0.01;
  return moves ? ['moves: ' + one.outerHTML.slice(0, 150)] : [];
})`;

const chosen = (what: string, news: ReadonlySet<string> | undefined, all: string) =>
  news === undefined ? all : `(newOnes[${JSON.stringify(what)}] ?? [])`;

const ofPage: Looks = {
  pairs: (width) => ({ [`bars ${width}`]: besideBars, ...(width === 1440 && { motion: kindsOfMotion }) }),
  async faults(page, width, news) {
    const bars = `bars ${width}`;
    const asked = [
      ...(news?.has(bars) === false ? [] : [coveredFocus(chosen(bars, news, `${controlsOfPage}.slice(0, 150)`))]),
      ...(news?.has('motion') === false ? [] : [motion(chosen('motion', news, '[...document.querySelectorAll("*")]'))]),
    ];
    return asked.length > 0 ? ((await page.evaluate(`[${asked.join()}].flat()`)) as string[]) : [];
  },
};

/** Names, and at the narrowest width, where they are closest, targets that are too small (2.5.8, as axe measures it). */
export const accessibilityLooks = (session: CDPSession): MoreLooks => ({
  ofPage,
  ofRows: {
    pairs: (width) => (width === 320 ? { targets: closeTargets } : { landmarks: outline, names: namesOfControls }),
    async faults(page, _width, news) {
      const has = (...asked: string[]) => news === undefined || asked.some((what) => news.has(what));
      const rule = { runOnly: ['target-size'] };
      return [
        ...(has('names', 'landmarks') ? await faultsInTree(session) : []),
        ...(has('targets') ? await violations(page, rule, chosen('targets', news, 'document')) : []),
      ];
    },
  },
});
