/** A problem that is due: why it came back, and the grades with the day on which each brings it back again. */

import { dateOf } from '../../../practice/days.ts';
import { grades, triesAtMost } from '../../../practice/review-cards.ts';
import type { DueProblem } from '../../../practice/reviews.ts';
import { type Html, html } from '../../markup.ts';
import { reviewPath } from '../../paths.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

const short = utcFormat({ day: 'numeric', month: 'short' });
const withYear = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

const yearDays = 365;

/** A day of the member, with its year where it could be mistaken for another. */
export function shownDay(day: number, today: number): Html {
  const [date, now] = [dateOf(day), dateOf(today)];
  const isNear = date.slice(0, 4) === now.slice(0, 4) || (day > today && day < today + yearDays);
  const text = (isNear ? short : withYear).format(new Date(date));
  return html`<time datetime="${date}">${text}</time>`;
}

/** Why the problem came back: how it was solved, or what was said of it last. */
export function whyDue({ begun_day, solved: { how, tries }, lastSaid }: DueProblem, today: number): Html {
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
export function gradeForm(
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
