/** Upcoming contests: the next one, two weeks as a picture and a list, the choice of judges, the calendar. */

import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { feedHealth, judgeHealth } from '../../../jobs/sync-health.ts';
import { alwaysFetchedFeeds, contestFeeds } from '../../../judges/contest-feeds.ts';
import { isKnownSite, judgeName, judgeOf, judgeShort, ratedRangeFor } from '../../../judges/judges.ts';
import { type Days, dateOf, daysOf } from '../../../practice/days.ts';
import { readPreferences, showContestsOf } from '../../../practice/preferences.ts';
import { isOpenDuel } from '../../../practice/rounds.ts';
import { itemKey } from '../../../practice/season-table.ts';
import { addSeasonContests, removeSeasonContest } from '../../../practice/seasons.ts';
import { endOfContest, listContestsAhead, readFeeds } from '../../../practice/upcoming.ts';
import { listVisibleRounds, type ShownRound } from '../../../store/rounds.ts';
import { listCurrentSeasons, listSeasonItems, type SeasonItem, type SeasonOfGroup } from '../../../store/seasons.ts';
import type { UpcomingContestsTable } from '../../../store/upcoming.ts';
import { daysShown, type Slot, twoWeeks } from '../../drawing/charts/two-weeks.ts';
import { calendarForms, handleCalendarForm } from '../../kit/calendar.ts';
import { countdown, shortDuration, timeAgo } from '../../kit/dates.ts';
import { form } from '../../kit/form.ts';
import { contestTabs, frame, pageHead } from '../../kit/frame.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { judgeBadge, roundBadge, webLink } from '../../kit/marks.ts';
import { emptyPanel, panel, slimPanel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { attr, type Html, html, inTurns } from '../../markup.ts';
import { accountDaysPath, contestsPath, handlesPath, roundPath, staffContestsPath, upcomingPath } from '../../paths.ts';
import { timeOfDay, zoneLabel } from '../../request/clock.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList, utcFormat } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

export const upcomingPages: readonly PageRoute<MemberVisit>[] = [
  // The page has the secret address of the member's calendar.
  { path: upcomingPath, isUncached: true, get: showUpcoming, post: submitUpcoming },
];

const styles = ['upcoming.css', 'garden.css'] as const;

/** Days are those of the member's time zone and begin at midnight, unlike days of practice. */
interface AgendaContext {
  days: Days;
  today: number;
  now: number;
  /** Titles of calendar feeds, whose sources are no judges. */
  titles: ReadonlyMap<string, string>;
  basePath: string;
  /** The current seasons of the member's groups. */
  seasons: readonly SeasonOfGroup[];
  /** By season and `itemKey`. */
  seasonItems: ReadonlyMap<string, SeasonItem>;
}

type UpcomingEvent = UpcomingContest | ({ kind: 'round'; title: string } & ShownRound);
type UpcomingContest = { kind: 'contest' } & UpcomingContestsTable;

const roundsAtMost = 100;

/** Rounds that the member joined or may join. */
async function listUpcomingRounds(
  { store, member }: MemberVisit,
  now: number,
  until: number,
): Promise<UpcomingEvent[]> {
  const rounds = await listVisibleRounds(store.reader, member.user_id, { limit: roundsAtMost });
  return rounds
    .filter(
      (round) =>
        !isOpenDuel(round) &&
        round.archived_at === null &&
        Date.parse(round.ends_at) > now &&
        Date.parse(round.starts_at) < until,
    )
    .map((round) => ({ ...round, kind: 'round', title: round.name }));
}

async function showUpcoming(visit: MemberVisit): Promise<PageResult> {
  const { store, member, days: practiceDays } = visit;
  const now = Date.now();
  const days = daysOf({ ...practiceDays.rule, startHour: 0 });
  const today = days.at(now);
  const feeds = await readFeeds(store.reader);
  const titles = new Map(feeds.flatMap(({ name, calendar }) => (calendar ? [[name, calendar.title]] : [])));
  const until = days.start(today + daysShown);
  const all = await listContestsAhead(store.reader, { from: now, until, isSample: member.is_sample === 1n });
  const { hiddenContests } = await readPreferences(store.reader, member.user_id);
  const rounds = await listUpcomingRounds(visit, now, until);
  const contests = all
    .filter(({ source }) => !hiddenContests.includes(source))
    .map((one): UpcomingContest => ({ ...one, kind: 'contest' }));
  const events = [...contests, ...rounds].toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1));
  const seasons = await listCurrentSeasons(store.reader, member.user_id);
  const items = await listSeasonItems(
    store.reader,
    seasons.map(({ id }) => id),
  );
  const seasonItems = new Map(items.map((item) => [`${item.season_id} ${itemKey(item)}`, item]));
  const context = { days, today, now, titles, seasons, seasonItems, basePath: visit.site.basePath };
  const title = words('contests.title');
  const next = contests.find((one) => one.cancelled_at === null && Date.parse(one.starts_at) > now);
  const emptyState = all.length > 0 ? allHiddenPanel() : await noContestsPanel(visit);
  const content = html`
    ${pageHead(title, { sub: words('upcoming.sub') })}
    ${contestTabs(visit.site.basePath, upcomingPath)}
    ${successNotice(visit, { saved: 'done.saved', shared: 'sharing.made' })}
    ${
      all.length + rounds.length === 0 && hiddenContests.length === 0
        ? emptyState
        : html`
          <div class="stack">
            ${next && nextPanel(next, events, context)}
            <div class="with-side">
              ${events.length > 0 ? await agenda(visit, events, context) : emptyState}
              <aside class="stack">
                ${await judgeSwitches(visit, { all, hidden: hiddenContests, titles })}
                ${zonePanel(visit, now)}
                ${slimPanel(
                  words('calendar.title'),
                  html`<p class="soft">${words('upcoming.calendar')}</p>${await calendarForms(visit, upcomingPath)}`,
                  'calendar',
                )}
              </aside>
            </div>
          </div>`
    }`;
  return { html: frame(visit, { title, current: contestsPath, kind: 'p-upcoming', styles }, content) };
}

const isScheduled = (one: UpcomingEvent) => one.kind === 'round' || one.cancelled_at === null;

const endMsOf = (one: UpcomingEvent) => (one.kind === 'round' ? Date.parse(one.ends_at) : endOfContest(one));

/** 0 for an unknown duration. */
const durationMsOf = (one: UpcomingEvent) => endMsOf(one) - Date.parse(one.starts_at);

function nextPanel(next: UpcomingContest, events: readonly UpcomingEvent[], context: AgendaContext): Html {
  const { now, titles } = context;
  const { source, title, starts_at, url } = next;
  const linkText = isKnownSite(source)
    ? words('upcoming.register', { judge: judgeName(source) })
    : words('upcoming.open', { site: titles.get(source) ?? source });
  const button = webLink(url, html`${icon('out')}<span>${linkText}</span>`, 'button primary');
  const slots = events.filter(isScheduled).map(
    (one): Slot => ({
      anchor: anchorOf(one),
      title: one.title,
      time: timeOfDay(one.starts_at),
      isInSeason: context.seasons.some((season) => seasonItemOf(one, season, context) !== undefined),
      start: Date.parse(one.starts_at),
      end: endMsOf(one),
      shortName:
        one.kind === 'round' ? words('upcoming.round') : isKnownSite(one.source) ? judgeShort(one.source) : '…',
    }),
  );
  return unheadedPanel(
    { labelledBy: 'next', className: 'figure-row next-contest' },
    html`
      <div class="figure-side">
        <h2 id="next">${words('upcoming.next')}</h2>
        <p class="figure">${countdown(Date.parse(starts_at) - now)}</p>
        <p class="soft">${timeText(next, context)}</p>
      </div>
      <div class="next-what">
        <p class="next-name">${webLink(url, title) ?? title}</p>
        <p class="facts">
          <span class="key">${sourceMark(source, titles)}<span>${titles.get(source) ?? judgeName(source)}</span></span>
          ${factsOf(next).map((fact) => html`<span>${fact}</span>`)}
        </p>
      </div>
      ${button && html`<div class="actions">${button}</div>`}
      <div class="next-weeks">
        ${twoWeeks(
          slots.filter(({ start }) => start > now - dayMs),
          { days: context.days, first: context.today, now },
        )}
        <p class="legend weeks-legend" aria-hidden="true">
          ${slots.some(({ isInSeason }) => isInSeason) && html`<i class="sw own"></i>${words('upcoming.inYourSeason')}`}
          <i class="sw night"></i>${words('upcoming.night')}
        </p>
      </div>`,
  );
}

const weekdayDate = utcFormat({ weekday: 'long', day: 'numeric', month: 'short' });
const weekdayOnly = utcFormat({ weekday: 'long' });
const dateOnly = utcFormat({ day: 'numeric', month: 'short' });

/** A text such as "Today 15:35–17:35", with the date from the third day on. */
function timeText(contest: UpcomingEvent, { days, today }: AgendaContext): string {
  const day = days.at(Date.parse(contest.starts_at));
  const name = day === today ? words('upcoming.today') : day === today + 1 ? words('upcoming.tomorrow') : undefined;
  return `${name ?? weekdayDate.format(day * dayMs)} ${timeOfDay(contest.starts_at)}${endText(contest)}`;
}

/** A text such as "–17:35", empty if the end is unknown or more than a day after the start. */
function endText(contest: UpcomingEvent): string {
  const durationMs = durationMsOf(contest);
  return durationMs > 0 && durationMs < dayMs ? `–${timeOfDay(new Date(endMsOf(contest)).toISOString())}` : '';
}

function factsOf(contest: UpcomingContestsTable): string[] {
  const length = contest.duration_s > 0n ? shortDuration(Number(contest.duration_s) * 1000) : '';
  return [length, ratedWords(contest)].filter((fact) => fact !== '');
}

function ratedWords({ source, title }: UpcomingContestsTable): string {
  const rated = ratedRangeFor(source, title);
  if (rated === undefined) return '';
  const { from, below } = rated;
  if (below !== undefined) return words('upcoming.ratedBelow', { below });
  return from === undefined ? words('upcoming.ratedAll') : words('upcoming.ratedFrom', { from });
}

function sourceMark(source: string, titles: ReadonlyMap<string, string>): Html {
  if (isKnownSite(source)) return judgeBadge(source);
  return html`<span class="judge" title="${titles.get(source) ?? source}">${icon('today')}</span>`;
}

async function agenda(visit: MemberVisit, events: readonly UpcomingEvent[], context: AgendaContext): Promise<Html> {
  const { days, today } = context;
  // Running contests are listed under today.
  const dayOf = ({ starts_at }: UpcomingEvent) => Math.max(today, days.at(Date.parse(starts_at)));
  const byDay = [...Map.groupBy(events, dayOf)];
  const count = events.filter(isScheduled).length;
  const beside = html`<p>${words('upcoming.count', { count, zone: zoneLabel() })}</p>`;
  const overlaps = overlapsOf(events);
  const day = async ([number, contests]: (typeof byDay)[number]) => {
    const at = number * dayMs;
    const nearDay = [words('upcoming.today'), words('upcoming.tomorrow')][number - today];
    return html`
      <section class="agenda-day">
        <h3>
          ${nearDay ?? weekdayOnly.format(at)}
          <time datetime="${dateOf(number)}">${nearDay ? weekdayDate.format(at) : dateOnly.format(at)}</time>
        </h3>
        <ol>${await inTurns(contests, (one) => slotRow(one, overlaps.get(one), context))}</ol>
      </section>`;
  };
  const daySections: Html[] = [];
  for (const one of byDay) daySections.push(await day(one));
  return panel(
    { id: 'agenda', heading: words('upcoming.twoWeeks'), beside, className: 'agenda', total: events.length },
    context.seasons.some(({ role }) => role === 'coach')
      ? form(visit, { to: upcomingPath }, html`${daySections}`)
      : html`${daySections}`,
  );
}

/**
 * For each event a round at the same time, or the first of the earlier ones that is not over when it begins. Events are
 * sorted by start, so what is over for one is over for all that follow.
 */
function overlapsOf(events: readonly UpcomingEvent[]): ReadonlyMap<UpcomingEvent, UpcomingEvent | undefined> {
  const short = events.filter((one) => isScheduled(one) && durationMsOf(one) < dayMs);
  const times = short.map((one) => ({ one, start: Date.parse(one.starts_at), end: endMsOf(one) }));
  const rounds = times.filter(({ one }) => one.kind === 'round');
  let earliest = 0;
  const overlaps = times.map(({ one, start, end }, at) => {
    while (earliest < at && (times[earliest]?.end ?? 0) <= start) earliest++;
    const round = one.kind === 'contest' && rounds.find((other) => other.end > start && other.start < end);
    return [one, round ? round.one : earliest < at ? times[earliest]?.one : undefined] as const;
  });
  return new Map(overlaps);
}

const anchorOf = ({ kind, id }: UpcomingEvent) => `${kind === 'round' ? 'r' : 'c'}${id}`;

const seasonItemOf = (contest: UpcomingEvent, { id }: SeasonOfGroup, { seasonItems }: AgendaContext) =>
  seasonItems.get(`${id} ${itemKey(contest)}`);

/** Coaches get buttons that add the event to a season or remove it. Others read whether it is in one. */
function seasonButtons(contest: UpcomingEvent, context: AgendaContext): Html | '' {
  const { id, title } = contest;
  const seasons = context.seasons.filter(({ group_id }) => contest.kind === 'contest' || contest.group_id === group_id);
  const coachedSeasons = seasons.filter(({ role }) => role === 'coach');
  // Without a contest page, this server would never learn the problems of the contest.
  const isAddable = isScheduled(contest) && (contest.kind === 'round' || judgeOf(contest.source)?.contestPage);
  const parts = seasons.flatMap((season) => {
    const item = seasonItemOf(contest, season, context);
    const { group, group_id } = season;
    const isOnlySeason = seasons.length === 1 || (coachedSeasons.length === 1 && season.role === 'coach');
    if (season.role !== 'coach')
      return item ? html`<span class="tag">${icon('check')} ${words('upcoming.inSeason')}</span>` : [];
    if (!item && !isAddable) return [];
    const value = item
      ? `${item.kind} ${item.id} ${group_id}`
      : `${contest.kind === 'round' ? 'round' : 'coming'} ${id} ${group_id}`;
    const label = isOnlySeason
      ? words(item ? 'upcoming.inSeason' : 'upcoming.addToSeason')
      : words(item ? 'upcoming.inSeasonOf' : 'upcoming.addToSeasonOf', { group });
    return html`
      <button
        class="button small" name="${item ? 'out' : 'in'}" value="${value}" aria-pressed="${String(item !== undefined)}"
      >
        ${icon(item ? 'check' : 'plus')}<span>${label}<span class="sr"> ${title}</span></span>
      </button>`;
  });
  return parts.length === 0 ? '' : html`<p class="slot-season">${parts}</p>`;
}

/** Handles the buttons of coaches. Returns the anchor of the changed row, or undefined for other forms. */
async function changeSeason({ store, member, form: input }: MemberVisit): Promise<string | undefined> {
  const isAddition = input.has('in');
  const [kind, id, group] = fieldText(input, isAddition ? 'in' : 'out', 100).split(' ');
  if (id === undefined) return undefined;
  const coach = { groupId: idIn(group, parseInt64), coachId: member.user_id };
  const item_id = idIn(id, parseInt64);
  const itemKind = kind === 'round' ? 'round' : 'contest';
  if (!isAddition) await removeSeasonContest(store, coach, { kind: itemKind, item_id });
  else await addSeasonContests(store, coach, [{ kind: kind === 'coming' ? kind : itemKind, item_id }]);
  return kind === 'round' ? `r${item_id}` : kind === 'coming' ? `c${item_id}` : 'agenda';
}

function slotRow(contest: UpcomingEvent, overlap: UpcomingEvent | undefined, context: AgendaContext): Html {
  const { now, days, today, titles, basePath } = context;
  const { title, starts_at } = contest;
  const length = durationMsOf(contest) > 0 ? shortDuration(durationMsOf(contest)) : '';
  // The mark of a site that is no judge does not show its name.
  const detail =
    contest.kind === 'round'
      ? commaList([contest.group, words(contest.has_joined === 1n ? 'upcoming.joined' : 'upcoming.mayJoin')])
      : isKnownSite(contest.source)
        ? ratedWords(contest)
        : (titles.get(contest.source) ?? contest.source);
  const start = Date.parse(starts_at);
  const isCancelled = !isScheduled(contest);
  const timeLeft = isCancelled
    ? words('upcoming.cancelled')
    : start <= now
      ? words('upcoming.running')
      : start - now < dayMs
        ? words('upcoming.in', { time: shortDuration(start - now) })
        : words('time.inDays', { count: days.at(start) - today });
  const mark = contest.kind === 'round' ? roundBadge() : sourceMark(contest.source, titles);
  const name =
    contest.kind === 'round'
      ? html`<a href="${basePath}${roundPath(contest.id)}"><bdi>${title}</bdi></a>`
      : (webLink(contest.url, title) ?? html`<b>${title}</b>`);
  return html`
    <li
      class="slot-row" id="${anchorOf(contest)}"${attr('data-cancelled', isCancelled)}
      data-contest="${contest.kind === 'round' ? `round ${contest.id}` : `${contest.source} ${contest.key}`}"
    >
      <p class="slot-time">
        <time datetime="${starts_at}"><b>${timeOfDay(starts_at)}</b>${endText(contest)}</time>
        ${length && html`<span>${length}</span>`}
      </p>
      <p class="slot-what">
        ${mark}
        <span>
          ${name}
          ${detail && html`<span class="soft">${detail}</span>`}
          ${
            overlap &&
            html`
              <span class="tag-warn">
                ${icon('warn')}
                <span>${words('upcoming.overlaps', { title: overlap.title })}</span>
              </span>`
          }
        </span>
      </p>
      <p class="slot-in">${timeLeft}</p>
      ${seasonButtons(contest, context)}
    </li>`;
}

async function judgeSwitches(
  visit: MemberVisit,
  {
    all,
    hidden,
    titles,
  }: { all: readonly UpcomingContestsTable[]; hidden: readonly string[]; titles: ReadonlyMap<string, string> },
): Promise<Html> {
  const bySource = Map.groupBy(all, ({ source }) => source);
  const counts = new Map(
    [...bySource].map(([source, some]) => [source, some.filter(({ cancelled_at }) => cancelled_at === null).length]),
  );
  const sources = [...new Set([...counts.keys(), ...hidden])].toSorted(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  const line = (source: string) => {
    const isOn = !hidden.includes(source);
    const name = titles.get(source) ?? judgeName(source);
    return html`
      <li>
        ${sourceMark(source, titles)}
        <button
          class="switch" role="switch" aria-checked="${String(isOn)}"
          name="${isOn ? 'hide' : 'show'}" value="${source}"
        >
          <span><bdi>${name}</bdi></span>
          <span class="track" aria-hidden="true"></span>
        </button>
        <span class="num">${counts.get(source) ?? '–'}</span>
      </li>`;
  };
  return slimPanel(
    words('upcoming.from'),
    html`
      ${form(visit, { to: upcomingPath, className: 'judge-switches' }, html`<ul>${sources.map(line)}</ul>`)}
      ${await updateTimes(visit, titles)}`,
    'from',
  );
}

async function updateTimes({ store }: MemberVisit, titles: ReadonlyMap<string, string>): Promise<Html> {
  const now = new Date();
  const feeds = await feedHealth(store.reader, now);
  const judgeFeeds = (await judgeHealth(store.reader, now)).filter(({ source }) => alwaysFetchedFeeds.includes(source));
  const all = [...feeds.values(), ...judgeFeeds];
  const [newest] = all.flatMap(({ goodAt }) => goodAt ?? []).toSorted((a, b) => (a > b ? -1 : 1));
  const siteOf = (source: string) => titles.get(source) ?? contestFeeds.get(source)?.site ?? judgeName(source);
  const late = all.filter(({ state }) => state === 'failing' || state === 'late');
  return html`
    ${newest && html`<p class="faint small">${richWords('upcoming.updated', { when: timeAgo(newest) })}</p>`}
    ${late.map(
      ({ source, goodAt }) =>
        html`
          <p class="faint small">
            ${
              goodAt === null
                ? words('upcoming.neverAnswered', { site: siteOf(source) })
                : richWords('upcoming.noAnswer', { site: siteOf(source), when: timeAgo(goodAt) })
            }
          </p>`,
    )}`;
}

function zonePanel({ site, days }: MemberVisit, now: number): Html {
  const time = timeOfDay(new Date(now).toISOString());
  const text = richWords('upcoming.zone', {
    zone: days.rule.zone.replaceAll('_', ' '),
    time,
    link: linkTo(site.basePath + accountDaysPath),
  });
  return slimPanel(words('days.zone'), html`<p>${text}</p>`, 'zone');
}

function allHiddenPanel(): Html {
  return emptyPanel({ total: 0, heading: words('upcoming.noneShown'), text: words('upcoming.noneShownText') });
}

async function noContestsPanel({ site: { basePath }, member, store }: MemberVisit): Promise<Html> {
  const hasFeeds = (await readFeeds(store.reader)).length > 0;
  const isStaff = member.role === 'staff';
  const toFeeds = linkButton(basePath + staffContestsPath, words('upcoming.toFeeds'), { kind: 'primary' });
  const toHandles = linkButton(basePath + handlesPath, words('today.link'));
  return emptyPanel({
    picture: illustration('bed'),
    total: 0,
    heading: words('upcoming.none'),
    text: words(hasFeeds ? 'upcoming.noneYetText' : isStaff ? 'upcoming.noneStaffText' : 'upcoming.noneText'),
    actions: isStaff ? html`${toFeeds}${toHandles}` : toHandles,
  });
}

async function submitUpcoming(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: input } = visit;
  const anchor = await changeSeason(visit);
  if (anchor) return { to: `${upcomingPath}#${anchor}` };
  const notice = await handleCalendarForm(visit);
  if (notice) return { to: `${upcomingPath}?done=${notice}#calendar` };
  for (const [name, isShown] of [
    ['show', true],
    ['hide', false],
  ] as const) {
    const source = input.get(name);
    if (source) await showContestsOf(store, member.user_id, source, isShown);
  }
  return { to: `${upcomingPath}#from` };
}
