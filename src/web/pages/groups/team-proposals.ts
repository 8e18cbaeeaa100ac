/** For coaches: every three of the people who agreed to the season, by topics solved in its contests and by ratings. */

import { judgeName } from '../../../judges/judges.ts';
import { listShownRatings } from '../../../practice/next-contests.ts';
import { proposalLimits, proposeTeams } from '../../../practice/team-proposals.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { emptyPanel } from '../../kit/panel.ts';
import { html } from '../../markup.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { coachedGroupOf, groupFrame, namesIn } from './frame.ts';
import { readSeasonView, type SeasonView, seasonStyles } from './season-parts.ts';

/** By person, of problems that they solved live or virtually. */
async function topicsInContests({ store }: MemberVisit, { table }: SeasonView): Promise<Map<bigint, Set<string>>> {
  const { columns, rows } = table;
  const ids = columns.flatMap(({ places }) => places.flatMap(({ id }) => id ?? []));
  const problems = await findProblemsByIds(store.reader, [...new Set(ids)]);
  const tagsOf = new Map(problems.map(({ id, tags }) => [id, JSON.parse(tags) as string[]]));
  const topicsOf = ({ cells }: (typeof rows)[number]) =>
    cells.flatMap(({ solves }, column) =>
      solves.flatMap(({ setting }, place) =>
        setting === 'live' || setting === 'virtual' ? (tagsOf.get(columns[column]?.places[place]?.id ?? 0n) ?? []) : [],
      ),
    );
  return new Map(rows.map((row) => [row.person.user_id, new Set(topicsOf(row))]));
}

export async function showTeamProposals(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const view = await readSeasonView(visit, group);
  const people = view.table.rows.map(({ person }) => person).filter(({ role }) => role === 'member');
  const topics = await topicsInContests(visit, view);
  const ratings = await listShownRatings(
    visit.store.reader,
    people.map(({ user_id }) => user_id),
  );
  const [[source, rated] = ['', []]] = [...Map.groupBy(ratings, (one) => one.source)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  );
  const nameOf = await namesIn(visit, group);
  const candidates = people.flatMap((person) => {
    const rating = rated.find(({ user_id }) => user_id === person.user_id)?.rating;
    const own = topics.get(person.user_id) ?? new Set<string>();
    return rating === undefined ? [] : { name: nameOf(person), rating: Number(rating), topics: own };
  });
  const teams = await proposeTeams(candidates);
  const all = new Set(candidates.flatMap((one) => [...one.topics])).size;
  const title = words('proposals.title');
  const text = words('proposals.text', {
    judge: judgeName(source),
    people: candidates.length,
    most: proposalLimits.people,
    shown: proposalLimits.shown,
    topics: all,
  });
  const person = ({ name, rating }: (typeof candidates)[number]) =>
    html`<span class="tag"><bdi>${name}</bdi> <span class="num">${rating}</span></span> `;
  const table = () => html`
    <p class="soft">${text}</p>
    <div class="table-wrap" role="region" aria-label="${title}" tabindex="0">
      <table class="rows" data-total="${teams.length}">
        <caption class="sr">${title}</caption>
        <thead>
          <tr>
            <th scope="col">${words('groups.people')}</th>
            <th scope="col" class="num">${words('progress.topics')}</th>
            <th scope="col" class="num">${words('ratings.title')}</th>
          </tr>
        </thead>
        <tbody>
          ${teams.map(
            ({ people: three, topics: count, sum }) => html`
              <tr>
                <th scope="row">
                  ${three.map(person)}
                </th>
                <td class="num">${count}</td>
                <td class="num">${sum}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  const content = teams.length === 0 ? emptyPanel({ text: words('proposals.few') }) : table();
  return { html: groupFrame(visit, group, { tab: 'people/teams/', title, styles: seasonStyles }, content) };
}
