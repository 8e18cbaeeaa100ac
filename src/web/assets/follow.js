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
    request.onloadend = () => done(request.status === 200 ? (request.response ?? undefined) : undefined);
    request.send();
  });

async function poll() {
  const news = await load(`${page.follow}&tag=${state.tag}&after=${state.after}`);
  const { tag, after, wait } = news?.body.dataset ?? {};
  if (tag === undefined) return retry(news !== undefined);
  Object.assign(state, { after, wait: Number(wait), failures: 0 });
  if (tag !== state.tag) {
    const next = await load(location.href);
    if (next?.body.dataset.tag !== undefined && exchange(next)) state.tag = next.body.dataset.tag;
  }
  announce(news);
  pollLater(state.wait);
}

/** The page of a sign-in is no news: the session has ended. */
function retry(hasEnded) {
  if (hasEnded) return;
  state.failures++;
  pollLater(Math.min(longestWait, state.wait * 2 ** state.failures));
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
  const free = changes.filter(({ old }) => !isInUse(old));
  addIcons(next);
  const anchor = all(':focus, :hover').at(-1);
  const top = anchor?.getBoundingClientRect().top;
  const moved = () => (anchor ? anchor.getBoundingClientRect().top - top : 0);
  for (const { old, now } of free) old.replaceWith(now);
  scrollBy(0, moved());
  if (Math.abs(moved()) < 1) return free.length === changes.length;
  for (const { old, now } of free) now.replaceWith(old);
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
  if (!isAlike) return changes.push({ old, now: document.importNode(next, true) });
  for (const name of old.getAttributeNames()) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const name of next.getAttributeNames()) old.setAttribute(name, next.getAttribute(name));
  for (const [at, child] of children.entries()) compare(child, nextChildren[at], changes);
}

function isInUse(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  const isTyped = ({ value, defaultValue, checked, defaultChecked }) =>
    (defaultValue !== undefined && value !== defaultValue) || checked !== defaultChecked;
  const selection = getSelection();
  return (
    node.matches(':hover, :focus-within') ||
    all('input, textarea', node).some(isTyped) ||
    (!selection.isCollapsed && selection.containsNode(node, true))
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
