/** The page where a member changes a list of their own: names, sections, order, memos, who sees it, and its end. */

import { parseInt64 } from '../../../contract/common.ts';
import {
  changeContent,
  edited,
  type ListEdits,
  ListOvertaken,
  limits,
  removeList,
  shareList,
  showTo,
  tidyLine,
} from '../../../practice/lists.ts';
import {
  type ListedProblem,
  type ListsTable,
  listListed,
  listProgress,
  listSections,
  type Visibility,
  visibilities,
} from '../../../store/lists.ts';
import { actions, button, choice, type Faults, form, formActions, textField, tick } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { crumbsOf, listStyles, ownListOf, pageOf, pageSteps, perPage, visibilityTag } from '../../kit/list-parts.ts';
import { judgeKey } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import {
  editPathOf,
  followPathOf,
  listPath,
  listsPath,
  pathOfList,
  problemPath,
  sharedListsPath,
} from '../../paths.ts';
import { faultOf } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

export const listEditPages: readonly PageRoute<MemberVisit>[] = [
  // The address that it shows once is a secret.
  { path: `${listsPath}:id/edit/`, show: (visit) => showEdit(visit), change: takeEdit, isSecret: true },
];

async function takeEdit(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const { id, visibility: before } = await ownListOf(visit);
  const own = { id, ownerId: member.user_id };
  const act = form.get('do');
  if (act === 'delete') {
    if (form.get('sure') !== 'true') return showEdit(visit, { sure: words('lists.tickFirst') });
    await removeList(store, id, member.user_id);
    return { to: listsPath };
  }
  if (act === 'who') {
    const visibility = visibilities.find((one) => one === form.get('visibility'));
    if (!visibility) return showEdit(visit, { visibility: words('lists.chooseWho') });
    const to = `${editPathOf(id)}#who`;
    if (visibility === 'secret') {
      if (before === 'secret' && form.get('anew') !== 'true') return { to };
      const secret = await shareList(store, own);
      return secret === undefined ? { to } : { to, once: secret };
    }
    if (before !== visibility) await showTo(store, own, visibility);
    return { to };
  }
  const name = tidyLine(form.get('name') ?? '');
  if (name === '') return showEdit(visit, { name: words('lists.nameIt') });
  const seen = parseInt64(form.get('version') ?? '');
  if (seen === undefined) return showEdit(visit, { form: words('lists.overtaken') }, 409);
  const edits = readEdits(form);
  try {
    await changeContent(store, own, (content) => edited(content, edits), { name, seen });
  } catch (error) {
    if (error instanceof ListOvertaken) return showEdit(visit, { form: words('lists.overtaken') }, 409);
    return showEdit(visit, { form: faultOf(error) });
  }
  const page = /^[1-9]\d{0,3}$/.test(visit.query.get('page') ?? '') ? `?page=${visit.query.get('page')}` : '';
  const place = edits.move ? `#i${edits.move.id}` : '';
  return { to: `${edits.move || form.get('add') || page ? editPathOf(id) + page : pathOfList(id)}${place}` };
}

const number = (text: string | null | undefined) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : undefined);

function readEdits(form: URLSearchParams): ListEdits {
  const memos = new Map<bigint, string>();
  const places = new Map<bigint, { section: number; place: number }>();
  const remove = new Set<bigint>();
  for (const text of form.getAll('item').slice(0, perPage)) {
    const id = parseInt64(text);
    if (id === undefined) continue;
    const memo = form.get(`memo-${id}`);
    if (memo !== null) memos.set(id, memo);
    const [section, place] = [number(form.get(`in-${id}`)), number(form.get(`at-${id}`))];
    if (section !== undefined && place !== undefined) places.set(id, { section, place });
  }
  for (const text of form.getAll('remove')) {
    const id = parseInt64(text);
    if (id !== undefined) remove.add(id);
  }
  const dropped = new Set(form.getAll('drop'));
  const sections: { name: string; place: number; isDropped: boolean }[] = [];
  for (let at = 1; at <= limits.sections && form.has(`section-${at}`); at++)
    sections.push({
      name: form.get(`section-${at}`) ?? '',
      place: number(form.get(`order-${at}`)) ?? at,
      isDropped: dropped.has(String(at)),
    });
  const up = parseInt64(form.get('up') ?? '');
  const down = parseInt64(form.get('down') ?? '');
  const move: ListEdits['move'] =
    up !== undefined ? { id: up, by: -1 } : down !== undefined ? { id: down, by: 1 } : undefined;
  return { memos, places, remove, sections, move, add: form.get('add') ?? '' };
}

async function showEdit(visit: MemberVisit, faults: Faults = {}, status = 422): Promise<Answer> {
  const { store, member, site, query } = visit;
  const { reader } = store;
  const { basePath } = site;
  const list = await ownListOf(visit);
  const { id, name, version, visibility } = list;
  const sections = await listSections(reader, id);
  const counts = new Map(
    (await listProgress(reader, [id], member.user_id)).map((one) => [one.section, one.problems] as const),
  );
  const problems = counts.values().reduce((sum, one) => sum + one, 0n);
  const { page, pages } = pageOf(query, problems);
  const offset = (page - 1) * perPage;
  const rows = await listListed(reader, id, { offset, limit: perPage });
  const isRefused = Object.keys(faults).length > 0;
  /** A text that was typed stays in its field when nothing was saved. */
  const typed = (field: string, stored: string) => (isRefused ? (visit.form.get(field) ?? stored) : stored);
  /** A number stays too, unless the list has another order now. */
  const placed = (field: string, stored: bigint) => (status === 409 ? stored : typed(field, String(stored)));
  const isTicked = (field: string, value: bigint) => isRefused && visit.form.getAll(field).includes(String(value));
  const address = editPathOf(id) + (page > 1 ? `?page=${page}` : '');
  const placeBefore = await placesBefore(visit, id, offset, rows[0]);
  const places = new Map<bigint, bigint>();
  const itemOf = (row: ListedProblem) => {
    const place = (places.get(row.section) ?? (row.section === rows[0]?.section ? placeBefore : 0n)) + 1n;
    places.set(row.section, place);
    const shown = { place, basePath, typed, placed, isRemoved: isTicked('remove', row.id) };
    return itemFields(row, { ...shown, isLong: problems > 1n, sections: sections.length });
  };
  const bySection = Map.groupBy(rows, ({ section }) => section);
  const sectionOf = ({ position, name }: { position: bigint; name: string }) =>
    sectionFields(position, {
      ...{ name: typed(`section-${position}`, name), sections: sections.length, count: counts.get(position) ?? 0n },
      ...{ place: placed(`order-${position}`, position), isDropped: status !== 409 && isTicked('drop', position) },
      items: (bySection.get(position) ?? []).map(itemOf),
    });
  const fault = (key: string) => faults[key] && html`<span class="fault">${faults[key]}</span>`;
  const secret = visibility === 'secret' && !isRefused ? visit.shownOnce() : undefined;
  const back = linkButton(`${basePath}${pathOfList(id)}`, words('lists.back'), { kind: 'quiet' });
  const save = formActions(words('profile.save'), back);
  const content = html`
    ${pageHead(words('lists.editTitle'), {
      crumbs: crumbsOf(basePath, [basePath + pathOfList(id), name]),
      sub: visibilityTag(list),
      actions: html`<a class="button" href="${basePath}${followPathOf(id)}">${words('follow.title')}…</a>`,
    })}
    <div class="stack">
      ${faults['form'] && notice('warn', faults['form'])}
      ${form(
        visit,
        { to: address, className: 'panel list-edit', hidden: { version } },
        html`
        ${textField(words('lists.name'), 'name', faults, { value: typed('name', name), longest: limits.name })}
        ${save}
        ${sections.map(sectionOf)}
        <label class="field">
          ${words('lists.addSection')}
          <input type="text" name="add" value="${typed('add', '')}" maxlength="${limits.name}" autocomplete="off">
        </label>
        ${problems > 0n && save}`,
      )}
      ${pageSteps(basePath + editPathOf(id), page, pages)}
      ${whoPanel(visit, list, address, secret, fault('visibility'))}
      ${deletePanel(visit, address, fault('sure'))}
    </div>`;
  const options = {
    title: words('lists.editTitle'),
    current: listPath,
    kind: 'p-list-edit',
    styles: listStyles,
  };
  return {
    html: frame(visit, options, content),
    ...(isRefused && { status }),
  };
}

function deletePanel(visit: MemberVisit, to: string, fault: Html | string | undefined): Html {
  const content = html`
    ${tick(words('lists.sure'), 'sure', false, true)}
    ${fault}
    ${actions(button(words('lists.deleteNow'), 'danger', ['do', 'delete']))}`;
  return panel({ id: 'end', heading: words('lists.delete') }, form(visit, { to, className: 'form' }, content));
}

/** The values that a problem of the list is shown with. */
interface ShownItem {
  place: bigint;
  basePath: string;
  /** The text in a field: the one that was typed, or the stored one. */
  typed(field: string, stored: string): string;
  placed(field: string, stored: bigint): string | bigint;
  /** Whether its box is ticked. */
  isRemoved: boolean;
  /** Whether it can move. */
  isLong: boolean;
  sections: number;
}

/** The fields of one problem: its place, its memo, and whether it goes. */
function itemFields(
  { id: problem, title, section, memo, source, source_key }: ListedProblem,
  { place, basePath, typed, placed, isRemoved, isLong, sections }: ShownItem,
): Html {
  const move = (way: 'up' | 'down') =>
    isLong
      ? html`
        <button class="button small quiet" name="${way}" value="${problem}" title="${words(`lists.move.${way}`)}">
          ${icon('down', way === 'up' ? 'turned' : '')}
          <span class="sr">${words(`lists.moveOf.${way}`, { title })}</span>
        </button>`
      : '';
  return html`
    <li class="edit-item" id="i${problem}">
      <input type="hidden" name="item" value="${problem}">
      <div class="edit-what">
        <a href="${basePath}${problemPath(problem)}">${title}</a> ${judgeKey({ source, source_key })}
      </div>
      <div class="edit-place">
        ${
          sections > 1
            ? html`
              <label>
                ${words('lists.section')}
                <span class="sr"> ${words('lists.ofTitle', { title })}</span> <input
                  type="number" name="in-${problem}" value="${placed(`in-${problem}`, section)}" min="1"
                  max="${sections}" autocomplete="off"
                >
              </label>`
            : html`<input type="hidden" name="in-${problem}" value="${section}">`
        }
        <label>
          ${words('lists.place')}
          <span class="sr"> ${words('lists.ofTitle', { title })}</span> <input
            type="number" name="at-${problem}" value="${placed(`at-${problem}`, place)}" min="1"
            max="${limits.problems}" autocomplete="off"
          >
        </label>
        ${move('up')}
        ${move('down')}
      </div>
      <label class="edit-memo">
        <span class="sr">${words('lists.memoOf', { title })}</span>
        <input
          type="text" name="memo-${problem}" value="${typed(`memo-${problem}`, memo ?? '')}"
          maxlength="${limits.memo}" placeholder="${words('lists.memo')}" autocomplete="off"
        >
      </label>
      ${' '}
      <label class="tick">
        <input type="checkbox" name="remove" value="${problem}" autocomplete="off"${attr('checked', isRemoved)}>
        ${words('lists.remove')}
        <span class="sr"> ${title}</span>
      </label>
    </li>`;
}

interface ShownSection {
  name: string;
  place: string | bigint;
  isDropped: boolean;
  sections: number;
  count: bigint;
  items: readonly Html[];
}

/** The fields of one section around those of its problems. */
function sectionFields(position: bigint, { name, place, isDropped, sections, count, items }: ShownSection): Html {
  const isMany = sections > 1;
  const numbered = isMany
    ? html`
      <label>
        ${words('lists.section')} <input
          type="number" name="order-${position}" value="${place}" min="1" max="${sections}"
          autocomplete="off"
        >
      </label>`
    : '';
  const drop = isMany
    ? html`
      <label class="tick">
        <input type="checkbox" name="drop" value="${position}" autocomplete="off"${attr('checked', isDropped)}>
        ${words('lists.dropSection')}
      </label>`
    : '';
  return html`
    <fieldset class="edit-section">
      <legend class="sr">${words('lists.sectionNumber', { number: position })}</legend>
      <div class="edit-head">
        ${numbered}
        <label class="grow">
          <span class="sr">${words('lists.sectionName')}</span>
          <input
            type="text" name="section-${position}" value="${name}"
            maxlength="${limits.name}" placeholder="${words('lists.unnamed')}" autocomplete="off"
          >
        </label>
        <span class="num soft">${words('problem.count', { count })}</span>
        ${drop}
      </div>
      <ol class="plain">${items}</ol>
    </fieldset>`;
}

/** The audience of the list; a new secret address stands here once. */
function whoPanel(
  visit: MemberVisit,
  { visibility }: ListsTable,
  to: string,
  secret: string | undefined,
  fault: Html | '' | undefined,
): Html {
  const { site } = visit;
  const address = `${site.baseUrl}${sharedListsPath}${secret}/`;
  const shown =
    secret !== undefined &&
    html`
      <div class="notice" data-kind="good" role="status">
        ${icon('key')}
        <div>
          <p><strong>${words('lists.secretOnce')}</strong></p>
          <p><code class="copyable" tabindex="0">${address}</code></p>
        </div>
      </div>`;
  const audience = (one: Visibility) =>
    html`<b>${words(`lists.tag.${one}`)}</b><span class="faint">${words(`lists.whoText.${one}`)}</span>`;
  const choices = html`
        ${shown}
        <fieldset>
          <legend class="sr">${words('lists.who')}</legend>
          <div class="choices">
            ${visibilities.map((one) => choice('visibility', one, audience(one), one === visibility))}
          </div>
        </fieldset>
        ${visibility === 'secret' && tick(words('lists.anew'), 'anew', false)}
        ${fault}
        ${actions(button(words('profile.save'), '', ['do', 'who']))}`;
  return panel(
    { id: 'audience', heading: words('lists.who') },
    form(visit, { to, id: 'who', className: 'form' }, choices),
  );
}

/** How many problems of the first row's section stand on earlier pages. */
async function placesBefore(
  { store }: MemberVisit,
  id: bigint,
  offset: number,
  first: ListedProblem | undefined,
): Promise<bigint> {
  if (offset === 0 || !first) return 0n;
  const before = await listListed(store.reader, id, { offset: 0, limit: offset });
  return BigInt(before.filter(({ section }) => section === first.section).length);
}
