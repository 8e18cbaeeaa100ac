/** The filters above the problem list: their form, and a chip for each active filter that removes it. */
import { judgeName } from '../../../judges/judges.ts';
import type { ContestWithCounts } from '../../../store/contests.ts';
import type { Catalogue } from '../../../store/problems.ts';
import { dayRangeText } from '../../kit/day-links.ts';
import { checkbox, hiddenInputs } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { filterChips } from '../../kit/links.ts';
import { commonStates, rareStates, stateIcon, stateLabel } from '../../kit/marks.ts';
import { distanceText, type ProblemQuery, queryFor, queryString } from '../../kit/problem-query.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemsPath } from '../../paths.ts';
import { thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

const menu = (label: string, count: number, content: Html, kind = '') =>
  html`
    <details class="menu${kind}" name="menu">
      <summary class="button"><span>${label}${count > 0 && html`<b>${count}</b>`}</span>${icon('down')}</summary>
      <div class="menu-panel">${content}</div>
    </details>`;

const optionGroup = (legend: string, content: Html, kind = '') =>
  html`<fieldset class="ticks${kind}"><legend>${legend}</legend>${content}</fieldset>`;

const option = (type: 'radio' | 'checkbox', name: string, value: string, isOn: boolean, text: Html) =>
  html`
    <label class="tick">
      <input type="${type}" name="${name}" value="${value}"${attr('checked', isOn)}>
      ${text}
    </label>`;

const optionText = (text: string, count?: bigint) =>
  html`<span>${text}</span>${count !== undefined && html`<span class="faint num">${thousands.format(count)}</span>`}`;

function judgePanel(query: ProblemQuery, { sources, bySource, gyms }: Catalogue): Html {
  const source = (value: string, name: string, count?: bigint) =>
    option('radio', 'source', value, value === query.source, optionText(name, count));
  // A site that the query names stays in the menu, even if it is too rare to be offered.
  const rareCount = sources.some((one) => one.source === query.source) ? undefined : bySource.get(query.source);
  const judges = html`
    ${source('', words('filters.anyJudge'))}
    ${sources.map((one) => source(one.source, judgeName(one.source), one.count))}
    ${rareCount !== undefined && source(query.source, judgeName(query.source), rareCount)}
    ${
      bySource.size > sources.length &&
      html`<p class="faint">${words('filters.moreSites', { count: bySource.size - sources.length })}</p>`
    }`;
  const gym = gyms.values().reduce((sum, count) => sum + count, 0n);
  return html`
    ${optionGroup(words('filters.judge'), judges, sources.length > 12 ? ' long' : '')}
    ${
      (gym > 0n || query.isGym) &&
      optionGroup(
        words('filters.only'),
        option('checkbox', 'gym', 'true', query.isGym, optionText(words('filters.gym'), gym)),
      )
    }`;
}

function topicMenus(query: ProblemQuery, { topics }: Catalogue): Html {
  // A topic that the query names stays in the menu, even if it is too rare to be offered.
  const common = new Set(topics.map(({ tag }) => tag));
  const rare = [...query.tags, ...query.withoutTags].filter((tag) => !common.has(tag));
  const offered = [...new Set(rare).values().map((tag) => ({ tag, count: undefined })), ...topics];
  const topicTicks = (name: string, legend: string, selected: readonly string[]) =>
    optionGroup(
      legend,
      html`${offered.map(({ tag, count }) =>
        option('checkbox', name, tag, selected.includes(tag), optionText(tag, count)),
      )}`,
      ' pair long',
    );
  return html`
    ${menu(
      words('problem.topicsTitle'),
      query.tags.length,
      topicTicks('tag', words('filters.allTopics'), query.tags),
      ' end',
    )}
    ${menu(
      words('filters.without'),
      query.withoutTags.length,
      topicTicks('without_tag', words('filters.noTopics'), query.withoutTags),
      ' end',
    )}`;
}

export function filterForm(
  query: ProblemQuery,
  catalogue: Catalogue,
  contests: readonly ContestWithCounts[],
  basePath: string,
): Html {
  const count = countActive(query);
  const judgeFilters = (query.source === '' ? 0 : 1) + (query.isGym ? 1 : 0);
  return html`
    <form class="filters" action="${basePath}${problemsPath}" role="search" aria-label="${words('filters.label')}">
      <label class="field-search">
        <span class="sr">${words('problems.findHint')}</span>
        ${icon('search')}
        <input
          type="search" id="find" name="q" value="${query.q}" placeholder="${words('problems.findHint')}"
          autocomplete="off" maxlength="200"
        >
      </label>
      ${' '}
      <input type="checkbox" class="sr toggle" id="more-filters">
      <label class="button toggle-label" for="more-filters">
        ${icon('filter')}
        <span>${words('filters.filters')}</span>
        ${count > 0 && html`<b>${count}</b>`}
      </label>
      <div class="filter-set">
        ${menu(words('filters.judge'), judgeFilters, judgePanel(query, catalogue))}
        ${menu(words('filters.contest'), query.contest === '' ? 0 : 1, contestPanel(query, contests, basePath))}
        ${statusMenu(query)}
        <fieldset class="range">
          <legend class="sr">${words('filters.rating')}</legend>
          <span aria-hidden="true">${words('filters.rating')}</span>
          ${ratingInput('rating_min', query.ratingMin, words('filters.ratingFrom'))}
          <span aria-hidden="true">–</span>
          ${ratingInput('rating_max', query.ratingMax, words('filters.ratingTo'))}
        </fieldset>
        ${topicMenus(query, catalogue)}
        ${hiddenFilters(query)}
        <button class="button no-script">${words('problems.apply')}</button>
      </div>
    </form>`;
}

const ratingInput = (name: string, value: number | undefined, label: string) =>
  html`
    <input
      type="number" name="${name}" value="${value}" min="-10000" max="10000" step="1" aria-label="${label}"
    >`;

function statusMenu(query: ProblemQuery): Html {
  const status = (value: ProblemQuery['status'], text: Html) =>
    option('radio', 'status', value, value === query.status, text);
  const groups = ['unsolved', 'tried', 'attempted'] as const;
  const { isBookmarked, note, label } = query;
  const field = (text: string, name: string, value: string) => html`
    <label class="field">
      ${text}<input type="search" name="${name}" value="${value}" autocomplete="off" maxlength="200">
    </label>`;
  const activeFields = [query.status !== '', isBookmarked, note !== '', label !== '', hasSolvedFilter(query)].filter(
    Boolean,
  );
  return menu(
    words('problems.status'),
    activeFields.length + attemptChips(query).length,
    html`
      ${optionGroup(
        words('marks.yourStatus'),
        html`
          ${status('', optionText(words('filters.anyStatus')))}
          ${groups.map((name) => status(name, optionText(stateLabel(name))))}
          ${[...commonStates, ...rareStates].map((name) =>
            status(name, html`${stateIcon(name)}${optionText(stateLabel(name))}`),
          )}`,
      )}
      ${optionGroup(words('filters.only'), checkbox(words('filters.starred'), 'bookmarked', isBookmarked))}
      ${optionGroup(words('note.yours'), field(words('filters.inNotes'), 'note', note))}
      ${optionGroup(words('labels.title'), field(words('labels.name'), 'label', label))}
      ${solvedFields(query)}`,
  );
}

const hasSolvedFilter = ({ solvedFrom, solvedTo, isFirstSolve }: ProblemQuery) =>
  solvedFrom !== '' || solvedTo !== '' || isFirstSolve;

function solvedFields({ solvedFrom, solvedTo, isFirstSolve }: ProblemQuery): Html {
  const date = (name: string, value: string, label: string) =>
    html`<label class="field">${label}<input type="date" name="${name}" value="${value}" autocomplete="off"></label>`;
  return optionGroup(
    words('filters.youSolved'),
    html`
      ${date('solved_from', solvedFrom, words('filters.solvedFrom'))}
      ${date('solved_to', solvedTo, words('filters.solvedTo'))}
      ${checkbox(words('filters.firstTime'), 'first', isFirstSolve)}`,
  );
}

/** Hidden fields for filters that have no visible field (links set them), so that the form keeps them. */
function hiddenFilters(query: ProblemQuery): Html {
  const defaults = queryFor({});
  const { isUnrated, statusFrom, statusTo, triesMin, triesMax, distance, isFirstTry, list, order, perPage } = query;
  const history = { statusFrom, statusTo, triesMin, triesMax, distance, isFirstTry };
  const hiddenValues = { isUnrated, ...history, list, order, perPage };
  return hiddenInputs(new URLSearchParams(queryString({ ...defaults, ...hiddenValues })));
}

function contestPanel(query: ProblemQuery, contests: readonly ContestWithCounts[], basePath: string): Html {
  const link = ({ source, key, title, problems }: ContestWithCounts) =>
    html`
      <li>
        <a
          href="${basePath}${problemsPath}${queryString(query, { source, contest: key })}"${attr(
            'aria-current',
            key === query.contest && 'true',
          )}
        >
          <span>${title}</span>
          <span class="faint num">${richWords('filters.contestProblems', { count: problems })}</span>
        </a>
      </li>`;
  const contestHint = html`
    <p class="faint hint">${words(query.contest === '' ? 'filters.contestHint' : 'filters.noContest')}</p>`;
  return html`
    <label class="field">
      ${words('filters.contest')}
      <input type="search" name="contest" value="${query.contest}" autocomplete="off" maxlength="200">
    </label>
    ${
      contests.length === 0
        ? contestHint
        : html`<ul class="contests" aria-label="${words('filters.contestsFound')}">${contests.map(link)}</ul>`
    }`;
}

function countActive(query: ProblemQuery): number {
  return chipsOf({ ...query, q: '', list: '' }).length;
}

type Chip = [text: string, without: Partial<ProblemQuery>];

/** The active filters in words, each with the change of the query that removes it. */
export function chipsOf(query: ProblemQuery, contests: readonly ContestWithCounts[] = [], listName?: string): Chip[] {
  const chips: Chip[] = [];
  if (query.q) chips.push([words('filters.quoted', { text: query.q }), { q: '' }]);
  if (query.source) chips.push([judgeName(query.source), { source: '' }]);
  if (query.contest) {
    const match = contests.find(({ key }) => key === query.contest);
    chips.push([match?.title ?? words('filters.contestNamed', { text: query.contest }), { contest: '' }]);
  }
  if (query.status) chips.push([stateLabel(query.status), { status: '' }]);
  chips.push(...attemptChips(query));
  if (query.isUnrated) chips.push([words('problem.noRating'), { isUnrated: false }]);
  const { ratingMin: least, ratingMax: most } = query;
  if (least !== undefined || most !== undefined) {
    chips.push([ratingRangeText(least, most), { ratingMin: undefined, ratingMax: undefined }]);
  }
  const { tags, withoutTags } = query;
  for (const tag of tags) chips.push([tag, { tags: tags.filter((one) => one !== tag) }]);
  for (const topic of withoutTags) {
    const others = withoutTags.filter((one) => one !== topic);
    chips.push([words('filters.withoutTopic', { topic }), { withoutTags: others }]);
  }
  if (hasSolvedFilter(query)) chips.push([solvedText(query), { solvedFrom: '', solvedTo: '', isFirstSolve: false }]);
  if (query.isBookmarked) chips.push([words('filters.starred'), { isBookmarked: false }]);
  if (query.isGym) chips.push([words('filters.gym'), { isGym: false }]);
  if (query.note) chips.push([words('filters.noteWith', { text: query.note }), { note: '' }]);
  if (query.label) chips.push([words('labels.with', { label: query.label }), { label: '' }]);
  if (query.list) chips.push([words('filters.inList', { name: listName ?? query.list }), { list: '' }]);
  return chips;
}

function attemptChips(query: ProblemQuery): Chip[] {
  const chips: Chip[] = [];
  const { statusFrom: from, statusTo: to, triesMin, triesMax, distance, isFirstTry } = query;
  if (from || to)
    chips.push([words('filters.statusDays', { days: dayRangeText(from, to) }), { statusFrom: '', statusTo: '' }]);
  if (triesMin !== undefined || triesMax !== undefined)
    chips.push([triesText(triesMin, triesMax), { triesMin: undefined, triesMax: undefined }]);
  if (isFirstTry) chips.push([words('progress.firstTry'), { isFirstTry: false }]);
  if (distance === 'none') chips.push([words('filters.noDistance'), { distance: '' }]);
  else if (distance !== '')
    chips.push([words('filters.distance', { points: distanceText(Number(distance)) }), { distance: '' }]);
  return chips;
}

function triesText(least: number | undefined, most: number | undefined): string {
  if (least === most) return words('filters.triesExactly', { tries: least ?? 0 });
  if (most === undefined) return words('filters.triesFrom', { least: least ?? 0 });
  if (least === undefined) return words('filters.triesTo', { most });
  return words('filters.triesBetween', { least, most });
}

function solvedText({ solvedFrom, solvedTo, isFirstSolve }: ProblemQuery): string {
  const days = dayRangeText(solvedFrom, solvedTo);
  return days === ''
    ? words('filters.solvedEver')
    : words(isFirstSolve ? 'filters.firstSolved' : 'filters.solved', { days });
}

function ratingRangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return words('filters.to', { most: String(most) });
  if (most === undefined) return words('filters.from', { least: String(least) });
  return words('filters.between', { least: String(least), most: String(most) });
}

export function activeFilters(
  query: ProblemQuery,
  contests: readonly ContestWithCounts[],
  basePath: string,
  listName?: string,
): Html {
  const root = basePath + problemsPath;
  const chips = chipsOf(query, contests, listName);
  if (chips.length === 0) return html`<span class="chosen"></span>`;
  const clear = html`<li><a class="clear" href="${root}">${words('filters.clear')}</a></li>`;
  return filterChips(
    chips.map(([text, removal]) => [root + queryString(query, removal), text] as const),
    clear,
  );
}

interface FilterContext {
  catalogue: Catalogue;
  contests: readonly ContestWithCounts[];
  isKnownList: boolean;
}

/** Sentences about filters that can match nothing: unknown judges, topics and lists, and swapped bounds. */
export function filterRemarks(
  query: ProblemQuery,
  { catalogue, contests, isKnownList }: FilterContext,
  basePath: string,
): (Html | string)[] {
  const remarks: (Html | string)[] = [];
  const { source, contest, tags, withoutTags, list } = query;
  if (source !== '' && !catalogue.bySource.has(source) && !catalogue.gyms.has(source))
    remarks.push(words('filters.noSuchJudge', { source }));
  if (contest !== '' && contests.length === 0) remarks.push(words('filters.noContest'));
  for (const topic of new Set([...tags, ...withoutTags]))
    if (!catalogue.byTag.has(topic)) remarks.push(words('filters.noSuchTopic', { topic }));
  if (list !== '' && !isKnownList) remarks.push(words('filters.noSuchList', { list }));

  const { ratingMin, ratingMax, triesMin, triesMax, statusFrom, statusTo, solvedFrom, solvedTo } = query;
  const swapRemark = (kind: 'days' | 'numbers', from: string, to: string, changes: Partial<ProblemQuery>) =>
    richWords('asked.swap', { kind, from, to, link: linkTo(basePath + problemsPath + queryString(query, changes)) });
  const numbers = [
    [ratingMin, ratingMax, { ratingMin: ratingMax, ratingMax: ratingMin }],
    [triesMin, triesMax, { triesMin: triesMax, triesMax: triesMin }],
  ] as const;
  for (const [from, to, changes] of numbers)
    if (from !== undefined && to !== undefined && from > to)
      remarks.push(swapRemark('numbers', String(from), String(to), changes));
  const days = [
    [statusFrom, statusTo, { statusFrom: statusTo, statusTo: statusFrom }],
    [solvedFrom, solvedTo, { solvedFrom: solvedTo, solvedTo: solvedFrom }],
  ] as const;
  for (const [from, to, changes] of days)
    if (from !== '' && to !== '' && from > to)
      remarks.push(swapRemark('days', dayRangeText(from, from), dayRangeText(to, to), changes));
  return remarks;
}
