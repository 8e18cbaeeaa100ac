/** Invitations: addresses by which people join, made, listed and taken back. The secret of each is shown only when it is made. */
import { html } from 'hono/html';
import { makeEntryLink } from '../../auth/entry.ts';
import { parseInt64 } from '../../contract/common.ts';
import { deleteEntryLink, listEntryLinks } from '../../store/entry-links.ts';
import { findMembersByIds } from '../../store/members.ts';
import type { EntryLinksTable } from '../../store/tables.ts';
import { field, idIn } from '../fields.ts';
import { type Faults, textField } from '../forms.ts';
import type { Html } from '../layout.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../visits.ts';
import { act } from './acts.ts';
import {
  chosenIn,
  donePath,
  panel,
  roles,
  selectField,
  shownOnce,
  staffFrame,
  staffPath,
  time,
} from './parts.ts';

const path = `${staffPath}invitations/`;
const usesAtMost = 999;

/** How long an invitation may be good. The first one is chosen where the form says nothing. */
const lifetimes = [
  ['7d', 'In 7 days'],
  ['1d', 'In 1 day'],
  ['30d', 'In 30 days'],
] as const;
const dayMs = 86_400_000;

export const invitationsPage: PageRoute<MemberVisit> = {
  path,
  isSecret: true,
  show: async (visit) => ({ html: await page(visit) }),
  change: take,
};

async function page(visit: MemberVisit, faults: Faults = {}, above: Html | '' = ''): Promise<Html> {
  const { store, site, form, antiForgery } = visit;
  const links = await listEntryLinks(store.reader, 'invitation', new Date().toISOString());
  const makers = await findMembersByIds(
    store.reader,
    links.flatMap(({ made_by }) => (made_by === null ? [] : [made_by])),
  );
  const names = new Map(makers.map(({ id, username }) => [id, username]));
  const action = site.basePath + path;
  const row = ({ id, role, uses_left, made_by, created_at, expires_at }: EntryLinksTable) =>
    html`<li class="token" data-invitation="${id}"><div><h2>${role === 'staff' ? 'Joins as staff' : 'Joins as member'}</h2><p class="scopes"><span class="soft">Made ${time(created_at)}${made_by === null ? ' by command' : ` by ${names.get(made_by) ?? 'a member who is gone'}`}</span></p></div><dl><div><dt>Left</dt><dd>${uses_left === 1n ? '1 person' : `${uses_left} people`}</dd></div><div><dt>Expires</dt><dd>${time(expires_at)}</dd></div></dl><form method="post" action="${action}">${antiForgery}<button class="button small danger" name="take_back" value="${id}">Take back<span class="sr"> invitation ${id}</span></button></form></li>`;
  const list =
    links.length === 0
      ? html`<div class="panel empty"><h2>No invitation is open</h2><p class="soft">Each one that still works stands here, and can be taken back.</p></div>`
      : html`<ul class="panel tokens" data-total="${links.length}">${links.map(row)}</ul>`;
  const make = html`<form class="form" method="post" action="${action}">${antiForgery}
${selectField('They join as', 'role', roles, chosenIn(form, 'role', roles))}
${selectField('Expires', 'expires', lifetimes, chosenIn(form, 'expires', lifetimes))}
${textField('How many people may use it', 'uses', faults, { value: form.get('uses') ?? '1', hint: `From 1 to ${usesAtMost}. Post it in a group, or hand it to one person.` })}
<div class="actions"><button class="button primary">Make invitation</button></div></form>`;
  return staffFrame(
    visit,
    {
      title: 'Invitations',
      room: 'invitations/',
      sub: 'An address by which people join. They choose their name and password.',
    },
    html`${above}${panel('new', 'New invitation', make)}
${list}`,
  );
}

async function take(visit: MemberVisit): Promise<Answer> {
  return visit.form.has('take_back') ? takeBack(visit) : make(visit);
}

async function make(visit: MemberVisit): Promise<Answer> {
  const { form, site, member } = visit;
  const role = chosenIn(form, 'role', roles);
  const lifetime = chosenIn(form, 'expires', lifetimes);
  const text = field(form, 'uses', 20).trim();
  const uses = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined;
  if (uses === undefined) {
    return { html: await page(visit, { uses: `Give a number from 1 to ${usesAtMost}.` }), status: 422 };
  }
  const lifetimeMs = Number.parseInt(lifetime, 10) * dayMs;
  const key = await act(visit, async (tx) => {
    const link = { kind: 'invitation', role, uses, lifetimeMs, madeBy: member.user_id } as const;
    return { what: 'invitation-made', result: await makeEntryLink(tx, link) };
  });
  const people = uses === 1 ? 'One person joins' : `Up to ${uses} people join`;
  const shown = shownOnce(
    'The invitation is made',
    `${people} by this address, as ${role}. It is shown only now; copy it.`,
    `${site.baseUrl}/authentication/invitation/${key}/`,
  );
  return { html: await page(visit, {}, shown) };
}

async function takeBack(visit: MemberVisit): Promise<Answer> {
  const id = idIn(field(visit.form, 'take_back', 30), parseInt64);
  await act(visit, async (tx) => {
    const links = await listEntryLinks(tx, 'invitation', new Date().toISOString());
    // Not the reset address of a member, which has a number of the same row.
    const isOpen = links.some((link) => link.id === id);
    if (!isOpen || !(await deleteEntryLink(tx, id))) throw nothingHere(visit.path);
    return { what: 'invitation-ended', result: undefined };
  });
  return { to: donePath(path, 'taken-back') };
}
