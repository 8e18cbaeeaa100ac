/** Picks problems for a group, for a list or a round. The address has all choices and the seed: it repeats the pick. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/judges.ts';
import { makeList } from '../../../practice/lists.ts';
import { type Exclusion, type GroupLevel, groupLevels, pickProblems } from '../../../practice/pick.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { button, form, formActions, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { judgeKey } from '../../kit/marks.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { filterNotice, type IgnoredParameter, readProblemFilter } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
import { groupPath, newListPath, newRoundPath, problemPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { coachedGroupOf, groupFrame } from './frame.ts';

const problemsAtMost = 10;
const ratingMargin = 100;
const longestName = 200;
const ratingAtMost = 99_999;
const seedModulus = 999_999_937;

const exclusionOptions = () =>
  [
    ['tried', words('groups.pick.tried')],
    ['solved', words('groups.pick.solved')],
  ] as const satisfies readonly (readonly [Exclusion, string])[];

interface PickQuery {
  level: GroupLevel;
  from: number;
  to: number;
  tag: string;
  /** What nobody in the group has done with the problems. */
  nobody: Exclusion;
  seed: bigint;
  /** Invalid parameters of the address. */
  ignored: readonly IgnoredParameter[];
}

function readPickQuery(query: URLSearchParams, levels: readonly GroupLevel[], fallback: GroupLevel): PickQuery {
  const { leftOut, text, number, oneOf } = readProblemFilter(query);
  const sources = levels.map(({ source }) => source);
  const source = oneOf('source', sources);
  const level = levels.find((one) => one.source === source) ?? fallback;
  return {
    level,
    from: number('rating_min', 0, ratingAtMost) ?? Math.max(0, level.level - ratingMargin),
    to: number('rating_max', 0, ratingAtMost) ?? level.level + ratingMargin,
    tag: text('tag'),
    nobody: oneOf('nobody', ['tried', 'solved']) ?? 'tried',
    seed: BigInt(number('seed', 0, seedModulus) ?? 1),
    ignored: leftOut,
  };
}

/** Undefined for a small group, in which "nobody tried it" would say what a single person did. */
async function findProblems({ store, member, query }: MemberVisit, group: GroupWithLists) {
  const levels = await groupLevels(store.reader, group.id, member.user_id);
  const [fallback] = levels;
  if (!fallback) return undefined;
  const pick = readPickQuery(query, levels, fallback);
  const { level, from, to, tag, nobody, seed } = pick;
  const band = { source: level.source, from, to, tag: tag || undefined };
  const problems = await pickProblems(store.reader, group.id, { band, nobody, seed, count: problemsAtMost });
  return { levels, pick, problems };
}

export async function showPick(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  return { html: await pickPage(visit, group) };
}

/** The form has the problems that the page showed, for a list to assign or for a round. */
export async function submitPick(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { store, member, form } = visit;
  if (form.has('round')) {
    const problems = form
      .getAll('problem')
      .slice(0, problemsAtMost)
      .map((id): [string, string] => ['problem', id]);
    return { to: `${newRoundPath}?${new URLSearchParams([['group', String(group.id)], ...problems])}` };
  }
  const ids = form
    .getAll('problem')
    .slice(0, problemsAtMost)
    .flatMap((text) => parseInt64(text) ?? []);
  try {
    const content = [{ name: '', items: ids.map((problem) => ({ problem })) }];
    const id = await makeList(store, { ownerId: member.user_id, name: fieldText(form, 'name', 1000), content });
    return { to: `${groupPath(group.id)}give/?list=${id}` };
  } catch (error) {
    return { html: await pickPage(visit, group, refusalText(error)), status: 422 };
  }
}

async function pickPage(visit: MemberVisit, group: GroupWithLists, fault?: string): Promise<Html> {
  const { site, query } = visit;
  const title = words('groups.pick');
  const inFrame = (content: Html) => groupFrame(visit, group, { tab: 'pick/', title, fault }, content);
  const result = await findProblems(visit, group);
  if (!result) {
    const lists = linkTo(site.basePath + newListPath);
    return inFrame(emptyPanel({ text: richWords('groups.pick.noLevel', { lists }) }));
  }
  const { levels, pick, problems } = result;
  const path = `${site.basePath}${groupPath(group.id)}pick/`;
  const judges = levels.map(({ source, level }): [string, string] => [
    source,
    words('groups.pick.judge', { judge: judgeName(source), level }),
  ]);
  const number = (name: string, label: string, value: number) =>
    textField(label, name, {}, { value: String(value), longest: 5 });
  const nextQuery = new URLSearchParams(query);
  // A linear congruential generator.
  nextQuery.set('seed', String((pick.seed * 48_271n) % BigInt(seedModulus)));
  const filterForm = html`
    <form class="form wishes" method="get" action="${path}">
      ${selectField(words('groups.pick.source'), 'source', judges, pick.level.source)}
      <div class="field-pair even">
        ${number('rating_min', words('groups.pick.from'), pick.from)}
        ${number('rating_max', words('groups.pick.to'), pick.to)}
      </div>
      ${textField(
        words('groups.pick.tag'),
        'tag',
        {},
        { value: pick.tag, longest: 100, isOptional: true, hint: words('groups.pick.tagHint') },
      )}
      ${selectField(words('groups.pick.nobody'), 'nobody', exclusionOptions(), pick.nobody)}
      <div class="actions">
        ${button(words('groups.pick.find'))}
        ${linkButton(`${path}?${String(nextQuery)}`, words('groups.pick.shuffle'), { kind: 'quiet' })}
      </div>
    </form>`;
  const remarks = pick.from > pick.to ? [words('groups.pick.wrongBand', { from: pick.from, to: pick.to })] : [];
  const { people } = pick.level;
  return inFrame(html`
    ${filterNotice(pick.ignored, remarks)}
    ${unheadedPanel(
      { label: title },
      html`
        <p class="soft">${words('groups.pick.text', { people })}</p>
        ${filterForm}`,
    )}
    ${panel(
      { id: 'found', heading: words('groups.pick.found', { count: problems.length }) },
      resultForm(visit, problems, pick),
    )}`);
}

function resultForm(visit: MemberVisit, problems: readonly ProblemRow[], pick: PickQuery): Html {
  const { site, query, path } = visit;
  if (problems.length === 0) return html`<p class="soft">${words('groups.pick.nothing')}</p>`;
  const name = visit.form.get('name') ?? words('groups.pick.name', { from: pick.from, to: pick.to });
  const rows = problems.map(
    (problem) =>
      html`
        <li data-problem="${problem.id}">
          <p><a href="${site.basePath}${problemPath(problem.id)}">${problem.title}</a></p>
          ${judgeKey(problem)}
          ${difficulty(problem)}
        </li>`,
  );
  const hidden = problems.map(({ id }) => html`<input type="hidden" name="problem" value="${id}">`);
  return html`
    <ul class="people" data-total="${problems.length}">${rows}</ul>
    ${form(
      visit,
      { to: `${path}${query.size > 0 ? `?${query}` : ''}`, className: 'form' },
      html`
        ${hidden}
        ${textField(
          words('groups.pick.listName'),
          'name',
          {},
          { value: name.slice(0, longestName), longest: longestName },
        )}
        ${formActions(words('groups.pick.make'), button(words('rounds.new'), '', ['round', 'yes']))}`,
    )}`;
}
