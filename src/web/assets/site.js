/**
 * Saves page loads and reaching for the mouse on pages that work without it: filters that send themselves, keys,
 * ticking all rows, and a list that stays where it was after a change. It presses what stands on the page and adds
 * nothing to it.
 */
const root = document.documentElement;
root.dataset.script = '';

/* The worker is the only script that a page loads by its address. */
const worker = new URL('../../service-worker.js', document.currentScript.src).href;
const policy = globalThis.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => worker });
navigator.serviceWorker?.register(policy?.createScriptURL('') ?? worker, { updateViaCache: 'none' }).catch(() => {});

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (selector, within = document) => within.querySelector(selector);

/*
 * A browser keeps whole pages for Back. After somebody signed out, they are asked for again: the next person may press
 * it.
 */
const leaveName = 'garden-signed-out';
const leftBefore = localStorage.getItem(leaveName);
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || localStorage.getItem(leaveName) === leftBefore) return;
  root.hidden = true;
  location.reload();
});

/** The rows of a list, and the cells of the contest grid. */
const rowSelector = 'tr[data-problem], .cell[data-problem]';

/* A list comes back where it was after one of its forms was sent. */
const placeName = 'garden-place';
const place = JSON.parse(sessionStorage.getItem(placeName) ?? 'null');
sessionStorage.removeItem(placeName);
if (place?.path === location.pathname) {
  // Without this the browser would go to the row in the address, and take the focus away, once all has loaded.
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  scrollTo(0, place.top);
  const row = rowAfter(place);
  if (row?.matches('.cell')) {
    const rest = row.closest('details');
    if (rest) rest.open = true;
    one('.status-mark', row)?.focus({ preventScroll: true });
  } else if (row) focusRow(row);
}
/** A row that a mark takes out of a filtered list leaves the focus to the next one; undoing gives it back. */
function rowAfter({ row, before, isUndo }) {
  const back = isUndo && rows().find(({ id }) => !before.includes(id));
  const at = before.indexOf(row);
  const ids = at < 0 ? [row] : [...before.slice(at), ...before.slice(0, at).reverse()];
  return back || ids.map((id) => id && document.getElementById(id)).find(Boolean);
}
document.addEventListener('submit', ({ target, submitter }) => {
  if (target.method !== 'post') return;
  if (/\/(?:sign-out|delete)\/$/.test(target.getAttribute('action')))
    localStorage.setItem(leaveName, String(Date.now()));
  const within = [target, submitter, document.activeElement];
  const row = within.map((element) => element?.closest('tr[id], .cell[id]')).find(Boolean);
  const before = rows().map(({ id }) => id);
  const isUndo = target.matches('.undo *');
  const kept = { path: location.pathname, top: scrollY, row: row?.id, before, isUndo };
  sessionStorage.setItem(placeName, JSON.stringify(kept));
});

/*
 * What somebody typed comes back if the session ended before it was sent, here or at a proxy, whose redirect our policy
 * stops. It stays in this tab for an hour, for the same member alone.
 */
const unsentName = 'garden-unsent';
const { visitor, unsent: unsentText } = document.body.dataset;
const here = location.pathname + location.search;
const unsent = JSON.parse(sessionStorage.getItem(unsentName) ?? 'null');
if (unsent) {
  // An answer of this garden comes from the page of the form; the pages of a sign-in come between otherwise.
  const isSaved = document.referrer === location.origin + unsent.here && !unsent.isStopped;
  const isLost = unsent.visitor === visitor && !isSaved && Date.now() < unsent.until;
  if (!isLost || unsent.here === here) sessionStorage.removeItem(unsentName);
  if (isLost && unsent.here === here) giveBack(unsent);
}
function giveBack({ nth, fields }) {
  const form = document.forms[nth];
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.dataset.kind = 'warn';
  notice.role = 'alert';
  notice.textContent = unsentText;
  (form ?? one('main').firstElementChild).before(notice);
  for (const [index, name, value] of fields) {
    const field = form?.elements[index];
    if (field?.name !== name) continue;
    field.value = value;
    field.closest('details')?.setAttribute('open', '');
    field.focus();
  }
}
document.addEventListener('submit', ({ target }) => {
  if (target.method !== 'post' || !visitor) return;
  const isTyped = ({ name, type, value, defaultValue }) =>
    name && !/hidden|password|file|checkbox|radio/.test(type) && value !== (defaultValue ?? value);
  const fields = [...target.elements].flatMap((one, index) => (isTyped(one) ? [[index, one.name, one.value]] : []));
  const nth = [...document.forms].indexOf(target);
  const text = JSON.stringify({ here, visitor, nth, fields, until: Date.now() + 3_600_000 });
  if (text.length < 500_000) sessionStorage.setItem(unsentName, text);
});
document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
  const text = sessionStorage.getItem(unsentName);
  if (effectiveDirective !== 'form-action' || !text) return;
  sessionStorage.setItem(unsentName, JSON.stringify({ ...JSON.parse(text), isStopped: true }));
  location.assign(here);
});

/* Screen readers read out what comes into a status, not what a page was loaded with. */
const said = one('.undo p');
if (said) setTimeout(() => said.replaceChildren(...said.childNodes), 300);

/*
 * Filters and the number of rows send themselves at once; fields that are typed wait for Enter, or until they are left.
 */
document.addEventListener('change', ({ target }) => {
  const form = target.form;
  if (target.matches('[data-pick-all]')) {
    for (const box of all('.rows tbody .pick input')) box.checked = target.checked;
  } else if (target.matches('.rows tbody .pick input')) {
    const boxes = all('.rows tbody .pick input');
    one('[data-pick-all]').checked = boxes.every((box) => box.checked);
  } else if ((form?.matches('.filters, .per') && !target.matches('.toggle')) || target.closest('[data-again]')) {
    // Numbers and dates are typed in pairs, which are sent when both are left.
    const pair = target.matches('[type="number"], [type="date"]') && target.closest('fieldset');
    if (pair) pair.dataset.changed = '';
    else sendFilters(form);
  }
});
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  const pair = target.closest('[data-changed]');
  if (pair && !pair.contains(relatedTarget)) sendFilters(target.form);
});

/** Fields that say nothing stay out of the address. */
function sendFilters(form) {
  if (form.checkValidity()) form.requestSubmit(one('[name="again"]', form));
}
document.addEventListener('formdata', ({ target, formData }) => {
  if (target.method !== 'get') return;
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});

/* The filter that was chosen last has the focus on the next page too, in its menu. */
const filterName = 'garden-filter';
const chosen = JSON.parse(sessionStorage.getItem(filterName) ?? 'null');
sessionStorage.removeItem(filterName);
const again = chosen && all('.filters [name]').find((one) => one.name === chosen.name && one.value === chosen.value);
if (again && chosen.path === location.pathname) {
  const more = one('#more-filters');
  if (more) more.checked = true;
  const menu = again.closest('details');
  if (menu) menu.open = true;
  again.focus({ preventScroll: true });
}
addEventListener('pagehide', () => {
  const { activeElement } = document;
  if (!activeElement?.matches('.filters .menu [name]')) return;
  const { name, value } = activeElement;
  sessionStorage.setItem(filterName, JSON.stringify({ path: location.pathname, name, value }));
});

/* The browser prints what its own menu would, and copies what somebody would select; a page without https may do only that. */
document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]')) print();
  const button = target.closest('[data-copy]');
  if (!button) return;
  getSelection().selectAllChildren(button.previousElementSibling);
  if (document.execCommand('copy')) button.textContent = button.dataset.copy;
});

/* A menu closes by Escape, which gives the focus back, and by a click elsewhere. */
document.addEventListener('click', ({ target }) => {
  for (const menu of all('details.menu[open]')) if (!menu.contains(target)) menu.open = false;
});

function rows() {
  return all(rowSelector).filter((row) => row.checkVisibility());
}

function currentRow() {
  return document.activeElement?.closest(rowSelector);
}

function focusRow(row) {
  const link = one('.c-title a, :scope > a', row);
  link.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

function step(by) {
  const list = rows();
  const at = list.indexOf(currentRow());
  const next = list[at < 0 ? 0 : Math.min(list.length - 1, Math.max(0, at + by))];
  if (next) focusRow(next);
}

/** The row with the focus, or the page of the one problem. */
function subject() {
  return currentRow() ?? one('.p-problem main');
}

function press(selector, within = subject()) {
  const found = within && one(selector, within);
  const leaves = found?.host && found.host !== location.host;
  if (leaves) found.target = '_blank';
  found?.click();
  if (leaves) found.target = '';
  return Boolean(found);
}

function find() {
  const fields = [one('.filters input[type="search"]'), one('.top-search input')];
  const field = fields.find((input) => input?.checkVisibility());
  field?.focus();
  field?.select();
  return field ? true : press('.to-search', document);
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  o: () => press('.c-title a, :scope > a, .page-head .actions a.primary'),
  x: () => press('.pick input'),
  s: () => press('.star'),
  '*': () => press('.star'),
  n: () => writeNote(),
  t: () => press('.c-topics .reveal > summary, .slim .reveal > summary'),
  u: () => press('.undo-main', document),
  '/': find,
  a: () => {
    if (press('.add-menu > summary', document)) one('.add-menu a').focus();
  },
  '?': () => one('#keys')?.togglePopover(),
};
const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'];
for (const [place, state] of states.entries())
  keys[place] = () => press(`.menu-panel [name="status"][value="${state}"]`);

function writeNote() {
  const field = one('#note-text');
  if (field) {
    // It is folded away below a note that is shown.
    field.closest('details')?.setAttribute('open', '');
    field.focus();
  } else press('.menu-panel a[href$="#note-text"]');
}

/* After a key that leads to another page, keys rest for two seconds there: what one types on was meant for a field. */
let keyAt = Number.NEGATIVE_INFINITY;
let restsUntil = Number.POSITIVE_INFINITY;
const leftName = 'garden-left';
addEventListener('beforeunload', () => {
  if (performance.now() > keyAt + 500) return;
  sessionStorage.setItem(leftName, location.pathname);
  restsUntil = performance.now() + 10_000;
});
addEventListener('pageshow', () => {
  const left = sessionStorage.getItem(leftName) ?? location.pathname;
  sessionStorage.removeItem(leftName);
  restsUntil = left === location.pathname ? 0 : performance.now() + 2000;
});

/* Speech input types letters that were meant for nobody (WCAG 2.2, 2.1.4). */
const keysOffName = 'garden-keys-off';
const areKeysOff = () => localStorage.getItem(keysOffName) !== null;
const keySwitch = one('#keys-off');
if (keySwitch) keySwitch.defaultChecked = areKeysOff();
keySwitch?.addEventListener('change', () => {
  // It is saved, so it is nothing that a page which follows has to leave alone.
  keySwitch.defaultChecked = keySwitch.checked;
  if (keySwitch.checked) localStorage.setItem(keysOffName, '1');
  else localStorage.removeItem(keysOffName);
});

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  keyAt = performance.now();
  if (key === 'Escape') {
    const menu = one('details.menu[open]');
    if (!menu) return;
    menu.open = false;
    one('summary', menu).focus();
    return;
  }
  if (key === 'Enter' && (event.ctrlKey || event.metaKey) && target.matches('textarea'))
    target.form.requestSubmit(one('button:not([type="button"])', target.form));
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isTyping = target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])');
  if (isTyping || target.isContentEditable || !Object.hasOwn(keys, key)) return;
  if (keyAt < restsUntil || areKeysOff()) return;
  if (keys[key]() === false) return;
  event.preventDefault();
});
