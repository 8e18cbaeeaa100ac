/** The page where members change a list of their own: names, sections, order, memos, visibility, deletion. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { moduleOf, withModules } from '../../../practice/courses.ts';
import {
  applyEdits,
  changeContent,
  courseLimits,
  type ListEdits,
  limits,
  removeList,
  setVisibility,
  tidyLine,
} from '../../../practice/lists.ts';
import {
  listProgress,
  listSections,
  type ProblemInList,
  type SectionContent,
  visibilities,
} from '../../../store/lists.ts';
import {
  actions,
  button,
  checkbox,
  type Faults,
  form,
  formActions,
  radioButton,
  textArea,
  textField,
} from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { crumbsOf, formPage, ownListOf, perPage, visibilityTag } from '../../kit/list-parts.ts';
import { judgeKey } from '../../kit/marks.ts';
import { pageNumberIn, pageOf, pageSteps } from '../../kit/pager.ts';
import { copyable, noticeOf, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { editListPath, followListPath, listPath, listsPath, problemPath, sharedListsPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

export const listEditPages: readonly PageRoute<MemberVisit>[] = [
  // The page shows the secret address of the list once.
  { path: `${listsPath}:id/edit/`, get: (visit) => showEdit(visit), post: submitEdit, isUncached: true },
];

async function submitEdit(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, query } = visit;
  const list = await ownListOf(visit);
  const { id } = list;
  const action = form.get('do');
  if (action === 'delete') {
    if (form.get('sure') !== 'true') return showEdit(visit, { sure: words('lists.tickFirst') });
    await removeList(store, id, member.user_id);
    return { to: listsPath };
  }
  if (action === 'who') {
    const visibility = visibilities.find((one) => one === form.get('visibility'));
    if (!visibility) return showEdit(visit, { visibility: words('lists.chooseWho') });
    const to = `${editListPath(id)}#who`;
    const renewsSecret = visibility === 'secret' && form.get('anew') === 'true';
    if (visibility === list.visibility && !renewsSecret) return { to };
    const secret = await setVisibility(store, list, visibility);
    return secret === undefined ? { to } : { to, flash: secret };
  }
  const name = tidyLine(form.get('name') ?? '');
  if (name === '') return showEdit(visit, { name: words('lists.nameIt') });
  const edits = readEdits(form);
  try {
    // Versions begin at 1, so 0 is a conflict.
    const version = parseInt64(form.get('version') ?? '') ?? 0n;
    await changeContent(store, list, (content) => applyEdits(readModules(form, content), edits), { name, version });
  } catch (error) {
    if (error instanceof AppError && error.code === 'preconditionFailed')
      return showEdit(visit, { form: words('lists.conflict') }, 409);
    return showEdit(visit, { form: refusalText(error) });
  }
  const page = pageNumberIn(query) > 1 ? `?page=${pageNumberIn(query)}` : '';
  if (!edits.move && !form.get('add') && !page) return { to: listPath(id) };
  return { to: editListPath(id) + page + (edits.move ? `#i${edits.move.id}` : '') };
}

/** The numbers are those that the page shows, before sections move. A section that goes is needed by none. */
function readModules(form: URLSearchParams, content: SectionContent[]): SectionContent[] {
  const isCourse = form.get('course') === 'true';
  const wasCourse = content.some(({ extras }) => moduleOf(extras));
  if (!form.has('modules') || !(isCourse || wasCourse)) return content;
  const removed = new Set(form.getAll('drop'));
  const numbersIn = (text: string | null) => (text ?? '').match(/\d{1,4}/g) ?? [];
  const edits = content.map((_, at) => ({
    needs: numbersIn(form.get(`needs-${at + 1}`))
      .filter((one) => !removed.has(one))
      .map(Number),
    about: (form.get(`about-${at + 1}`) ?? '').replaceAll('\r\n', '\n').trim(),
    done: Number(numbersIn(form.get(`done-${at + 1}`))[0]) || undefined,
  }));
  return withModules(content, isCourse ? edits : undefined);
}

function readEdits(form: URLSearchParams): ListEdits {
  const idsIn = (name: string) => form.getAll(name).flatMap((text) => parseInt64(text) ?? []);
  const number = (name: string) => (/^\d{1,6}$/.test(form.get(name) ?? '') ? Number(form.get(name)) : undefined);
  const [up] = idsIn('up');
  const [down] = idsIn('down');
  const id = up ?? down;
  return {
    items: idsIn('item')
      .slice(0, perPage)
      .map((id) => ({ id, memo: form.get(`memo-${id}`), section: number(`in-${id}`), place: number(`at-${id}`) })),
    remove: new Set(idsIn('remove')),
    sections: Array.from({ length: courseLimits.sections }, (_, at) => ({
      name: form.get(`section-${at + 1}`),
      place: number(`order-${at + 1}`) ?? at + 1,
      isRemoved: form.getAll('drop').includes(String(at + 1)),
    })),
    move: id === undefined ? undefined : { id, offset: up === undefined ? 1 : -1 },
    newSection: form.get('add') ?? '',
  };
}

/** The values of the fields: those of the form after an error, else the stored ones. */
interface FieldValues {
  basePath: string;
  text(field: string, stored: string): string;
  /** After a version conflict, the stored number, because the order of the list has changed. */
  number(field: string, stored: number | bigint): string;
  isChecked(field: string, value: bigint): boolean;
  sections: number;
  /** The numbers of modules by their ids; undefined if the list is no course. */
  numbers: ReadonlyMap<string, number> | undefined;
  problems: bigint;
}

async function showEdit(visit: MemberVisit, faults: Faults = {}, status = 422): Promise<PageResult> {
  const { store, member, site, form: input } = visit;
  const { basePath } = site;
  const list = await ownListOf(visit);
  const { id, name, version } = list;
  const progress = await listProgress(store.reader, [id], member.user_id);
  const counts = new Map(progress.map((one) => [one.section, one.problems]));
  const problems = counts.values().reduce((sum, one) => sum + one, 0n);
  const { page, pages } = pageOf(visit.query, problems, perPage);
  const offset = (page - 1) * perPage;
  const sections = await listSections(store.reader, id, { offset, limit: perPage });
  const numbers = new Map(
    sections.toReversed().flatMap(({ extras, position }) => {
      const module = moduleOf(extras);
      return module ? [[module.id, Number(position)] as const] : [];
    }),
  );
  const isCourse = numbers.size > 0;
  const isRefused = Object.keys(faults).length > 0;
  const text = (field: string, stored: string) => (isRefused ? (input.get(field) ?? stored) : stored);
  const values: FieldValues = {
    basePath,
    text,
    sections: sections.length,
    numbers: isCourse ? numbers : undefined,
    problems,
    number: (field, stored) => (status === 409 ? String(stored) : text(field, String(stored))),
    isChecked: (field, value) =>
      isRefused && (status !== 409 || field === 'remove') && input.getAll(field).includes(String(value)),
  };
  let itemsBefore = 0n;
  const sectionParts = sections.map((section) => {
    const count = counts.get(section.position) ?? 0n;
    // Positions count from the beginning of the section, which may be on an earlier page.
    const first = Math.max(0, offset - Number(itemsBefore)) + 1;
    itemsBefore += count;
    const items = section.problems.map((row, at) => itemFields(row, first + at, values));
    return sectionFields({ ...section, count }, items, values);
  });
  const to = editListPath(id) + (page > 1 ? `?page=${page}` : '');
  const back = linkButton(`${basePath}${listPath(id)}`, words('lists.back'), { kind: 'quiet' });
  const save = formActions(words('profile.save'), back);
  const fields = html`
    ${textField(words('lists.name'), 'name', faults, { value: text('name', name), longest: limits.name })}
    ${checkbox(words('course.edit.is'), 'course', isRefused ? input.get('course') === 'true' : isCourse)}
    ${save}
    ${sectionParts}
    <label class="field">
      ${words('lists.addSection')}
      <input type="text" name="add" value="${text('add', '')}" maxlength="${limits.name}" autocomplete="off">
    </label>
    ${problems > 0n && save}`;
  const headOptions = {
    crumbs: crumbsOf(basePath, [basePath + listPath(id), name]),
    sub: visibilityTag(list),
    actions: html`<a class="button" href="${basePath}${followListPath(id)}">${words('follow.title')}…</a>`,
  };
  return formPage(
    visit,
    { title: words('lists.editTitle'), kind: 'p-list-edit', headOptions, faults, status },
    html`
      ${form(visit, { to, className: 'panel list-edit', hidden: { version, modules: 'shown' } }, fields)}
      ${pageSteps({ path: basePath + editListPath(id), page, pages })}
      ${audiencePanel(visit, list, to, faults)}
      ${deletePanel(visit, to, faults)}`,
  );
}

const positionInput = (name: string, value: string, most: number) =>
  html`<input type="number" name="${name}" value="${value}" min="1" max="${most}" autocomplete="off">`;

function itemFields(row: ProblemInList, place: number, values: FieldValues): Html {
  const { basePath, text, number, sections, problems, isChecked } = values;
  const { id, title, section } = row;
  const ofTitle = html`<span class="sr"> ${words('lists.ofTitle', { title })}</span>`;
  const move = (direction: 'up' | 'down') =>
    problems > 1n &&
    html`
      <button class="button small quiet" name="${direction}" value="${id}" title="${words(`lists.move.${direction}`)}">
        ${icon('down', direction === 'up' ? 'turned' : '')}
        <span class="sr">${words(`lists.moveOf.${direction}`, { title })}</span>
      </button>`;
  const name = `in-${id}`;
  return html`
    <li class="edit-item" id="i${id}">
      <input type="hidden" name="item" value="${id}">
      <div class="edit-what">
        <a href="${basePath}${problemPath(id)}">${title}</a> ${judgeKey(row)}
      </div>
      <div class="edit-place">
        ${
          sections > 1
            ? html`
              <label>
                ${words('lists.section')}${ofTitle} ${positionInput(name, number(name, section), sections)}
              </label>`
            : html`<input type="hidden" name="${name}" value="${section}">`
        }
        <label>
          ${words('lists.place')}${ofTitle}${' '}
          ${positionInput(`at-${id}`, number(`at-${id}`, place), courseLimits.problems)}
        </label>
        ${move('up')}
        ${move('down')}
      </div>
      <label class="edit-memo">
        <span class="sr">${words('lists.memoOf', { title })}</span>
        <input
          type="text" name="memo-${id}" value="${text(`memo-${id}`, row.memo ?? '')}"
          maxlength="${limits.memo}" placeholder="${words('lists.memo')}" autocomplete="off"
        >
      </label>
      ${' '}
      <label class="tick">
        <input
          type="checkbox" name="remove" value="${id}" autocomplete="off"${attr('checked', isChecked('remove', id))}
        >
        ${words('lists.remove')}
        <span class="sr"> ${title}</span>
      </label>
    </li>`;
}

function sectionFields(
  { position, name, count, extras }: { position: bigint; name: string; count: bigint; extras: string | null },
  items: readonly Html[],
  { text, number, isChecked, sections, numbers }: FieldValues,
): Html {
  const { needs = [], about = '', done = '' } = moduleOf(extras) ?? {};
  const needed = needs.flatMap((id) => numbers?.get(id) ?? []).join(', ');
  const [needsField, aboutField, doneField] = [`needs-${position}`, `about-${position}`, `done-${position}`];
  const order = `order-${position}`;
  return html`
    <fieldset class="edit-section">
      <legend class="sr">${words('lists.sectionNumber', { number: position })}</legend>
      <div class="edit-head">
        ${
          sections > 1 &&
          html`<label>${words('lists.section')} ${positionInput(order, number(order, position), sections)}</label>`
        }
        <label class="grow">
          <span class="sr">${words('lists.sectionName')}</span>
          <input
            type="text" name="section-${position}" value="${text(`section-${position}`, name)}"
            maxlength="${limits.name}" placeholder="${words('lists.unnamed')}" autocomplete="off"
          >
        </label>
        <span class="num soft">${words('problem.count', { count })}</span>
        ${
          sections > 1 &&
          html`
            <label class="tick">
              <input
                type="checkbox" name="drop" value="${position}"
                autocomplete="off"${attr('checked', isChecked('drop', position))}
              >
              ${words('lists.dropSection')}
            </label>`
        }
      </div>
      ${
        numbers &&
        html`
          <details class="edit-module">
            <summary>${words('course.edit.module')}<span class="sr"> ${position}</span></summary>
            ${textField(
              words('course.edit.needs'),
              needsField,
              {},
              {
                value: text(needsField, needed),
                isOptional: true,
              },
            )}
            ${textField(
              words('course.edit.done'),
              doneField,
              {},
              {
                value: text(doneField, String(done)),
                isOptional: true,
                more: { inputmode: 'numeric' },
              },
            )}
            ${textArea(words('course.edit.about'), aboutField, {
              value: text(aboutField, about),
              rows: 2,
              isOptional: true,
            })}
          </details>`
      }
      <ol class="plain">${items}</ol>
    </fieldset>`;
}

const faultIn = (faults: Faults, name: string) => faults[name] && html`<span class="fault">${faults[name]}</span>`;

/** Who sees the list. A new secret address is shown here once. */
function audiencePanel(visit: MemberVisit, { visibility }: { visibility: string }, to: string, faults: Faults): Html {
  const secret = visibility === 'secret' && Object.keys(faults).length === 0 ? visit.readFlash() : undefined;
  const secretNotice =
    secret !== undefined &&
    noticeOf(
      'good',
      html`
        <p><strong>${words('lists.secretOnce')}</strong></p>
        <p>${copyable(`${visit.site.baseUrl}${sharedListsPath}${secret}/`)}</p>`,
      { symbol: 'key' },
    );
  const choices = visibilities.map((one) => {
    const text = html`<b>${words(`lists.tag.${one}`)}</b><span class="faint">${words(`lists.whoText.${one}`)}</span>`;
    return radioButton('visibility', one, text, one === visibility);
  });
  const fields = html`
    ${secretNotice}
    <fieldset><legend class="sr">${words('lists.who')}</legend><div class="choices">${choices}</div></fieldset>
    ${visibility === 'secret' && checkbox(words('lists.anew'), 'anew', false)}
    ${faultIn(faults, 'visibility')}
    ${actions(button(words('profile.save'), '', ['do', 'who']))}`;
  const heading = words('lists.who');
  return panel({ id: 'audience', heading }, form(visit, { to, id: 'who', className: 'form' }, fields));
}

function deletePanel(visit: MemberVisit, to: string, faults: Faults): Html {
  const fields = html`
    ${checkbox(words('lists.sure'), 'sure', false, true)}
    ${faultIn(faults, 'sure')}
    ${actions(button(words('lists.deleteNow'), 'danger', ['do', 'delete']))}`;
  return panel({ id: 'end', heading: words('lists.delete') }, form(visit, { to, className: 'form' }, fields));
}
