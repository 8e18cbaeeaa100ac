/** The review queue: the problems for today, what was said of the last ones, and how many come in a day. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { judgeName } from '../../../judges/judges.ts';
import { daysOfMember } from '../../../practice/activity.ts';
import { type Days, dateOf } from '../../../practice/days.ts';
import { reviewsAtMost, setReviewsADay } from '../../../practice/preferences.ts';
import { grades, triesAtMost } from '../../../practice/review-cards.ts';
import {
  type Due,
  type DueProblem,
  dueForReview,
  findDueProblem,
  review,
  undoReview,
} from '../../../practice/reviews.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { findCards, findReview, listReviews, type TitledReview } from '../../../store/reviews.ts';
import { moment } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon, spot } from '../../kit/icons.ts';
import { judgeKey, undoBar, webLink } from '../../kit/marks.ts';
import { problemTabs } from '../../kit/problem-tabs.ts';
import { type Html, html } from '../../markup.ts';
import { listPath, problemPath, reviewPath } from '../../paths.ts';
import { field, idIn } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { utcFormat } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

/* A problem that is due: why it came back, and the grades with the day on which each brings it back again. */

const short = utcFormat({ day: 'numeric', month: 'short' });
const withYear = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

const yearDays = 365;

/** A day of the member, with its year where it could be mistaken for another. */
function shownDay(day: number, today: number): Html {
  const [date, now] = [dateOf(day), dateOf(today)];
  const isNear = date.slice(0, 4) === now.slice(0, 4) || (day > today && day < today + yearDays);
  const text = (isNear ? short : withYear).format(new Date(date));
  return html`<time datetime="${date}">${text}</time>`;
}

/** Why the problem came back: how it was solved, or what was said of it last. */
function whyDue({ begun_day, solved: { how, tries }, lastSaid }: DueProblem, today: number): Html {
  if (lastSaid) {
    const { grade, day } = lastSaid;
    return html`${words(`review.said.${grade}`)} <span class="faint">${shownDay(day, today)}</span>`;
  }
  const text =
    how === 'editorial' || how === 'hint'
      ? words(`review.with.${how}`)
      : tries === 0
        ? words('review.why.first')
        : tries !== null && tries > triesAtMost
          ? words('review.why.tries', { tries })
          : words('review.why.solved');
  return html`${text} <span class="faint">${shownDay(Number(begun_day), today)}</span>`;
}

/** Each button says when the problem comes back. */
function gradeForm(
  due: DueProblem,
  today: number,
  { basePath, antiForgery }: { basePath: string; antiForgery: Html },
): Html {
  const { problem_id, title, version, nextDays } = due;
  return html`
    <form
      class="grades" method="post" action="${basePath}${reviewPath}" aria-label="${words('review.howWas', { title })}"
    >
      ${antiForgery}
      <input type="hidden" name="problem" value="${problem_id}">
      <input type="hidden" name="version" value="${version}">
      <div class="grade-row">
        ${grades.map(
          (grade) =>
            html`
              <button class="grade" name="grade" value="${grade}" title="${words(`review.meaning.${grade}`)}">
                <b>${words(`review.grade.${grade}`)}</b>
                <span>${shownDay(nextDays[grade], today)}</span>
              </button>`,
        )}
      </div>
      <div class="grade-else">
        <button class="button small quiet" name="grade" value="later">${words('review.later')}</button>
        <button class="button small quiet" name="grade" value="never">${words('review.never')}</button>
      </div>
    </form>`;
}

const reviewsShown = 20;
const aDayChoices = [0, 1, 2, 3, 5, 10, reviewsAtMost];

export const reviewPages: readonly PageRoute<MemberVisit>[] = [
  {
    path: reviewPath,
    show: (visit) => showQueue(visit),
    change: takeReview,
  },
];

async function showQueue(visit: MemberVisit, refused?: { status: number; sentence: string }): Promise<Answer> {
  const { store, member } = visit;
  const { reader } = store;
  const memberId = member.user_id;
  const due = await dueForReview(reader, memberId, new Date());
  const latest = await listReviews(reader, memberId, reviewsShown);
  const days = await daysOfMember(reader, memberId);
  const notice = refused
    ? html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div><p>${refused.sentence}</p></div></div>`
    : '';
  const content = html`
    ${pageHead(words('review.title'), { sub: words('review.sub') })}
    ${await problemTabs(visit, reviewPath)}
    ${notice}
    <div class="with-side">
      <div class="stack">
        <p class="found sr" data-total="${due.problems.length}">
          ${words('review.forToday', { count: due.problems.length })}
        </p>
        ${duePanel(visit, due)}
        ${latestPanel(visit, latest, days, due.today)}
      </div>
      <aside class="stack" aria-label="${words('review.about')}">
        ${settingPanel(visit, due.aDay)}
        <section class="panel slim" aria-labelledby="how-grades">
          <h2 id="how-grades">${words('review.howHead')}</h2>
          <p class="soft">${words('review.howText')}</p>
          <dl class="meanings">
            ${grades.map(
              (grade) => html`<dt>${words(`review.grade.${grade}`)}</dt><dd>${words(`review.meaning.${grade}`)}</dd>`,
            )}
          </dl>
        </section>
      </aside>
    </div>`;
  return {
    html: frame(
      visit,
      {
        title: words('review.title'),
        current: listPath,
        kind: 'p-review',
        styles: ['review.css'],
        bar: refused ? undefined : await doneBar(visit, due.today),
      },
      content,
    ),
    ...(refused && { status: refused.status }),
  };
}

function duePanel({ site, antiForgery }: MemberVisit, due: Due): Html {
  const { aDay, problems, done, waiting, today } = due;
  const { basePath } = site;
  if (aDay === 0)
    return html`
      <section class="panel empty">
        <h2>${words('review.off')}</h2>
        <p class="soft">${words('review.offText')}</p>
      </section>`;
  if (problems.length === 0)
    return html`
      <section class="panel empty">
        ${spot('seedlings')}
        <h2>${words(done > 0 ? 'review.allDone' : 'review.nothing')}</h2>
        <p class="soft">${done > 0 ? words('review.allDoneText', { done, waiting }) : words('review.nothingText')}</p>
        <div class="actions">
          <a class="button" href="${basePath}${listPath}?status=complete">${words('review.solvedOnes')}</a>
        </div>
      </section>`;
  const item = (one: DueProblem) =>
    html`
      <li class="due" data-problem="${one.problem_id}" data-status="complete">
        <div class="due-what">
          <h3><a href="${basePath}${problemPath(one.problem_id)}?review=1">${one.title}</a></h3>
          <p class="facts">${judgeKey(one)} ${difficulty(one)}</p>
          <p class="soft">${whyDue(one, today)}</p>
        </div>
        <div class="due-start">
          <a class="button" href="${basePath}${problemPath(one.problem_id)}?review=1">
            ${words('review.start')}
            <span class="sr">: ${one.title}</span>
          </a>
        </div>
        ${gradeForm(one, today, { basePath, antiForgery })}
      </li>`;
  return html`
    <section class="panel" aria-labelledby="due">
      <div class="panel-head">
        <h2 id="due">${words('review.forToday', { count: problems.length })}</h2>
        <p>${words('review.facts', { done, waiting })}</p>
      </div>
      <ol class="due-list">${problems.map(item)}</ol>
    </section>`;
}

function settingPanel({ site, antiForgery }: MemberVisit, aDay: number): Html {
  return html`
    <section class="panel slim" aria-labelledby="a-day">
      <h2 id="a-day">${words('review.aDayHead')}</h2>
      <p class="soft">${words('review.aDayText')}</p>
      <form class="a-day" method="post" action="${site.basePath}${reviewPath}">
        ${antiForgery}
        <label>
          ${words('review.aDay')} <select name="a_day" autocomplete="off">
            ${[...new Set([...aDayChoices, aDay])]
              .toSorted((a, b) => a - b)
              .map(
                (one) =>
                  html`
                    <option value="${one}"${one === aDay ? html` selected` : ''}>
                      ${one === 0 ? words('review.none') : one}
                    </option>`,
              )}
          </select>
        </label>
        <button class="button">${words('profile.save')}</button>
      </form>
    </section>`;
}

/** What was said last can be taken back as long as nothing that was said later stands on it. */
function latestPanel(
  { site, antiForgery }: MemberVisit,
  latest: readonly TitledReview[],
  days: Days,
  today: number,
): Html | string {
  if (latest.length === 0) return '';
  const { basePath } = site;
  const seen = new Set<bigint>();
  const event = (one: TitledReview) => {
    const isLast = one.undone_at === null && !seen.has(one.problem_id);
    if (one.undone_at === null) seen.add(one.problem_id);
    const form = html`
      <form method="post" action="${basePath}${reviewPath}">
        ${antiForgery}
        <button class="button small quiet" name="undo" value="${one.id}">
          ${icon('undo')}
          <span>${words('change.undo')}<span class="sr">: ${one.title}</span></span>
        </button>
      </form>`;
    const day = days.at(Date.parse(one.made_at));
    return html`
      <li class="event" data-review="${one.id}"${one.undone_at ? html` data-undone` : ''}>
        <span class="event-mark">${icon('sync', 'faint')}</span>
        <div>
          <p${one.undone_at ? html` class="change undone"` : ''}>
            <a href="${basePath}${problemPath(one.problem_id)}">${one.title}</a> ${judgeKey(one)} ${words(
              `review.event.${one.grade}`,
            )}
            ${
              one.undone_at
                ? html` <span class="faint">${richWords('change.undoneOn', { day: moment(one.undone_at) })}</span>`
                : ''
            }
          </p>
        </div>
        ${isLast ? form : ''}
        <span class="num faint">${shownDay(day, today)}</span>
      </li>`;
  };
  return html`
    <section class="panel" aria-labelledby="said">
      <div class="panel-head"><h2 id="said">${words('review.latest')}</h2></div>
      <ol class="events">${latest.map(event)}</ol>
    </section>`;
}

/** The bar for the review that the address names, if it is the member's own: made, or undone since. */
async function doneBar(
  { store, member, query, site, antiForgery }: MemberVisit,
  today: number,
): Promise<Html | undefined> {
  const id = parseInt64(query.get('done') ?? '');
  const row = id === undefined ? undefined : await findReview(store.reader, member.user_id, id);
  if (!row) return undefined;
  const forms = { basePath: site.basePath, antiForgery, from: reviewPath };
  const [subject, change] = [row.title, words(`review.event.${row.grade}`)];
  if (row.undone_at !== null) return undoBar(forms, richWords('change.undone', { subject, change }), undefined);
  const nextDay = await dayOfNext({ store, member }, row.problem_id);
  const text = html`
    ${richWords('change.done', { subject, change })}
    ${nextDay === null ? '' : html` · ${words('review.back')} ${shownDay(nextDay, today)}`}`;
  return undoBar(forms, text, row.id, { path: reviewPath });
}

async function dayOfNext(
  { store, member }: Pick<MemberVisit, 'store' | 'member'>,
  problemId: bigint,
): Promise<number | null> {
  const [card] = await findCards(store.reader, member.user_id, [problemId]);
  return card?.due_day == null ? null : Number(card.due_day);
}

/** The queue's bar on the page of a problem that was opened from there. */
export async function reviewBar(visit: MemberVisit, problem: ProblemRow): Promise<Html | undefined> {
  const { store, member, site, query, antiForgery } = visit;
  if (!query.has('review')) return undefined;
  const found = await findDueProblem(store.reader, member.user_id, problem, new Date());
  if (!found) return undefined;
  const { due, today } = found;
  const judge = judgeName(problem.source);
  const open = webLink(problem.url, words('problem.openOn', { judge }), 'bar-open') ?? '';
  return html`
    <div class="undo review-bar" role="region" aria-label="${words('review.title')}">
      <p>${icon('sync')}<span>${words('review.howWent')} ${open}</span></p>
      ${gradeForm(due, today, { basePath: site.basePath, antiForgery })}
      <a class="undo-close" href="${site.basePath}${reviewPath}">
        <span class="sr">${words('review.backToQueue')}</span>
        ${icon('close')}
      </a>
    </div>`;
}

async function takeReview(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const memberId = member.user_id;
  try {
    if (form.has('a_day')) {
      const count = /^\d{1,2}$/.test(form.get('a_day') ?? '') ? Number(form.get('a_day')) : Number.NaN;
      if (!(count <= reviewsAtMost))
        return showQueue(visit, {
          status: 422,
          sentence: words('review.badNumber', { most: reviewsAtMost }),
        });
      await setReviewsADay(store, memberId, count);
      return { to: reviewPath };
    }
    if (form.has('undo')) {
      const id = idIn(field(form, 'undo', 30), parseInt64);
      await undoReview(store, memberId, id, new Date());
      return { to: `${reviewPath}?done=${id}` };
    }
    const problemId = idIn(field(form, 'problem', 30), parseInt64);
    const said = [...grades, 'later' as const, 'never' as const].find((one) => one === form.get('grade'));
    if (!said) return showQueue(visit, { status: 422, sentence: words('review.noGrade') });
    const version = field(form, 'version', 100);
    const row = await review(store, memberId, problemId, said, version, new Date());
    return { to: `${reviewPath}?done=${row.id}` };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'preconditionFailed') throw error;
    return showQueue(visit, { status: 409, sentence: error.message });
  }
}

/* The addresses of a member's queues; those that are views of the problem list lead there. */

const views: readonly (readonly [path: string, view: string])[] = [
  ['/dashboard/upsolve/', `${listPath}?status=tried`],
  ['/dashboard/bookmarks/', `${listPath}?bookmarked=true`],
];

export const queuePages: readonly PageRoute<MemberVisit>[] = views.map(([path, to]) => ({
  path,
  show: async () => ({ to }),
}));
