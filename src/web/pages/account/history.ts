/** The history of a member: what they changed, day by day, each with its undo. */

import { parseInt64 } from '../../../contract/common.ts';
import { undo } from '../../../practice/marks.ts';
import { listBatches } from '../../../store/changes.ts';
import { backTo, batchesByDay, changeBar } from '../../kit/changes.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { findProblem } from '../../kit/links.ts';
import { pageOfKeys } from '../../kit/pager.ts';
import { barePanel, emptyPanel } from '../../kit/panel.ts';
import { html } from '../../markup.ts';
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

async function showHistory(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, query, antiForgery } = visit;
  const before = parseInt64(query.get('before') ?? '');
  const batches = await listBatches(store.reader, member.user_id, perPage + 1, before);
  if (before !== undefined && batches.length === 0) return { to: historyPath };
  const by = ['before', ({ batch_id }: (typeof batches)[number]) => batch_id] as const;
  const { shown, more } = pageOfKeys(visit, batches, { atMost: perPage, by, text: words('log.older') });
  const forms = { site, antiForgery };
  const content =
    shown.length === 0
      ? emptyPanel({
          heading: words('history.nothing'),
          text: words('history.nothingText'),
          actions: findProblem(site.basePath),
        })
      : html`
        ${barePanel(
          { label: words('history.changes') },
          batchesByDay(shown, forms, (text) => html`<h2 class="day">${text}</h2>`),
        )}
        ${more}`;
  return {
    html: frame(
      visit,
      { title: words('history.title'), kind: 'p-history', bar: await changeBar(visit, historyPath) },
      html`${pageHead(words('history.title'), { sub: words('history.sub', { zone: zoneWords() }) })}${content}`,
    ),
  };
}

export const historyPages: readonly PageRoute<MemberVisit>[] = [
  { path: historyPath, show: showHistory, change: takeUndo },
];
