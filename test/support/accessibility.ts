/** What docs/accessibility.md says of every page beside axe: its names, its targets, focus that no bar covers, and stillness. */
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { hasAllLooks, violations, withFewRows } from './looks.ts';

const controls =
  'button checkbox combobox link listbox menuitem radio searchbox slider spinbutton switch tab textbox'.split(' ');
const landmarks = 'banner complementary contentinfo form main navigation region search'.split(' ');

/** Interactive elements without a name, and landmarks of one role that no name tells apart. */
export async function faultsOfNames(session: CDPSession): Promise<string[]> {
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

/** Puts each element where a bar would cover it, focuses it, and looks whether any part of it is on top (2.4.11). */
const coveredFocus = `(() => {
  const faults = [];
  const all = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]');
  for (const one of [...all].slice(0, 150)) {
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
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
})()`;

const motion = `[...document.querySelectorAll('*')].flatMap((one) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(one);
  const seconds = (text) => Math.max(...text.split(',').map(parseFloat));
  const moves = (animationName !== 'none' && seconds(animationDuration) > 0.01) || seconds(transitionDuration) > 0.01;
  return moves ? ['moves: ' + one.outerHTML.slice(0, 150)] : [];
})`;

/** What a bar covers, and at the narrowest width, where they are closest, targets that are too small (2.5.8, as axe measures it). */
export const faultsOfControls = async (page: Page, width: number): Promise<string[]> => [
  ...((await page.evaluate(coveredFocus)) as string[]),
  ...(width === 320 || hasAllLooks ? await withFewRows(page, 2, () => violations(page, ['target-size'])) : []),
];

export const faultsOfMotion = (page: Page): Promise<string[]> => page.evaluate(motion) as Promise<string[]>;
