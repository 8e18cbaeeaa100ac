/** Two weeks as a picture by hours of the day: which contests fall into the night. A list beside it says the same. */
import { dayMs, hourMs } from '../../../durations.ts';
import { type Days, dateOf } from '../../../practice/days.ts';
import { attr, type Html, svg } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { widthOf } from '../plants/svg-text.ts';

export interface Slot {
  /** The id of its row in the list. */
  anchor: string;
  /** Whether it is in a season of the member's groups. */
  isOwn: boolean;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  /** A few letters of the judge. */
  short: string;
  title: string;
  /** As clocks show its start. */
  time: string;
}

export const daysShown = 14;
const width = 1198;
const left = 46;
const top = 34;
const hourHeight = 8.1;
const bottom = top + 24 * hourHeight;
const dayWidth = (width - left) / daysShown;
const least = 18;
/** Nights in hours of the clock, as the legend says them. */
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

/** The first day of a month names it, without the weekday where the language writes too much for a column. */
function nameOf(day: number): string {
  if (!dateOf(day).endsWith('-01')) return weekday.format(day * dayMs);
  const name = firstOfMonth.format(day * dayMs);
  return name.length > 12 ? monthAndDay.format(day * dayMs) : name;
}

/** `days` begin at midnight, and `first` is the day of today. */
export function twoWeeks(
  slots: readonly Slot[],
  { days, first, now }: { days: Days; first: number; now: number },
): Html {
  const hourOf = (at: number) => (days.localAt(at) / hourMs) % 24;
  const column = (n: number) => {
    const day = first + n;
    const name = n === 0 ? words('upcoming.today') : nameOf(day);
    const own = slots.filter(({ start, end }) => days.at(start) === day && end - start < longestMs);
    return svg`
      ${n > 0 && svg`<path class="grid" d="M${x(n)} ${top}V${bottom}"/>`}
      <text${attr('class', n === 0 ? 'day now' : 'day')} x="${x(n) + 8}" y="22">${name}</text>
      ${lanesOf(own, hourOf).map(({ slot, ...place }) => slotAt(slot, { n, ...place, hour: hourOf(slot.start) }))}`;
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
      ${Array.from({ length: daysShown }, (_, n) => column(n))}
    </svg>`;
}

interface Placed {
  slot: Slot;
  lane: number;
  lanes: number;
}

/** Slots that would lie on each other stand side by side. They come in the order of their starts. */
function lanesOf(slots: readonly Slot[], hourOf: (at: number) => number): Placed[] {
  const endOf = ({ start, end }: Slot) => hourOf(start) + Math.max((end - start) / hourMs, least / hourHeight);
  const clusters: Slot[][] = [];
  let until = 0;
  for (const slot of slots) {
    const isOver = hourOf(slot.start) >= until;
    if (isOver) clusters.push([slot]);
    else clusters.at(-1)?.push(slot);
    until = isOver ? endOf(slot) : Math.max(until, endOf(slot));
  }
  return clusters.flatMap((some) => some.map((slot, lane) => ({ slot, lane, lanes: some.length })));
}

/** The first signs of a text that fit into so many widths of a letter. */
function beginningOf(text: string, most: number): string {
  let fitting = '';
  for (const sign of text) {
    if (widthOf(fitting + sign) > most) break;
    fitting += sign;
  }
  return fitting;
}

function slotAt(
  { anchor, isOwn, start, end, short, title, time }: Slot,
  { n, lane, lanes, hour }: { n: number; lane: number; lanes: number; hour: number },
): Html {
  const room = (dayWidth - 6) / lanes;
  const at = Math.min(y(hour), bottom - least);
  const height = Math.max(least, Math.min(((end - start) / hourMs) * hourHeight, bottom - at));
  const own = x(n) + 3 + lane * room;
  // A letter takes some seven units.
  const said = lanes === 1 && widthOf(short) < 4 ? `${short} ${time}` : beginningOf(short, Math.floor((room - 8) / 8));
  return svg`
    <a href="#${anchor}"${attr('class', isOwn && 'own')} tabindex="-1">
      <title>${time} ${title}</title>
      <rect class="slot" x="${own}" y="${at}" width="${room - (lanes > 1 ? 2 : 0)}" height="${height}" rx="4"/>
      <text class="slot-word" x="${own + 5}" y="${at + 13}">${said}</text>
    </a>`;
}
