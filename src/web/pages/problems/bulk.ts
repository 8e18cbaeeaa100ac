/**
 * Many problems changed at once: the ticked rows, or all that the filters find, after a page that says exactly how
 * many.
 */

import { isMarked, markChosen, Overtaken } from '../../../practice/marks.ts';
import { listProblemPage, narrowed, problemCounter } from '../../../store/problem-pages.ts';
import { findProblemsByIds, type ProblemRow } from '../../../store/problems.ts';
import type { State } from '../../../store/statuses.ts';
import { backTo } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { judgeKey, type OwnMarks, shownState, stateIcon, states, stateWord } from '../../kit/marks.ts';
import { addressOf, filterNotice, filterOf, keysOf, readProblemQuery } from '../../kit/problem-query.ts';
import { marksOf, pickValue, readPicks } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import { listPath, problemPath } from '../../paths.ts';
import { ownPath } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { chooseList } from './add-to-list.ts';
import { chipsOf } from './filters.ts';

const bulkPath = `${listPath}bulk/`;
const shownAtMost = 20;

export const problemBulkPages: readonly PageRoute<MemberVisit>[] = [
  { path: bulkPath, show: (visit) => askAboutFound(visit), change: takeBulk },
];

type Target = State | 'star' | 'unstar';
const targets: readonly Target[] = [...states, 'star', 'unstar'];

/** What would be changed. */
interface Scope {
  total: number;
  /** How many problems each choice changes. */
  changes: (target: Target) => number;
  /** The first of the problems, with the member's marks. */
  rows: readonly ProblemRow[];
  marks: (id: bigint) => OwnMarks;
  /** What says in the form which problems are meant. */
  hidden: Html;
}

async function takeBulk(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, site } = visit;
  const query = readProblemQuery(visit.query);
  const from = form.has('from') ? ownPath(site, form.get('from')) : listPath + addressOf(query);
  const act = form.get('do');
  const target = act === 'star' ? 'star' : targets.find((name) => name === form.get('to'));
  if (act === 'all') {
    if (!target) return askAboutFound(visit, words('bulk.choose'));
    const found = { filter: await filterOf(visit, query), expected: form.get('expected') };
    const marked = await markChosen(store, member.user_id, found, target);
    if (marked) return { to: backTo(from, marked.batch) };
    return askAboutFound(visit, words('bulk.otherNumber'), 409);
  }
  const picks = readPicks(form);
  if (picks.ids.length === 0) return askAboutFound(visit, words('bulk.noneTicked'));
  if (act === 'list') return chooseList(visit);
  if (!target) return askAboutPicks(visit, picks.ids, from, words('bulk.choose'));
  try {
    const seen = { statuses: picks.seenStatuses, bookmarks: picks.seenBookmarks };
    const marked = await markChosen(store, member.user_id, picks, target, seen);
    return { to: backTo(from, marked?.batch) };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return askAboutPicks(visit, picks.ids, from, words('bulk.overtaken'), error.problemIds);
  }
}

/** The page about all problems that the filters of the address find. */
async function askAboutFound(visit: MemberVisit, fault?: string, status = 422): Promise<Answer> {
  const { store, member } = visit;
  const { reader } = store;
  const query = readProblemQuery(visit.query);
  const filter = await narrowed(store, await filterOf(visit, query));
  const counter = problemCounter(store, member.user_id);
  const said = await counter.ownWords(filter);
  const total = said.values().reduce((sum, count) => sum + count, 0);
  const starred = await counter.found({ ...filter, isBookmarked: true });
  const rows = await listProblemPage(reader, filter, keysOf(query), { offset: 0, limit: shownAtMost, total });
  const scope: Scope = {
    total,
    changes: (target) =>
      target === 'star' ? total - starred : target === 'unstar' ? starred : total - (said.get(target) ?? 0),
    rows,
    marks: await marksOf(
      reader,
      member.user_id,
      rows.map(({ id }) => id),
    ),
    hidden: html`<input type="hidden" name="do" value="all"><input type="hidden" name="expected" value="${total}">`,
  };
  const from = listPath + addressOf(query);
  const filters = chipsOf(query).map(([text]) => text);
  const sub = filters.length > 0 ? filters.join(', ') : words('bulk.everyProblem');
  const warning = fault && html`<p><strong>${fault}</strong></p>`;
  const page = bulkPage(visit, scope, from, sub, warning);
  const isGet = fault === undefined;
  return { html: frame(visit, frameOf(total), page), ...(!isGet && { status }) };
}

/** The page about ticked problems, with what they are now. */
async function askAboutPicks(
  visit: MemberVisit,
  ids: readonly bigint[],
  from: string,
  fault: string,
  overtaken: readonly bigint[] = [],
): Promise<Answer> {
  const { store, member } = visit;
  const rows = await findProblemsByIds(store.reader, ids);
  const known = [...new Map(rows.map((row) => [row.id, row])).values()];
  const marks = await marksOf(store.reader, member.user_id, ids);
  const count = (is: (own: OwnMarks) => boolean) => known.filter(({ id }) => is(marks(id))).length;
  const scope: Scope = {
    total: known.length,
    changes: (target) =>
      target === 'star'
        ? count(({ bookmark }) => bookmark === undefined)
        : target === 'unstar'
          ? count(({ bookmark }) => bookmark !== undefined)
          : count(({ status }) => !isMarked(status, target)),
    rows: known.slice(0, shownAtMost),
    marks,
    hidden: html`
      <input type="hidden" name="do" value="mark">
      <input type="hidden" name="from" value="${from}">
      ${known.map(({ id }) => html`<input type="hidden" name="pick" value="${pickValue(id, marks(id))}">`)}`,
  };
  const changed = known
    .filter(({ id }) => overtaken.includes(id))
    .map(({ id, title }) => words('bulk.isNow', { title, status: words(`state.inText.${shownState(marks(id))}`) }));
  const warning = html`
    <p>
      <strong>${fault}</strong> ${
        changed.length > 0
          ? words('bulk.chooseAgain', {
              changed: changed.slice(0, 5).join(', '),
              more: Math.max(0, changed.length - 5),
            })
          : ''
      }
    </p>`;
  return {
    html: frame(visit, frameOf(known.length), bulkPage(visit, scope, from, words('bulk.ticked'), warning)),
    status: overtaken.length > 0 ? 409 : 422,
  };
}

const titleOf = (total: number) => words('bulk.title', { count: total });
const frameOf = (total: number) => ({ title: titleOf(total), current: listPath, kind: 'p-bulk' });

function bulkPage(
  { site: { basePath }, antiForgery, query }: MemberVisit,
  { total, changes, rows, marks, hidden }: Scope,
  from: string,
  sub: string,
  warning?: Html | '' | undefined,
): Html {
  const choice = (target: Target, text: Html) =>
    html`
      <label class="choice">
        <input type="radio" name="to" value="${target}" required>
        <span>
          <b>${text}</b>
          <span class="faint" data-count="${changes(target)}">
            ${words('bulk.changes', { count: changes(target) })}
          </span>
        </span>
      </label>`;
  const row = ({ id, title, source, source_key }: ProblemRow) => {
    const state = shownState(marks(id));
    return html`
      <li>
        ${judgeKey({ source, source_key })} <a href="${basePath}${problemPath(id)}">${title}</a> <span class="soft">
          ${words(`state.inText.${state}`)}
        </span>
      </li>`;
  };
  const rest = total - rows.length;
  return html`
    ${pageHead(titleOf(total), { sub, crumbs: [[`${basePath}${listPath}`, words('frame.problems')]] })}
    <div class="stack">
      ${
        warning
          ? html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div>${warning}</div></div>`
          : ''
      }
      ${filterNotice(readProblemQuery(query).leftOut)}
      <section class="panel" aria-labelledby="to-title">
        <form
          class="bulk-form" method="post" action="${basePath}${bulkPath}${addressOf(readProblemQuery(query))}"
          data-total="${total}"
        >
          ${antiForgery}
          ${hidden}
          <fieldset>
            <legend><h2 id="to-title">${words('bulk.question')}</h2></legend>
            <div class="choices">
              ${states.map((state) => choice(state, html`${stateIcon(state)} ${stateWord(state)}`))}
              ${choice('star', html`${icon('star-on')} ${words('filters.starred')}`)}
              ${choice('unstar', html`${icon('star')} ${words('bulk.notStarred')}`)}
            </div>
          </fieldset>
          <p class="soft">${words('bulk.atOnce')} ${total > 0 ? words('bulk.starsAndNotes') : ''}</p>
          <div class="actions">
            <button class="button primary"${total === 0 ? html` disabled` : ''}>${titleOf(total)}</button>
            <a class="button quiet" href="${basePath}${from}">${words('views.back')}</a>
          </div>
        </form>
      </section>
      <section class="panel" aria-labelledby="which-title">
        <div class="panel-head"><h2 id="which-title">${words('bulk.which')}</h2></div>
        <ul class="plain">${rows.map(row)}</ul>
        ${rest > 0 ? html`<p class="soft">${words('bulk.more', { count: rest })}</p>` : ''}
      </section>
    </div>`;
}
