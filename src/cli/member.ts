/** garden member: creates, lists, changes and deletes members. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Option } from 'commander';
import { invitationDays, linkLifetimesMs, makeEntryLink, parseUses, usesAtMost } from '../auth/entry.ts';
import { hashPassword, passwordFault } from '../auth/passwords.ts';
import { changePassword } from '../auth/sign-in.ts';
import { localLinksWarning, readConfig } from '../config.ts';
import { dayMs, durationMs } from '../durations.ts';
import { invalidValue } from '../errors.ts';
import {
  assertNoFaults,
  checkPeople,
  createPeople,
  decodePeople,
  readPeople,
  signUpAddress,
  signUpCsv,
} from '../importing/member-list.ts';
import { openSource } from '../importing/source.ts';
import {
  createMember,
  disableMember,
  getMemberByName,
  longestRecordText,
  removeMember,
  renameMember,
} from '../practice/members.ts';
import {
  type Belongings,
  countBelongings,
  hasMembers,
  listMembers,
  type MemberRow,
} from '../store/members.ts';
import { administratorFault, countText } from '../store/overview.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { commandGroup, databaseCommand, type Flags, optionParser } from './command.ts';
import { withStore, withStoreToRead } from './database.ts';
import { ask, confirm, print, printJson, printNotice, printObject, printTable, yesFlag } from './terminal.ts';

const roleOption = new Option('--role <role>', 'Role: staff is an administrator')
  .choices(['member', 'staff'])
  .default('member');

const password = databaseCommand(
  'password',
  'Set a member’s password, sign them out everywhere, revoke their tokens and remove their passkeys',
  ['garden member password ada', 'printf %s "$SECRET" | garden member password ada'],
)
  .argument('<username>', 'The member’s username')
  .option('--keep-tokens', 'Keep their API tokens and passkeys')
  .action(async (username: string, flags: Flags & { keepTokens?: boolean }) => {
    const { id, username: name } = await withStore(flags, async (store) => {
      // Nobody types a password twice for a member who is not there.
      await getMemberByName(store.reader, username);
      const text = process.stdin.isTTY ? await readPasswordTwice() : await firstLine();
      const fault = passwordFault(text, username);
      if (fault) throw invalidValue(`Nothing was changed. ${fault.message}`);
      const hash = await hashPassword(text);
      return store.write(async (tx) => {
        const member = await getMemberByName(tx, username);
        await changePassword(tx, member.id, hash, !flags.keepTokens);
        return member;
      });
    });
    if (flags.json) printJson({ id, username: name, password: 'set' });
    else
      printNotice(
        `${name} has a new password, and is signed out everywhere.${flags.keepTokens ? '' : ' Their API tokens are revoked, and their passkeys removed.'}`,
      );
  });

interface InviteFlags extends Flags {
  role: 'member' | 'staff';
  expires: number;
  uses: number;
}

const [usualDays] = invitationDays;
const longestDays = Math.max(...invitationDays);

const invite = databaseCommand('invite', 'Print an invitation link', [
  'garden member invite',
  'garden member invite --role staff --expires 1d --json',
  'garden member invite --uses 30',
])
  .addOption(roleOption)
  .addOption(
    new Option('--expires <duration>', 'How long the link is valid: a number with s, m, h or d')
      .argParser(
        optionParser(`Enter a duration up to ${longestDays}d, such as ${usualDays}d.`, (text) =>
          invitationMs(durationMs(text)),
        ),
      )
      .default(linkLifetimesMs.invitation, `${usualDays}d`),
  )
  .addOption(
    new Option('--uses <number>', 'How many people can use the link')
      .argParser(optionParser(`Enter a number from 1 to ${usesAtMost}.`, parseUses))
      .default(1),
  )
  .action(async ({ role, expires, uses, ...flags }: InviteFlags) => {
    const { baseUrl } = readConfig(flags);
    const link = { kind: 'invitation', role, uses, lifetimeMs: expires } as const;
    const key = await withStore(flags, (store) => store.write((tx) => makeEntryLink(tx, link)));
    const address = `${baseUrl}/authentication/invitation/${key}/`;
    const expiresAt = new Date(Date.now() + expires).toISOString();
    const warning = localLinksWarning(flags);
    if (warning !== undefined) printNotice(warning);
    if (flags.json) printJson({ address, role, uses, expires_at: expiresAt });
    else print(address);
  });

function invitationMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 && ms <= longestDays * dayMs ? ms : undefined;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw invalidValue('There is no password on standard input; nothing was changed.');
}

async function readPasswordTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const answers: string[] = [];
    for (const question of ['New password: ', 'Once more: ']) {
      process.stderr.write(question);
      const answer = await ask(terminal, '');
      if (answer === undefined) throw invalidValue('No password was entered; nothing was changed.');
      answers.push(answer);
      process.stderr.write('\n');
    }
    const [first = '', second] = answers;
    if (first === second) return first;
    throw invalidValue('The two passwords differ; nothing was changed.');
  } finally {
    terminal.close();
  }
}

type CreateFlags = Flags &
  Pick<MemberRow, 'role'> & { firstName?: string; lastName?: string; email?: string; from?: string };

const create = databaseCommand(
  'create',
  'Create a member and print their record, or a whole list of members',
  [
    'garden member create ada --first-name Ada --email ada@example.org',
    'garden member create --from class.csv > addresses.csv',
    'garden member create grace --role staff --json',
  ],
)
  .argument('[username]', 'Username, used in commands and records')
  .option('--from <file>', 'List of people, as a sheet saves it; prints a one-time link for each, as CSV')
  .addOption(roleOption)
  .option('--first-name <text>', 'Given name', readText)
  .option('--last-name <text>', 'Family name', readText)
  .option('--email <address>', 'E-mail address', readText)
  .action((username: string | undefined, flags: CreateFlags) => {
    if ((username === undefined) === (flags.from === undefined))
      throw invalidValue(
        username === undefined
          ? 'Give a username, or --from with a CSV file; garden member create --help shows both.'
          : 'With --from, usernames are a column of the file; leave the username or --from out.',
      );
    if (username === undefined) return createFromFile(flags);
    const { role, firstName: first_name = null, lastName: last_name = null, email = null } = flags;
    const make = (tx: Db) => createMember(tx, { username, role, first_name, last_name, email });
    return changeMember(flags, make, { create: true });
  });

async function createFromFile({
  from = '',
  role,
  firstName,
  lastName,
  email,
  ...flags
}: CreateFlags): Promise<void> {
  if (firstName ?? lastName ?? email)
    throw invalidValue('With --from, names and e-mail addresses are columns of the file.');
  const { baseUrl } = readConfig(flags);
  const { bytes } = await openSource(from, process.stdin);
  const { people } = readPeople(decodePeople(await buffer(bytes)));
  const make = (store: Store) =>
    store.write(async (tx) => {
      const checked = await checkPeople(tx, people);
      assertNoFaults(checked);
      return createPeople(tx, checked, { role });
    });
  const invitations = await withStore(flags, make, { create: true });
  if (!flags.json) return void process.stdout.write(signUpCsv(invitations, baseUrl));
  printJson(
    invitations.map((one) => ({
      id: one.member.id,
      username: one.member.username,
      address: signUpAddress(one, baseUrl),
    })),
  );
}

const list = databaseCommand('list', 'List the members', ['garden member list']).action(
  async (flags: Flags) => {
    const members = await withStoreToRead(flags, (store) => listMembers(store.reader));
    const rows = members.map(({ id, username, role, created_at, is_disabled }) => {
      return { id, username, role, created_at, disabled: is_disabled === 1n };
    });
    printTable(rows, flags);
  },
);

const rename = databaseCommand('rename', 'Give a member another username', [
  'garden member rename ada lovelace',
])
  .argument('<old>', 'The current username')
  .argument('<new>', 'The new username')
  .action((username: string, newName: string, flags: Flags) =>
    changeMember(flags, (tx) => renameMember(tx, username, newName)),
  );

function disableCommand(name: 'disable' | 'enable', summary: string) {
  const disabled = name === 'disable';
  return databaseCommand(name, summary, [`garden member ${name} ada`])
    .argument('<username>', 'The member’s username')
    .action((username: string, flags: Flags) =>
      changeMember(flags, (tx) => disableMember(tx, username, disabled), { extraFields: { disabled } }),
    );
}

const remove = databaseCommand('delete', 'Permanently delete a member and their data', [
  'garden member delete ada',
  'garden member delete ada --yes --json',
])
  .argument('<username>', 'The member’s username')
  .option(...yesFlag)
  .action((username: string, flags: Flags & { yes?: boolean }) =>
    withStore(flags, async (store) => {
      const { id, username: name } = await getMemberByName(store.reader, username);
      const what = `${name} (member ${id}) with ${belongingsText(await countBelongings(store.reader, id))}`;
      const isLast = !(await hasMembers(store.reader, id));
      const last = isLast ? ', the last account of this server' : '';
      if (!(await confirm(`permanently delete ${what}${last}`, flags))) return;
      const { member, belongings } = await store.write((tx) => removeMember(tx, username));
      if (flags.json) printJson({ id: member.id, username: member.username, deleted: belongings });
      else print(`Deleted ${member.username} (member ${member.id}) with ${belongingsText(belongings)}.`);
      if (isLast)
        printNotice(
          'This server has no accounts now: the next start prints the address for a new administrator.',
        );
      if (store.checkpoint?.() === false) {
        printNotice(
          'Another program still reads an older state, so the deleted bytes stay in the database’s log until the next checkpoint.',
        );
      }
    }),
  );

export const command = commandGroup('member', 'Create, invite, list, rename, disable and delete members', [
  create,
  list,
  rename,
  password,
  invite,
  disableCommand('disable', 'Disable a member and their tokens; their data is kept'),
  disableCommand('enable', 'Enable a disabled member'),
  remove,
]);

async function changeMember(
  flags: Flags,
  change: (tx: Db) => Promise<MemberRow>,
  { create = false, extraFields = {} } = {},
): Promise<void> {
  const work = async (tx: Db) => ({
    member: await change(tx),
    fault: create && (await administratorFault(tx)),
  });
  const { member, fault } = await withStore(flags, (store) => store.write(work), { create });
  const { is_disabled: _disabled, is_sample: _sample, ...record } = member;
  printObject({ ...record, ...extraFields }, flags);
  if (flags.json || !create) return;
  printNotice(
    `To let ${member.username} in, run garden member password ${member.username}, or make a one-time link on their page under Administration, Members.`,
  );
  if (fault) printNotice(fault);
}

/** An InvalidArgumentError would repeat the whole text. */
function readText(text: string): string {
  if (text.length <= longestRecordText) return text;
  const start = JSON.stringify(text.slice(0, 20));
  throw invalidValue(
    `The text that begins with ${start} is too long; a field has at most ${longestRecordText} characters.`,
  );
}

function belongingsText(belongings: Belongings): string {
  const { statuses, bookmarks, plants, handles, submissions, changes, lists, tokens } = belongings;
  const { webhooks, group_members } = belongings;
  const textUnlessNone = (count: bigint, one: string, many?: string) =>
    count === 0n ? [] : [countText(count, one, many)];
  const parts = [
    'their record',
    ...textUnlessNone(statuses, 'status', 'statuses'),
    ...textUnlessNone(
      bookmarks,
      'bookmark (star, note, labels or opened editorial)',
      'bookmarks (stars, notes, labels or opened editorials)',
    ),
    ...textUnlessNone(plants, 'plant'),
    ...textUnlessNone(handles, 'handle'),
    ...textUnlessNone(submissions, 'submission'),
    ...textUnlessNone(changes, 'history entry', 'history entries'),
    ...textUnlessNone(lists, 'list'),
    ...textUnlessNone(tokens, 'token'),
    ...textUnlessNone(webhooks, 'webhook'),
    ...textUnlessNone(group_members, 'group membership'),
  ];
  return new Intl.ListFormat('en').format(parts);
}
