/** A problem among others: the contests that set it, its twins, its topics, and where to read on. */

import { judgeName, judgeOf } from '../../../judges/addresses.ts';
import type { Preferences } from '../../../practice/preferences.ts';
import type { ContestPlaceRow } from '../../../store/contests.ts';
import type { ListOfProblem } from '../../../store/lists.ts';
import { listOf } from '../../../store/problem-names.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { judgeKey, type OwnMarks, shownState, topics, webLink } from '../../kit/marks.ts';
import { type Html, html } from '../../markup.ts';
import { addToListPath, listPath, pathOfList } from '../../paths.ts';
import { words } from '../../words/words.ts';

/** The contest in which the problem was set first under its own key; those of its twins stand beside the twins. */
export function contestCrumbs(
  { source_key }: ProblemRow,
  places: readonly ContestPlaceRow[],
  basePath: string,
): [href: string, name: string][] {
  const [first] = places.filter(({ key }) => key === source_key);
  return first ? [[contestHref(first, basePath), placeName(first)]] : [];
}

const contestHref = ({ source, contest }: ContestPlaceRow, basePath: string) =>
  `${basePath}${listPath}?${new URLSearchParams({ source, contest })}`;

const placeName = ({ title, position }: ContestPlaceRow) => `${title}, ${position}`;

/** What stands beside a problem: topics, twins, further contests, and where to read on. */
export function problemAside(
  problem: ProblemRow,
  marks: OwnMarks,
  places: readonly ContestPlaceRow[],
  lists: readonly ListOfProblem[],
  { hidesTopics }: Preferences,
  basePath: string,
): Html {
  const { source, url, aliases, editorial_url, video_url } = problem;
  const twins = listOf(aliases);
  const isOpen = shownState(marks) === 'complete' || !hidesTopics;
  const links = [
    webLink(editorial_url, words('problem.editorial')),
    webLink(video_url, words('problem.video')),
    webLink(url, words('problem.statementOn', { judge: judgeName(source) })),
  ].filter((link) => link !== undefined);
  return html`
    <section class="panel slim">
      <h2>${words('problem.topicsTitle')}</h2>
      ${topics(problem, isOpen, basePath)}
      ${isOpen ? '' : html`<p class="faint hint">${words('problem.shownWhenSolved')}</p>`}
    </section>
    ${
      twins.length > 0
        ? html`
          <section class="panel slim">
            <h2>${words('problem.same')}</h2>
            <ul class="plain">
              ${twins.map((key) => html`<li>${twin({ source, source_key: key }, places, basePath)}</li>`)}
            </ul>
            <p class="faint hint">${words('problem.countedOnce')}</p>
          </section>`
        : ''
    }
    ${listsOf(problem, lists, basePath)}
    ${othersOf(problem, places, basePath)}
    ${
      links.length > 0
        ? html`
          <section class="panel slim">
            <h2>${words('problem.elsewhere')}</h2>
            <ul class="plain">${links.map((link) => html`<li>${link}</li>`)}</ul>
          </section>`
        : ''
    }`;
}

/** The lists with the problem that the member sees, and the way into another. */
function listsOf({ id }: ProblemRow, lists: readonly ListOfProblem[], basePath: string): Html {
  const names = html`
    <ul class="plain">
      ${lists.map((list) => html`<li><a href="${basePath}${pathOfList(list.id)}"><bdi>${list.name}</bdi></a></li>`)}
    </ul>`;
  return html`
    <section class="panel slim">
      <h2>${words('lists.inLists')}</h2>
      ${lists.length === 0 ? html`<p class="faint hint">${words('lists.inNone')}</p>` : names}
      <p><a href="${basePath}${addToListPath}?problem=${id}">${words('lists.add')}</a></p>
    </section>`;
}

/** A key that names the same problem, with the judge's own page of it and the contest where it was set. */
function twin(
  named: Pick<ProblemRow, 'source' | 'source_key'>,
  places: readonly ContestPlaceRow[],
  basePath: string,
): Html {
  const place = places.find(({ key }) => key === named.source_key);
  const page = judgeOf(named.source)?.problemPage?.(named.source_key, place?.contest) ?? null;
  const key = judgeKey(named);
  return html`
    ${webLink(page, key) ?? key}
    ${place ? html` <a href="${contestHref(place, basePath)}">${placeName(place)}</a>` : ''}`;
}

/** Further contests that set the problem under its own key. */
function othersOf({ source_key }: ProblemRow, places: readonly ContestPlaceRow[], basePath: string): Html | string {
  const [, ...others] = places.filter(({ key }) => key === source_key);
  if (others.length === 0) return '';
  return html`
    <section class="panel slim">
      <h2>${words('problem.alsoSetIn')}</h2>
      <ul class="plain">
        ${others.map((place) => html`<li><a href="${contestHref(place, basePath)}">${placeName(place)}</a></li>`)}
      </ul>
    </section>`;
}
