/** Parts that the pages of goals share: they read, check, show and describe what a goal counts, and its date. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/judges.ts';
import { dayOf } from '../../../practice/days.ts';
import { countCompletedOf, isFiltered, type PlantWithGrowth } from '../../../practice/garden.ts';
import { faultOfName, isTarget, longestPlantName, ratingAtMost, targetAtMost } from '../../../practice/goals.ts';
import { findVisibleList } from '../../../store/lists.ts';
import type { PlantFilter } from '../../../store/plants.ts';
import { problemCounter } from '../../../store/problem-lists.ts';
import { readCatalogue } from '../../../store/problems.ts';
import type { Store } from '../../../store/store.ts';
import type { Db } from '../../../store/tables.ts';
import { dayRangeText } from '../../kit/day-links.ts';
import { type Faults, optionsOf, textField } from '../../kit/form.ts';
import { readProblemFilter } from '../../kit/problem-query.ts';
import { attr, type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

interface FilterInput {
  filter: PlantFilter;
  faults: Faults;
}

function readFilterInput(params: URLSearchParams): FilterInput {
  const { text, number, leftOut } = readProblemFilter(params);
  const rating = (name: string) => {
    const value = number(name, -ratingAtMost, ratingAtMost);
    return value === undefined ? null : BigInt(value);
  };
  const filter = {
    source: text('source') || null,
    rating_min: rating('rating_min'),
    rating_max: rating('rating_max'),
  };
  const [ignored] = leftOut;
  if (ignored) return { filter, faults: { rating: String(ignored.reason) } };
  const isSwapped = filter.rating_min !== null && filter.rating_max !== null && filter.rating_min > filter.rating_max;
  return { filter, faults: isSwapped ? { rating: words('goal.swapped') } : {} };
}

/** A script submits the form to count again when one of these fields changes. */
export async function filterFields(
  { store }: Pick<MemberVisit, 'store'>,
  { filter, faults }: FilterInput,
): Promise<Html> {
  const { sources } = await readCatalogue(store.reader);
  const judges = sources.map(({ source }) => [source, judgeName(source)] as const);
  const fault = faults['rating'];
  const aria = html`${attr('aria-invalid', fault && 'true')}${attr('aria-describedby', fault && 'rating-fault')}`;
  const number = (name: 'rating_min' | 'rating_max', label: string) =>
    html`
      <label class="field">
        ${label}
        <input
          type="number" name="${name}" value="${filter[name]}" min="-${ratingAtMost}" max="${ratingAtMost}"
          step="1"${aria}
        >
      </label>`;
  return html`
    <fieldset class="field-pair part" data-again>
      <legend class="sr">${words('goal.part')}</legend>
      <label class="field">
        ${words('filters.judge')}
        <select name="source" autocomplete="off"${aria}>
          ${optionsOf([['', words('filters.anyJudge')], ...judges], filter.source ?? '')}
        </select>
      </label>
      ${number('rating_min', words('filters.ratingFrom'))}
      ${number('rating_max', words('filters.ratingTo'))}
      ${fault && html`<p class="fault" id="rating-fault" role="alert">${fault}</p>`}
    </fieldset>`;
}

export function dateField(value: string, faults: Faults): Html {
  const hint = words('goal.dateHint');
  return textField(words('goal.date'), 'by_date', faults, { type: 'date', value, isOptional: true, hint });
}

/** A date such as 2026-12-31, null for an empty text, undefined for an invalid one. */
export function dateIn(text: string): string | null | undefined {
  const date = text.trim();
  if (date === '') return null;
  return dayOf(date) === undefined ? undefined : date;
}

type ScopeFilter = PlantFilter & Pick<PlantWithGrowth, 'tag'>;

async function countMatches(store: Store, memberId: bigint, filter: ScopeFilter): Promise<bigint> {
  const { tag, source, rating_min, rating_max } = filter;
  const count = await problemCounter(store, memberId).countFound({
    memberId,
    source: source ?? undefined,
    tags: tag ? [tag] : undefined,
    isGym: false,
    ratingMin: rating_min === null ? undefined : Number(rating_min),
    ratingMax: rating_max === null ? undefined : Number(rating_max),
  });
  return BigInt(count);
}

/** A text such as "dp, Codeforces, rated 1400–1600". */
export function scopeName({ tag, source, rating_min: from, rating_max: to }: ScopeFilter): string {
  const rating =
    from === null
      ? to !== null && words('goal.upTo', { to: String(to) })
      : to === null
        ? words('goal.from', { from: String(from) })
        : words('goal.between', { from: String(from), to: String(to) });
  const parts = [tag, source && judgeName(source), rating].filter(Boolean);
  return parts.length === 0 ? words('garden.anyTopic') : commaList(parts);
}

export const shortenTopic = (text: string) => Array.from(text).slice(0, 60).join('');

/** The name of a goal whose member types none, such as "dp to 20". */
export function nameOfGoal({ tag, ...filter }: ScopeFilter, target: number | bigint): string {
  const topic = tag && shortenTopic(tag);
  if (isFiltered(filter)) return words('planting.nameOfPart', { target, what: scopeName({ ...filter, tag: topic }) });
  return topic ? words('planting.nameOf', { topic, target }) : words('planting.nameOfAny', { target });
}

/** A text such as "by 31 Dec 2026, 37 days left", without the days after the target is reached. */
export function dateLine({ by_date, done, target }: PlantWithGrowth, today: number): Html | undefined {
  const day = by_date === null ? undefined : dayOf(by_date);
  if (by_date === null || day === undefined) return undefined;
  const daysLeft = day - today;
  const date = html`<time datetime="${by_date}">${dayRangeText(by_date, by_date)}</time>`;
  if (done >= Number(target)) return richWords('goal.by', { by: date });
  return daysLeft < 0
    ? richWords('goal.passed', { by: date })
    : richWords('goal.byLeft', { by: date, count: daysLeft });
}

export const removeNul = (text: string) => text.replaceAll('\0', '').toWellFormed();
export const readPlantName = (text: string | null) => removeNul(text ?? '').trim();
/** 0 for an invalid text. */
export const targetIn = (text: string) => (/^[1-9][0-9]{0,6}$/.test(text) ? BigInt(text) : 0n);

export function nameFaults(name: string): Faults {
  const fault = faultOfName(name);
  if (fault === 'missing') return { name: words('planting.noName') };
  if (fault === 'long') return { name: words('form.atMost', { longest: longestPlantName }) };
  return fault ? { name: words('form.unshowable') } : {};
}

export function targetFaults(field: string, target: bigint): Faults {
  return isTarget(target) ? {} : { [field]: words('planting.badTarget', { most: targetAtMost }) };
}

/** New dates must not be in the past. */
export function dateFaults(date: string | null | undefined, { days }: Pick<MemberVisit, 'days'>): Faults {
  const day = date === null || date === undefined ? undefined : dayOf(date);
  if (date === null || (day !== undefined && day >= days.at(Date.now()))) return {};
  return { by_date: words('goal.badDate') };
}

/** What a new goal counts: a list, or the problems of a topic (null for any) that pass the filter. */
export interface GoalScope extends FilterInput {
  tag: string | null;
  list?: { id: bigint; name: string } | undefined;
  done: number;
  total: number;
}

/** Undefined for a list that the member may not see, and for one without problems. */
export async function listScope(
  db: Db,
  memberId: bigint,
  listId: string,
): Promise<(GoalScope & { list: { name: string } }) | undefined> {
  const id = parseInt64(listId);
  const list = id === undefined ? undefined : await findVisibleList(db, id, memberId);
  if (!list || list.problems === 0n) return undefined;
  const wholeScope = { filter: noFilter, faults: {} };
  return { tag: null, list, ...wholeScope, done: Number(list.solved), total: Number(list.problems) };
}

const noFilter: PlantFilter = { source: null, rating_min: null, rating_max: null };

/** Counts the whole topic where the requested part is invalid. Undefined for a topic without problems. */
export async function topicScope(
  { store, member }: MemberVisit,
  tag: string | null,
  query: URLSearchParams,
): Promise<GoalScope | undefined> {
  const [db, memberId] = [store.reader, member.user_id];
  const { total: all, byTag } = await readCatalogue(db);
  const total = tag === null ? all : (byTag.get(tag) ?? 0n);
  if (tag !== null && total === 0n) return undefined;
  const input = readFilterInput(query);
  if (Object.keys(input.faults).length === 0 && isFiltered(input.filter)) {
    const filter = { tag, ...input.filter };
    const count = await countMatches(store, memberId, filter);
    const done = await countCompletedOf(db, memberId, filter);
    const faults: Faults = count === 0n ? { rating: words('goal.nothingThere') } : {};
    return { tag, ...input, faults, done, total: Number(count) };
  }
  const done = await countCompletedOf(db, memberId, { tag, ...noFilter });
  return { tag, ...input, done, total: Number(total) };
}
