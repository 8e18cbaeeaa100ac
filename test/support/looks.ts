/** How pages look to a browser: what axe finds in them, and whether they scroll sideways. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For `addInitScript` where many pages are checked: Chromium compiles it once then, and runs it where it is asked for. */
export const axeInitScript = `globalThis.bringAxe = () => {${axeSource}}`;

/** With `runOnly` only these rules are checked, of which axe leaves some out otherwise. `within` is an expression. */
export async function violations(page: Page, options: AxeOptions = {}, within = 'document'): Promise<string[]> {
  // By the protocol, because the page's policy refuses a script element.
  if (!(await page.evaluate("globalThis.axe || globalThis.bringAxe?.(), 'axe' in globalThis")))
    await page.evaluate(axeSource);
  // What it would load before serves a rule about sound, and one about turned screens that it leaves out.
  const asked = { resultTypes: ['violations'], selectors: false, preload: false, ...options };
  const { passes, faults } = (await page.evaluate(`(async () => {
    const found = await axe.run(${within}, ${JSON.stringify(asked)});
    const faults = found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
    return { passes: found.passes.length, faults };
  })()`)) as { passes: number; faults: string[] };
  assert.ok(options.runOnly || within !== 'document' || passes > 5, 'axe looked at something');
  return faults;
}

type AxeOptions = Pick<RunOptions, 'runOnly' | 'rules'>;

export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  ) as Promise<number>;
}

const widest = `(() => {
    const scrolls = (element) => element !== document.documentElement && element !== document.body && (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || (element.parentElement && scrolls(element.parentElement)));
    const room = document.documentElement.clientWidth;
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return (right > room + 1 || left < -1) && width > 0 && element.checkVisibility() && !element.matches('.skip') && !scrolls(element);
      })
      .map((element) => element.outerHTML.slice(0, 120)).slice(-3).join(' | ');
  })()`;

/** `npm test looks` checks every page in all widths and themes, `npm test` one page of each kind at one width. */
export const hasAllLooks = process.env['GARDEN_LOOKS'] === 'all';

/** What a test looks at beside what axe finds. Without `news` it looks at everything. */
export interface MoreLooks {
  ofPage: Looks;
  /** While `withFewRows` has taken others out. */
  ofRows: Looks;
}

export interface Looks {
  /** As `survey` takes them. */
  pairs(width: number): Readonly<Record<string, string>>;
  faults(page: Page, width: number, news?: ReadonlySet<string>): Promise<string[]>;
}

export async function faultsOfLook(page: Page, more?: MoreLooks): Promise<string[]> {
  await page.waitForLoadState();
  return hasAllLooks ? faultsInAllShapes(page, more) : faultsInTwoWidths(page, more);
}

async function faultsInAllShapes(page: Page, more?: MoreLooks): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [768, 'light'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await setWidth(page, width);
    for (const fault of [
      ...(await survey(page, {})).sideways,
      ...((await more?.ofPage.faults(page, width)) ?? []),
      ...((await withFewRows(page, 2, async () => more?.ofRows.faults(page, width))) ?? []),
      ...(await violations(page)),
    ])
      faults.push(`${width} ${colorScheme}: ${fault}`);
  }
  return faults;
}

/** The present width comes first, because each change lays the page out again. */
async function faultsInTwoWidths(page: Page, more?: MoreLooks): Promise<string[]> {
  const faults: string[] = [];
  for (const width of page.viewportSize()?.width === 320 ? [320, 1440] : [1440, 320]) {
    await setWidth(page, width);
    const isWide = width === 1440;
    const ofRows = { ...(isWide && { outline, marks, colours: coloursOfTexts }), ...more?.ofRows.pairs(width) };
    const { sideways, news } = await survey(page, { ...ofRows, ...more?.ofPage.pairs(width) });
    faults.push(...sideways, ...((await more?.ofPage.faults(page, width, news)) ?? []));
    const looks = async () => [
      ...((await more?.ofRows.faults(page, width, news)) ?? []),
      ...(isWide ? await faultsByAxe(page, news) : []),
    ];
    // Small targets are told by their distance from others.
    if (Object.keys(ofRows).some((what) => news.has(what)))
      faults.push(...(await withFewRows(page, isWide ? 1 : 2, looks)));
  }
  return faults;
}

async function setWidth(page: Page, width: number): Promise<void> {
  const present = page.viewportSize();
  if (present?.width !== width || present.height !== 640) await page.setViewportSize({ width, height: 640 });
}

/** All of a page whose outline is new, and otherwise what is new in it. Contrast takes long, and is of colours that have not met. */
async function faultsByAxe(page: Page, news: ReadonlySet<string>): Promise<string[]> {
  const colours = ['color-contrast', 'link-in-text-block'];
  const rules = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]));
  const faults: string[] = [];
  if (news.has('outline')) faults.push(...(await violations(page, { rules })));
  else if (news.has('marks')) faults.push(...(await violations(page, { rules }, 'newOnes.marks')));
  if (news.has('colours')) faults.push(...(await violations(page, { runOnly: colours }, 'newOnes.colours')));
  return faults;
}

/** Which heading comes after which, and how many landmarks have one name. */
export const outline = `(() => {
  const nameOf = (one) => one.ariaLabel ?? document.getElementById(one.getAttribute('aria-labelledby'))?.textContent ?? '';
  const marks = shown.filter((one) => one.matches('main, nav, aside, header:not(main *), footer:not(main *), search, form, section, [role=region], [role=search]'))
    .filter((one) => nameOf(one) !== '' || !one.matches('form, section'));
  const alike = Object.values(Object.groupBy(marks, (one) => one.localName + ' ' + nameOf(one)));
  const headings = shown.filter((one) => /^h[1-6]$/.test(one.localName));
  return [
    ...headings.map((one, nth) => [headings[nth - 1]?.localName + ' ' + one.localName, one]),
    ...alike.map((some) => [some.length + ' ' + kindOf(some[0]), some[0]]),
  ];
})()`;

/** An element without its content and style: its name, role, type, state, and what names it for assistive technology. */
const markOf = `(one) =>
    [one.localName, ...[...one.attributes].filter(({ name }) => /^(?:role|type|aria-.*|alt|title|lang|tabindex)$/.test(name))
      .map(({ name, value }) => /^(?:role|type|aria-(?!label|describedby|controls|owns).*)$/.test(name) ? name + '=' + value : name)].join(' ')`;

/** The kind of an element: its mark and its classes, except of a box. */
const kindOf = `(one) =>
    (${markOf})(one) + (/^(?:body|main|section|div|ol|ul|svg|g)$/.test(one.localName) ? '' : ' .' + one.getAttribute('class'))`;

/** What may be in what is a question of lists, tables and what can be pressed; what scrolls must be reached by keys. */
const marks = `[...document.head.children, ...shown].map((one) => {
  const [mark, around] = [(${markOf})(one) + namedBy(one), one.parentElement];
  const scrolls = /auto|scroll/.test(getComputedStyle(one).overflow) ? ' scrolls' : '';
  const isPart = /^(?:li|dt|dd|tr|td|th)$/.test(one.localName) || /^(?:ul|ol|dl|table|tbody|tr|a|button|summary)$/.test(around?.localName);
  return isPart ? [mark + scrolls + ' in ' + around.localName, around] : [mark + scrolls, one];
})`;

/** Which kinds of text name a control, apart from its attributes: its own, a label, a value, or that of a picture. */
const namedBy = `(one) => {
  if (!one.matches('a[href], button, input, select, textarea, summary')) return '';
  const isRead = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && isShown(part) && !part.closest('[aria-hidden=true]');
  const reads = (whole) => [whole, ...whole.querySelectorAll('*')].some(isRead);
  const value = one.placeholder || (one.matches('input:is([type=submit], [type=button], [type=reset])') && one.value);
  return ' ' + [reads(one), [...(one.labels ?? [])].some(reads), !!value, !!one.querySelector('[alt]:not([alt=""]), [aria-label]')];
}`;

const coloursOfTexts = `(() => {
  const known = new Map([[null, '']]);
  const behind = (one) => {
    if (known.has(one)) return known.get(one);
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(one);
    const rest = [backgroundImage, opacity, /absolute|fixed/.test(position) && kindOf(one)].join(' ');
    const [isPlain, isClear] = [rest === 'none 1 false', backgroundColor === 'rgba(0, 0, 0, 0)'];
    const isOpaque = isPlain && backgroundColor.startsWith('rgb(');
    known.set(one, (isOpaque ? '' : behind(one.parentElement)) + (isPlain && isClear ? '' : backgroundColor + rest));
    return known.get(one);
  };
  const hasText = (one) => /^(?:input|select|textarea)$/.test(one.localName) || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  return shown.filter((one) => hasText(one) && !one.closest('.sr')).map((one) => {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(one);
    const link = one.localName === 'a' ? [textDecorationLine, getComputedStyle(one.parentElement).color] : [];
    // Large text may have less contrast (WCAG 1.4.3).
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    return [[color, isLarge, behind(one), ...link].join(), one];
  });
})()`;

const seen = new Map<string, Set<string>>();

/**
 * By how much the page scrolls sideways, and in which of the asked it has a kind that this process has not met; these elements
 * are in the page as `newOnes`. Each is an expression of pairs of a kind and an element.
 */
async function survey(page: Page, asked: Readonly<Record<string, string>>): Promise<Survey> {
  const pairs = Object.entries(asked).map(([what, pairs]) => `${JSON.stringify(what)}: ${pairs}`);
  const { width, sideways, kinds } = (await page.evaluate(`(() => {
    const known = new Map();
    const nameKind = ${kindOf};
    const kindOf = (one) => known.get(one) ?? known.set(one, nameKind(one)).get(one);
    const namedBy = ${namedBy};
    const isShown = (one) => one.checkVisibility({ visibilityProperty: true });
    const elements = [...document.querySelectorAll('*')];
    // What is hidden is checked where a page shows it, because axe leaves it out.
    const shown = elements.filter(isShown);
    globalThis.pairsOf = { ${pairs.join()} };
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      width: clientWidth,
      sideways: scrollWidth > clientWidth ? scrollWidth - clientWidth + ' px: ' + ${widest} : '',
      kinds: Object.entries(pairsOf).map(([what, pairs]) => [what, [...new Set(pairs.map(([kind]) => kind))]]),
    };
  })()`)) as { width: number; sideways: string; kinds: [what: string, kinds: string[]][] };
  const news = kinds.map(([what, found]): [string, string[]] => {
    const known = seen.get(what) ?? new Set();
    seen.set(what, known);
    return [what, found.filter((kind) => known.size < known.add(kind).size)];
  });
  const some = news.filter(([, fresh]) => fresh.length > 0);
  if (some.length > 0)
    await page.evaluate(`globalThis.newOnes = Object.fromEntries(${JSON.stringify(some)}.map(([what, kinds]) => {
      const firsts = new Map(pairsOf[what].toReversed());
      return [what, kinds.map((kind) => firsts.get(kind))];
    }))`);
  return {
    sideways: sideways === '' ? [] : [`scrolls sideways at ${width} by ${sideways}`],
    news: new Set(some.map(([what]) => what)),
  };
}

interface Survey {
  sideways: string[];
  news: ReadonlySet<string>;
}

/** Does the work without list items of the same kind as so many earlier ones, except `newOnes`, because axe takes long for long lists. */
export async function withFewRows<T>(page: Page, ofKind: number, work: () => Promise<T>): Promise<T> {
  await page.evaluate(`(() => {
    const kindOf = ${kindOf};
    globalThis.takenOut = [];
    const kept = new Set([document.activeElement, ...Object.values(globalThis.newOnes ?? {}).flat()]);
    for (const one of kept) if (one?.parentElement) kept.add(one.parentElement);
    for (const list of document.querySelectorAll('main :is(tbody, ol, ul, dl, div, svg, g)')) {
      const seen = new Map();
      for (const one of list.childElementCount > 5 ? [...list.children] : []) {
        const kinds = new Set([one, ...one.querySelectorAll('*')].map(kindOf));
        if ([...kinds].every((kind) => (seen.get(kind) ?? 0) >= ${ofKind}) && !kept.has(one)) {
          takenOut.push([list, one, one.nextSibling]);
          one.remove();
        }
        for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }
  })()`);
  const done = await work();
  await page.evaluate('for (const [list, one, next] of takenOut.reverse()) list.insertBefore(one, next)');
  return done;
}

/** Functions for the browser. */
const helpers = `
  const name = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 140);
  const known = new Map([[null, false]]);
  const isClipped = (element) => {
    if (!known.has(element)) known.set(element, getComputedStyle(element).clipPath === 'inset(50%)' || isClipped(element.parentElement));
    return known.get(element);
  };
  const isUnseen = (element) => element.closest('.sr, [hidden], .sprite') || !element.checkVisibility({ visibilityProperty: true }) || isClipped(element);
  const range = document.createRange();
  const textsOf = (not, root = document.body) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (node.data.trim() !== '' && !node.parentElement.closest('svg, script, option, textarea, noscript' + not) && !isUnseen(node.parentElement)) nodes.push(node);
    return nodes;
  };`;

/** Texts that are cut without a title, that stick out of their box, or that a field has no room for. */
const cutTexts = `(() => {
    const faults = [];
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    for (const element of document.querySelectorAll('body *')) {
      const style = getComputedStyle(element);
      if (element instanceof SVGElement || element.clientWidth <= 1 || isUnseen(element)) continue;
      const isCut = (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 1);
      const hasSign = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      const title = element.closest('[title]')?.title ?? '';
      const around = element.getBoundingClientRect();
      const hidden = !isCut ? [] : textsOf('', element).filter((node) => {
        range.selectNodeContents(node);
        const { left, right, bottom } = range.getBoundingClientRect();
        return left < around.left - 1 || right > around.right + 1 || bottom > around.bottom + 1;
      });
      const isTold = hasSign && hidden.every((node) => title.includes(node.data.trim()));
      if (hidden.length > 0 && style.maskImage === 'none' && !isTold) faults.push('cut: ' + name(element));
    }
    const boxOf = (node) => {
      let box = node.parentElement;
      while (/^inline$|contents/.test(getComputedStyle(box).display)) box = box.parentElement;
      return box;
    };
    const scrollsOrCuts = (element) => element !== document.body && (getComputedStyle(element).overflowX !== 'visible' ||
      element.clientWidth === 1 || scrollsOrCuts(element.parentElement));
    for (const node of textsOf('')) {
      const box = boxOf(node);
      range.selectNodeContents(node);
      const [text, around] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
      if (text.width === 0 || around.width <= 1) continue;
      const isOut = text.left < around.left - 1.5 || text.right > around.right + 1.5;
      if (isOut && !scrollsOrCuts(box)) faults.push('out of its box: ' + name(box));
    }
    const pen = document.createElement('canvas').getContext('2d');
    for (const field of document.querySelectorAll('select:not([multiple]), input, textarea')) {
      if (isUnseen(field) || /^(?:checkbox|radio|file|hidden)$/.test(field.type)) continue;
      const style = getComputedStyle(field);
      if (field.localName === 'select' || /^(?:date|time|month|week)/.test(field.type)) {
        // A copy that is as wide as it likes, with the chosen option alone.
        const copy = field.cloneNode(field.localName !== 'select');
        if (field.selectedIndex >= 0) copy.append(field.selectedOptions[0].cloneNode(true));
        copy.style = 'position: absolute; width: max-content; min-width: 0; max-width: none';
        field.after(copy);
        const missing = copy.getBoundingClientRect().width - field.getBoundingClientRect().width;
        copy.remove();
        if (missing > 1) faults.push('no room for what it shows: ' + name(field));
      }
      const text = field.placeholder || (/^(?:submit|button|reset|number)$/.test(field.type) ? field.value : '');
      pen.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (text && field.localName !== 'textarea' && pen.measureText(text).width > room + 1) faults.push('no room for ' + text + ': ' + name(field));
    }
    return [...new Set(faults)];
  })()`;

const textsOutsidePictures = `(() => {
    const faults = [];
    for (const picture of document.querySelectorAll('main svg')) {
      if (isUnseen(picture)) continue;
      const around = picture.getBoundingClientRect();
      const boxes = [...picture.querySelectorAll('rect')].map((box) => box.getBoundingClientRect());
      for (const text of picture.querySelectorAll('text')) {
        const own = text.getBoundingClientRect();
        if (own.width === 0 || !text.checkVisibility()) continue;
        const slack = getComputedStyle(picture).overflowX === 'visible' ? 8 : 1;
        const isIn = (box, slack) => own.left > box.left - slack && own.right < box.right + slack;
        const isTall = own.top < around.top - 3 || own.bottom > around.bottom + 3;
        if (!isIn(around, slack) || isTall) faults.push('out of its picture: ' + name(text));
        const [x, y] = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
        const drawnIn = boxes.filter((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
        if (!drawnIn.every((box) => isIn(box, 0.5))) faults.push('out of the box that it is drawn in: ' + name(text));
      }
    }
    return [...new Set(faults)];
  })()`;

/** Words, numbers and short dates that break. Long words, addresses and code may. */
const brokenWordsIn = `(() => {
    const faults = [];
    const hasTwoLines = () => {
      const tops = [...range.getClientRects()].map(({ top }) => top);
      return Math.max(...tops) - Math.min(...tops) > 5;
    };
    for (const node of textsOf(', code, pre')) {
      for (const { index, 0: text } of node.data.matchAll(/\\S+/g)) {
        const word = /^\\P{L}*(\\p{L}{2,14})\\P{L}*$/u.exec(text)?.[1] ?? /^\\d[\\d,.]{1,8}$/.exec(text)?.[0];
        if (word === undefined || /[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]/u.test(word)) continue;
        const from = index + text.indexOf(word);
        range.setStart(node, from);
        range.setEnd(node, from + word.length);
        if (hasTwoLines()) faults.push('breaks ' + word + ': ' + name(node.parentElement));
      }
    }
    for (const time of document.querySelectorAll('time')) {
      range.selectNodeContents(time);
      if (time.textContent.length <= 14 && !isUnseen(time) && hasTwoLines()) faults.push('breaks a date: ' + name(time.parentElement));
    }
    return [...new Set(faults)];
  })()`;

/** Of those that are the same but for numbers, and in the same column, one. */
const partsOutside = `(() => {
    const closed = [...document.querySelectorAll('details:not([open])')];
    const alike = Map.groupBy(closed, (details) => Math.round(details.getBoundingClientRect().left) + details.outerHTML.replace(/\\d+/g, ''));
    return [...alike.values()].flatMap(([details]) => {
      details.open = true;
      const outside = [...details.querySelectorAll(':scope > :not(summary)')].filter((part) => {
        const { left, right, width } = part.getBoundingClientRect();
        return width > 0 && part.checkVisibility() && (right > document.documentElement.clientWidth + 1 || left < -1);
      });
      details.open = false;
      return outside.map((part) => 'opens outside the page: ' + part.parentElement.outerHTML.replace(/\\s+/g, ' ').slice(0, 140));
    });
  })()`;

export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => { ${helpers} return ${brokenWordsIn}; })()`) as Promise<string[]>;

/** The language and the direction of a page, and what does not keep its place in it; asked in one go, because there are many. */
export async function layoutOf(page: Page, asks: { brokenWords: boolean }): Promise<Layout> {
  return (await page.evaluate(`(() => {
    ${helpers}
    const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const sticksOut = ${widest};
    return {
      language: document.documentElement.lang,
      direction: getComputedStyle(document.body).direction,
      faults: [
        ...(sideways > 0 || sticksOut !== '' ? ['scrolls sideways by ' + sideways + ' px: ' + sticksOut] : []),
        ...${cutTexts},
        ...${textsOutsidePictures},
        ...(${asks.brokenWords} ? ${brokenWordsIn} : []),
        ...${partsOutside},
      ],
    };
  })()`)) as Layout;
}

interface Layout {
  language: string;
  direction: string;
  faults: string[];
}
