/** What the groups of a member gave them: the panel of Today. */
import { html } from 'hono/html';
import { type ListGivenTo, lastDuesGivenTo, listGivenTo } from '../../store/group-lists.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { MemberVisit } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { dueMoment } from './due.ts';
import { tablePath } from './paths.ts';

const shownAtMost = 6;
/** How long something stays after it was due. */
const staysMs = 30 * 86_400_000;

/** What it depends on beside rows: which moments have passed. */
export async function passedDues({ store, member }: MemberVisit): Promise<string> {
  const at = (ms: number) => new Date(ms).toISOString();
  const now = Date.now();
  return String(await lastDuesGivenTo(store.reader, member.user_id, [at(now), at(now - staysMs)]));
}

/** Nothing for who is given nothing. */
export async function givenPanel({ store, site, member }: MemberVisit): Promise<Html | undefined> {
  const now = Date.now();
  const isShown = ({ due_at, problems, solved }: ListGivenTo) =>
    due_at === null
      ? solved < problems
      : Date.parse(due_at) > now || (solved < problems && Date.parse(due_at) > now - staysMs);
  const lists = (await listGivenTo(store.reader, member.user_id)).filter(isShown).slice(0, shownAtMost);
  if (lists.length === 0) return undefined;
  const line = ({ group_id, list_id, name, group, zone, due_at, problems, solved }: ListGivenTo) => {
    const isOver = due_at !== null && Date.parse(due_at) <= now;
    const when =
      due_at === null
        ? html`<bdi>${group}</bdi>`
        : html`<bdi>${group}</bdi>, <span${isOver ? html` class="late"` : ''}>${richWords(isOver ? 'groups.wasDue' : 'groups.dueAt', { when: dueMoment(due_at, zone) })}</span>`;
    return html`<li data-given="${list_id}"><p><a href="${site.basePath}${tablePath(group_id, list_id)}"><bdi>${name}</bdi></a> <span class="soft">${when}</span></p><p class="num">${solved === problems ? icon('check') : ''}${words('groups.solvedOf', { solved, all: problems })}</p></li>`;
  };
  return html`<section class="panel" aria-labelledby="given"><div class="panel-head"><h2 id="given">${words('groups.given')}</h2></div><ul class="given" data-total="${lists.length}">${lists.map(line)}</ul></section>`;
}
