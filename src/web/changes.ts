/** Changes that members make on pages: the bar that offers to undo the last one, the history, and undoing. */
import { html } from 'hono/html';
import { parseInt64 } from '../contract/common.ts';
import { undo } from '../practice/marks.ts';
import { listBatchOf, listChanges } from '../store/changes.ts';
import { findProblem } from '../store/problems.ts';
import type { ChangesTable, State } from '../store/tables.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import { judgeKey, stateWords, undoBar } from './parts.ts';
import { type Answer, field, idIn, type MemberVisit, ownPath, type PageRoute } from './visits.ts';

const historyPath = '/dashboard/history/';
const perPage = 50;

export const changePages: readonly PageRoute<MemberVisit>[] = [
  { path: historyPath, show: showHistory, change: takeUndo },
];

/** The address to go back to after a change, with what changed. */
export function backTo(from: string, batch: bigint | undefined, fragment = ''): string {
  const [path = '/', query = ''] = from.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('changed');
  if (batch !== undefined) parameters.set('changed', String(batch));
  return `${path}${parameters.size > 0 ? `?${parameters}` : ''}${fragment}`;
}

/** The bar for the change that the address names, if it is the member's own and not undone; `from` is this page. */
export async function changeBar(
  { store, member, query, site, antiForgery }: MemberVisit,
  from: string,
): Promise<Html | undefined> {
  const id = parseInt64(query.get('changed') ?? '');
  if (id === undefined) return undefined;
  const batch = await listBatchOf(store.reader, member.user_id, id);
  const [first] = batch;
  if (!first || first.undone_at !== null) return undefined;
  const problem = await findProblem(store.reader, first.problem_id);
  const what =
    batch.length === 1
      ? html`<b>${problem?.title}</b>: ${wordsOf(first)}`
      : html`<b>${batch.length} problems</b>: ${wordsOf(first)}`;
  return undoBar({ basePath: site.basePath, antiForgery, from }, what, first.id);
}

/** A change in words, such as "trying → solved". */
export function wordsOf({ kind, before, after }: Pick<ChangesTable, 'kind' | 'before' | 'after'>): string {
  const [one, other] = [JSON.parse(before), JSON.parse(after)] as const;
  if (kind === 'bookmark') return other === null ? 'star taken away' : 'starred';
  if (kind === 'note') return other?.note === null ? 'note taken away' : 'note saved';
  if (kind === 'how') return other.how === null ? 'how it went taken back' : `solved: ${other.how}`;
  const word = (status: State | null) =>
    status === null ? 'nothing said' : stateWords[status].toLowerCase();
  return `${word(one.status)} → ${word(other.status)}${other.how ? `, ${other.how}` : ''}`;
}

async function takeUndo({ store, member, form, site }: MemberVisit): Promise<Answer> {
  const id = idIn(field(form, 'undo', 30), parseInt64);
  await store.write((tx) => undo(tx, member.user_id, id));
  const from = form.get('from');
  return { to: from === null ? historyPath : backTo(ownPath(site, from), undefined) };
}

async function showHistory(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, query, antiForgery } = visit;
  const before = parseInt64(query.get('before') ?? '');
  const changes = await listChanges(store.reader, member.user_id, before, perPage + 1);
  const shown = changes.slice(0, perPage);
  const days = Map.groupBy(shown, ({ made_at }) => made_at.slice(0, 10));
  const last = shown.at(-1);
  const event = (change: (typeof shown)[number]) =>
    html`<li class="event${change.undone_at ? ' undone' : ''}" data-change="${change.id}"><span class="event-mark">${icon('user', 'faint')}</span><div><p><a href="${site.basePath}/problem_list/problem/${change.problem_id}/">${change.title}</a> ${judgeKey(change)} ${wordsOf(change)}${change.undone_at ? html` <span class="faint">undone</span>` : ''}</p></div>${change.undone_at ? '' : undoForm(site.basePath, antiForgery, change.id)}<time class="num" datetime="${change.made_at}">${change.made_at.slice(11, 16)}</time></li>`;
  const content =
    shown.length === 0
      ? html`<div class="panel empty"><h2>Nothing changed yet</h2><p class="soft">Each mark that you make stands here, and can be undone.</p></div>`
      : html`<section class="panel"><ol class="days">${[...days].map(([day, some]) => html`<li><h3><time datetime="${day}">${day}</time></h3><ol class="events">${some.map(event)}</ol></li>`)}</ol></section>${changes.length > perPage ? html`<p><a class="button" href="${site.basePath}${historyPath}?before=${last?.id}">Older</a></p>` : ''}`;
  return {
    html: frame(
      visit,
      { title: 'History', current: historyPath, kind: 'p-history' },
      html`${pageHead('History', { sub: 'What you changed here. Times are UTC.' })}${content}`,
    ),
  };
}

export function undoForm(basePath: string, antiForgery: Html, id: bigint, from?: string): Html {
  return html`<form method="post" action="${basePath}${historyPath}">${antiForgery}${from === undefined ? '' : html`<input type="hidden" name="from" value="${from}">`}<button class="button small quiet" name="undo" value="${id}">${icon('undo')}<span>Undo</span></button></form>`;
}
