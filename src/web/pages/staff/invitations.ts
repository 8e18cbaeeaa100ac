/** The page of invitations and open reset links: creates, lists and revokes them, and shows each secret only once. */

import { endEntryLink, invitationDays, makeEntryLink, parseUses, usesAtMost } from '../../../auth/entry.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { asStaff } from '../../../practice/staff.ts';
import { listOpenLinks, type OpenLink } from '../../../store/entry.ts';
import { type Faults, form, formActions, selectField, textField } from '../../kit/form.ts';
import { lifetimeField, lifetimeMsIn } from '../../kit/lifetimes.ts';
import { linkButton } from '../../kit/links.ts';
import { emptyPanel, listPanel, localLinksNotice, panel, secretNotice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { invitationsPath as path, staffMembersPath } from '../../paths.ts';
import { choiceIn, fieldText, idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, roleOptions, staffDate, staffPage, staffTime } from './frame.ts';

export const invitationsPage: PageRoute<MemberVisit> = {
  path,
  isUncached: true,
  get: (visit) => invitationsList(visit),
  post: submit,
};

async function invitationsList(
  visit: MemberVisit,
  faults: Faults = {},
  secret: Html | '' = '',
): Promise<{ html: Html }> {
  const { store, site, form: values } = visit;
  const links = await listOpenLinks(store.reader, new Date().toISOString());
  const headingOf = ({ kind, role, member }: OpenLink) =>
    kind === 'reset'
      ? richWords('invitations.resetOf', { name: html`<bdi>${member ?? ''}</bdi>` })
      : words(role === 'staff' ? 'invitations.asStaff' : 'invitations.asMember');
  const row = (link: OpenLink) => {
    const { id, kind, uses_left, expires_at } = link;
    const usesLeft = html`
      <div><dt>${words('invitations.left')}</dt><dd>${words('invitations.people', { count: uses_left })}</dd></div>`;
    const revokeLink = html`
      <button class="button small danger" name="take_back" value="${id}">
        ${richWords('invitations.takeBack', { kind, id: String(id) })}
      </button>`;
    return html`
      <li class="token" data-${kind}="${id}">
        <div><h2>${headingOf(link)}</h2><p class="scopes"><span class="soft">${creatorText(link)}</span></p></div>
        <dl>
          ${kind === 'reset' ? '' : usesLeft}
          <div><dt>${words('tokens.expires')}</dt><dd>${staffDate(expires_at)}</dd></div>
        </dl>
        ${form(visit, { to: path }, revokeLink)}
      </li>`;
  };
  const list =
    links.length === 0
      ? emptyPanel({ heading: words('invitations.none'), text: words('invitations.noneText') })
      : listPanel({ className: 'tokens', total: links.length }, links.map(row));
  const severalPath = `${site.basePath}${staffMembersPath}#several`;
  const fields = html`
    ${selectField(words('invitations.joinAs'), 'role', roleOptions(), choiceIn(values, 'role', roleOptions()))}
    ${lifetimeField(values, invitationDays)}
    ${textField(words('invitations.howMany'), 'uses', faults, {
      value: values.get('uses') ?? '1',
      hint: words('invitations.usesHint', { most: usesAtMost }),
    })}
    ${formActions(words('invitations.make'), linkButton(severalPath, words('members.several')))}`;
  const createInvitation = form(visit, { to: path, className: 'form' }, fields);
  return staffPage(
    visit,
    { section: 'invitations/', sub: words('invitations.sub') },
    html`${secret}${panel({ id: 'new', heading: words('invitations.new') }, createInvitation)}${list}`,
  );
}

export function creatorText({ maker, created_at }: OpenLink): Html {
  const when = staffTime(created_at);
  if (maker === null) return richWords('invitations.madeByCommand', { when });
  return richWords('invitations.madeBy', { when, who: html`<bdi>${maker}</bdi>` });
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  return visit.form.has('take_back') ? revokeLink(visit) : createInvitation(visit);
}

async function createInvitation(visit: MemberVisit): Promise<PageResult> {
  const { form, site, member } = visit;
  const role = choiceIn(form, 'role', roleOptions());
  const text = fieldText(form, 'uses', 20).trim();
  const uses = parseUses(text);
  if (uses === undefined) {
    const faults = { uses: words('invitations.giveNumber', { most: usesAtMost }) };
    return { ...(await invitationsList(visit, faults)), status: 422 };
  }
  const lifetimeMs = lifetimeMsIn(form, invitationDays);
  const link = { kind: 'invitation', role, uses, lifetimeMs, madeBy: member.user_id } as const;
  const key = await asStaff(visit, (tx) => makeEntryLink(tx, link), 'invitation-made');
  const shown = secretNotice(
    words('invitations.made'),
    words('invitations.madeText', { count: uses, role: words(`role.${role}`) }),
    `${site.baseUrl}/authentication/invitation/${key}/`,
  );
  return invitationsList(visit, {}, html`${shown}${localLinksNotice(site.baseUrl, member)}`);
}

async function revokeLink(visit: MemberVisit): Promise<PageResult> {
  const id = idIn(fieldText(visit.form, 'take_back', 30), parseInt64);
  await asStaff(
    visit,
    async (tx) => {
      const link = await endEntryLink(tx, id);
      if (!link) throw pageNotFound(visit.path);
      return link;
    },
    ({ user_id }) => (user_id === null ? ['invitation-ended'] : ['reset-ended', user_id]),
  );
  return { to: donePath(path, 'taken-back') };
}
