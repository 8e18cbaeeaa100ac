/** Components for lists of rounds. */
import { dayMs, hourMs, minuteMs } from '../../durations.ts';
import { judgeName } from '../../judges/judges.ts';
import { acceptableUntil, duelLimits, isExpired, openDuelsAfter } from '../../practice/duels.ts';
import { isOpenDuel, isOver, phaseOf } from '../../practice/rounds.ts';
import { listRoundsNow, listVisibleRounds, type RoundsTable, type ShownRound } from '../../store/rounds.ts';
import { type Html, html } from '../markup.ts';
import { newRoundPath, roundPath } from '../paths.ts';
import { dateAt, formatter, timeOfDay } from '../request/clock.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { actions, button, form } from './form.ts';
import { icon } from './icons.ts';
import { linkButton } from './links.ts';
import { emptyPanel, panel } from './panel.ts';

export const roundStyles = ['rounds.css'] as const;

const dayOfYear = formatter({ weekday: 'long', day: 'numeric', month: 'short' });
const shortDay = formatter({ day: 'numeric', month: 'short' });
const wholeDay = formatter({ weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' });

function dayText(at: string | number): string {
  const [year, now] = [new Date(at), new Date()].map((one) => dateAt(one.toISOString()).slice(0, 4));
  return (year === now ? dayOfYear : wholeDay)(at);
}

/** Such as 2 h 30 min or, from a day on, 3 days. */
export function roundDuration(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs));
  if (minutes >= 1440) return words('time.days', { count: Math.round(minutes / 1440) });
  if (minutes < 100) return words('rounds.minutes', { count: minutes });
  return words('rounds.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** Such as 1:06 hours. */
export const hoursText = (ms: number) => `${Math.floor(ms / hourMs)}:${twoDigits(Math.floor(ms / minuteMs) % 60)}`;

/** Such as Saturday 28 Nov, 13:00–15:00. */
export function roundSpan({ starts_at, ends_at }: Pick<RoundsTable, 'starts_at' | 'ends_at'>): Html {
  const [start, end] = [dayAndTime(starts_at), dayAndTime(ends_at)];
  if (Date.parse(ends_at) - Date.parse(starts_at) < dayMs)
    return html`<time datetime="${starts_at}">${start}–${timeOfDay(ends_at)}</time>`;
  // A line may end between the two, because a phone is narrower than both.
  return html`<time datetime="${starts_at}">${start}</time>–<time datetime="${ends_at}">${end}</time>`;
}

/** Such as 13:00 and 15:00, or 26 Nov, 23:00 and 27 Nov, 01:00. */
export function startAndEnd(from: string, to: string, formatTime = timeOfDay): [from: string, to: string] {
  const isOneDay = dateAt(from) === dateAt(to);
  const endOf = (at: string) => (isOneDay ? formatTime(at) : commaList([shortDay(at), formatTime(at)]));
  return [endOf(from), endOf(to)];
}

/** Such as Saturday 28 Nov, 15:00. */
export const dayAndTime = (at: string | number) => commaList([dayText(at), timeOfDay(new Date(at).toISOString())]);

/** Says when a round that is not over starts or ends. */
const timeText = ({ starts_at, ends_at }: ShownRound, now: number) =>
  now < Date.parse(starts_at)
    ? words('rounds.startsIn', { time: roundDuration(Date.parse(starts_at) - now) })
    : words('rounds.timeLeft', { time: roundDuration(Date.parse(ends_at) - now) });

function roundLine(basePath: string, round: ShownRound, { now, isInGroup }: { now: number; isInGroup: boolean }): Html {
  const phase = phaseOf(round, now);
  const isOffer = isOpenDuel(round);
  const maker = words('rounds.byName', { name: round.maker });
  const joinedTag = isOver(phase) ? 'rounds.wasIn' : round.has_new_terms === 1n ? 'rounds.again' : 'rounds.in';
  const when = isOffer
    ? words(isExpired(round, now) ? 'invalidValue.duelExpired' : 'duels.waiting')
    : isOver(phase)
      ? words('rounds.rule', { rule: round.rule })
      : timeText(round, now);
  return html`
    <li data-round="${round.id}">
      <p>
        <a href="${basePath}${roundPath(round.id)}"><bdi>${round.name}</bdi></a>
        ${round.has_joined === 1n && html` <span class="tag">${words(joinedTag)}</span>`}
      </p>
      <p class="soft"><bdi>${(isInGroup ? null : round.group) ?? maker}</bdi></p>
      ${
        !isOffer &&
        html`
          <p class="soft">${roundSpan(round)}</p>
          <p class="soft num">${words('rounds.people', { count: round.people })}</p>
          <p class="soft num">${words('problem.count', { count: round.problems })}</p>`
      }
      <p class="round-when">${when}</p>
    </li>`;
}

/** What others see of somebody who joins. */
export const joinText = ({ group_id }: ShownRound) =>
  words('rounds.joinText', { isOfGroup: String(group_id !== null) });

/** What a duel that nobody accepted yet is about, and what accepting shows. */
export function duelText(round: ShownRound): Html {
  const { duel_source: source, duel_band: band, starts_at, ends_at } = round;
  const length = roundDuration(Date.parse(ends_at) - Date.parse(starts_at));
  const begins = words('duels.begins', {
    count: duelLimits.startsAfterMinutes,
    isLater: String(Date.parse(starts_at) > Date.now()),
    start: dayAndTime(starts_at),
    until: dayAndTime(acceptableUntil(round)),
  });
  return html`
    <p>${commaList([judgeName(source ?? ''), words('duels.band', { band: band ?? '' }), length])}</p>
    <p class="soft">${begins}</p>
    <p class="soft">${words('duels.sees')} ${joinText(round)}</p>`;
}

export const enterButton = (round: ShownRound) =>
  isOpenDuel(round)
    ? button(words('duels.accept'), 'primary', ['accept', 'yes'])
    : button(words('rounds.join'), 'primary', ['join', 'yes']);

/**
 * The rounds that the visitor joined, from the day before until the end, and invitations; with a group only the joined
 * ones of that group. Of somebody who is invited nothing shows before they join, so each invitation says what
 * joining shows.
 */
export async function currentRounds(visit: MemberVisit, group?: { id: bigint }) {
  const { store, member, site } = visit;
  const { days } = visit;
  const now = Date.now();
  const rounds = await listRoundsNow(store.reader, member.user_id, {
    now: new Date(now).toISOString(),
    soon: new Date(days.start(days.at(now) + 2)).toISOString(),
    duelsAfter: openDuelsAfter(now),
  });
  const joined = rounds.filter(({ has_joined, group_id }) => has_joined === 1n && (!group || group_id === group.id));
  const invited = group ? [] : rounds.filter(({ has_joined }) => has_joined === 0n);
  const joinedItem = (round: ShownRound) => html`
    <li data-joined="${round.id}">
      <p>
        <a href="${site.basePath}${roundPath(round.id)}"><bdi>${round.name}</bdi></a>${' '}
        <span class="tag">${words(round.has_new_terms === 1n ? 'rounds.again' : 'rounds.in')}</span>
      </p>
      <p class="soft">
        ${!group && round.group !== null && html`<bdi>${round.group}</bdi> · `}
        ${roundSpan(round)} · ${timeText(round, now)}
      </p>
    </li>`;
  const item = (round: ShownRound) => html`
    <li data-invited="${round.id}">
      <p><a href="${site.basePath}${roundPath(round.id)}"><bdi>${round.name}</bdi></a></p>
      ${
        isOpenDuel(round)
          ? duelText(round)
          : html`
            <p class="soft"><bdi>${round.group}</bdi> · ${roundSpan(round)}</p>
            <p class="soft">${joinText(round)}</p>`
      }
      ${form(
        visit,
        { to: roundPath(round.id), hidden: { version: round.updated_at } },
        actions(enterButton(round), button(words('rounds.decline'), 'quiet', ['decline', 'yes'])),
      )}
    </li>`;
  const list = (id: string, heading: string, items: Html[]) =>
    items.length > 0 ? panel({ id, heading }, html`<ul class="plain">${items}</ul>`) : '';
  return {
    invited: list('invited', words('rounds.invitations'), invited.map(item)),
    joined: list('joined-rounds', words('rounds.title'), joined.map(joinedItem)),
  };
}

const roundsAtMost = 300;

export async function roundPanels(
  visit: MemberVisit,
  group?: { id: bigint; archived_at: string | null },
): Promise<{ panels: Html; actions?: Html | '' }> {
  const {
    store,
    member,
    site: { basePath },
  } = visit;
  const groupId = group?.id;
  const canMake = (group?.archived_at ?? null) === null;
  const rounds = await listVisibleRounds(store.reader, member.user_id, { groupId, limit: roundsAtMost });
  const to = `${basePath}${newRoundPath}${groupId === undefined ? '' : `?group=${groupId}`}`;
  const newRound = canMake ? linkButton(to, words('rounds.new'), { kind: 'primary', symbol: 'plus' }) : '';
  if (rounds.length === 0)
    return {
      panels: emptyPanel({
        heading: words('rounds.none'),
        text: canMake ? words('rounds.noneText') : '',
        ...(newRound && { actions: newRound }),
        total: 0,
      }),
    };
  const now = Date.now();
  const byPhase = Map.groupBy(rounds, (round) => {
    const phase = phaseOf(round, now);
    if (isOpenDuel(round)) return isExpired(round, now) ? 'past' : 'coming';
    return phase === 'before' ? 'coming' : isOver(phase) ? 'past' : 'running';
  });
  const phasePanel = (phase: 'running' | 'coming' | 'past') => {
    const ofPhase = byPhase.get(phase) ?? [];
    const ordered = phase === 'coming' ? ofPhase.toReversed() : ofPhase;
    if (ofPhase.length === 0) return '';
    const symbol = { running: 'clock', coming: 'today', past: 'check' } as const;
    const isInGroup = groupId !== undefined;
    return panel(
      {
        id: `rounds-${phase}`,
        heading: html`${icon(symbol[phase])} ${words(`rounds.part.${phase}`)}`,
        total: ofPhase.length,
      },
      html`<ul class="round-list">${ordered.map((round) => roundLine(basePath, round, { now, isInGroup }))}</ul>`,
    );
  };
  const invited = groupId === undefined && (await currentRounds(visit)).invited;
  return {
    panels: html`${invited}${phasePanel('running')}${phasePanel('coming')}${phasePanel('past')}`,
    actions: newRound,
  };
}
