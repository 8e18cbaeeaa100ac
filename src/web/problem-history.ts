/** The history of one problem: the member's changes, each with its undo, and what the judge said, by day. */
import { html } from 'hono/html';
import { judgeOf } from '../judges/addresses.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { ChangesTable } from '../store/tables.ts';
import { changeEvent, wordsOf } from './changes.ts';
import type { Html } from './layout.ts';
import { type Forms, moment, type OwnMarks, stateIcon, stateWords } from './parts.ts';
import { words } from './words.ts';

export function historyPanel(
  { source }: ProblemRow,
  { status }: OwnMarks,
  changes: readonly ChangesTable[],
  sizes: ReadonlyMap<bigint, bigint>,
  forms: Forms,
): Html {
  const events: { at: string; shown: Html }[] = changes.map((change) => ({
    at: change.made_at,
    shown: changeEvent(change, wordsOf(change), sizes.get(change.batch_id) ?? 1n, forms),
  }));
  if (status?.judge_status && status.judge_at) {
    const shown = html`<li class="event"><span class="event-mark">${stateIcon(status.judge_status)}</span><div><p><b>${stateWords[status.judge_status]}</b> <span class="faint">${words('history.saidBy', { judge: judgeOf(source)?.name ?? source })}</span></p></div>${moment(status.judge_at, 'time')}</li>`;
    events.push({ at: status.judge_at, shown });
  }
  events.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const days = Map.groupBy(events, ({ at }) => at.slice(0, 10));
  const list = html`<ol class="days">${[...days.values()].map((some) => html`<li><h3>${moment(some[0]?.at ?? '', 'long')}</h3><ol class="events">${some.map(({ shown }) => shown)}</ol></li>`)}</ol>`;
  return html`<section class="panel" aria-labelledby="history-title"><div class="panel-head"><h2 id="history-title">${words('frame.history')}</h2>${changes.length > 0 ? html`<p>${words('history.count', { count: changes.length })}</p>` : ''}</div>${events.length === 0 ? html`<p class="soft">${words('history.none')}</p>` : list}</section>`;
}
