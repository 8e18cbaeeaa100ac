/** The log of what staff did on these pages, the newest first. */
import { html } from 'hono/html';
import { parseInt64 } from '../../contract/common.ts';
import { listStaffDeeds, type StaffDeed, type StaffLogRow } from '../../store/staff-log.ts';
import type { Html } from '../layout.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { staffFrame, staffPath, table, time } from './parts.ts';

const path = `${staffPath}log/`;
const perPage = 50;

export const logPage: PageRoute<MemberVisit> = { path, isSecret: true, show };

/** What was done in words; the member to whom it was done stands behind them. */
const words: Readonly<Record<StaffDeed, string>> = {
  'member-made': 'made the member',
  'member-renamed': 'renamed',
  'member-disabled': 'disabled',
  'member-enabled': 'enabled',
  'member-deleted': 'deleted',
  'staff-made': 'gave the rights of staff to',
  'staff-ended': 'took the rights of staff from',
  'reset-made': 'made a reset address for',
  'invitation-made': 'made an invitation',
  'invitation-ended': 'took an invitation back',
  'sign-up-opened': 'opened sign-up',
  'sign-up-closed': 'closed sign-up',
  'sample-removed': 'took the sample out',
  'plant-removed': 'removed a plant of',
  'file-imported': 'imported a file',
  'submissions-imported': 'imported submissions of',
};

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, site, query } = visit;
  const before = parseInt64(query.get('before') ?? '');
  const found = await listStaffDeeds(store.reader, before, perPage + 1);
  const shown = found.slice(0, perPage);
  const older =
    found.length > perPage
      ? html`<p><a class="button" href="${site.basePath}${path}?before=${shown.at(-1)?.id}">Older</a></p>`
      : '';
  const content =
    shown.length === 0
      ? html`<div class="panel empty"><h2>Nothing done yet</h2><p class="soft">What staff do on these pages is written down here. Commands on the server are not.</p></div>`
      : html`<section class="panel" aria-label="Log" data-total="${shown.length}">${table(
          'What staff did',
          ['When', 'Who', 'What'],
          shown.map((deed) => deedRow(deed, site.basePath)),
        )}</section>${older}`;
  return {
    html: staffFrame(
      visit,
      { title: 'Log', room: 'log/', sub: 'What staff did on these pages. Times are UTC.' },
      content,
    ),
  };
}

/** A row of the log; it has a link to each member who is still here. */
export function deedRow(deed: StaffLogRow, basePath: string): Html {
  const { made_at, actor_id, actor, what, member_id, member } = deed;
  const whom = member_id === null ? '' : html` ${person(basePath, member_id, member)}`;
  return html`<tr data-deed="${what}"><td>${time(made_at)}</td><td>${person(basePath, actor_id, actor)}</td><td>${words[what as StaffDeed] ?? what}${whom}</td></tr>`;
}

function person(basePath: string, id: bigint, username: string | null): Html {
  if (username === null) return html`<span class="faint">member ${id}, deleted</span>`;
  return html`<a href="${basePath}${staffPath}members/${id}/">${username}</a>`;
}
