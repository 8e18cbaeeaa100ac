/** The log of what staff did, the newest first. */

import { parseInt64 } from '../../../contract/common.ts';
import { figuresMessage } from '../../../importing/import.ts';
import { judgeName } from '../../../judges/judges.ts';
import type { OpenIdProvidersTable } from '../../../store/openid.ts';
import { listStaffActions, type StaffAction, type StaffLogRow } from '../../../store/staff-log.ts';
import { linkButton } from '../../kit/links.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { stackedTable } from '../../kit/table.ts';
import { importTitle } from '../../kit/uploads/section.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { afterColon, commaList } from '../../words/formats.ts';
import { localize, type MessageKey, words } from '../../words/words.ts';
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
    const isGone = act === 'member-deleted' && member === null;
    const text = isGone ? words('log.memberDeleted', { id: String(member_id) }) : words(`deed.${act as StaffAction}`);
    const colon = act.endsWith('-set') && about.length > 0 && afterColon('');
    return {
      about: html` data-deed="${act}"`,
      cells: [
        staffTime(made_at),
        memberLink(basePath, actor_id, actor),
        html`
          ${text}${colon}
          ${!isGone && member_id !== null && html` ${memberLink(basePath, member_id, member)}`}
          ${about.length > 0 && html` <span class="faint">${detailOf(act, about)}</span>`}`,
      ],
    };
  };
  return stackedTable(label, [words('staff.when'), words('staff.who'), words('staff.whatDone')], deeds.map(row));
}

/** The columns of a provider that a form can change, as it names them. */
export const providerColumns = {
  name: 'providers.field.name',
  client_id: 'providers.field.client_id',
  client_secret: 'providers.secret',
  admits: 'providers.admits',
  claim: 'providers.field.claim',
  wanted: 'providers.field.claim_value',
  makes_members: 'providers.makes',
  name_claim: 'providers.field.name_claim',
} as const satisfies Partial<Record<keyof OpenIdProvidersTable, MessageKey>>;

const switchTexts: Readonly<Record<string, Readonly<Record<string, MessageKey>>>> = {
  'profile-fields-set': { true: 'profileFields.ask', false: 'profileFields.stop' },
  'proxy-members-set': { true: 'proxyMembers.make', false: 'proxyMembers.stop' },
  'provider-changed': providerColumns,
  'group-accounts-set': {
    administrators: 'groupAccounts.administrators',
    coaches: 'groupAccounts.coaches',
    nobody: 'groupAccounts.nobody',
  },
};

function limitText(limit: string): string {
  const [role = '', period = '', most] = limit.split(':');
  return `${words('addLimits.field', { role, period })}: ${most}`;
}

/** A provider, a judge, what a setting became, or the kind of a file with what its import did. */
function detailOf(act: string, [subject = '', ...figures]: readonly string[]): string {
  if (act === 'add-limits-set') return commaList([subject, ...figures].map(limitText));
  const texts = switchTexts[act];
  if (texts)
    return commaList(
      [subject, ...figures].map((one) => {
        const key = texts[one];
        return key ? words(key) : one;
      }),
    );
  if (!act.endsWith('-imported')) return act.startsWith('judge-') ? judgeName(subject) : subject;
  const [added = 0, changed = 0, kept = 0] = figures.map(Number);
  const hasFigures = added + changed + kept > 0;
  return commaList([importTitle(subject), hasFigures && localize(figuresMessage({ new: added, changed, kept }))]);
}

function memberLink(basePath: string, id: bigint, username: string | null): Html {
  if (username === null) return html`<span class="faint">${words('log.gone', { id: String(id) })}</span>`;
  return html`<a href="${basePath}${staffPath}members/${id}/">${username}</a>`;
}
