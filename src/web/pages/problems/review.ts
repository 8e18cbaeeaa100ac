/** The review queue: the problems that are due today, the last grades, and how many problems come in a day. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { judgeName } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { reviewsADayAtMost, setReviewsADay } from '../../../practice/preferences.ts';
import { grades, triesAtMost } from '../../../practice/review-cards.ts';
import {
  answerReview,
  type DueProblem,
  type DueReviews,
  dueForReview,
  findDueProblem,
  undoReview,
} from '../../../practice/reviews.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { findCards, findReview, type Grade, listReviews, type TitledReview } from '../../../store/reviews.ts';
import { eventItem } from '../../kit/changes.ts';
import { moment } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { button, type FormContext, form, optionsOf } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { findProblemLink, linkButton } from '../../kit/links.ts';
import { judgeKey, problemLink, undoBar, undoForm, webLink } from '../../kit/marks.ts';
import { emptyPanel, notice, panel, slimPanel } from '../../kit/panel.ts';
import { problemTabs } from '../../kit/problem-tabs.ts';
import { suggestionText } from '../../kit/timer.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemPath, problemsPath, reviewPath } from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { afterColon, utcFormat } from '../../words/formats.ts';
import { localizeText, richWords, words } from '../../words/words.ts';

const dayMonth = utcFormat({ day: 'numeric', month: 'short' });
const dayMonthYear = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

const yearDays = 365;

/** A date without its year, where no other year can be meant. */
function shownDay(day: number, today: number): Html {
  const [date, now] = [dateOf(day), dateOf(today)];
  const isNear = date.slice(0, 4) === now.slice(0, 4) || (day > today && day < today + yearDays);
  const text = (isNear ? dayMonth : dayMonthYear).format(new Date(date));
  return html`<time datetime="${date}">${text}</time>`;
}

/** Why the problem is due: its last grade, or how and when it was first solved. */
function dueReason({ solved: { how, tries, day }, lastAnswer }: DueProblem, today: number): Html {
  if (lastAnswer) {
    const said = words(`review.said.${lastAnswer.grade}`);
    return html`${said} <span class="faint">${shownDay(lastAnswer.day, today)}</span>`;
  }
  const byTries = () => {
    if (tries === 0) return words('review.why.first');
    const isMany = tries !== null && tries > triesAtMost;
    return isMany ? words('review.why.tries', { tries }) : words('review.why.solved');
  };
  const text = how === 'editorial' || how === 'hint' ? words(`review.with.${how}`) : byTries();
  return html`${text} <span class="faint">${shownDay(day, today)}</span>`;
}

/** A button for each grade, with the day on which the problem comes back after it. */
export function gradeRow(
  nextDays: DueProblem['nextDays'],
  today: number,
  { suggested, current }: { suggested?: Grade | undefined; current?: Grade | null },
): Html {
  const grade = (name: (typeof grades)[number]) =>
    html`
      <button
        class="button grade${name === suggested && ' suggested'}" name="grade" value="${name}"
        title="${words(`review.meaning.${name}`)}"${attr('aria-pressed', current && String(name === current))}
      >
        <b>${words(`review.grade.${name}`)}</b>
        <span>${shownDay(nextDays[name], today)}</span>
        ${name === suggested && html`<em>${words('timer.suggested')}</em>`}
      </button>`;
  return html`<div class="grade-row">${grades.map(grade)}</div>`;
}

function gradeForm(due: DueProblem, today: number, formContext: FormContext): Html {
  const { problem_id, title, version, nextDays, suggestion } = due;
  const label = words('review.howWas', { title });
  return form(
    formContext,
    { to: reviewPath, className: 'grades', label, hidden: { problem: problem_id, version } },
    html`
      ${gradeRow(nextDays, today, { suggested: suggestion?.grade })}
      ${suggestion && html`<p class="faint hint">${suggestionText(suggestion)}</p>`}
      <div class="grade-else">
        ${button(words('review.later'), 'small quiet', ['grade', 'later'])}
        ${button(words('review.never'), 'small quiet', ['grade', 'never'])}
      </div>`,
  );
}

const reviewsShown = 20;
const dailyLimits = [0, 1, 2, 3, 5, 10, reviewsADayAtMost];

export const reviewPages: readonly PageRoute<MemberVisit>[] = [
  { path: reviewPath, get: (visit) => showQueue(visit), post: submitReview },
];

async function showQueue(visit: MemberVisit, refusal?: { status: number; sentence: string }): Promise<PageResult> {
  const { reader } = visit.store;
  const memberId = visit.member.user_id;
  const due = await dueForReview(reader, memberId, new Date());
  const latest = await listReviews(reader, memberId, reviewsShown);
  const meaning = (grade: (typeof grades)[number]) =>
    html`<dt>${words(`review.grade.${grade}`)}</dt><dd>${words(`review.meaning.${grade}`)}</dd>`;
  const title = words('review.title');
  const content = html`
    ${pageHead(title, { sub: words('review.sub') })}
    ${await problemTabs(visit, reviewPath)}
    ${refusal && notice('warn', refusal.sentence)}
    <div class="with-side">
      <div class="stack">
        <p class="found sr" data-total="${due.problems.length}">
          ${words('review.forToday', { count: due.problems.length })}
        </p>
        ${duePanel(visit, due)}
        ${latest.length > 0 && latestPanel(visit, latest, due.today)}
      </div>
      <aside class="stack" aria-label="${words('review.about')}">
        ${dailyLimitPanel(visit, due.reviewsADay)}
        ${slimPanel(
          words('review.howHead'),
          html`<p class="soft">${words('review.howText')}</p><dl class="meanings">${grades.map(meaning)}</dl>`,
          'how-grades',
        )}
      </aside>
    </div>`;
  const bar = refusal ? undefined : await confirmationBar(visit, due.today);
  return {
    html: frame(visit, { title, current: problemsPath, kind: 'p-review', styles: ['review.css'], bar }, content),
    ...(refusal && { status: refusal.status }),
  };
}

function duePanel(visit: MemberVisit, due: DueReviews): Html {
  const { reviewsADay, problems, done, waitingCount, today } = due;
  const { basePath } = visit.site;
  if (reviewsADay === 0) return emptyPanel({ heading: words('review.off'), text: words('review.offText') });
  if (problems.length === 0)
    return emptyPanel({
      picture: illustration('seedlings'),
      heading: words(done > 0 ? 'review.allDone' : 'review.nothing'),
      text: done > 0 ? words('review.allDoneText', { done, waiting: waitingCount }) : words('review.nothingText'),
      actions: html`
        ${linkButton(`${basePath}${problemsPath}?status=complete`, words('review.solvedOnes'))}
        ${findProblemLink(basePath)}`,
    });
  const item = (one: DueProblem) => {
    const { problem_id: id, title } = one;
    const href = `${basePath}${problemPath(id)}?review=1`;
    return html`
      <li class="due" data-problem="${id}" data-status="complete">
        <div class="due-what">
          <h3><a href="${href}">${title}</a></h3>
          <p class="facts">${judgeKey(one)} ${one.rating !== null && difficulty(one)}</p>
          <p class="soft">${dueReason(one, today)}</p>
        </div>
        <div class="due-start">
          ${linkButton(href, html`${words('review.start')}<span class="sr">${afterColon(title)}</span>`)}
        </div>
        ${gradeForm(one, today, visit)}
      </li>`;
  };
  const heading = words('review.forToday', { count: problems.length });
  const beside = html`<p>${words('review.facts', { done, waiting: waitingCount })}</p>`;
  return panel({ id: 'due', heading, beside }, html`<ol class="due-list">${problems.map(item)}</ol>`);
}

function dailyLimitPanel(visit: MemberVisit, aDay: number): Html {
  const counts = [...new Set([...dailyLimits, aDay])].toSorted((a, b) => a - b);
  const choices = counts.map((one) => [String(one), one === 0 ? words('review.none') : String(one)] as const);
  const fields = html`
    <label>
      ${words('review.aDay')} <select name="a_day" autocomplete="off">${optionsOf(choices, String(aDay))}</select>
    </label>
    ${button(words('profile.save'))}`;
  return slimPanel(
    words('review.aDayHead'),
    html`
      <p class="soft">${words('review.aDayText')}</p>
      ${form(visit, { to: reviewPath, className: 'a-day' }, fields)}`,
    'a-day',
  );
}

/** Only the last review of a problem can be undone: later ones follow from it. */
function latestPanel(visit: MemberVisit, latest: readonly TitledReview[], today: number): Html {
  const { basePath } = visit.site;
  const withLaterReview = new Set<bigint>();
  const event = (one: TitledReview) => {
    const { id, problem_id, title, undone_at } = one;
    const isLast = undone_at === null && !withLaterReview.has(problem_id);
    if (undone_at === null) withLaterReview.add(problem_id);
    const label = html`${words('change.undo')}<span class="sr">${afterColon(title)}</span>`;
    return eventItem({
      about: attr('data-review', id),
      icon: icon('sync', 'faint'),
      text: html`
        ${problemLink(basePath, { id: problem_id, title })} ${judgeKey(one)} ${words(`review.event.${one.grade}`)}`,
      undone: undone_at !== null && richWords('change.undoneOn', { day: moment(undone_at, 'sentence') }),
      undo: isLast && undoForm(visit, reviewPath, id, label),
      when: html`<span class="num faint">${shownDay(visit.days.at(Date.parse(one.made_at)), today)}</span>`,
    });
  };
  return panel({ id: 'said', heading: words('review.latest') }, html`<ol class="events">${latest.map(event)}</ol>`);
}

/** Confirms the review that the address names, or says that it was undone. */
async function confirmationBar(visit: MemberVisit, today: number): Promise<Html | undefined> {
  const { store, member, query } = visit;
  const { reader } = store;
  const id = parseInt64(query.get('done') ?? '');
  const row = id === undefined ? undefined : await findReview(reader, member.user_id, id);
  if (!row) return undefined;
  const forms = { ...visit, from: reviewPath };
  const [subject, change] = [row.title, words(`review.event.${row.grade}`)];
  if (row.undone_at !== null) return undoBar(forms, richWords('change.undone', { subject, change }));
  const [card] = await findCards(reader, member.user_id, [row.problem_id]);
  const next = card?.due_day ?? null;
  const text = html`
    ${richWords('change.done', { subject, change })}
    ${next !== null && html` · ${words('review.back')} ${shownDay(Number(next), today)}`}`;
  return undoBar(forms, text, row.id, { to: reviewPath });
}

/** The grade buttons below a problem's page that was opened from the review queue. */
export async function reviewBar(visit: MemberVisit, problem: ProblemRow): Promise<Html | undefined> {
  if (!visit.query.has('review')) return undefined;
  const dueToday = await findDueProblem(visit.store.reader, visit.member.user_id, problem, new Date());
  if (!dueToday) return undefined;
  const judge = judgeName(problem.source);
  const open = webLink(problem.url, words('problem.openOn', { judge }), 'bar-open');
  return html`
    <div class="undo review-bar" role="region" aria-label="${words('review.title')}">
      <p>${icon('sync')}<span>${words('review.howWent')} ${open}</span></p>
      ${gradeForm(dueToday.due, dueToday.today, visit)}
      <a class="undo-close" href="${visit.site.basePath}${reviewPath}">
        <span class="sr">${words('review.backToQueue')}</span>
        ${icon('close')}
      </a>
    </div>`;
}

async function submitReview(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: values } = visit;
  const memberId = member.user_id;
  try {
    if (values.has('a_day')) {
      const count = /^\d{1,2}$/.test(values.get('a_day') ?? '') ? Number(values.get('a_day')) : Number.NaN;
      if (!(count <= reviewsADayAtMost))
        return showQueue(visit, { status: 422, sentence: words('review.badNumber', { most: reviewsADayAtMost }) });
      await setReviewsADay(store, memberId, count);
      return { to: reviewPath };
    }
    if (values.has('undo')) {
      const id = idIn(fieldText(values, 'undo', 30), parseInt64);
      await undoReview(store, memberId, id, new Date());
      return { to: `${reviewPath}?done=${id}` };
    }
    const problemId = idIn(fieldText(values, 'problem', 30), parseInt64);
    const answer = [...grades, 'later' as const, 'never' as const].find((one) => one === values.get('grade'));
    if (!answer) return showQueue(visit, { status: 422, sentence: words('review.noGrade') });
    const version = fieldText(values, 'version', 100);
    const row = await answerReview(store, memberId, { problemId, answer, version }, new Date());
    return { to: `${reviewPath}?done=${row.id}` };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'preconditionFailed') throw error;
    return showQueue(visit, { status: 409, sentence: localizeText(error) });
  }
}
