/** The story of a plant by date: when it was planted and changed, and when it reached parts of its target. */

import { type GrownPlant, growthOf, isListGone } from '../../../practice/garden.ts';
import { findMilestones, type NthCompletion } from '../../../practice/grown-from.ts';
import { editsOf } from '../../../practice/planting.ts';
import { daysText } from '../../kit/day-links.ts';
import { moment } from '../../kit/moments.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';

const milestones = [
  ['first', 0],
  ['quarter', 0.25],
  ['half', 0.5],
  ['threeQuarters', 0.75],
  ['bloom', 1],
  ['fruit', 2],
] as const;

/**
 * When the plant was planted and changed, and when what is solved reached parts of the target; what comes next stands
 * last.
 */
export async function storyPanel({ store, member, site }: MemberVisit, plant: GrownPlant): Promise<Html> {
  const target = Number(plant.target);
  // A small target has fewer milestones; the later of two at one number says more.
  const byNumber = new Map(milestones.map(([name, part]) => [Math.max(1, Math.ceil(target * part)), name] as const));
  const reached = [...byNumber.keys()].filter((nth) => nth <= plant.done);
  const found = await findMilestones(store.reader, member.user_id, plant, reached);
  const told = ({ nth, problem_id, title }: NthCompletion) => {
    const problem = html`<a href="${site.basePath}${problemPath(problem_id)}">${title}</a>`;
    return richWords(`story.${byNumber.get(nth) ?? 'first'}`, { problem });
  };
  const events = [
    { at: plant.planted_at, order: 0, text: words('plantPage.planted') as Html | string },
    ...found.map((one) => ({ at: one.completed_at, order: one.nth, text: told(one) })),
    ...editsTold(plant),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.order - other.order));
  const toGo = target - plant.done;
  const now = isListGone(plant)
    ? ''
    : growthOf(plant).isResting
      ? words('plantPage.resting', { count: plant.quietDays })
      : toGo > 0
        ? words('plantPage.toGo', { count: toGo })
        : '';
  return html`
    <section class="panel" aria-labelledby="story">
      <div class="panel-head"><h2 id="story">${words('plantPage.story')}</h2></div>
      <ol class="story">${events.map(({ at, text }) => html`<li>${moment(at)}<span>${text}</span></li>`)}</ol>
      ${now ? html`<p class="soft">${now}</p>` : ''}
    </section>`;
}

/** Each change of the name or the target, from what it was to what it became. */
function editsTold(plant: GrownPlant): { at: string; order: number; text: Html }[] {
  const edits = editsOf(plant);
  return edits.map(({ at, name, target, by_date }, nth) => {
    const after = edits[nth + 1] ?? plant;
    const [before, now] = [html`<bdi>${name}</bdi>`, html`<bdi>${after.name}</bdi>`];
    const day = (date: string | null) => (date === null ? words('edited.noDate') : daysText(date, date));
    const isSame = name === after.name && target === after.target;
    const text = isSame
      ? richWords('edited.redated', { before: day(by_date), now: day(after.by_date) })
      : name === after.name
        ? richWords('edited.retargeted', { target, newTarget: after.target })
        : target === after.target
          ? richWords('edited.renamed', { before, now })
          : richWords('edited.changed', { before, now, target, newTarget: after.target });
    return { at, order: Number.MAX_SAFE_INTEGER, text };
  });
}
