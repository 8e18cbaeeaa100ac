/**
 * Keeps an open page up to date: asks whether anything that it shows has changed, and exchanges the parts that did.
 * Nothing moves under a pointer, and nothing that is typed or has the focus is exchanged: that waits for the next time.
 * It comes after `site.js`, which has `all` and `one`.
 */
const page = document.body.dataset;
const state = { tag: page.tag, after: '', wait: Number(page.wait), failures: 0 };
const longestWait = 300;

/** Undefined if it cannot be loaded. A response document runs no scripts. */
const load = (address) =>
  new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = 60_000;
    request.onloadend = () => done(request.status === 200 ? (request.response ?? undefined) : undefined);
    request.send();
  });

let isAsking = false;
async function poll() {
  if (isAsking) return;
  isAsking = true;
  const seconds = await ask();
  isAsking = false;
  if (seconds) pollLater(seconds);
}

/** Answers the seconds until the next time; undefined if the session has ended, whose page of a sign-in is no news. */
async function ask() {
  const news = await load(`${page.follow}&tag=${state.tag}&after=${state.after}`);
  const { tag, after, wait } = news?.body.dataset ?? {};
  if (tag === undefined) return news ? undefined : retry();
  Object.assign(state, { after, wait: Number(wait) });
  const next = tag === state.tag ? document : await load(location.href);
  announce(news);
  if (!next) return retry();
  state.failures = 0;
  if (next !== document && isSameVersion(next) && exchange(next)) state.tag = next.body.dataset.tag;
  return state.wait;
}

function retry() {
  state.failures++;
  return Math.min(longestWait, state.wait * 2 ** state.failures);
}

/** The styles and scripts of this page do not fit a page of another version, which has to be loaded. */
function isSameVersion(next) {
  const { tag } = next.body.dataset;
  const assetsOf = (page) => String(all('script, [rel="stylesheet"]', page).map((one) => one.src ?? one.href));
  const isSame = assetsOf(document) === assetsOf(next);
  const isIdle = document.activeElement === document.body && !all(fieldSelector).some(isChanged);
  if (tag && !isSame && isIdle) location.reload();
  return tag && isSame;
}

let timer = 0;
function pollLater(seconds) {
  clearTimeout(timer);
  timer = setTimeout(() => document.hidden || poll(), seconds * 1000);
}
document.addEventListener('visibilitychange', () => document.hidden || pollLater(0));

/** Whether the page now shows all of `next`. */
function exchange(next) {
  const [main, nextMain] = [one('main'), one('main', next)];
  prepare(main, nextMain);
  const changes = [];
  compare(main, nextMain, changes);
  const free = changes.filter(({ old }) => !old || !isInUse(old));
  addIcons(next);
  const anchor = all(':hover').at(-1) ?? document.activeElement;
  const { left, top } = anchor.getBoundingClientRect();
  const moved = (at = anchor.getBoundingClientRect()) => [at.left - left, at.top - top];
  const { scrollX, scrollY } = window;
  for (const { apply } of free) apply();
  scrollBy(0, moved()[1]);
  if (anchor === document.body || moved().every((by) => Math.abs(by) < 1)) return free.length === changes.length;
  for (const { undo } of free) undo();
  scrollTo(scrollX, scrollY);
  return false;
}

/** What differs without being news: tokens of forms, and what somebody folded out. */
function prepare(main, next) {
  const token = one('[name="_csrf"]', main)?.value;
  if (token) for (const field of all('[name="_csrf"]', next)) field.setAttribute('value', token);
  const [folds, nextFolds] = [all('details', main), all('details', next)];
  if (folds.length === nextFolds.length) for (const [at, { open }] of folds.entries()) nextFolds[at].open = open;
}

function compare(old, next, changes) {
  if (old.isEqualNode(next)) return;
  const [children, nextChildren] = [[...old.childNodes], [...next.childNodes]];
  const isAlike = old.nodeName === next.nodeName && children.length === nextChildren.length && children.length > 0;
  if (!isAlike) {
    const now = document.importNode(next, true);
    changes.push({ old, apply: () => old.replaceWith(now), undo: () => now.replaceWith(old) });
    return;
  }
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const [before, after] = [old.getAttribute(name), next.getAttribute(name)];
    const write = (text) => (text === null ? old.removeAttribute(name) : old.setAttribute(name, text));
    // What somebody folded out stays so.
    if (before !== after && name !== 'open') changes.push({ apply: () => write(after), undo: () => write(before) });
  }
  for (const [at, child] of children.entries()) compare(child, nextChildren[at], changes);
}

const fieldSelector = 'input, select, textarea';
function isChanged({ type, value, defaultValue, checked, defaultChecked, options, selectedIndex }) {
  if (type === 'checkbox' || type === 'radio') return checked !== defaultChecked;
  if (!options) return defaultValue !== undefined && value !== defaultValue;
  const first = [...options].findLastIndex(({ defaultSelected }) => defaultSelected);
  return selectedIndex !== Math.max(0, first);
}

function isInUse(node) {
  const selection = getSelection();
  if (!selection.isCollapsed && selection.containsNode(node, true)) return true;
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  const within = (selector) => [...(node.matches(selector) ? [node] : []), ...all(selector, node)];
  return (
    node.matches(':hover, :focus-within') || within('.menu[open]').length > 0 || within(fieldSelector).some(isChanged)
  );
}

function addIcons(next) {
  const sprite = one('.sprite');
  for (const symbol of all('.sprite symbol', next))
    if (sprite && !document.getElementById(symbol.id)) sprite.append(document.importNode(symbol, true));
}

/** Screen readers read out what comes into a status, not what it came with. */
function announce(news) {
  const bar = one('.undo', news);
  if (!bar) return;
  const old = one('.undo');
  if (old?.matches(':hover, :focus-within')) return setTimeout(announce, 2000, news);
  addIcons(news);
  const shown = document.importNode(bar, true);
  const text = one('p', shown);
  const parts = [...text.childNodes];
  text.replaceChildren();
  old?.remove();
  one('main').after(shown);
  setTimeout(() => text.replaceChildren(...parts), 300);
}

poll();
