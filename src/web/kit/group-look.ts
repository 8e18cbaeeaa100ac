/** What needs a coach of a group now: what is due, and who is behind, stuck or inactive. Members see their counts. */

import { stuckDays } from '../../practice/courses.ts';
import { type DueProgress, type GroupLook, needsCoach } from '../../practice/group-work.ts';
import type { ListedPerson } from '../../store/groups.ts';
import { type Html, html } from '../markup.ts';
import { assignmentPath, groupPath } from '../paths.ts';
import { richWords, words } from '../words/words.ts';
import { lastActive } from './dates.ts';
import { dueMoment, urgency } from './due.ts';
import { distinctNames, personLink } from './member-name.ts';

interface LookView {
  basePath: string;
  /** How many people each line names. */
  namesAtMost: number;
  /** On the page of the group, to which the line of inactive people leads, that line names all of them. */
  isOfGroup?: boolean;
  /** Undefined for a coach, who sees everybody. */
  ownId?: bigint | undefined;
}

const line = (kind: string, label: string, names: Html) =>
  html`<li data-look="${kind}"><p class="behind"><b>${label}</b> ${names}</p></li>`;

type FactOf<One> = (one: One) => Html | string;

/** The path leads to the page with everybody. */
function tagsOf({ group, learners }: GroupLook<{ id: bigint; zone: string }>, { basePath, ...view }: LookView) {
  const nameOf = distinctNames(learners);
  return <One extends { person: ListedPerson }>(
    all: readonly One[],
    path: string,
    factOf: FactOf<One>,
    namesAtMost = view.namesAtMost,
  ) => {
    const rest = all.length - namesAtMost;
    return html`
      ${all.slice(0, namesAtMost).map(
        (one) => html`
            <span class="tag">
              ${personLink(basePath, group.id, one.person, nameOf(one.person))} <span class="num">${factOf(one)}</span>
            </span>`,
      )}
      ${rest > 0 && html`<a href="${basePath}${path}">${words('groups.moreBehind', { count: rest })}</a>`}`;
  };
}

export function lookLines(look: GroupLook<{ id: bigint; zone: string }>, view: LookView): Html {
  const { group, learners, stuck, inactive } = look;
  const { basePath, isOfGroup, ownId } = view;
  const tags = tagsOf(look, view);
  const dueLine = ({ assignment, problems, solved, finished, behind }: DueProgress) => {
    const path = assignmentPath(group.id, assignment.list_id);
    const solvedBy = (id: bigint) => solved.get(id) ?? 0;
    const near = urgency(assignment.due_at, Date.now());
    const when = dueMoment(assignment.due_at ?? '', group.zone, Date.now());
    const count =
      ownId === undefined
        ? words('groups.finishedBy', { done: finished, count: learners.length })
        : words('groups.solvedOf', { solved: solvedBy(ownId), all: problems });
    const people = behind.map((person) => ({ person }));
    return html`
      <li data-due="${assignment.list_id}">
        <p class="due-head">
          <a href="${basePath}${path}"><bdi>${assignment.name}</bdi></a>${' '}
          <span class="${near ?? 'soft'}">
            ${richWords(near === 'late' ? 'groups.wasDue' : 'groups.dueAt', { when })}
          </span>${' '}
          <span class="num">${count}</span>
        </p>
        ${
          ownId === undefined &&
          (behind.length === 0
            ? html`<p class="soft">${words('groups.nobodyBehind')}</p>`
            : html`
              <p class="behind">
                <b>${words('groups.behind')}</b>
                ${tags(people, `${path}?order=behind`, ({ person }) => `${solvedBy(person.user_id)}/${problems}`)}
              </p>`)
        }
      </li>`;
  };
  const isForCoach = ownId === undefined;
  return html`
    <ul class="due-list">
      ${look.dues.map(dueLine)}
      ${
        isForCoach &&
        stuck.length > 0 &&
        line(
          'stuck',
          words('look.stuck', { days: stuckDays }),
          tags(
            stuck,
            `${assignmentPath(group.id, stuck[0]?.listId ?? 0n)}?order=stuck`,
            ({ number, name, days }) => html`${number}. <bdi>${name}</bdi>, ${words('course.days', { count: days })}`,
          ),
        )
      }
      ${
        isForCoach &&
        inactive.length > 0 &&
        line(
          'inactive',
          words('look.inactive'),
          tags(
            inactive,
            groupPath(group.id),
            ({ activeAt }) => (activeAt === undefined ? words('time.never') : lastActive(activeAt)),
            isOfGroup ? inactive.length : view.namesAtMost,
          ),
        )
      }
      ${isForCoach && !needsCoach(look) && look.dues.length === 0 && html`<li class="soft">${words('look.calm')}</li>`}
    </ul>`;
}
