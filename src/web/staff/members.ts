/** The list of members, with search, and the form that makes one. */
import { html } from 'hono/html';
import { makeEntryLink } from '../../auth/entry.ts';
import { createMember } from '../../practice/members.ts';
import { countMembersLike, type ListedMember, listMembersByName } from '../../store/members.ts';
import { field } from '../fields.ts';
import { type Faults, textField } from '../forms.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { act, faultOf } from './acts.ts';
import { chosenIn, panel, roles, selectField, shownOnce, staffFrame, staffPath, time } from './parts.ts';

export const membersPath = `${staffPath}members/`;
const perPage = 50;
const longestSearch = 100;
/** How long a new member, or one without a password, has to choose one. */
export const resetMs = 7 * 86_400_000;

export const membersPage: PageRoute<MemberVisit> = {
  path: membersPath,
  isSecret: true,
  show: async (visit) => ({ html: await listPage(visit) }),
  change: make,
};

async function listPage(visit: MemberVisit, faults: Faults = {}, above: Html | '' = ''): Promise<Html> {
  const { store, site, query } = visit;
  const q = field(query, 'q', longestSearch).trim();
  const total = await countMembersLike(store.reader, q);
  const pages = Math.max(1, Math.ceil(Number(total) / perPage));
  const page = Math.min(pages, pageIn(query.get('page')));
  const offset = (page - 1) * perPage;
  const found = await listMembersByName(store.reader, { q, offset, limit: perPage });
  const action = site.basePath + membersPath;
  const list =
    found.length === 0
      ? html`<div class="panel empty"><h2>Nobody found</h2><p class="soft">No name or e-mail address has “${q}” in it.</p><div class="actions"><a class="button" href="${action}">All members</a></div></div>`
      : html`<ul class="panel tokens" data-total="${total}">${found.map((one) => row(one, action))}</ul>`;
  return staffFrame(
    visit,
    {
      title: 'Members',
      room: 'members/',
      sub: `${thousands.format(total)} ${q === '' ? 'in all' : 'found'}`,
    },
    html`${above}<form class="inline-form" method="get" action="${action}"><label class="grow">Find a member<input type="search" name="q" value="${q}" maxlength="${longestSearch}" autocomplete="off"></label><button class="button">${icon('search')}<span>Find</span></button></form>
${list}${pager({ q, page, pages, action })}
${newMember(visit, faults)}`,
  );
}

function row(one: ListedMember, action: string): Html {
  const { id, username, first_name, last_name, seen_at } = one;
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  return html`<li class="token" data-member="${id}"><div><h2><a href="${action}${id}/">${username}</a></h2><p class="scopes">${name ? html`<span class="soft">${name}</span>` : ''}${tags(one)}</p></div><dl><div><dt>Here since</dt><dd>${time(one.created_at)}</dd></div><div><dt>Seen</dt><dd>${seen_at === null ? html`<span class="faint">not signed in</span>` : time(seen_at)}</dd></div></dl><a class="button small" href="${action}${id}/">Open<span class="sr"> ${username}</span></a></li>`;
}

/** What is special about a member. */
export function tags({ role, is_disabled, is_sample, has_password }: ListedMember): Html {
  return html`${role === 'staff' ? html`<span class="tag good">${icon('shield')}Staff</span>` : ''}${is_disabled === 1n ? html`<span class="tag">${icon('lock')}Disabled</span>` : ''}${is_sample === 1n ? html`<span class="tag">Sample</span>` : ''}${has_password === 0n ? html`<span class="tag">No password</span>` : ''}`;
}

function pager({
  q,
  page,
  pages,
  action,
}: {
  q: string;
  page: number;
  pages: number;
  action: string;
}): Html | '' {
  if (pages === 1) return '';
  const to = (target: number) =>
    `${action}?${new URLSearchParams({ ...(q && { q }), page: String(target) })}`;
  const step = (target: number, text: string) =>
    target < 1 || target > pages ? '' : html`<a class="step" href="${to(target)}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages">${step(page - 1, 'Before')}<span>Page ${page} of ${pages}</span>${step(page + 1, 'Next')}</nav>`;
}

function pageIn(text: string | null): number {
  return /^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1;
}

function newMember({ site, form, antiForgery }: MemberVisit, faults: Faults): Html {
  const options = { value: form.get('username') ?? '', hint: 'Others see it. No spaces.' };
  return panel(
    'new',
    'Make a member',
    html`<form class="form" method="post" action="${site.basePath}${membersPath}">${antiForgery}
${textField('Name', 'username', faults, options)}
${selectField('What they may do', 'role', roles, chosenIn(form, 'role', roles))}
<p class="faint hint">You get an address to hand on; they choose their password there. To let people choose their name too, <a href="${site.basePath}${staffPath}invitations/">invite them</a>.</p>
<div class="actions"><button class="button primary">Make member</button></div></form>`,
  );
}

async function make(visit: MemberVisit): Promise<Answer> {
  const { form, site, member } = visit;
  const username = field(form, 'username', 100).trim();
  const role = chosenIn(form, 'role', roles);
  try {
    const key = await act(visit, async (tx) => {
      const { id } = await createMember(tx, { username, role });
      const link = { kind: 'reset', userId: id, role, uses: 1, lifetimeMs: resetMs } as const;
      const result = await makeEntryLink(tx, { ...link, madeBy: member.user_id });
      return { what: 'member-made', memberId: id, result };
    });
    form.delete('username');
    return { html: await listPage(visit, {}, resetShown(site.baseUrl, username, key)) };
  } catch (error) {
    return { html: await listPage(visit, { username: faultOf(error) }), status: 422 };
  }
}

export function resetShown(baseUrl: string, username: string, key: string): Html {
  return shownOnce(
    `Hand this address to ${username}`,
    'They choose a password there, and are signed in. It works once, for 7 days, and is shown only now.',
    `${baseUrl}/authentication/reset/${key}/`,
  );
}
