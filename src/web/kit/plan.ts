/** A plan to a date in words, and what a member can do about one that is too much. */
import { type Plan, planMessage } from '../../practice/plan.ts';
import { type Html, html } from '../markup.ts';
import { accountDaysPath } from '../paths.ts';
import { linkTo, localize, richWords, words } from '../words/words.ts';
import { shortDay } from './day-links.ts';

export const planText = (plan: Plan, today: number): string =>
  localize(planMessage(plan, (day) => shortDay(day, today)));

/** Without `dateHref`, the date is a coach's. */
export function planLines(plan: Plan, today: number, basePath: string, dateHref?: string): Html {
  const ways = () =>
    richWords('plan.ways', {
      isAssigned: String(dateHref === undefined),
      date: linkTo(dateHref ?? ''),
      days: linkTo(basePath + accountDaysPath),
    });
  return html`
    <p data-plan>${planText(plan, today)}</p>
    ${
      !plan.isOnCourse &&
      (plan.dayCount > 0 || dateHref !== undefined) &&
      html`
        <p class="soft">
          ${plan.usual > 0 && plan.dayCount > 0 && html`${words('plan.much', { usual: plan.usual })} `}
          ${ways()}
        </p>`
    }`;
}
