/** A garden with the demo data, and all its pages with their visitors, for tests of looks and for screenshots. */
import type { TestContext } from 'node:test';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { openSession } from '../../src/auth/sessions.ts';
import { makeToken } from '../../src/auth/tokens.ts';
import { loadSample } from '../../src/importing/sample.ts';
import { assignList } from '../../src/practice/assignments.ts';
import { derive } from '../../src/practice/derivation.ts';
import { makeDuel } from '../../src/practice/duels.ts';
import { makeGroupLink } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeInbox } from '../../src/practice/inbox.ts';
import { makeList, setVisibility } from '../../src/practice/lists.ts';
import { setLabel, setNote } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { plant } from '../../src/practice/planting.ts';
import { makeSharedAddress, showPageTo } from '../../src/practice/public-pages.ts';
import { saveRealField } from '../../src/practice/real-fields.ts';
import { joinRound, makeRound } from '../../src/practice/rounds.ts';
import { shareNote } from '../../src/practice/shared-notes.ts';
import { addSolution } from '../../src/practice/solutions.ts';
import { insertArrival, insertArrivedProblems } from '../../src/store/inbox.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { type OpenIdProvidersTable, saveProvider } from '../../src/store/openid.ts';
import { putRealField } from '../../src/store/real-fields.ts';
import { insertReviews } from '../../src/store/reviews.ts';
import { findVisibleRound } from '../../src/store/rounds.ts';
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
import { fieldOfContest, generateContest } from './real-fields.ts';
import { clubRound, otherKeysOfRound } from './rounds.ts';
import { addContest } from './seasons.ts';
import { clubTeam } from './teams.ts';

export interface ShownPage {
  name: string;
  path: string;
  url?: string;
  as?: 'demo' | 'staff';
  status?: number;
}

export interface ShownGarden {
  url: string;
  store: Store;
  pages: ShownPage[];
  sessions: Readonly<Record<'demo' | 'staff', string>>;
}

export interface FilledGarden {
  member: string;
  handleId: bigint;
  plantId: bigint;
  sharedList: string;
  courseId: bigint;
  groupLink: string;
  roundSecret: string;
  roundId: bigint;
  teamId: bigint;
  duelId: bigint;
  duelSecret: string;
  sessions: ShownGarden['sessions'];
}

export async function fillGarden(store: Store): Promise<FilledGarden> {
  const { member } = await loadSample(store);
  const opening = { browser: 'Chromium', network: '127.0.0.1', device: undefined };
  const open = async (id: bigint) => (await store.write((tx) => openSession(tx, id, opening))).session;
  const { id: demoId = 0n } = (await findMemberByName(store.reader, member)) ?? {};
  const { id: handleId } = await store.write((tx) => addHandle(tx, demoId, 'cses', 'demo_gardener'));
  const sharedList = await store.write((tx) => makeLists(tx, demoId));
  const courseId = await store.write((tx) => makeCourse(tx, demoId));
  const groupLink = await store.write(async (tx) => {
    await showPageTo(tx, demoId, 'everyone');
    return makeGroupLink(tx, { groupId: 1n, coachId: demoId }, { uses: 20, lifetimeMs: 86_400_000, madeBy: demoId });
  });
  const plantId = await store.write(async (tx) => {
    await sendMessages(tx, { user_id: demoId }, demoId, 'https://chat.example.org/hooks/of-a-member');
    await sendMessages(tx, { group_id: 1n }, demoId, 'https://discord.example.com/api/webhooks/of-a-group');
    await receiveInInbox(tx, demoId);
    for (const id of [demoId, 2n, 3n]) {
      await setNote(tx, id, 7n, listNames.note);
      await shareNote(tx, id, 7n, () => true);
    }
    await setLabel(tx, demoId, 7n, listNames.label, true);
    for (const line of ['sum += a[i];', 'sum = max(sum, a[i]);']) {
      const code = Buffer.from(`int main() {\n  for (int i = 0; i < n; i++)\n    ${line}\n}\n`);
      await addSolution(tx, demoId, { problem: 7n, file: listNames.file, code, about: listNames.about });
    }
    await saveProvider(tx, school);
    const list = { id: 1n, name: listNames.name };
    return plant(tx, demoId, { name: listNames.goal, tag: null, list, target: 8n }, new Date());
  });
  const staff = await store.write((tx) => createMember(tx, { username: 'ada', role: 'staff' }));
  const roundOf = async (tx: Db, rule: 'lockout' | 'icpc', startsInMs: number) => {
    const startsAt = new Date(Date.now() + startsInMs).toISOString();
    const plan = { name: listNames.round, rule, startsAt, minutes: 60, freezeMinutes: 0, points: [] };
    const limits = { perDay: 0, total: 0 };
    return makeRound(tx, staff.id, plan, { groupId: undefined, problems: [1n, 5n, 9n], limits });
  };
  const { roundSecret, roundId } = await store.write(async (tx) => {
    const id = await roundOf(tx, 'lockout', 86_400_000);
    const roundSecret = (await findVisibleRound(tx, id, staff.id))?.secret ?? '';
    const roundId = await roundOf(tx, 'icpc', -300_000);
    const { secret, updated_at = '' } = (await findVisibleRound(tx, roundId, staff.id)) ?? {};
    for (const userId of [demoId, 2n, 3n, 4n]) await joinRound(tx, userId, { secret: secret ?? '' }, updated_at);
    return { roundSecret, roundId };
  });
  const duel = { source: 'codeforces', band: 'even', startsAt: new Date().toISOString(), minutes: 40 } as const;
  const duelId = await store.write((tx) => makeDuel(tx, demoId, duel, { groupId: 1n, personId: 2n }));
  const duelSecret = await store.write(async (tx) => {
    const id = await makeDuel(tx, staff.id, duel, undefined);
    return (await findVisibleRound(tx, id, staff.id))?.secret ?? '';
  });
  for (const [name, scopes] of [
    [listNames.program, ['practice:mark', 'practice:code']],
    [listNames.backup, ['problems:read', 'status:read', 'bookmarks:read']],
  ] as const)
    await makeToken(store, { userId: demoId, name, scopes, lifetimeMs: 90 * 86_400_000 });
  for (const kind of ['calendar', 'garden'] as const) await makeSharedAddress(store, demoId, kind);
  const teamId = await clubTeam(store, demoId, listNames.team);
  const sessions = { demo: await open(demoId), staff: await open(staff.id) };
  const made = { courseId, roundSecret, roundId, duelId, duelSecret, teamId };
  return { member, handleId, plantId, sharedList, groupLink, sessions, ...made };
}

export async function showGarden(t: TestContext): Promise<ShownGarden> {
  const { url, garden } = await serveNew(t);
  const { store } = garden;
  const { member, handleId, plantId, sharedList, courseId, groupLink, ...filled } = await fillGarden(store);
  const { roundSecret, roundId, duelId, duelSecret, teamId, sessions } = filled;
  const linkOf = (kind: 'setup' | 'invitation', to: Store) =>
    to.write((tx) => makeEntryLink(tx, { kind, role: 'member', uses: 9, lifetimeMs: 86_400_000 }));
  // Nobody sent anything to it, so that a coach can propose it.
  await store.write((tx) => addContest(tx, { key: '1700', starts_at: '2022-06-01T12:00:00.000Z' }));
  const empty = await serveNew(t);
  const doors: ShownPage[] = [
    { name: 'welcome', path: '/' },
    { name: 'sign-in', path: '/authentication/sign-in/' },
    { name: 'appearance', path: '/appearance/' },
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
  const rounds = await clubRounds(store);
  const made: ShownPage[] = [
    { name: 'course', path: `/problem_list/lists/${courseId}/`, as: 'demo' },
    { name: 'course-edit', path: `/problem_list/lists/${courseId}/edit/`, as: 'demo' },
    { name: 'course-group', path: `/dashboard/groups/1/assignments/${courseId}/`, as: 'demo' },
    { name: 'plant-of-list', path: `/plants/at/${plantId}/`, as: 'demo' },
    { name: 'round-join', path: `/dashboard/rounds/join/${roundSecret}/`, as: 'demo' },
    ...rounds.map(([name, id]): ShownPage => ({ name, path: `/dashboard/rounds/${id}/`, as: 'demo' })),
    { name: 'round-field-form', path: `/dashboard/rounds/${rounds[0]?.[1]}/field/`, as: 'demo' },
    { name: 'teams', path: '/dashboard/groups/1/teams/', as: 'demo' },
    { name: 'team', path: `/dashboard/groups/1/teams/${teamId}/`, as: 'demo' },
    { name: 'duel', path: `/dashboard/rounds/${duelId}/`, as: 'demo' },
    { name: 'duel-join', path: `/dashboard/rounds/join/${duelSecret}/`, as: 'demo' },
    { name: 'round-unchecked', path: `/dashboard/rounds/${roundId}/`, as: 'demo' },
    { name: 'confirming', path: `/authentication/account/handles/${handleId}/confirm/`, as: 'demo' },
  ];
  return { url, store, pages: [...doors, ...docs, ...own, ...made], sessions };
}

async function clubRounds(store: Store): Promise<[name: string, id: bigint][]> {
  const { live, frozen, teams, beside } = otherKeysOfRound;
  const besideField = await clubRound(store, { minutesIn: 83, keys: beside, name: listNames.clubRound });
  const field = fieldOfContest(generateContest('ICPC', 9_120, 1), 10);
  await store.write(async (tx) => {
    await putRealField(tx, { round_id: besideField, due_at: null, failures: 0n, title: null, field: null });
    await saveRealField(tx, besideField, field, listNames.pastContest);
  });
  return [
    ['round-field', besideField],
    ['round-live', await clubRound(store, { minutesIn: 83, keys: live, name: listNames.clubRound })],
    [
      'round-teams',
      await clubRound(store, { minutesIn: 83, keys: teams, name: listNames.clubRound, takesTeams: true }),
    ],
    ['round-frozen', await clubRound(store, { minutesIn: 106, keys: frozen, name: listNames.clubRound })],
  ];
}

async function makeLists(tx: Db, ownerId: bigint): Promise<string> {
  await makeList(tx, { ownerId, name: listNames.empty });
  const items = [1, 5, 9, 13, 120, 200].map((id) => ({ problem: BigInt(id) }));
  const content = [{ name: listNames.section, items }];
  const id = await makeList(tx, { ownerId, name: listNames.shared, content });
  return (await setVisibility(tx, { id, owner_id: ownerId }, 'secret')) ?? '';
}

/** A module that became shaky, one that is now, one that is next, and one that needs them. */
async function makeCourse(tx: Db, ownerId: bigint): Promise<bigint> {
  const solved = await tx
    .selectFrom('statuses')
    .select('problem_id')
    .where('user_id', '=', ownerId)
    .where('judge_status', '=', 'complete')
    .orderBy('problem_id')
    .executeTakeFirstOrThrow();
  const again = {
    user_id: ownerId,
    grade: 'again',
    made_at: new Date().toISOString(),
    undone_at: null,
    ...solved,
  } as const;
  await insertReviews(tx, [again]);
  await derive(tx, ownerId, [solved.problem_id]);
  const module = (id: string, needs: string[], problem: bigint) => {
    return { name: listNames.module, extras: JSON.stringify({ id, needs }), items: [{ problem }] };
  };
  const content = [
    module('a', [], solved.problem_id),
    module('b', ['a'], 120n),
    module('c', ['b', 'd'], 200n),
    module('d', [], 199n),
  ];
  const id = await makeList(tx, { ownerId, name: listNames.course, content });
  await assignList(tx, { groupId: 1n, coachId: ownerId, listId: id }, null);
  return id;
}

async function sendMessages(tx: Db, owner: WebhookOwner, made_by: bigint, url: string): Promise<void> {
  const made_at = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const wishes = { url, sends_weeks: 1n, sends_dues: 1n, sends_contests: 1n, secret: `whsec_${'A'.repeat(43)}=` };
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

async function receiveInInbox(tx: Db, user_id: bigint): Promise<void> {
  await makeInbox(tx, user_id);
  const all = [
    { way: 'text', text: lostText, problems: [] },
    { way: 'json', text: null, problems: [5n] },
    { way: 'form', text: null, problems: [9n] },
    { way: 'companion', text: null, problems: [1n, 13n, 120n] },
  ] as const;
  for (const [place, { way: channel, text, problems }] of all.entries()) {
    const arrival_id = await insertArrival(tx, {
      user_id,
      channel,
      batch: null,
      unmatched: text === null ? 0n : 1n,
      over_limit: 0n,
      waiting: null,
      unmatched_text: text,
      list_id: problems.length > 1 ? 1n : null,
      makes_list: problems.length > 1 ? 1n : 0n,
      arrived_at: new Date(Date.now() - (all.length - place) * 40 * 60_000).toISOString(),
      undone_at: null,
    });
    await insertArrivedProblems(
      tx,
      problems.map((problem_id, at) => ({
        arrival_id,
        position: BigInt(at),
        problem_id,
        title: '',
        is_new: channel === 'json' ? 0n : 1n,
        is_listed: channel === 'json' ? 0n : 1n,
        status_change: null,
        note_change: null,
        solution_id: null,
        minutes: channel === 'json' ? 28n : null,
      })),
    );
  }
}

export const lostText = 'lunch at 12?';

const farOff = BigInt(Date.parse('2099-01-01'));

export const schoolName = 'School of the Pond';

const school: OpenIdProvidersTable = {
  key: 'school',
  name: schoolName,
  issuer: 'https://id.example.org',
  client_id: 'garden',
  client_secret: 'secret',
  admits: 'everyone',
  claim: '',
  wanted: '',
  makes_members: 1n,
  name_claim: 'preferred_username',
  changed_at: '2026-11-01T00:00:00.000Z',
};

export const listNames = {
  team: 'Three Trees',
  name: 'Winter camp',
  empty: 'Ideas',
  shared: 'For a friend',
  section: 'First evening',
  course: 'From loops to trees',
  module: 'Loops',
  goal: 'Ready for camp',
  round: 'Duel',
  clubRound: 'Saturday round',
  pastContest: 'Codeforces Round 1090 (Div. 2)',
  note: 'Count how often each colour is worn at home, and add it up.',
  label: 'off by one',
  file: 'kadane.cpp',
  about: 'The best sum that ends here',
  program: 'Neovim',
  backup: 'Backup',
} as const;

async function serveNew(t: TestContext) {
  const databaseUrl = await temporaryFile(t);
  const { url } = await serveHere(t, { databaseUrl });
  return { url, garden: await openGarden(t, databaseUrl) };
}

const docs: ShownPage[] = [
  { name: 'reference', path: '/docs/reference/' },
  { name: 'reference-programs', path: '/docs/reference-programs/' },
  { name: 'guide', path: '/docs/api/' },
  { name: 'errors', path: '/docs/errors/' },
  { name: 'command-line', path: '/docs/cli/' },
  { name: 'settings', path: '/docs/config/' },
  { name: 'decisions', path: '/docs/decisions/' },
];

const ownOf = {
  demo: [
    ['today', '/dashboard/'],
    ['progress', '/dashboard/progress/'],
    ['ratings', '/dashboard/progress/ratings/'],
    ['chance', '/dashboard/progress/chance/'],
    ['ratings-chosen', '/dashboard/progress/ratings/?source=codeforces&contest=sample-12&rows=all'],
    ['time', '/dashboard/progress/time/'],
    ['problems', '/problem_list/?source=codeforces'],
    ['problems-filtered', '/problem_list/?tag=dp&rating_min=1200'],
    ['add', '/problem_list/new/'],
    ['add-known', '/problem_list/new/?url=https%3A%2F%2Fexample.org%2Fproblem%2F42'],
    ['in-vain', '/problem_list/?rating_min=1700&rating_max=1400&status=solved'],
    ['bulk', '/problem_list/bulk/?tag=dp'],
    ['nothing-found', '/problem_list/?q=nothing%20of%20the%20kind'],
    ['problem', '/problem_list/problem/5/'],
    ['problem-shared', '/problem_list/problem/7/'],
    ['code', '/problem_list/problem/7/code/'],
    ['code-file', '/problem_list/problem/7/code/2/'],
    ['contests', '/problem_list/contests/'],
    ['upcoming', '/problem_list/contests/upcoming/'],
    ['rounds', '/dashboard/rounds/'],
    ['round-new', '/dashboard/rounds/new/'],
    ['round', '/dashboard/rounds/1/'],
    ['round-before', '/dashboard/rounds/2/'],
    ['round-edit', '/dashboard/rounds/1/edit/'],
    ['duel-new', '/dashboard/rounds/duel/?group=1&person=2'],
    ['review', '/dashboard/review/'],
    ['groups', '/dashboard/groups/'],
    ['group', '/dashboard/groups/1/'],
    ['group-board', '/dashboard/groups/1/board/'],
    ['group-person', '/dashboard/groups/1/people/4/'],
    ['group-seen', '/dashboard/groups/1/seen/'],
    ['group-pick', '/dashboard/groups/1/pick/'],
    ['group-rounds', '/dashboard/groups/1/rounds/'],
    ['group-give', '/dashboard/groups/1/give/'],
    ['group-table', '/dashboard/groups/1/assignments/1/'],
    ['group-settings', '/dashboard/groups/1/settings/'],
    ['sheet', '/dashboard/groups/1/assignments/1/sheet/'],
    ['group-next', '/dashboard/groups/1/people/next/?person=2&person=3'],
    ['group-proposals', '/dashboard/groups/1/people/teams/'],
    ['season', '/dashboard/groups/1/season/'],
    ['season-person', '/dashboard/groups/1/seasons/1/people/2/'],
    ['season-settings', '/dashboard/groups/1/season/settings/'],
    ['season-new', '/dashboard/groups/1/season/new/'],
    ['season-add', '/dashboard/groups/1/season/add/?q=Round'],
    ['season-earlier', '/dashboard/groups/1/seasons/1/'],
    ['roster', '/dashboard/groups/1/people/'],
    ['class-list', '/dashboard/groups/1/people/expected/'],
    ['lists', '/problem_list/lists/'],
    ['list', '/problem_list/lists/1/'],
    ['list-edit', '/problem_list/lists/1/edit/'],
    ['list-follow', '/problem_list/lists/1/follow/'],
    ['list-new', '/problem_list/lists/new/'],
    ['import-history', '/problem_list/import/'],
    ['library', '/problem_list/lists/library/'],
    ['shelf', '/problem_list/lists/library/codeforces/from-800/'],
    ['list-add', '/problem_list/lists/add/?problem=5'],
    ['saved-views', '/problem_list/views/'],
    ['garden', '/plants/'],
    ['plant', '/plants/at/3/'],
    ['planting', '/plants/new/'],
    ['planting-goal', '/plants/new/?tag=greedy'],
    ['planting-list', '/plants/new/?list=1'],
    ['uprooting', '/plants/at/3/uproot/'],
    ['reminders', '/authentication/account/reminders/'],
    ['inbox', '/authentication/account/inbox/'],
    ['sharing', '/authentication/account/sharing/'],
    ['history', '/dashboard/history/'],
    ['submissions', '/dashboard/submissions/'],
    ['days', '/dashboard/days/'],
    ['days-settings', '/authentication/account/days/'],
    ['appearance-settings', '/authentication/account/appearance/'],
    ['account', '/authentication/account/'],
    ['password', '/authentication/account/password/'],
    ['handles', '/authentication/account/handles/'],
    ['browser-sync', '/authentication/account/handles/1/browser/'],
    ['unlinking', '/authentication/account/handles/1/'],
    ['connections', '/authentication/account/connections/'],
    ['tokens', '/authentication/account/tokens/'],
    ['sessions', '/authentication/account/sessions/'],
    ['ways', '/authentication/account/ways/'],
    ['data', '/authentication/account/data/'],
    ['deletion', '/authentication/account/delete/'],
  ],
  staff: [
    ['staff', '/authentication/staff/'],
    ['staff-members', '/authentication/staff/members/'],
    ['staff-invitations', '/authentication/staff/invitations/'],
    ['staff-settings', '/authentication/staff/settings/'],
    ['staff-providers', '/authentication/staff/providers/'],
    ['staff-provider', '/authentication/staff/providers/new/'],
    ['staff-judges', '/authentication/staff/judges/'],
    ['staff-contests', '/authentication/staff/contests/'],
    ['staff-webhooks', '/authentication/staff/webhooks/'],
    ['staff-problems', '/authentication/staff/problems/'],
    ['staff-backups', '/authentication/staff/backups/'],
    ['staff-health', '/authentication/staff/health/'],
    ['staff-log', '/authentication/staff/log/'],
  ],
} as const;

const own = (['demo', 'staff'] as const).flatMap((as) =>
  ownOf[as].map(([name, path]): ShownPage => ({ name, path, as })),
);
