/** A garden with the sample and every page that it shows, with the visitors that see it: for tests of looks, and for the pictures. */
import type { TestContext } from 'node:test';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { openSession } from '../../src/auth/sessions.ts';
import { loadSample } from '../../src/importing/sample.ts';
import { makeGroupLink } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList, shareList } from '../../src/practice/lists.ts';
import { createMember } from '../../src/practice/members.ts';
import { plant } from '../../src/practice/planting.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { type OpenIdProvidersTable, saveProvider } from '../../src/store/openid.ts';
import type { Store } from '../../src/store/store.ts';
import type { Db } from '../../src/store/tables.ts';
import {
  findWebhookOf,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  type WebhookOwner,
} from '../../src/store/webhooks.ts';
import { openGarden } from '../importing/support.ts';
import { temporaryFile } from './garden.ts';
import { serveHere } from './in-process.ts';

export interface ShownPage {
  /** The name of its picture. */
  name: string;
  path: string;
  /** The garden that shows it, where that is another one. */
  url?: string;
  /** Nobody, where nothing is said. */
  as?: 'demo' | 'staff';
  /** 200, where nothing is said. */
  status?: number;
}

export interface ShownGarden {
  url: string;
  pages: ShownPage[];
  /** The values of the cookies of the demo member and of a member of staff. */
  sessions: Readonly<Record<'demo' | 'staff', string>>;
}

/** A garden with one thing of every kind that a page shows. */
export interface FilledGarden {
  /** The name of the demo member, who coaches the group of the sample. */
  member: string;
  /** Ids and secrets that stand in addresses. */
  handleId: bigint;
  plantId: bigint;
  sharedList: string;
  groupLink: string;
  sessions: ShownGarden['sessions'];
}

/** Fills an empty garden with the sample and with what the sample has none of. */
export async function fillGarden(store: Store): Promise<FilledGarden> {
  const { member } = await loadSample(store);
  const opening = { browser: 'Chromium', network: '127.0.0.1', device: undefined };
  const open = async (id: bigint) => (await store.write((tx) => openSession(tx, id, opening))).session;
  const { id: demoId = 0n } = (await findMemberByName(store.reader, member)) ?? {};
  const { id: handleId } = await store.write((tx) => addHandle(tx, demoId, 'cses', 'demo_gardener'));
  const sharedList = await store.write((tx) => makeLists(tx, demoId));
  const groupLink = await store.write(async (tx) => {
    await showPageTo(tx, demoId, 'everyone');
    return makeGroupLink(
      tx,
      { groupId: 1n, coachId: demoId },
      { uses: 20, lifetimeMs: 86_400_000, madeBy: demoId },
    );
  });
  const plantId = await store.write(async (tx) => {
    await sendMessages(tx, { user_id: demoId }, demoId, 'https://chat.example.org/hooks/of-a-member');
    await sendMessages(tx, { group_id: 1n }, demoId, 'https://discord.example.com/api/webhooks/of-a-group');
    await saveProvider(tx, school);
    const list = { id: 1n, name: listNames.name };
    return plant(tx, demoId, { name: listNames.goal, tag: null, list, target: 8n }, new Date());
  });
  const staff = await store.write((tx) => createMember(tx, { username: 'ada', role: 'staff' }));
  const sessions = { demo: await open(demoId), staff: await open(staff.id) };
  return { member, handleId, plantId, sharedList, groupLink, sessions };
}

/** Served in this process. */
export async function showGarden(t: TestContext): Promise<ShownGarden> {
  const { url, garden } = await serveNew(t);
  const { store } = garden;
  const { member, handleId, plantId, sharedList, groupLink, sessions } = await fillGarden(store);
  const linkOf = (kind: 'setup' | 'invitation', to: Store) =>
    to.write((tx) => makeEntryLink(tx, { kind, role: 'member', uses: 9, lifetimeMs: 86_400_000 }));
  const empty = await serveNew(t);
  const doors: ShownPage[] = [
    { name: 'welcome', path: '/' },
    { name: 'sign-in', path: '/authentication/sign-in/' },
    {
      name: 'set-up',
      url: empty.url,
      path: `/authentication/setup/?key=${await linkOf('setup', empty.garden.store)}`,
    },
    { name: 'invitation', path: `/authentication/invitation/${await linkOf('invitation', store)}/` },
    { name: 'member', path: `/members/${member}/` },
    { name: 'member-list', path: `/members/${member}/lists/1/` },
    { name: 'list-shared', path: `/problem_list/shared/${sharedList}/` },
    { name: 'group-join', path: `/authentication/join/${groupLink}/` },
    { name: 'not-found', path: '/docs/nothing/', status: 404 },
    { name: 'refused', path: '/%ff', status: 400 },
  ];
  own.push(
    { name: 'plant-of-list', path: `/plants/at/${plantId}/`, as: 'demo' },
    { name: 'confirming', path: `/authentication/account/handles/${handleId}/confirm/`, as: 'demo' },
  );
  return { url, pages: [...doors, ...docs, ...own], sessions };
}

async function makeLists(tx: Db, ownerId: bigint): Promise<string> {
  await makeList(tx, { ownerId, name: listNames.empty });
  const items = [1, 5, 9, 13, 120, 200].map((id) => ({ problemId: BigInt(id) }));
  const content = [{ name: listNames.section, items }];
  const id = await makeList(tx, { ownerId, name: listNames.shared, content });
  return (await shareList(tx, { id, ownerId })) ?? '';
}

async function sendMessages(tx: Db, owner: WebhookOwner, made_by: bigint, url: string): Promise<void> {
  const made_at = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const wishes = { url, sends_weeks: 1n, sends_dues: 1n, secret: `whsec_${'A'.repeat(43)}=` };
  const row = { group_id: null, user_id: null, ...owner, ...wishes, made_at, plans_at: farOff, made_by };
  await insertWebhook(tx, row);
  const { id: webhook_id = 0n } = (await findWebhookOf(tx, owner)) ?? {};
  const none = { tries: 1n, next_at: null, tried_at: null, answer: null };
  const log = [
    { ...none, occasion: 'week 2026-11-02', state: 'sent', answer: '204' },
    { ...none, occasion: 'due 1 1 2026-11-20T18:00:00.000Z', state: 'spared' },
    { ...none, occasion: 'week 2026-11-09', state: 'failed', tries: 6n, answer: 'timeout' },
    {
      ...none,
      occasion: 'test 1',
      state: 'waiting',
      tries: 2n,
      answer: '503',
      next_at: BigInt(Date.now() + 7_200_000),
    },
  ] as const;
  for (const [place, { occasion, ...end }] of log.entries()) {
    const at = new Date(Date.parse(made_at) + place * 7 * 86_400_000).toISOString();
    await insertDelivery(tx, { webhook_id, occasion, message: `msg_${occasion}`, made_at: at });
    const [newest] = await listDeliveries(tx, webhook_id, 1);
    await tx
      .updateTable('webhook_deliveries')
      .set(end)
      .where('id', '=', newest?.id ?? 0n)
      .execute();
  }
}

const farOff = BigInt(Date.parse('2099-01-01'));

export const schoolName = 'School of the Pond';

const school: OpenIdProvidersTable = {
  ...{ key: 'school', name: schoolName, issuer: 'https://id.example.org' },
  ...{ client_id: 'garden', client_secret: 'secret', admits: 'everyone', claim: '', wanted: '' },
  ...{ makes_members: 1n, name_claim: 'preferred_username', changed_at: '2026-11-01T00:00:00.000Z' },
};

export const listNames = {
  name: 'Winter camp',
  empty: 'Ideas',
  shared: 'For a friend',
  section: 'First evening',
  goal: 'Ready for camp',
} as const;

async function serveNew(t: TestContext) {
  const databaseUrl = await temporaryFile(t);
  const { url } = await serveHere(t, { databaseUrl });
  return { url, garden: await openGarden(t, databaseUrl) };
}

const docs: ShownPage[] = [
  { name: 'reference', path: '/docs/reference/' },
  { name: 'guide', path: '/docs/api/' },
  { name: 'errors', path: '/docs/errors/' },
  { name: 'command-line', path: '/docs/cli/' },
  { name: 'settings', path: '/docs/config/' },
  { name: 'decisions', path: '/docs/decisions/' },
];

const own: ShownPage[] = [
  { name: 'today', path: '/dashboard/', as: 'demo' },
  { name: 'progress', path: '/dashboard/progress/', as: 'demo' },
  { name: 'problems', path: '/problem_list/?source=codeforces', as: 'demo' },
  { name: 'problems-filtered', path: '/problem_list/?tag=dp&rating_min=1200', as: 'demo' },
  { name: 'in-vain', path: '/problem_list/?rating_min=1700&rating_max=1400&status=solved', as: 'demo' },
  { name: 'bulk', path: '/problem_list/bulk/?tag=dp', as: 'demo' },
  { name: 'nothing-found', path: '/problem_list/?q=nothing%20of%20the%20kind', as: 'demo' },
  { name: 'problem', path: '/problem_list/problem/5/', as: 'demo' },
  { name: 'contests', path: '/problem_list/contests/', as: 'demo' },
  { name: 'review', path: '/dashboard/review/', as: 'demo' },
  { name: 'groups', path: '/dashboard/groups/', as: 'demo' },
  { name: 'group', path: '/dashboard/groups/1/', as: 'demo' },
  { name: 'group-board', path: '/dashboard/groups/1/board/', as: 'demo' },
  { name: 'group-seen', path: '/dashboard/groups/1/seen/', as: 'demo' },
  { name: 'group-pick', path: '/dashboard/groups/1/pick/', as: 'demo' },
  { name: 'group-give', path: '/dashboard/groups/1/give/', as: 'demo' },
  { name: 'group-table', path: '/dashboard/groups/1/lists/1/', as: 'demo' },
  { name: 'group-settings', path: '/dashboard/groups/1/settings/', as: 'demo' },
  { name: 'lists', path: '/problem_list/lists/', as: 'demo' },
  { name: 'list', path: '/problem_list/lists/1/', as: 'demo' },
  { name: 'list-edit', path: '/problem_list/lists/1/edit/', as: 'demo' },
  { name: 'list-new', path: '/problem_list/lists/new/', as: 'demo' },
  { name: 'list-add', path: '/problem_list/lists/add/?problem=5', as: 'demo' },
  { name: 'saved-views', path: '/problem_list/views/', as: 'demo' },
  { name: 'garden', path: '/plants/', as: 'demo' },
  { name: 'plant', path: '/plants/at/3/', as: 'demo' },
  { name: 'planting', path: '/plants/new/', as: 'demo' },
  { name: 'planting-goal', path: '/plants/new/?tag=greedy', as: 'demo' },
  { name: 'planting-list', path: '/plants/new/?list=1', as: 'demo' },
  { name: 'uprooting', path: '/plants/at/3/uproot/', as: 'demo' },
  { name: 'reminders', path: '/authentication/account/reminders/', as: 'demo' },
  { name: 'sharing', path: '/authentication/account/sharing/', as: 'demo' },
  { name: 'history', path: '/dashboard/history/', as: 'demo' },
  { name: 'submissions', path: '/dashboard/submissions/', as: 'demo' },
  { name: 'days', path: '/dashboard/days/', as: 'demo' },
  { name: 'days-settings', path: '/authentication/account/days/', as: 'demo' },
  { name: 'account', path: '/authentication/account/', as: 'demo' },
  { name: 'password', path: '/authentication/account/password/', as: 'demo' },
  { name: 'handles', path: '/authentication/account/handles/', as: 'demo' },
  { name: 'browser-sync', path: '/authentication/account/handles/1/browser/', as: 'demo' },
  { name: 'unlinking', path: '/authentication/account/handles/1/', as: 'demo' },
  { name: 'tokens', path: '/authentication/account/tokens/', as: 'demo' },
  { name: 'sessions', path: '/authentication/account/sessions/', as: 'demo' },
  { name: 'ways', path: '/authentication/account/ways/', as: 'demo' },
  { name: 'data', path: '/authentication/account/data/', as: 'demo' },
  { name: 'deletion', path: '/authentication/account/delete/', as: 'demo' },
  { name: 'staff', path: '/authentication/staff/', as: 'staff' },
  { name: 'staff-members', path: '/authentication/staff/members/', as: 'staff' },
  { name: 'staff-invitations', path: '/authentication/staff/invitations/', as: 'staff' },
  { name: 'staff-settings', path: '/authentication/staff/settings/', as: 'staff' },
  { name: 'staff-providers', path: '/authentication/staff/providers/', as: 'staff' },
  { name: 'staff-provider', path: '/authentication/staff/providers/new/', as: 'staff' },
  { name: 'staff-judges', path: '/authentication/staff/judges/', as: 'staff' },
  { name: 'staff-webhooks', path: '/authentication/staff/webhooks/', as: 'staff' },
  { name: 'staff-plants', path: '/authentication/staff/plants/', as: 'staff' },
  { name: 'staff-backups', path: '/authentication/staff/backups/', as: 'staff' },
  { name: 'staff-health', path: '/authentication/staff/health/', as: 'staff' },
  { name: 'staff-log', path: '/authentication/staff/log/', as: 'staff' },
];
