/** The history of a member: changes and timers, day by day, each with its undo. */

import { parseInt64 } from '../../../contract/common.ts';
import { localizedError } from '../../../errors.ts';
import { historyMiB, redo, undo } from '../../../practice/marks.ts';
import { undoProgramChange } from '../../../practice/program-undo.ts';
import { listBatches } from '../../../store/changes.ts';
import { listClosedTimers } from '../../../store/timers.ts';
import { batchEvent, changeBar, dayList, returnAddress } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { findProblemLink, linkButton } from '../../kit/links.ts';
import { judgeKey, problemLink } from '../../kit/marks.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { listProgramEvents } from '../../kit/program-events.ts';
import { timerBar, timerEvent } from '../../kit/timer.ts';
import { type Html, html } from '../../markup.ts';
import { connectionsPath, historyPath } from '../../paths.ts';
import { zoneLabel } from '../../request/clock.ts';
import { fieldText, idIn, localPath } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

const perPage = 50;

async function submitUndo({ store, member, form, site }: MemberVisit): Promise<PageResult> {
  const returnPath = form.get('from');
  const from = returnPath === null ? historyPath : localPath(site, returnPath);
  if (form.has('program')) {
    const write = idIn(fieldText(form, 'program', 30), parseInt64);
    const { outcome } = await undoProgramChange(store, member.user_id, write);
    if (outcome === 'undone') return { to: from };
    throw localizedError('unknownItem.change');
  }
  const id = idIn(fieldText(form, form.has('redo') ? 'redo' : 'undo', 30), parseInt64);
  await (form.has('redo') ? redo : undo)(store, member.user_id, id);
  return { to: returnAddress(from, id) };
}

interface Event {
  at: string;
  content: Html;
  /** The parameter of the page that begins after this event. */
  cursor: readonly ['before' | 'timer' | 'program', id: bigint];
}

/**
 * Merges changes, timers and writes of programs, newest first; each of the three has a cursor of its own. With a token
 * there are its writes alone.
 */
async function listEvents(visit: MemberVisit, returnPath: string): Promise<Event[]> {
  const { store, member, site, query, antiForgery } = visit;
  const cursor = (name: string) => parseInt64(query.get(name) ?? '');
  const { reader } = store;
  const tokenId = cursor('token');
  const place = { before: cursor('program'), tokenId };
  const programs = (await listProgramEvents(visit, { site, antiForgery }, perPage + 1, place)).map(
    ({ id, at, content }): Event => ({ at, content, cursor: ['program', id] }),
  );
  if (tokenId !== undefined) return programs;
  const batches = (await listBatches(reader, member.user_id, perPage + 1, cursor('before'), true)).map(
    (one): Event => ({
      at: one.made_at,
      content: batchEvent(one, { site, antiForgery }),
      cursor: ['before', one.batch_id],
    }),
  );
  const timers = (await listClosedTimers(reader, member.user_id, perPage + 1, cursor('timer'))).map((one): Event => {
    const name = html`${problemLink(site.basePath, { id: one.problem_id, title: one.title })} ${judgeKey(one)}`;
    return {
      at: one.closed_at,
      content: timerEvent(one, { ...visit, from: returnPath }, name),
      cursor: ['timer', one.id],
    };
  });
  const events: Event[] = [];
  while (events.length <= perPage && batches.length + timers.length + programs.length > 0) {
    const sources = [batches, timers, programs].filter(({ length }) => length > 0);
    const newest = sources.reduce((one, other) => ((other[0]?.at ?? '') > (one[0]?.at ?? '') ? other : one));
    const next = newest.shift();
    if (next) events.push(next);
  }
  return events;
}

async function showHistory(visit: MemberVisit): Promise<PageResult> {
  const { site, query } = visit;
  const cursors = ['before', 'timer', 'program', 'token'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const path = cursors.length === 0 ? historyPath : `${historyPath}?${new URLSearchParams(cursors)}`;
  const events = await listEvents(visit, path);
  const isOfToken = query.has('token');
  if (cursors.length > 0 && events.length === 0 && !isOfToken) return { to: historyPath };
  const rows = events.slice(0, perPage);
  const next = new URLSearchParams(cursors);
  for (const { cursor } of rows) next.set(cursor[0], String(cursor[1]));
  const older = linkButton(`${site.basePath}${historyPath}?${next}`, words('log.older'));
  const content =
    rows.length === 0
      ? emptyPanel({
          heading: words('history.nothing'),
          text: words('history.nothingText'),
          actions: findProblemLink(site.basePath),
        })
      : html`
        ${unheadedPanel(
          { label: words('history.changes') },
          dayList(
            rows,
            ({ at }) => at,
            ({ content: event }) => event,
            (text) => html`<h2 class="day">${text}</h2>`,
          ),
        )}
        ${
          events.length > perPage
            ? html`<p>${older}</p>`
            : html`<p class="faint hint">${words('history.limit', { most: historyMiB })}</p>`
        }`;
  const bar = (await timerBar(visit, path)) ?? (await changeBar(visit, path));
  const crumbs = isOfToken ? [[site.basePath + connectionsPath, words('connections.title')] as const] : [];
  const sub = words('history.sub', { zone: zoneLabel() });
  return {
    html: frame(
      visit,
      { title: words('history.title'), kind: 'p-history', bar },
      html`${pageHead(words('history.title'), { sub, crumbs })}${content}`,
    ),
  };
}

export const historyPages: readonly PageRoute<MemberVisit>[] = [
  { path: historyPath, get: showHistory, post: submitUndo },
];
