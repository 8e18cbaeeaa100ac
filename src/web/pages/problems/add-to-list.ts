/** The page that adds problems to a list: one, the ticked ones, or all that match the filters. */

import { parseInt64 } from '../../../contract/common.ts';
import { addToList, limits, tidyLine } from '../../../practice/lists.ts';
import { findOwnList, listOwnLists } from '../../../store/lists.ts';
import { problemCounter } from '../../../store/problem-lists.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { type Faults, form, hiddenInputs, radioButton, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { crumbsOf, formPage } from '../../kit/list-parts.ts';
import { problemLines } from '../../kit/marks.ts';
import { notice, unheadedPanel } from '../../kit/panel.ts';
import { filterOf, queryString, readProblemQuery } from '../../kit/problem-query.ts';
import { readSelectedRows } from '../../kit/problem-table.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { addToListPath, listPath, problemPath, problemsPath } from '../../paths.ts';
import { localPath, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

const linesAtMost = 20;

export const listAddPages: readonly PageRoute<MemberVisit>[] = [
  { path: addToListPath, get: (visit) => chooseList(visit), post: submitProblems },
];

/** Without `ids`, the selection is all problems that match the filters in the address. */
interface Selection {
  ids: readonly bigint[] | undefined;
  returnPath: string;
}

function selectionOf({ form, query, site }: MemberVisit): Selection {
  const id = parseInt64(query.get('problem') ?? '');
  const tickedIds = readSelectedRows(form).ids;
  const ids = tickedIds.length > 0 ? tickedIds : id === undefined ? undefined : [id];
  const fallback = id === undefined ? problemsPath + queryString(readProblemQuery(query)) : problemPath(id);
  return { ids, returnPath: form.has('from') ? localPath(site, form.get('from')) : fallback };
}

async function submitProblems(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form } = visit;
  const ownerId = member.user_id;
  const { ids } = selectionOf(visit);
  const target = form.get('list') ?? '';
  const name = tidyLine(form.get('name') ?? '');
  if (target === '') return chooseList(visit, { list: words('lists.chooseList') });
  if (target === 'new' && name === '') return chooseList(visit, { name: words('lists.nameIt') });
  const list = target === 'new' ? undefined : await findOwnList(store.reader, parseInt64(target) ?? 0n, ownerId);
  if (target !== 'new' && !list) throw pageNotFound(visit.path);
  const problems = ids
    ? { ids }
    : { filter: await filterOf(visit, readProblemQuery(visit.query)), expected: form.get('expected') };
  try {
    const id = await addToList(store, ownerId, list ?? { name }, problems);
    if (id !== undefined) return { to: listPath(id) };
    return chooseList(visit, { form: words('bulk.otherNumber') }, 409);
  } catch (error) {
    return chooseList(visit, { form: refusalText(error) });
  }
}

/** How many problems these are, and the hidden fields that repeat them in the form. */
async function readProblemFields(visit: MemberVisit, { ids }: Selection): Promise<{ total: number; which: Html }> {
  const { store, member, site, query } = visit;
  if (!ids) {
    const filter = await filterOf(visit, readProblemQuery(query));
    const total = await problemCounter(store, member.user_id).countFound(filter);
    return { total, which: hiddenInputs([['expected', String(total)]]) };
  }
  const rows = await findProblemsByIds(store.reader, ids);
  const problems = [...new Map(rows.map((row) => [row.id, row])).values()];
  if (problems.length === 0) throw pageNotFound(visit.path);
  const which = html`
    ${problemLines(site.basePath, problems.slice(0, linesAtMost), problems.length)}
    ${hiddenInputs(problems.map(({ id }) => ['pick', id] as const))}`;
  return { total: problems.length, which };
}

/** The page that asks for the list; also the answer to a form that names problems only, or is not valid. */
export async function chooseList(visit: MemberVisit, faults: Faults = {}, status = 422): Promise<PageResult> {
  const { store, member, site, form: values } = visit;
  const { basePath } = site;
  const selection = selectionOf(visit);
  const { total, which } = await readProblemFields(visit, selection);
  const title = words('lists.addTitle', { count: total });
  const lists = await listOwnLists(store.reader, member.user_id);
  const selected = values.get('list') ?? (lists.length === 0 ? 'new' : '');
  const listChoice = (value: string, text: Html) => radioButton('list', value, text, value === selected, 'required');
  const name = { value: values.get('name') ?? '', longest: limits.name, isOptional: true };
  const fields = html`
    <fieldset>
      <legend><h2>${words('lists.which')}</h2></legend>
      <div class="choices">
        ${lists.map(({ id, name, problems }) =>
          listChoice(
            String(id),
            html`
              <b>${bdi(name)}</b>
              <span class="faint num">${words('problem.count', { count: problems })}</span>`,
          ),
        )}
        ${listChoice('new', html`<b>${words('lists.new')}</b>`)}
      </div>
      ${faults['list'] && html`<span class="fault">${faults['list']}</span>`}
    </fieldset>
    ${textField(words('lists.nameOfNew'), 'name', faults, name)}
    <div class="actions">
      <button class="button primary"${attr('disabled', total === 0 || total > limits.problems)}>
        ${words('lists.addNow')}
      </button>
      ${linkButton(basePath + selection.returnPath, words('views.back'), { kind: 'quiet' })}
    </div>
    ${which}`;
  const hidden = { from: selection.returnPath };
  const to = addToListPath + (selection.ids ? '' : queryString(readProblemQuery(visit.query)));
  return formPage(
    visit,
    { title, kind: 'p-list-add', headOptions: { crumbs: crumbsOf(basePath) }, faults, status },
    html`
      ${total > limits.problems && notice('warn', words('lists.tooMany', { most: limits.problems }))}
      ${unheadedPanel({ total }, form(visit, { to, className: 'form wide', hidden }, fields))}`,
  );
}
