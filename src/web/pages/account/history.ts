/** The history of a member: what they changed and their timers, day by day, each with its undo. */

import { parseInt64 } from '../../../contract/common.ts';
import { undo } from '../../../practice/marks.ts';
import { listBatches } from '../../../store/changes.ts';
import { listClosedTimers } from '../../../store/timers.ts';
import { backTo, batchEvent, changeBar, dayList } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { findProblemLink, linkButton } from '../../kit/links.ts';
import { judgeKey, problemLink } from '../../kit/marks.ts';
import { barePanel, emptyPanel } from '../../kit/panel.ts';
import { timerBar, timerEvent } from '../../kit/timer.ts';
import { type Html, html } from '../../markup.ts';
import { historyPath } from '../../paths.ts';
import { zoneWords } from '../../road/clock.ts';
import { field, idIn, ownPath } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const perPage = 50;

async function takeUndo({ store, member, form, site }: MemberVisit): Promise<Answer> {
  const id = idIn(field(form, 'undo', 30), parseInt64);
  await undo(store, member.user_id, id);
  const from = form.get('from');
  return { to: backTo(from === null ? historyPath : ownPath(site, from), id) };
}

interface Event {
  at: string;
  shown: Html;
  /** The rest of the list begins after it. */
  cursor: readonly ['before' | 'timer', id: bigint];
}

/** The next changes and timers together, the newest first. Each of the two keeps its own order. */
async function eventsOf(visit: MemberVisit, from: string): Promise<Event[]> {
  const { store, member, site, query, antiForgery } = visit;
  const cursor = (name: string) => parseInt64(query.get(name) ?? '');
  const { reader } = store;
  const batches = (await listBatches(reader, member.user_id, perPage + 1, cursor('before'))).map(
    (one): Event => ({
      at: one.made_at,
      shown: batchEvent(one, { site, antiForgery }),
      cursor: ['before', one.batch_id],
    }),
  );
  const timers = (await listClosedTimers(reader, member.user_id, perPage + 1, cursor('timer'))).map((one): Event => {
    const name = html`${problemLink(site.basePath, { id: one.problem_id, title: one.title })} ${judgeKey(one)}`;
    return { at: one.closed_at, shown: timerEvent(one, { ...visit, from }, name), cursor: ['timer', one.id] };
  });
  const events: Event[] = [];
  while (events.length <= perPage && batches.length + timers.length > 0) {
    const [batch, timer] = [batches[0], timers[0]];
    const next = !timer || (batch && batch.at >= timer.at) ? batches.shift() : timers.shift();
    if (next) events.push(next);
  }
  return events;
}

async function showHistory(visit: MemberVisit): Promise<Answer> {
  const { site, query } = visit;
  const kept = ['before', 'timer'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const here = kept.length === 0 ? historyPath : `${historyPath}?${new URLSearchParams(kept)}`;
  const events = await eventsOf(visit, here);
  if (kept.length > 0 && events.length === 0) return { to: historyPath };
  const shown = events.slice(0, perPage);
  const next = new URLSearchParams(kept);
  for (const { cursor } of shown) next.set(cursor[0], String(cursor[1]));
  const older = linkButton(`${site.basePath}${historyPath}?${next}`, words('log.older'));
  const content =
    shown.length === 0
      ? emptyPanel({
          heading: words('history.nothing'),
          text: words('history.nothingText'),
          actions: findProblemLink(site.basePath),
        })
      : html`
        ${barePanel(
          { label: words('history.changes') },
          dayList(
            shown,
            ({ at }) => at,
            ({ shown: event }) => event,
            (text) => html`<h2 class="day">${text}</h2>`,
          ),
        )}
        ${events.length > perPage && html`<p>${older}</p>`}`;
  const bar = (await timerBar(visit, here)) ?? (await changeBar(visit, here));
  return {
    html: frame(
      visit,
      { title: words('history.title'), kind: 'p-history', bar },
      html`${pageHead(words('history.title'), { sub: words('history.sub', { zone: zoneWords() }) })}${content}`,
    ),
  };
}

export const historyPages: readonly PageRoute<MemberVisit>[] = [
  { path: historyPath, show: showHistory, change: takeUndo },
];
