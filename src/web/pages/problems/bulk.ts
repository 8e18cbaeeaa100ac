/** Changes many problems at once: the ticked rows, or all that match the filters, after a page that says how many. */

import { isMarkedAs, markSelection, VersionConflict } from '../../../practice/marks.ts';
import { listProblemPage, narrowSearch, problemCounter } from '../../../store/problem-lists.ts';
import { findProblemsByIds, type ProblemRow } from '../../../store/problems.ts';
import type { State } from '../../../store/statuses.ts';
import { returnAddress } from '../../kit/changes.ts';
import { form, hiddenInputs, radioButton } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import {
  type ProblemMarks,
  problemLines,
  shownState,
  stateChoices,
  stateIcon,
  stateWithHint,
  statusOrder,
} from '../../kit/marks.ts';
import { notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { filterNotice, filterOf, queryKeys, queryString, readProblemQuery } from '../../kit/problem-query.ts';
import { findMarks, readSelectedRows, selectionValue } from '../../kit/problem-table.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemsPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { chooseList } from './add-to-list.ts';
import { chipsOf } from './filters.ts';

const bulkPath = `${problemsPath}bulk/`;
const linesAtMost = 20;

export const problemBulkPages: readonly PageRoute<MemberVisit>[] = [
  { path: bulkPath, get: (visit) => showForFilter(visit), post: submitBulk },
];

type BulkChange = State | 'star' | 'unstar';
const bulkChanges: readonly BulkChange[] = [...statusOrder, 'star', 'unstar'];

interface BulkPage {
  total: number;
  /** How many problems a choice would change. */
  countChanges: (target: BulkChange) => number;
  /** The first problems. */
  rows: readonly ProblemRow[];
  marks: (id: bigint) => ProblemMarks;
  /** Hidden fields that repeat the selection in the form. */
  hidden: Readonly<Record<string, string>>;
  rowValues?: readonly string[];
  returnPath: string;
  subtitle: string;
  warning: Html | '' | undefined;
}

async function submitBulk(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: values, site } = visit;
  const query = readProblemQuery(visit.query);
  const from = values.has('from') ? localPath(site, values.get('from')) : problemsPath + queryString(query);
  const action = values.get('do');
  const target = action === 'star' ? 'star' : bulkChanges.find((name) => name === values.get('to'));
  if (action === 'all') {
    if (!target) return showForFilter(visit, words('bulk.choose'));
    const selection = { filter: await filterOf(visit, query), expected: values.get('expected') };
    const marked = await markSelection(store, member.user_id, selection, target);
    if (marked) return { to: returnAddress(from, marked.batch) };
    return showForFilter(visit, words('bulk.otherNumber'), 409);
  }
  const picks = readSelectedRows(values);
  if (picks.ids.length === 0) return showForFilter(visit, words('bulk.noneTicked'));
  if (action === 'list') return chooseList(visit);
  if (!target) return showForRows(visit, picks.ids, from, words('bulk.choose'));
  try {
    const marked = await markSelection(store, member.user_id, picks, target, picks.versions);
    return { to: returnAddress(from, marked?.batch) };
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return showForRows(visit, picks.ids, from, words('bulk.conflict'), error.problemIds);
  }
}

async function showForFilter(visit: MemberVisit, fault?: string, status = 422): Promise<PageResult> {
  const { store, member } = visit;
  const { reader } = store;
  const query = readProblemQuery(visit.query);
  const filter = await narrowSearch(store, await filterOf(visit, query));
  const counter = problemCounter(store, member.user_id);
  const ownCounts = await counter.countBySelfStatus(filter);
  const total = ownCounts.values().reduce((sum, count) => sum + count, 0);
  const starred = await counter.countFound({ ...filter, isBookmarked: true });
  const rows = await listProblemPage(reader, filter, queryKeys(query), { offset: 0, limit: linesAtMost, total });
  const from = problemsPath + queryString(query);
  const filters = chipsOf(query).map(([text]) => text);
  const page = bulkPage(visit, {
    total,
    rows,
    returnPath: from,
    warning: fault && html`<strong>${fault}</strong>`,
    subtitle: filters.length > 0 ? commaList(filters) : words('bulk.everyProblem'),
    countChanges: (target) =>
      target === 'star' ? total - starred : target === 'unstar' ? starred : total - (ownCounts.get(target) ?? 0),
    marks: await findMarks(
      reader,
      member.user_id,
      rows.map(({ id }) => id),
    ),
    hidden: { do: 'all', expected: String(total) },
  });
  return { html: page, ...(fault !== undefined && { status }) };
}

async function showForRows(
  visit: MemberVisit,
  ids: readonly bigint[],
  from: string,
  fault: string,
  conflicts: readonly bigint[] = [],
): Promise<PageResult> {
  const { store, member } = visit;
  const rows = await findProblemsByIds(store.reader, ids);
  const problems = [...new Map(rows.map((row) => [row.id, row])).values()];
  const marks = await findMarks(store.reader, member.user_id, ids);
  const count = (matches: (own: ProblemMarks) => boolean) => problems.filter(({ id }) => matches(marks(id))).length;
  const starred = count(({ bookmark }) => bookmark?.is_starred === 1n);
  const changedTexts = problems
    .filter(({ id }) => conflicts.includes(id))
    .map(({ id, title }) => words('bulk.isNow', { title, status: words(`state.inText.${shownState(marks(id))}`) }));
  const conflictText = words('bulk.chooseAgain', {
    changed: commaList(changedTexts.slice(0, 5)),
    more: Math.max(0, changedTexts.length - 5),
  });
  const page = bulkPage(visit, {
    total: problems.length,
    rows: problems.slice(0, linesAtMost),
    marks,
    returnPath: from,
    subtitle: words('bulk.ticked'),
    warning: html`<strong>${fault}</strong> ${changedTexts.length > 0 && conflictText}`,
    countChanges: (target) =>
      target === 'star'
        ? problems.length - starred
        : target === 'unstar'
          ? starred
          : count(({ status }) => !isMarkedAs(status, target)),
    hidden: { do: 'mark', from },
    rowValues: problems.map(({ id }) => selectionValue(id, marks(id))),
  });
  return { html: page, status: conflicts.length > 0 ? 409 : 422 };
}

function bulkPage(visit: MemberVisit, scope: BulkPage): Html {
  const { total, countChanges, rows, marks, hidden, rowValues = [], returnPath, subtitle, warning } = scope;
  const { basePath } = visit.site;
  const query = readProblemQuery(visit.query);
  const title = words('bulk.title', { count: total });
  const target = (name: BulkChange, text: Html) =>
    radioButton(
      'to',
      name,
      html`
        ${text}
        <span class="faint" data-count="${countChanges(name)}">
          ${words('bulk.changes', { count: countChanges(name) })}
        </span>`,
      false,
      'required',
    );
  const stateChoice = (state: State) => target(state, html`${stateIcon(state)} ${stateWithHint(state)}`);
  const stars = html`
    ${target('star', html`${icon('star-on')} <span>${words('filters.starred')}</span>`)}
    ${target('unstar', html`${icon('star')} <span>${words('bulk.notStarred')}</span>`)}`;
  const stateOf = ({ id }: ProblemRow) =>
    html` <span class="soft">${words(`state.inText.${shownState(marks(id))}`)}</span>`;
  const fields = html`
    ${hiddenInputs(rowValues.map((value) => ['pick', value] as const))}
    <fieldset>
      <legend><h2 id="to-title">${words('bulk.question')}</h2></legend>
      ${stateChoices(undefined, stateChoice, stars)}
    </fieldset>
    <p class="soft">${words('bulk.atOnce')}</p>
    <div class="actions">
      <button class="button primary"${attr('disabled', total === 0)}>${title}</button>
      ${linkButton(basePath + returnPath, words('views.back'), { kind: 'quiet' })}
    </div>`;
  const content = html`
    ${pageHead(title, { sub: subtitle, crumbs: [[basePath + problemsPath, words('frame.problems')]] })}
    <div class="stack">
      ${warning && notice('warn', warning)}
      ${filterNotice(query.leftOut)}
      ${unheadedPanel(
        { labelledBy: 'to-title', total },
        form(visit, { to: bulkPath + queryString(query), className: 'bulk-form', hidden }, fields),
      )}
      ${panel({ id: 'which-title', heading: words('bulk.which') }, problemLines(basePath, rows, total, stateOf))}
    </div>`;
  return frame(visit, { title, current: problemsPath, kind: 'p-bulk' }, content);
}
