/**
 * A list given to a group, as somebody works on it who does not coach there: what is left in the coach's order, then
 * what is solved, in the rows of the problem list.
 */

import type { GroupTable } from '../../../practice/group-lists.ts';
import type { GivenList, GroupWithLists } from '../../../store/group-lists.ts';
import { changeBar } from '../../kit/changes.ts';
import { day } from '../../kit/dates.ts';
import { dueMoment, nearness } from '../../kit/due.ts';
import { icon } from '../../kit/icons.ts';
import { keysButton, keysOverlay } from '../../kit/keys.ts';
import { listedProblems } from '../../kit/listed-problems.ts';
import { notice } from '../../kit/notice.ts';
import { readProblemQuery } from '../../kit/problem-query.ts';
import { bulkBar } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import { tablePath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { groupFrame } from './frame.ts';
import { legend, table } from './table.ts';

export async function assignmentPage(
  visit: MemberVisit,
  group: GroupWithLists,
  given: GivenList,
  { problems, lines, isChanged, added }: GroupTable,
): Promise<Html> {
  const { basePath } = visit.site;
  const path = tablePath(group.id, given.list_id);
  const { forms, table: rows, isSolved } = await listedProblems(visit, problems, path);
  const left = problems.filter((one) => !isSolved(one));
  const solved = problems.filter(isSolved);
  const placeOf = new Map(problems.map(({ id }, at) => [id, at]));
  const tagsOf = (at: number, added_at: string) => [
    ...(lines[0]?.cells[at]?.isLate ? [words('groups.mark.late')] : []),
    ...(added_at > given.given_at ? [richWords('groups.addedOn', { day: day(added_at) })] : []),
  ];
  const section = (title: string, some: typeof problems) =>
    some.length === 0
      ? ''
      : html`
        <section class="list-section" aria-label="${title}">
          <div class="list-section-head"><h2>${title}</h2><p class="num soft">${some.length}</p></div>
          ${rows(some, title, ({ id, added_at }) => {
            const at = placeOf.get(id) as number;
            return { number: at + 1, tags: tagsOf(at, added_at) };
          })}
        </section>`;
  const inList = readProblemQuery(new URLSearchParams({ list: String(given.list_id) }));
  const changed = richWords('groups.changedSince', { day: day(given.given_at), added });
  const seen = html`
    <details class="seen-line">
      <summary>${icon('down')}<span>${words('groups.seen')}</span></summary>
      ${legend()}
      ${table({ problems, lines, isCoach: false, basePath })}
      <p class="faint caption">
        ${words('groups.whyMember')} <a href="${basePath}${path}csv/">${words('groups.csv')}</a>
      </p>
    </details>`;
  return groupFrame(
    visit,
    group,
    {
      tab: `lists/${given.list_id}/`,
      title: given.name,
      sub: html`
        ${
          given.due_at === null
            ? ''
            : html`
              <span><span>${richWords('groups.dueAt', { when: dueMoment(given.due_at, group.zone) })}</span></span>`
        }
        <span>${words('groups.solvedOf', { solved: solved.length, all: problems.length })}</span>`,
      actions: keysButton(),
      kind: 'p-problems',
      styles: ['lists.css'],
      bar: await changeBar(visit, path),
    },
    html`
      ${dueNotice(given, group.zone, left.length, problems.length)}
      ${isChanged ? notice('warn', changed) : ''}
      ${
        problems.length === 0
          ? html`<p class="soft">${words('groups.noProblems')}</p>`
          : html`${section(words('groups.left'), left)}${section(words('state.complete'), solved)}${seen}`
      }
      ${problems.length === 0 ? '' : bulkBar(forms, inList, problems.length)}
      ${keysOverlay()}`,
  );
}

/** A warning from two days before it is due; that it is late; or that all is solved. */
function dueNotice({ due_at }: GivenList, zone: string, left: number, all: number): Html | '' {
  const now = Date.now();
  if (left === 0) return all === 0 ? '' : notice('good', words('groups.allSolved', { count: all }));
  const near = nearness(due_at, now);
  if (due_at === null || near === undefined) return '';
  const when = dueMoment(due_at, zone, now);
  return notice('warn', richWords(`groups.due.${near}`, { when, left, count: all }));
}
