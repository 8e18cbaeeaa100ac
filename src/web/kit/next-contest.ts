/** The next contest within two weeks. */
import { dayMs } from '../../durations.ts';
import { listContestsAhead } from '../../practice/upcoming.ts';
import { type Html, html } from '../markup.ts';
import { upcomingPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { linkTo, richWords } from '../words/words.ts';
import { shortDuration } from './dates.ts';
import { icon } from './icons.ts';
import { judgeBadge } from './marks.ts';

const contestsAheadMs = 14 * dayMs;

export async function nextContest(
  { store, member, site }: MemberVisit,
  sources: ReadonlySet<string>,
): Promise<Html | undefined> {
  if (sources.size === 0) return undefined;
  const now = Date.now();
  const span = { from: now, until: now + contestsAheadMs, isSample: member.is_sample === 1n };
  const next = (await listContestsAhead(store.reader, span)).find(
    ({ source, starts_at, cancelled_at }) =>
      sources.has(source) && cancelled_at === null && Date.parse(starts_at) > now,
  );
  if (!next) return undefined;
  const text = richWords('today.nextContest', {
    judge: judgeBadge(next.source),
    title: next.title,
    time: shortDuration(Date.parse(next.starts_at) - now),
    link: linkTo(site.basePath + upcomingPath),
  });
  return html`<p class="next-line" data-contest="${next.source} ${next.key}">${icon('clock')}<span>${text}</span></p>`;
}
