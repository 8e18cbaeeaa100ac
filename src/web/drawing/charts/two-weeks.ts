/** Contests of two weeks by hour of the day, which shows those at night. A list beside the picture has the same. */
import { dayMs, hourMs } from '../../../durations.ts';
import { type Days, dateOf } from '../../../practice/days.ts';
import { attr, type Html, svg } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { widthOf } from '../plants/svg-text.ts';

export interface Slot {
  anchor: string;
  /** The contest is in a season of the member's groups. */
  isInSeason: boolean;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  shortName: string;
  title: string;
  time: string;
}

export const daysShown = 14;
const width = 1198;
const left = 46;
const top = 34;
const hourHeight = 8.1;
const bottom = top + 24 * hourHeight;
const dayWidth = (width - left) / daysShown;
const minimumHeight = 18;
const nights = [
  [0, 7],
  [23, 24],
] as const;
/** Longer contests would fill the picture. */
const longestMs = dayMs;

const weekday = utcFormat({ weekday: 'short', day: 'numeric' });
const firstOfMonth = utcFormat({ weekday: 'short', day: 'numeric', month: 'short' });
const monthAndDay = utcFormat({ day: 'numeric', month: 'short' });
const y = (hours: number) => top + hours * hourHeight;
const x = (column: number) => left + column * dayWidth;

function nameOf(day: number): string {
  if (!dateOf(day).endsWith('-01')) return weekday.format(day * dayMs);
  const name = firstOfMonth.format(day * dayMs);
  return name.length > 12 ? monthAndDay.format(day * dayMs) : name;
}

/** `days` start at midnight; `first` is today. */
export function twoWeeks(
  slots: readonly Slot[],
  { days, first, now }: { days: Days; first: number; now: number },
): Html {
  const hourOf = (at: number) => (days.localAt(at) / hourMs) % 24;
  const column = (index: number) => {
    const day = first + index;
    const name = index === 0 ? words('upcoming.today') : nameOf(day);
    const startingOnDay = slots.filter(({ start, end }) => days.at(start) === day && end - start < longestMs);
    return svg`
      ${index > 0 && svg`<path class="grid" d="M${x(index)} ${top}V${bottom}"/>`}
      <text${attr('class', index === 0 ? 'day now' : 'day')} x="${x(index) + 8}" y="22">${name}</text>
      ${lanesOf(startingOnDay, hourOf).map(({ slot, ...lane }) =>
        slotAt(slot, { index, ...lane, hour: hourOf(slot.start) }),
      )}`;
  };
  const hours = [0, 6, 12, 18].map(
    (hour) => svg`
      <path class="grid" d="M${left} ${y(hour)}H${width}"/>
      <text class="hour" x="${left - 8}" y="${y(hour) + 4}">${String(hour).padStart(2, '0')}:00</text>`,
  );
  const night = ([from, to]: (typeof nights)[number]) => svg`
    <rect class="night" x="${left}" y="${y(from)}" width="${width - left}" height="${(to - from) * hourHeight}"/>`;
  const nowAt = y(hourOf(now));
  return svg`
    <svg
      class="two-weeks" viewBox="0 0 ${width} ${bottom + 4}" width="${width}" height="${bottom + 4}" aria-hidden="true"
      focusable="false"
    >
      ${nights.map(night)}
      ${hours}
      <path class="grid" d="M${left} ${bottom}H${width}"/>
      <path class="now-line" d="M${left} ${nowAt}h${dayWidth}"/>
      <circle class="now-dot" cx="${left}" cy="${nowAt}" r="3"/>
      ${Array.from({ length: daysShown }, (_, index) => column(index))}
    </svg>`;
}

interface SlotInLane {
  slot: Slot;
  lane: number;
  lanes: number;
}

/** Slots that overlap share the width. They must be sorted by start. */
function lanesOf(slots: readonly Slot[], hourOf: (at: number) => number): SlotInLane[] {
  const endOf = ({ start, end }: Slot) => hourOf(start) + Math.max((end - start) / hourMs, minimumHeight / hourHeight);
  const clusters: Slot[][] = [];
  let until = 0;
  for (const slot of slots) {
    const isOver = hourOf(slot.start) >= until;
    if (isOver) clusters.push([slot]);
    else clusters.at(-1)?.push(slot);
    until = isOver ? endOf(slot) : Math.max(until, endOf(slot));
  }
  return clusters.flatMap((cluster) => cluster.map((slot, lane) => ({ slot, lane, lanes: cluster.length })));
}

function truncate(text: string, most: number): string {
  let result = '';
  for (const sign of text) {
    if (widthOf(result + sign) > most) break;
    result += sign;
  }
  return result;
}

function slotAt(
  { anchor, isInSeason, start, end, shortName, title, time }: Slot,
  { index, lane, lanes, hour }: { index: number; lane: number; lanes: number; hour: number },
): Html {
  const laneWidth = (dayWidth - 6) / lanes;
  const at = Math.min(y(hour), bottom - minimumHeight);
  const height = Math.max(minimumHeight, Math.min(((end - start) / hourMs) * hourHeight, bottom - at));
  const slotX = x(index) + 3 + lane * laneWidth;
  // A letter is about seven units wide.
  const label =
    lanes === 1 && widthOf(shortName) < 4
      ? `${shortName} ${time}`
      : truncate(shortName, Math.floor((laneWidth - 8) / 8));
  return svg`
    <a href="#${anchor}"${attr('class', isInSeason && 'own')} tabindex="-1">
      <title>${time} ${title}</title>
      <rect class="slot" x="${slotX}" y="${at}" width="${laneWidth - (lanes > 1 ? 2 : 0)}" height="${height}" rx="4"/>
      <text class="slot-word" x="${slotX + 5}" y="${at + 13}">${label}</text>
    </a>`;
}
