/**
 * What the groups of a member gave them: the first panel of Today, with the problems that are left of what is due next.
 */

import { type ListGivenTo, listGivenTo } from '../../../store/group-lists.ts';
import { listListed } from '../../../store/list-content.ts';
import { dueMoment, nearness } from '../../kit/due.ts';
import { keysOverlay } from '../../kit/keys.ts';
import { listedProblems } from '../../kit/listed-problems.ts';
import { type Html, html } from '../../markup.ts';
import { tablePath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';

const listsAtMost = 6;
const problemsAtMost = 8;
/** How long something stays after it was due. */
const staysMs = 30 * 86_400_000;

/** Nothing for who is given nothing, or has solved all of it. */
export async function givenPanel(visit: MemberVisit): Promise<Html | undefined> {
  const { store, site, member } = visit;
  const now = Date.now();
  const isPast = ({ due_at }: ListGivenTo) => due_at !== null && Date.parse(due_at) <= now;
  const open = (await listGivenTo(store.reader, member.user_id)).filter(
    ({ due_at, problems, solved }) => solved < problems && (due_at === null || Date.parse(due_at) > now - staysMs),
  );
  // What is due next comes before what is late.
  const first = open.find((one) => isToDo(one) && !isPast(one)) ?? open.find((one) => isToDo(one));
  const others = open.filter((one) => one !== first).slice(0, listsAtMost);
  if (open.length === 0) return undefined;
  const link = ({ group_id, list_id, name }: ListGivenTo) =>
    html`<a href="${site.basePath}${tablePath(group_id, list_id)}"><bdi>${name}</bdi></a>`;
  const due = ({ due_at, zone }: ListGivenTo) => {
    if (due_at === null) return '';
    const near = nearness(due_at, now);
    const text = richWords(near === 'late' ? 'groups.wasDue' : 'groups.dueAt', {
      when: dueMoment(due_at, zone, now),
    });
    return html` · <span${near ? html` class="${near}"` : ''}>${text}</span>`;
  };
  const facts = (one: ListGivenTo) =>
    html`
      <p class="soft"><bdi>${one.group}</bdi>${due(one)}</p>
      <p class="num">${words('groups.solvedOf', { solved: one.solved, all: one.problems })}</p>`;
  const line = (one: ListGivenTo) => html`<li data-given="${one.list_id}"><p>${link(one)}</p>${facts(one)}</li>`;
  const rest =
    others.length === 0
      ? ''
      : html`
        ${first ? html`<h3>${words('groups.alsoAssigned')}</h3>` : ''}
        <ul class="given" data-total="${others.length}">${others.map(line)}</ul>`;
  const head = first ? link(first) : words('groups.assignments');
  return html`
    <section class="panel assigned" aria-labelledby="given">
      <div class="panel-head"${first ? html` data-given="${first.list_id}"` : ''}>
        <h2 id="given">${head}</h2>
        ${first ? facts(first) : ''}
      </div>
      ${first ? await leftOf(visit, first) : ''}
      ${rest}
    </section>`;
}

/** Whether its problems are shown: a coach gave the list, and does not have to solve it. */
const isToDo = ({ role, due_at }: ListGivenTo) => role === 'member' && due_at !== null;

/** The first problems that are left, with their places in the list. */
async function leftOf(visit: MemberVisit, { group_id, list_id, name, problems }: ListGivenTo): Promise<Html> {
  const listed = await listListed(visit.store.reader, list_id);
  const { table, isSolved } = await listedProblems(visit, listed, '/dashboard/');
  const left = listed.filter((one) => !isSolved(one)).slice(0, problemsAtMost);
  const placeOf = new Map(listed.map(({ id }, at) => [id, at + 1]));
  return html`
    ${table(left, name, ({ id }) => ({ number: placeOf.get(id) as number }))}
    <p>
      <a href="${visit.site.basePath}${tablePath(group_id, list_id)}">
        ${words('groups.showAll', { count: problems })}
      </a>
    </p>
    ${keysOverlay()}`;
}
