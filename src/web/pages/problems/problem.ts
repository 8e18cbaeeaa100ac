/**
 * The page of one problem: the member's status, how they solved it, the note and the history; and what its forms
 * change.
 */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/addresses.ts';
import {
  bookmarkVersionOf,
  longestNote,
  Overtaken,
  setBookmarks,
  setNote,
  setStatus,
  versionOf,
} from '../../../practice/marks.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { listChangesOfProblem } from '../../../store/changes.ts';
import { listContestsOfProblem } from '../../../store/contests.ts';
import { listListsOfProblem } from '../../../store/lists.ts';
import { countSent, listSolvesOfProblem, type Sent } from '../../../store/problem-solves.ts';
import { findProblem, type ProblemRow } from '../../../store/problems.ts';
import { findSolvedCounts } from '../../../store/solved-counts.ts';
import { backTo, changeBar } from '../../kit/changes.ts';
import { shownDifficulty } from '../../kit/difficulty.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import {
  type Forms,
  hiddenFields,
  hows,
  judgeKey,
  type OwnMarks,
  shownState,
  star,
  stateButtons,
  stateIcon,
  states,
  stateWords,
  webLink,
} from '../../kit/marks.ts';
import { moment } from '../../kit/moments.ts';
import { marksOf } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import { listPath, problemPath } from '../../paths.ts';
import { idIn, ownPath } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { contestCrumbs, problemAside } from './aside.ts';
import { historyPanel } from './history.ts';
import { reviewBar } from './review.ts';

const solvesShown = 100;

export const problemPages: readonly PageRoute<MemberVisit>[] = [
  {
    path: '/problem_list/problem/:id/',
    show: (visit) => showProblem(visit),
    change: takeMark,
  },
];

async function problemOf({ store, params, path }: MemberVisit): Promise<ProblemRow> {
  const problem = await findProblem(store.reader, idIn(params['id'], parseInt64));
  if (!problem) throw nothingHere(path);
  return problem;
}

/** What the member wanted when something had been changed elsewhere, or what is wrong with what they sent. */
interface Refused {
  status: number;
  sentence: Html;
  /** A note that was not saved stays in its field. */
  note?: string;
}

/** One form of a row or of the page was sent: it has a status, how it was solved, a bookmark or a note. */
async function takeMark(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, site } = visit;
  const { id } = await problemOf(visit);
  const memberId = member.user_id;
  const from = form.has('from') ? ownPath(site, form.get('from')) : problemPath(id);
  const how = hows.map(([name]) => name).find((name) => name === form.get('how'));
  const status = states.find((state) => state === form.get('status')) ?? (how && 'complete');
  const bookmark = form.get('bookmark');
  const version = form.get('version');
  const seen = version === null ? undefined : new Map([[id, version]]);
  const sent = form.get('note');
  const note = sent?.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed().trimEnd();
  if (note !== undefined && note.length > longestNote) {
    const sentence = richWords('note.tooLong', { length: note.length, longest: longestNote });
    return showProblem(visit, { status: 422, sentence, note });
  }
  // The browser shows the row again where it was.
  const fragment = note !== undefined ? '#your-note' : from.startsWith(problemPath(id)) ? '' : `#p${id}`;
  try {
    const marked = await store.write(async (tx) => {
      if (note !== undefined) return setNote(tx, memberId, id, note, seen);
      if (status !== undefined) return setStatus(tx, { memberId, problemIds: [id], status, how, seen });
      if (bookmark !== 'true' && bookmark !== 'false') return undefined;
      return setBookmarks(tx, memberId, [id], bookmark === 'true', seen);
    });
    if (!marked) return { to: from };
    return { to: backTo(from, marked.batch, fragment, status === undefined ? undefined : id) };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    const wanted =
      note !== undefined
        ? words('note.notSavedYet')
        : status !== undefined
          ? words('marks.statusNotSaved', { status: stateWords[status] })
          : words('marks.starLeft');
    const marks = (await marksOf(store.reader, memberId, [id]))(id);
    return showProblem(visit, {
      status: 409,
      sentence: richWords('marks.overtaken', { now: nowIs(marks, note !== undefined), wanted }),
      ...(note !== undefined && { note }),
    });
  }
}

/** What there is now, after a change that was made elsewhere. */
function nowIs(marks: OwnMarks, isAboutNote: boolean): string {
  const { bookmark } = marks;
  if (!isAboutNote) {
    const star = bookmark?.note ? 'noted' : bookmark ? 'starred' : 'unstarred';
    return words('marks.isNow', { status: stateWords[shownState(marks)], star });
  }
  return bookmark?.note ? words('note.isNow', { note: bookmark.note }) : words('note.isGone');
}

/** A form that was refused says so above everything else. */
async function showProblem(visit: MemberVisit, refused?: Refused): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { reader } = store;
  const { user_id } = member;
  const problem = await problemOf(visit);
  const { id, title } = problem;
  const marks = (await marksOf(reader, user_id, [id]))(id);
  const preferences = await readPreferences(reader, user_id);
  const changes = await listChangesOfProblem(reader, user_id, id);
  const counts = await countSent(reader, user_id, id);
  const { sent } = counts;
  const solves = sent === 0n ? [] : await listSolvesOfProblem(reader, user_id, id, solvesShown);
  const places = await listContestsOfProblem(reader, id);
  const lists = await listListsOfProblem(reader, id, user_id);
  const solvedBy = (await findSolvedCounts(reader, [id])).get(id);
  const from = problemPath(id);
  const forms: Forms = { basePath: site.basePath, antiForgery, from };
  const hidesRating = preferences.hidesRatings && shownState(marks) !== 'complete';
  const warning = refused
    ? html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div><p>${refused.sentence}</p></div></div>`
    : '';
  const changed = refused ? undefined : await changeBar(visit, from);
  const reviewed = refused || changed ? undefined : await reviewBar(visit, problem);
  const page = html`
    ${pageHead(title, {
      crumbs: [
        [`${site.basePath}${listPath}`, words('frame.problems')],
        ...contestCrumbs(problem, places, site.basePath),
      ],
      sub: html`
        ${judgeKey(problem)}
        <span>${shownDifficulty(problem, hidesRating)}</span>
        ${
          solvedBy === undefined
            ? ''
            : html`<span>${words('problem.solvedBy', { count: solvedBy, judge: judgeName(problem.source) })}</span>`
        }`,
      actions: html`
        ${star(forms, id, title, marks)}
        ${webLink(
          problem.url,
          html`${icon('out')}<span>${words('problem.openOn', { judge: judgeName(problem.source) })}</span>`,
          'button primary',
        )}`,
    })}
    <div class="with-side" data-problem="${id}" data-status="${shownState(marks)}">
      <div class="stack">
        ${warning}
        ${statusPanel(problem, marks, triesLine(marks, counts), forms, reviewed !== undefined)}
        ${notePanel(id, marks, forms, refused?.note)}
        ${historyPanel(problem, marks, { changes, solves, sent }, forms)}
      </div>
      <aside class="stack" aria-label="${words('problem.about')}">
        ${problemAside(problem, marks, places, lists, preferences, site.basePath)}
      </aside>
    </div>`;
  const bar = changed ?? reviewed;
  return {
    html: frame(visit, { title, current: listPath, kind: 'p-problem', styles: ['review.css'], bar }, page),
    ...(refused && { status: refused.status }),
  };
}

/** How much was sent, and when it was solved first, as the kept submissions tell. */
function triesLine({ status }: OwnMarks, { sent, first_at, place }: Sent): Html | string {
  if (sent === 0n) return '';
  const isSaid = status?.judge_status === 'complete' && status.judge_at === first_at;
  const said =
    first_at === null
      ? words('marks.sentSoFar', { sent })
      : isSaid
        ? words('marks.itWas', { sent, place })
        : richWords('marks.solvedFirst', { day: moment(first_at), sent, place });
  return html`<span data-sent="${sent}">${said}</span>`;
}

/** Whoever reviews is asked one question, how it went this time, and not how it was solved. */
function statusPanel(
  { id, source }: ProblemRow,
  marks: OwnMarks,
  sent: Html | string,
  forms: Forms,
  isReviewed: boolean,
): Html {
  const state = shownState(marks);
  const { self_status = null, self_at, judge_status = null, judge_at, how = null } = marks.status ?? {};
  const judge = judgeName(source);
  const inText = (status: NonNullable<typeof self_status>) => words(`state.inText.${status}`);
  const own =
    self_status &&
    self_at &&
    html`${richWords('marks.youSay', { status: inText(self_status), day: moment(self_at) })} `;
  const imported =
    judge_status &&
    judge_at &&
    html`${richWords('marks.judgeSays', { judge, status: inText(judge_status), day: moment(judge_at) })} `;
  const said = html`${own || ''}${imported || ''}`;
  const action = `${forms.basePath}${problemPath(id)}`;
  const version = versionOf(marks.status);
  const howForm = html`
    <form class="how" method="post" action="${action}">
      ${hiddenFields(forms, version)}
      <input type="hidden" name="status" value="complete">
      <fieldset>
        <legend>${words('how.question')}</legend>
        <div class="choices">
          ${hows.map(
            ([name, , text]) =>
              html`
                <label class="choice">
                  <input type="radio" name="how" value="${name}"${name === how ? html` checked` : ''}>
                  <span><b>${text}</b></span>
                </label>`,
          )}
        </div>
      </fieldset>
      <button class="button">${words('profile.save')}</button>
    </form>`;
  return html`
    <section class="panel verdict" aria-labelledby="status-title">
      <h2 id="status-title" class="sr">${words('marks.yourStatus')}</h2>
      <div class="verdict-now">
        ${stateIcon(state, self_status !== null && judge_status !== 'complete')}
        <div>
          <p class="big">${stateWords[state]}</p>
          <p class="soft">
            ${self_status === null && judge_status === null ? words('marks.nothingSaid') : said}
            ${sent}
          </p>
        </div>
        <details class="menu end" name="menu">
          <summary class="button"><span>${words('member.change')}</span>${icon('down')}</summary>
          <form class="menu-panel" method="post" action="${action}">
            ${hiddenFields(forms, version)}
            ${stateButtons[state]}
          </form>
        </details>
      </div>
      ${state === 'complete' && !isReviewed ? howForm : ''}
    </section>`;
}

function notePanel(id: bigint, { bookmark }: OwnMarks, forms: Forms, unsaved: string | undefined): Html {
  const note = unsaved ?? bookmark?.note ?? '';
  return html`
    <section class="panel" id="your-note" aria-labelledby="note-title">
      <div class="panel-head">
        <h2 id="note-title">${words('note.title')}</h2>
        <p>${icon('lock')} ${words('note.onlyYou')}</p>
      </div>
      <form method="post" action="${forms.basePath}${problemPath(id)}" class="note-form">
        ${hiddenFields(forms, bookmarkVersionOf(bookmark))}
        <label class="sr" for="note-text">${words('note.title')}</label>
        <textarea id="note-text" name="note" rows="4" maxlength="${longestNote}">
${note}</textarea>
        <div class="actions">
          <button class="button">${words('note.save')}</button>
          ${
            bookmark?.note
              ? html`
                <p class="faint">
                  ${richWords('note.saved', {
                    day: moment(bookmark.updated_at, 'date'),
                    time: moment(bookmark.updated_at, 'time'),
                  })}
                </p>`
              : html`<p class="faint">${words('note.starsToo')}</p>`
          }
        </div>
      </form>
    </section>`;
}
