/** The log of what staff did, the newest first. */

import { parseInt64 } from '../../../contract/common.ts';
import { figuresMessage } from '../../../importing/import.ts';
import { judgeName } from '../../../judges/judges.ts';
import { listStaffActions, type StaffAction, type StaffLogRow } from '../../../store/staff-log.ts';
import { linkButton } from '../../kit/links.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { stackedTable } from '../../kit/table.ts';
import { importTitle } from '../../kit/uploads/section.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { localize, words } from '../../words/words.ts';
import { pageOfIds, rowsPerPage, staffPage, staffTime } from './frame.ts';

const path = `${staffPath}log/`;

export const logPage: PageRoute<MemberVisit> = { path, isUncached: true, get: show };

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, site, query } = visit;
  const before = parseInt64(query.get('before') ?? '');
  const rows = await listStaffActions(store.reader, rowsPerPage + 1, before);
  if (before !== undefined && rows.length === 0) return { to: path };
  const { shown, more } = pageOfIds(visit, rows, ['before', 'log.older']);
  const content =
    shown.length === 0
      ? emptyPanel({
          heading: words('log.nothing'),
          text: words('log.nothingText'),
          actions: linkButton(`${site.basePath}${staffPath}settings/`, words('staff.settings')),
        })
      : html`
        ${unheadedPanel(
          { label: words('staff.log'), total: shown.length },
          deedTable(words('log.table'), shown, site.basePath),
        )}
        ${more}`;
  return staffPage(visit, { section: 'log/', sub: words('log.sub') }, content);
}

export function deedTable(label: string, deeds: readonly StaffLogRow[], basePath: string): Html {
  const row = ({ made_at, actor_id, actor, what, member_id, member }: StaffLogRow) => {
    const [act = '', ...about] = what.split(' ');
    // The name of a deleted member says so itself.
    const isGone = act === 'member-deleted' && member === null;
    return {
      about: html` data-deed="${act}"`,
      cells: [
        staffTime(made_at),
        memberLink(basePath, actor_id, actor),
        html`
          ${!isGone && words(`deed.${act as StaffAction}`)}
          ${member_id !== null && html` ${memberLink(basePath, member_id, member)}`}
          ${about.length > 0 && html` <span class="faint">${detailOf(act, about)}</span>`}`,
      ],
    };
  };
  return stackedTable(label, [words('staff.when'), words('staff.who'), words('staff.whatDone')], deeds.map(row));
}

/** A provider, a judge, or the kind of a file with what its import did. */
function detailOf(act: string, [subject = '', ...figures]: readonly string[]): string {
  if (!act.endsWith('-imported')) return act.startsWith('judge-') ? judgeName(subject) : subject;
  const [added = 0, changed = 0, kept = 0] = figures.map(Number);
  const hasFigures = added + changed + kept > 0;
  return commaList([importTitle(subject), hasFigures && localize(figuresMessage({ new: added, changed, kept }))]);
}

function memberLink(basePath: string, id: bigint, username: string | null): Html {
  if (username === null) return html`<span class="faint">${words('log.gone', { id: String(id) })}</span>`;
  return html`<a href="${basePath}${staffPath}members/${id}/">${username}</a>`;
}
