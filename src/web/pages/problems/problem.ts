/** The page of one problem: status, note, history and times of the member, and the forms that change them. */

import { parseInt64 } from '../../../contract/common.ts';
import {
  contestEditorialAt,
  editorialAt,
  isHiddenContest,
  judgeName,
  judgeOf,
  publicAliases,
} from '../../../judges/judges.ts';
import { removeAddedProblem } from '../../../practice/added-problems.ts';
import { isLargeEnoughToPublish } from '../../../practice/groups.ts';
import { labelLimits, labelsIn } from '../../../practice/labels.ts';
import { solvesAtMost } from '../../../practice/level.ts';
import {
  longestNote,
  type MarkResult,
  noteVersionOf,
  recordEditorialRequest,
  setBookmarks,
  setLabel,
  setNote,
  setStatus,
  tidyNote,
  VersionConflict,
  versionOf,
} from '../../../practice/marks.ts';
import { type Preferences, readPreferences } from '../../../practice/preferences.ts';
import { findDueCard, findFirstReview } from '../../../practice/reviews.ts';
import { readChances } from '../../../practice/strength.ts';
import { endOfTimer, isPaused, minutesOf, outcomeOf, versionOfTimer } from '../../../practice/timer-rules.ts';
import { readMinutes, suggestionFor, usualTimeOf } from '../../../practice/timers.ts';
import { findAddedProblem, listProblemsUsedByOthers } from '../../../store/added-problems.ts';
import { listChangesOfProblem } from '../../../store/changes.ts';
import { type ContestOfProblem, listContestsOfProblem } from '../../../store/contests.ts';
import { type ListOfProblem, listListsOfProblem } from '../../../store/lists.ts';
import { findProblem, findSolvedCounts, type ProblemRow } from '../../../store/problems.ts';
import { findRemovedProblem } from '../../../store/removed-problems.ts';
import {
  countSubmissionsOn,
  listSolvesOfProblem,
  type ShownSolve,
  type SubmissionCounts,
} from '../../../store/solves.ts';
import type { State } from '../../../store/statuses.ts';
import type { Db } from '../../../store/tables.ts';
import { countTakers } from '../../../store/takings.ts';
import { findOpenTimer, listEndedTimers, type TimersTable, type TitledTimer } from '../../../store/timers.ts';
import { chanceWithReason, modelsFor } from '../../kit/chance.ts';
import {
  changeBar,
  changeEvent,
  changeText,
  dayList,
  eventItem,
  returnAddress,
  solveEvent,
} from '../../kit/changes.ts';
import { moment } from '../../kit/dates.ts';
import { reveal, shownDifficulty } from '../../kit/difficulty.ts';
import { followAttributes } from '../../kit/follow.ts';
import { button, form, radioButton } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { chip, linkButton } from '../../kit/links.ts';
import {
  type Forms,
  howQuestion,
  judgeKey,
  markForm,
  memberStateIcon,
  type ProblemMarks,
  shownState,
  solveMethods,
  star,
  stateButtons,
  stateIcon,
  stateLabel,
  statusOrder,
  suggestedHow,
  topics,
  webLink,
} from '../../kit/marks.ts';
import { renderNote } from '../../kit/note.ts';
import { notice, panel, slimPanel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { queryFor, queryString } from '../../kit/problem-query.ts';
import { findMarks } from '../../kit/problem-table.ts';
import {
  medianTime,
  startTimerForm,
  suggestionText,
  timerBar,
  timerEndText,
  timerEvent,
  timerPanel,
} from '../../kit/timer.ts';
import { type Html, html } from '../../markup.ts';
import {
  addToListPath,
  listPath,
  newProblemPath,
  problemPath,
  problemsPath,
  removeProblemPath,
  timerPath,
} from '../../paths.ts';
import { zoneLabel } from '../../request/clock.ts';
import { idIn, localPath, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { codePanel, downloadFile, removeFile, showCode, showFile, submitCode } from './code.ts';
import { gradeRow, reviewBar } from './review.ts';
import { notesOfGroups, readSharing, submitNoteSharing } from './shared-notes.ts';

/* The panels beside a problem. */

const contestHref = ({ source, contest }: ContestOfProblem, basePath: string) =>
  `${basePath}${problemsPath}?${new URLSearchParams({ source, contest })}`;

/** AtCoder sets a problem again in dozens of its trainings. */
const placesAtMost = 8;

const ownContestFirst = (places: readonly ContestOfProblem[]) =>
  places.toSorted((one, other) => Number(isHiddenContest(one)) - Number(isHiddenContest(other)));

const positionText = ({ title, position }: ContestOfProblem) => commaList([title, position]);

const listPanel = (heading: string, lines: readonly Html[], more?: Html) =>
  slimPanel(heading, html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>${more}`);

const hint = (text: string) => html`<p class="faint hint">${text}</p>`;

function sidePanels(
  problem: ProblemRow,
  marks: ProblemMarks,
  { places, lists }: { places: readonly ContestOfProblem[]; lists: readonly ListOfProblem[] },
  { hidesTopics }: Preferences,
  forms: Forms,
): Html {
  const { basePath } = forms.site;
  const { id, source, source_key, aliases } = problem;
  const otherKeys = publicAliases(source, aliases);
  const showsTopics = shownState(marks) === 'complete' || !hidesTopics;
  const links = [
    ...editorialLinks(problem, marks, forms),
    webLink(problem.video_url, words('problem.video')),
    webLink(problem.url, words('problem.statementOn', { judge: judgeName(source) })),
    html`
      <a href="${basePath}${problemsPath}?${new URLSearchParams({ source })}">
        ${words('problem.allOf', { judge: judgeName(source) })}
      </a>`,
  ].filter((link) => link !== undefined);
  const placeLink = (place: ContestOfProblem) =>
    html`<a href="${contestHref(place, basePath)}">${positionText(place)}</a>`;
  /** A problem that a contest sets in two divisions has a key in each. */
  const otherKeyLine = (twinKey: string) => {
    const place = places.find(({ key }) => key === twinKey);
    const page = judgeOf(source)?.problemPage?.(twinKey, place?.contest) ?? null;
    const key = judgeKey({ source, source_key: twinKey });
    return html`${webLink(page, key) ?? key}${place && html` ${placeLink(place)}`}`;
  };
  const listLinks = lists.map((list) => html`<a href="${basePath}${listPath(list.id)}"><bdi>${list.name}</bdi></a>`);
  const addLink = html`<p><a href="${basePath}${addToListPath}?problem=${id}">${words('lists.add')}</a></p>`;
  const [, ...otherPlaces] = places.filter(({ key }) => key === source_key);
  const placeLines = otherPlaces.slice(0, placesAtMost).map(placeLink);
  const placesLeft = otherPlaces.length - placeLines.length;
  if (placesLeft > 0) placeLines.push(html`${words('bulk.more', { count: placesLeft })}`);
  return html`
    ${
      problem.tags !== '[]' &&
      slimPanel(
        words('problem.topicsTitle'),
        html`${topics(problem, showsTopics, basePath)}${!showsTopics && hint(words('problem.shownWhenSolved'))}`,
      )
    }
    ${
      otherKeys.length > 0 &&
      listPanel(words('problem.same'), otherKeys.map(otherKeyLine), hint(words('problem.countedOnce')))
    }
    ${
      listLinks.length > 0
        ? listPanel(words('lists.inLists'), listLinks, addLink)
        : slimPanel(words('lists.inLists'), html`${hint(words('lists.inNone'))}${addLink}`)
    }
    ${otherPlaces.length > 0 && listPanel(words('problem.alsoSetIn'), placeLines)}
    ${listPanel(words('problem.elsewhere'), links)}`;
}

/** The page gives no number above this: the time model is based on too few solves of such problems. */
const longestEstimateHours = 5;

/** How long the problem takes the member; undefined if neither their timers nor a model knows it. */
async function readTimeEstimate(
  { store: { reader }, member }: MemberVisit,
  problem: ProblemRow,
  endedTimers: readonly TitledTimer[],
  isHidden: boolean,
): Promise<Html | undefined> {
  const estimate = (await readMinutes(reader, member.user_id, [problem], endedTimers))(problem);
  const judge = judgeOf(problem.source);
  if (!estimate || !judge) return undefined;
  const { minutes, level } = estimate;
  const time =
    minutes > longestEstimateHours * 60
      ? words('problem.hours', { hours: longestEstimateHours })
      : words('problem.minutes', {
          minutes: minutes < 60 ? minutes : Math.round(minutes / 5) * 5,
        });
  const shown = html`<p data-time>${time}</p>`;
  return html`
    ${isHidden ? reveal(words('problem.show'), words('problem.timeOf', { title: problem.title }), shown) : shown}
    ${
      level !== undefined &&
      hint(words('problem.timeFrom', { site: judge.site, level, judge: judge.name, solves: solvesAtMost }))
    }`;
}

/** The messages after adding a problem, by the `added` parameter of the address. */
const addedMessages = {
  new: 'add.added',
  here: 'add.known',
  'here-list': 'add.addedToList',
  'here-marked': 'add.marked',
  'here-list-marked': 'add.markedInList',
} as const;

/** Members can remove a problem that they added as long as nobody else uses it. */
async function addedPanel(visit: MemberVisit, id: bigint): Promise<Html | undefined> {
  const { store, member } = visit;
  const added = await findAddedProblem(store.reader, id);
  if (added?.member_id !== member.user_id) return undefined;
  if ((await listProblemsUsedByOthers(store.reader, [id], member.user_id)).size > 0) return undefined;
  const text = richWords('add.byYou', { day: moment(added.added_at, 'sentence') });
  const remove = form(visit, { to: removeProblemPath(id) }, button(words('add.remove'), 'small'));
  return slimPanel(words('add.yours'), html`<p>${text}</p>${remove}`);
}

/** Before the problem is solved, a button shows the editorials and records that the member saw them. */
function editorialLinks(
  { id, source, url, title, editorial_url }: ProblemRow,
  marks: ProblemMarks,
  forms: Forms,
): (Html | undefined)[] {
  const link = webLink(editorial_url ?? editorialAt(source, url), words('problem.editorial'));
  const contestLink = webLink(contestEditorialAt(source, url), words('problem.contestEditorial'));
  const shownAt = marks.bookmark?.editorial_at;
  if (!link) return [];
  if (shownAt) {
    const text = richWords('problem.sawEditorial', { day: moment(shownAt, 'sentence') });
    return [html`${link} <span class="faint" data-editorial>${text}</span>`, contestLink];
  }
  if (shownState(marks) === 'complete') return [link, contestLink];
  const showButton = html`
    <button class="button small" name="editorial" value="show">
      ${words('problem.showEditorial')}<span class="sr"> ${words('problem.editorialOf', { title })}</span>
    </button>`;
  return [markForm(forms, id, undefined, showButton)];
}

/* The history: changes, submissions and timers, by day. */

interface ProblemHistory {
  timers: readonly TimersTable[];
  changes: Awaited<ReturnType<typeof listChangesOfProblem>>;
  newestSubmissions: readonly ShownSolve[];
  submissionCount: bigint;
}

async function readHistory(
  reader: Db,
  ids: { userId: bigint; problemId: bigint },
  submissionCount: bigint,
  timers: readonly TimersTable[],
): Promise<ProblemHistory> {
  const changes = await listChangesOfProblem(reader, ids);
  const newestSubmissions =
    submissionCount === 0n ? [] : await listSolvesOfProblem(reader, { ...ids, limit: submissionsShown });
  return { changes, newestSubmissions, submissionCount, timers };
}

interface HistoryEvent {
  at: string;
  item: Html;
}

function historyPanel(
  { source }: ProblemRow,
  marks: ProblemMarks,
  { changes, newestSubmissions, submissionCount, timers }: ProblemHistory,
  forms: Forms,
): Html {
  const statusSubmission = submissionOfStatus(marks, newestSubmissions);
  const events: HistoryEvent[] = [
    ...changes.map((one) => ({ at: one.made_at, item: changeEvent(one, changeText(one), one.size, forms) })),
    ...newestSubmissions.map((one) => ({
      at: one.submitted_at,
      item: solveEvent(one, one === statusSubmission ? marks.status?.judge_status : null),
    })),
    ...timers.map((one) => ({ at: endOfTimer(one) ?? '', item: timerEvent(one, forms) })),
    ...(statusSubmission ? [] : judgeStatusEvent(marks, source)),
  ];
  events.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const judge = judgeName(source);
  const count = words('history.count', { sent: submissionCount, judge, changes: changes.length, zone: zoneLabel() });
  const beside = (submissionCount > 0n || changes.length > 0) && html`<p>${count}</p>`;
  const older = submissionCount - BigInt(newestSubmissions.length);
  return panel(
    { id: 'history-title', heading: words('frame.history'), beside },
    events.length === 0
      ? html`<p class="soft">${words('history.none')}</p>`
      : html`
        ${dayList(
          events,
          ({ at }) => at,
          ({ item }) => item,
        )}
        ${older > 0n && hint(words('history.older', { count: older }))}`,
  );
}

/** The submission that set the judge status; undefined if the judge only lists the problem as solved. */
function submissionOfStatus({ status }: ProblemMarks, solves: readonly ShownSolve[]): ShownSolve | undefined {
  const verdictClass = status?.judge_status === 'complete' ? 'solved' : 'tried';
  return solves.find((one) => one.submitted_at === status?.judge_at && one.verdict_class === verdictClass);
}

/** Shows a judge status that no submission explains. */
function judgeStatusEvent({ status }: ProblemMarks, source: string): HistoryEvent[] {
  if (!status?.judge_status || !status.judge_at) return [];
  const shown = eventItem({
    icon: stateIcon(status.judge_status),
    text: html`
      <b>${stateLabel(status.judge_status)}</b> <span class="faint">
        ${words('history.saidBy', { judge: judgeName(source) })}
      </span>`,
    when: moment(status.judge_at, 'time'),
  });
  return [{ at: status.judge_at, item: shown }];
}

const submissionsShown = 100;

export const problemPages: readonly PageRoute<MemberVisit>[] = [
  { path: '/problem_list/problem/:id/', get: (visit) => showProblem(visit), post: submitMark },
  { path: '/problem_list/problem/:id/remove/', post: submitRemoval },
  {
    path: '/problem_list/problem/:id/share/',
    post: async (visit) => submitNoteSharing(visit, (await getProblem(visit)).id),
  },
  {
    path: '/problem_list/problem/:id/code/',
    get: async (visit) => showCode(visit, await getOwnCode(visit)),
    post: async (visit, file) => submitCode(visit, await getOwnCode(visit), file),
    takesFile: true,
  },
  {
    path: '/problem_list/problem/:id/code/:file/',
    get: async (visit) => showFile(visit, await getOwnCode(visit)),
    post: async (visit) => removeFile(visit, await getProblem(visit)),
  },
  { path: '/problem_list/problem/:id/code/:file/file/', get: downloadFile, isDownload: true },
];

async function submitRemoval(visit: MemberVisit): Promise<PageResult> {
  const { id } = await getProblem(visit);
  await removeAddedProblem(visit.store, visit.member.user_id, id);
  return { to: `${newProblemPath}?done=removed` };
}

async function getProblem({ store, params, path }: MemberVisit): Promise<ProblemRow> {
  const problem = await findProblem(store.reader, idIn(params['id'], parseInt64));
  if (!problem) throw pageNotFound(path);
  return problem;
}

/** Redirects from a merged problem to the problem that replaced it. */
async function redirectToMerged({ store, params, path }: MemberVisit): Promise<PageResult> {
  const removed = await findRemovedProblem(store.reader, idIn(params['id'], parseInt64));
  const into = removed?.merged_into ?? undefined;
  if (into === undefined) throw pageNotFound(path);
  return { to: problemPath(into) };
}

/** Why a form was refused: a fault in its fields, or a conflict with a change made elsewhere. */
interface Refusal {
  status: number;
  message: Html;
  /** A form that offers what to do instead. */
  extraForm?: Html;
  /** The text of a note that was not saved, which stays in its field. */
  unsavedNote?: string;
  unsavedLabel?: string;
}

/** Changes the status, how the problem was solved, the bookmark, the note or a label, from this page or a table. */
async function submitMark(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, site } = visit;
  const { id } = await getProblem(visit);
  const memberId = member.user_id;
  const from = form.has('from') ? localPath(site, form.get('from')) : problemPath(id);
  const how = solveMethods.map(([name]) => name).find((name) => name === form.get('how'));
  const status = statusOrder.find((state) => state === form.get('status')) ?? (how && 'complete');
  const bookmark = form.get('bookmark');
  const version = form.get('version');
  const versions = version === null ? undefined : new Map([[id, version]]);
  const label = form.get('label');
  const labelToRemove = form.get('label_gone');
  const rawNote = form.get('note');
  const note = rawNote === null ? undefined : tidyNote(rawNote);
  if (note !== undefined && note.length > longestNote) {
    const sentence = richWords('note.tooLong', { length: note.length, longest: longestNote });
    return showProblem(visit, { status: 422, message: sentence, unsavedNote: note });
  }
  if (form.get('editorial') === 'show') {
    if (shownState((await findMarks(store.reader, memberId, [id]))(id)) !== 'complete')
      await recordEditorialRequest(store, memberId, id);
    return { to: problemPath(id) };
  }
  // The fragment scrolls the browser back to the row.
  const fragment = note !== undefined ? '#your-note' : from.startsWith(problemPath(id)) ? '' : `#p${id}`;
  try {
    let marked: MarkResult;
    if (note !== undefined) marked = await setNote(store, memberId, id, note, versions);
    else if (status !== undefined)
      marked = await setStatus(store, { memberId, problemIds: [id], status, how, versions });
    else if (bookmark === 'true' || bookmark === 'false')
      marked = await setBookmarks(store, memberId, [id], bookmark === 'true');
    else if (label !== null || labelToRemove !== null)
      marked = await setLabel(store, memberId, id, label ?? labelToRemove ?? '', label !== null);
    else return { to: from };
    return { to: returnAddress(from, marked.batch, fragment, status === undefined ? undefined : id) };
  } catch (error) {
    if (!(error instanceof VersionConflict) && label !== null)
      return showProblem(visit, { status: 422, message: html`${refusalText(error)}`, unsavedLabel: label });
    if (!(error instanceof VersionConflict) && note !== undefined)
      return showProblem(visit, { status: 422, message: html`${refusalText(error)}`, unsavedNote: note });
    if (!(error instanceof VersionConflict)) throw error;
    const unsaved =
      note !== undefined
        ? words('note.notSavedYet')
        : words('marks.statusNotSaved', { status: stateLabel(status ?? 'not_started') });
    const marks = (await findMarks(store.reader, memberId, [id]))(id);
    return showProblem(visit, {
      status: 409,
      message: richWords('marks.conflict', { now: currentState(marks, note !== undefined), wanted: unsaved }),
      ...(note !== undefined && { unsavedNote: note }),
    });
  }
}

/** What the status or the note is now, after a conflict. */
function currentState(marks: ProblemMarks, isNote: boolean): string {
  const { bookmark } = marks;
  if (!isNote) {
    const star = bookmark?.is_starred === 1n ? 'starred' : 'unstarred';
    return words('marks.isNow', { status: stateLabel(shownState(marks)), star });
  }
  return bookmark?.note ? words('note.isNow', { note: bookmark.note }) : words('note.isGone');
}

/** While a review is due, the note and the code are hidden, so that the member tries the problem without them. */
async function isUnderReview({ store, member, days }: MemberVisit, problemId: bigint): Promise<boolean> {
  return (await findDueCard(store.reader, member.user_id, problemId, days.at(Date.now()))) !== undefined;
}

async function getOwnCode(visit: MemberVisit) {
  const { id, title } = await getProblem(visit);
  return { id, title, isHidden: await isUnderReview(visit, id) };
}

const longestRandomQuery = 2000;

/** The query is that of the random pick that led here. */
const anotherRandom = (basePath: string, query: string | undefined) =>
  query !== undefined &&
  linkButton(`${basePath}${problemsPath}random/?${new URLSearchParams(query)}`, words('problem.anotherRandom'), {
    symbol: 'random',
  });

/** A chance says how hard the problem is, so who hides ratings opens it first. */
async function chancePart({ store, member, site }: MemberVisit, problem: ProblemRow, preferences: Preferences) {
  const chances = await readChances(store.reader, member.user_id, modelsFor(preferences), [problem], Date.now());
  const chance = chances.get(problem.id);
  if (!chance) return '';
  const content = chanceWithReason(site.basePath, chance);
  const isHidden = preferences.hidesRatings && chance.chance !== undefined;
  return html`<div>${isHidden ? reveal(words('chance.column'), '', content) : content}</div>`;
}

export async function showProblem(visit: MemberVisit, refusal?: Refusal): Promise<PageResult> {
  const { basePath } = visit.site;
  const { reader } = visit.store;
  const problem = await findProblem(reader, idIn(visit.params['id'], parseInt64));
  if (!problem) return redirectToMerged(visit);
  const { id, title, url } = problem;
  const ids = { userId: visit.member.user_id, problemId: id };
  const marks = (await findMarks(reader, ids.userId, [id]))(id);
  const preferences = await readPreferences(reader, ids.userId);
  const counts = await countSubmissionsOn(reader, ids);
  const places = ownContestFirst(await listContestsOfProblem(reader, { problemId: id }));
  const lists = await listListsOfProblem(reader, { memberId: ids.userId, problemId: id });
  const solvedBy = (await findSolvedCounts(reader, [id])).get(id);
  const random = visit.query.get('random')?.slice(0, longestRandomQuery);
  const from = problemPath(id) + (random === undefined ? '' : `?${new URLSearchParams({ random })}`);
  const forms: Forms = { ...visit, from };
  const isSolved = shownState(marks) === 'complete';
  const hidesRating = preferences.hidesRatings && !isSolved;
  const judge = judgeName(problem.source);
  // The breadcrumb shows a contest of the problem's main key; the side panel shows those of its other keys.
  const contestPlace = places.find(({ key }) => key === problem.source_key);
  const timers = await readTimers(visit, problem);
  const mainBar = refusal ? undefined : ((await timerBar(visit, from)) ?? (await changeBar(visit, from)));
  const gradeBar = refusal || mainBar ? undefined : await reviewBar(visit, problem);
  const hasOwnText = Boolean(marks.bookmark?.note ?? marks.bookmark?.labels) || counts.solutions > 0n;
  const isHidden = hasOwnText && (await isUnderReview(visit, id));
  const openLabel = html`${icon('out')}<span>${words('problem.openOn', { judge })}</span>`;
  const page = html`
    ${pageHead(title, {
      crumbs: [
        [basePath + problemsPath, words('frame.problems')],
        ...(contestPlace ? ([[contestHref(contestPlace, basePath), positionText(contestPlace)]] as const) : []),
      ],
      sub: html`
        ${judgeKey(problem)}
        ${problem.rating !== null && html`<span>${shownDifficulty(problem, hidesRating)}</span>`}
        ${solvedBy !== undefined && html`<span>${words('problem.solvedBy', { count: solvedBy, judge })}</span>`}`,
      actions: html`
        ${anotherRandom(basePath, random)}
        ${star(forms, id, title, marks)}
        ${!timers.open && startTimerForm(visit, problem, from)}
        ${webLink(url, openLabel, 'button primary')}`,
    })}
    <div class="with-side" data-problem="${id}" data-status="${shownState(marks)}">
      <div class="stack">
        ${refusal && notice('warn', refusal.message)}
        ${refusal?.extraForm}
        ${timers.open && timerPanel(visit, timers.open, timers.usual, from)}
        ${successNotice(visit, addedMessages, 'added')}
        ${await takersLine(visit, problem, places)}
        ${!isSolved && (await chancePart(visit, problem, preferences))}
        ${statusPanel(problem, marks, triesText(marks, counts), forms, {
          isReviewed: gradeBar !== undefined,
          timers,
          question: await gradeQuestion(visit, problem, timers.last),
        })}
        ${notePanel(problem, marks, forms, {
          unsaved: refusal?.unsavedNote,
          isHidden,
          sharing: marks.bookmark?.note ? await readSharing(visit, id, isSolved) : undefined,
        })}
        ${await codePanel(visit, { id, title, isHidden }, counts.solutions)}
        ${isSolved && (await notesOfGroups(visit, id))}
        ${historyPanel(problem, marks, await readHistory(reader, ids, counts.submissions, timers.ended), forms)}
      </div>
      <aside class="stack" aria-label="${words('problem.about')}">
        ${timesPanel(timers, await readTimeEstimate(visit, problem, timers.all, hidesRating), hidesRating)}
        ${sidePanels(problem, marks, { places, lists }, preferences, forms)}
        ${labelsPanel(problem, marks, forms, { isHidden, unsaved: refusal?.unsavedLabel })}
        ${await addedPanel(visit, id)}
      </aside>
    </div>`;
  const follow = refusal ? undefined : await followAttributes(visit, 'own');
  const styles = ['review.css', 'prose.css'] as const;
  const options = { title, current: problemsPath, kind: 'p-problem', styles, bar: mainBar ?? gradeBar, follow };
  return { html: frame(visit, options, page), ...(refusal && { status: refusal.status }) };
}

/** A problem without a rating gets no difficulty: estimated from so few people, it would be wrong by hundreds. */
async function takersLine(
  { store, member }: MemberVisit,
  problem: ProblemRow,
  places: readonly ContestOfProblem[],
): Promise<Html | undefined> {
  if (problem.rating !== null || places.length === 0) return undefined;
  const { count, solved } = await countTakers(store.reader, problem, member.user_id, Date.now());
  return isLargeEnoughToPublish(count)
    ? html`<p class="soft">${words('problem.takers', { count, solved })}</p>`
    : undefined;
}

function triesText({ status }: ProblemMarks, { submissions, first_at, place }: SubmissionCounts): Html | undefined {
  if (submissions === 0n) return undefined;
  const isJudgeTime = status?.judge_status === 'complete' && status.judge_at === first_at;
  const text =
    first_at === null
      ? words('marks.sentSoFar', { sent: submissions })
      : isJudgeTime
        ? words('marks.itWas', { sent: submissions, place })
        : richWords('marks.solvedFirst', { day: moment(first_at, 'sentence'), sent: submissions, place });
  return html`<span data-sent="${submissions}">${text}</span>`;
}

const openTimerText = (timer: TimersTable) => words(isPaused(timer) ? 'timer.paused' : 'timer.running');

/** During a review the page asks for a grade instead of how the problem was solved. */
function statusPanel(
  { id, source }: ProblemRow,
  marks: ProblemMarks,
  tries: Html | undefined,
  forms: Forms,
  {
    isReviewed,
    timers: { open: openTimer, last: lastTimer },
    question,
  }: { isReviewed: boolean; timers: Awaited<ReturnType<typeof readTimers>>; question: Html | undefined },
): Html {
  const state = shownState(marks);
  const { self_status, self_at, judge_status, judge_at, how, solved_list_source } = marks.status ?? {};
  const statusText = (status: State) => words(`state.inText.${status}`);
  const selfStatusText =
    self_status &&
    html`${
      self_at === null || self_at === undefined
        ? words('marks.youSayUndated')
        : richWords('marks.youSay', { status: statusText(self_status), day: moment(self_at, 'sentence') })
    } `;
  const judge = judgeName(source);
  const judgeStatusText =
    judge_status &&
    judge_at &&
    html`${richWords('marks.judgeSays', {
      judge,
      status: statusText(judge_status),
      day: moment(judge_at, 'sentence'),
    })} `;
  const undatedText =
    solved_list_source != null || (judge_status === 'complete' && judge_at === null)
      ? html`${words('marks.undated', { judge: judgeName(solved_list_source ?? source) })} `
      : '';
  const version = versionOf(marks.status);
  const isTimed = state === 'complete' && lastTimer !== undefined && outcomeOf(lastTimer) !== 'unsolved';
  const howFields = html`
    <input type="hidden" name="status" value="complete">
    <fieldset>
      <legend>${howQuestion(marks)}</legend>
      <div class="choices">
        ${solveMethods.map(([name, , text]) =>
          radioButton('how', name, html`<b>${words(text)}</b>`, name === (how ?? suggestedHow(marks))),
        )}
      </div>
    </fieldset>
    ${button(words('profile.save'))}`;
  return unheadedPanel(
    { labelledBy: 'status-title', className: 'verdict' },
    html`
      <h2 id="status-title" class="sr">${words('marks.yourStatus')}</h2>
      <div class="verdict-now">
        ${memberStateIcon(marks)}
        <div>
          <p class="big">
            ${
              isTimed
                ? words('timer.solvedIn', { count: minutesOf(lastTimer, 0) })
                : (openTimer && state === 'not_started' && openTimerText(openTimer)) || stateLabel(state)
            }
          </p>
          <p class="soft">
            ${isTimed && stoppedText(lastTimer)}
            ${selfStatusText}
            ${judgeStatusText}
            ${undatedText}
            ${tries}
          </p>
        </div>
        <details class="menu end" name="menu">
          <summary class="button"><span>${words('member.change')}</span>${icon('down')}</summary>
          ${markForm(forms, id, version, stateButtons()[state], 'menu-panel')}
        </details>
      </div>
      ${question}
      ${state === 'complete' && !isReviewed && !question && markForm(forms, id, version, howFields, 'how')}`,
  );
}

/**
 * The member's timers on the problem, the newest first. The page compares the last solve with the ones before it, so
 * `earlier` and the median `usual` leave it out.
 */
async function readTimers({ store: { reader }, member: { user_id, timer } }: MemberVisit, problem: ProblemRow) {
  const all = await listEndedTimers(reader, { userId: user_id });
  const ended = all.filter(({ problem_id }) => problem_id === problem.id);
  const open = timer?.problem_id === problem.id ? await findOpenTimer(reader, user_id) : undefined;
  const [last] = ended;
  const lastSolve = !open && last && outcomeOf(last) !== 'unsolved' ? last : undefined;
  const usual = usualTimeOf(all, problem, lastSolve?.id);
  return { all, ended, last, earlier: ended.filter((one) => one !== lastSolve), open, usual };
}

function stoppedText(timer: TimersTable): Html {
  // A member who forgot to stop the timer has entered minutes, so its start is shown instead of an end.
  const at = timer.solved_at ?? timer.started_at;
  const when = html`${moment(at, 'date')} ${moment(at, 'time')}`;
  return html`${richWords(timer.solved_at === null ? 'timer.stoppedByYou' : 'timer.stoppedBySubmission', { when })} `;
}

/** Asks how hard a timed problem was, until it comes back for its first review. */
async function gradeQuestion(
  visit: MemberVisit,
  problem: ProblemRow,
  timer: TimersTable | undefined,
): Promise<Html | undefined> {
  const { store, member, days } = visit;
  const end = timer && endOfTimer(timer);
  if (!timer || !end || outcomeOf(timer) === 'unsolved') return undefined;
  const first = await findFirstReview(store.reader, member.user_id, problem.id, days);
  if (!first || first.begunDay !== days.at(Date.parse(end))) return undefined;
  const suggestion = await suggestionFor(store.reader, timer, problem);
  const hidden = { timer: versionOfTimer(timer), from: problemPath(problem.id) };
  const row = gradeRow(first.nextDays, first.today, { suggested: suggestion?.grade, current: timer.grade });
  return form(
    visit,
    { to: timerPath(problem.id), hidden, className: 'grades timed-grades', label: words('timer.howHard') },
    html`
      <p><b>${words('timer.howHard')}</b></p>
      ${row}
      ${suggestion && html`<p class="faint hint">${suggestionText(suggestion)} ${words('timer.youDecide')}</p>`}`,
  );
}

/** During a review the labels stay hidden until a click, as the note does. */
function labelsPanel(
  { id, title }: ProblemRow,
  { bookmark }: ProblemMarks,
  forms: Forms,
  { isHidden, unsaved }: { isHidden: boolean; unsaved: string | undefined },
): Html {
  const labels = labelsIn(bookmark);
  const item = (label: string) =>
    html`
      <li>
        ${chip(`${forms.site.basePath}${problemsPath}${queryString(queryFor({ label }))}`, html`<bdi>${label}</bdi>`)}
        <button
          class="icon-button" name="label_gone" value="${label}" aria-label="${words('labels.remove', { label })}"
        >
          ${icon('close')}
        </button>
      </li>`;
  const shown = markForm(forms, id, undefined, html`<ul class="plain labels">${labels.map(item)}</ul>`);
  const { ofProblem, characters } = labelLimits;
  const fields = html`
    <input
      name="label" value="${unsaved}" maxlength="${characters}" required autocomplete="off"
      aria-label="${words('labels.name')}"
    >
    ${button(words('labels.add'), 'small')}`;
  return slimPanel(
    words('labels.title'),
    html`
      ${labels.length > 0 && (isHidden ? reveal(words('labels.show'), words('marks.noteOn', { title }), shown) : shown)}
      ${labels.length < ofProblem && markForm(forms, id, undefined, fields, 'label-form')}
      ${hint(words('labels.hint'))}`,
    'labels',
  );
}

const timesShown = 3;

function timesPanel(
  { usual, earlier }: Awaited<ReturnType<typeof readTimers>>,
  timeEstimate: Html | undefined,
  hidesRating: boolean,
): Html | '' {
  const hasTimers = (usual?.timerCount ?? 0) > 0 || earlier.length > 0;
  if (!hasTimers && !timeEstimate) return '';
  const times = earlier
    .slice(0, timesShown)
    .map((timer) => html`<dd>${timerEndText(timer)} <span class="faint">${moment(timer.started_at)}</span></dd>`);
  return slimPanel(
    words('timer.time'),
    html`
      ${timeEstimate}
      ${
        hasTimers &&
        html`
          <dl class="times">
            ${usual && medianTime(usual, hidesRating)}
            ${times.length > 0 && html`<dt>${words('timer.before')}</dt>${times}`}
          </dl>`
      }`,
  );
}

/** During a review the note stays hidden until a click: it may give the solution away. */
function notePanel(
  { id, title }: ProblemRow,
  { bookmark }: ProblemMarks,
  forms: Forms,
  {
    unsaved,
    isHidden,
    sharing,
  }: { unsaved: string | undefined; isHidden: boolean; sharing: Awaited<ReturnType<typeof readSharing>> },
): Html {
  const at = bookmark?.note ? bookmark.updated_at : undefined;
  const savedText = at && richWords('note.saved', { day: moment(at, 'date'), time: moment(at, 'time') });
  const fields = html`
    <label class="sr" for="note-text">${words('note.title')}</label>
    <textarea id="note-text" name="note" rows="4" maxlength="${longestNote}">
${unsaved ?? bookmark?.note}</textarea>
    <p class="faint hint">${words('note.markdown')}</p>
    <div class="actions">${button(words('note.save'))}${savedText && html`<p class="faint">${savedText}</p>`}</div>`;
  const editForm = markForm(forms, id, noteVersionOf(bookmark), fields, 'note-form');
  const renderedNote = bookmark?.note ? renderNote(bookmark.note) : undefined;
  const beside = sharing?.audienceText || html`<p>${icon('lock')} ${words('note.onlyYou')}</p>`;
  return panel(
    { id: 'note-title', heading: words('note.title'), beside, more: { id: 'your-note' } },
    html`
      ${
        renderedNote && isHidden
          ? reveal(words('note.show'), words('marks.noteOn', { title }), renderedNote)
          : renderedNote
      }
      ${
        renderedNote === undefined || unsaved !== undefined
          ? editForm
          : html`<details><summary class="button small">${words('note.edit')}</summary>${editForm}</details>`
      }
      ${sharing?.shareForm}`,
  );
}
