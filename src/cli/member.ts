/** garden member: who is a member, and what they may do. */
import { type Command, Option } from 'commander';
import { createMember, getMemberByName, renameMember } from '../practice/members.ts';
import { listMembers, type MemberRow, updateMember } from '../store/members.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { deleteVerb } from './delete-member.ts';
import { group, jsonOption, printObject, printTable, verb, withStore, withStoreToRead } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

interface CreateFlags extends Flags {
  role: 'member' | 'staff';
  firstName?: string;
  lastName?: string;
  email?: string;
}

export function memberVerb(): Command {
  const create = verb('create', 'Make a member and print their record', [
    'garden member create ada --first-name Ada --email ada@example.org',
    'garden member create grace --role staff --json',
  ])
    .argument('<username>', 'The name that commands and records call them by')
    .addOption(new Option('--role <role>', 'What they may do').choices(['member', 'staff']).default('member'))
    .option('--first-name <text>', 'Given name')
    .option('--last-name <text>', 'Family name')
    .option('--email <address>', 'E-mail address')
    .addOption(jsonOption())
    .action(async (username: string, flags: CreateFlags) => {
      const member = await withStore(flags, true, (store) =>
        store.write((tx) => createMember(tx, { ...flags, username })),
      );
      printObject(recordOf(member), flags.json ?? false);
    });
  const list = verb('list', 'List the members', ['garden member list', 'garden member list --json'])
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const members = await withStoreToRead(flags, (store) => listMembers(store.reader));
      printTable(
        members.map(({ id, username, role, created_at, is_disabled }) => ({
          id,
          username,
          role,
          created_at,
          disabled: is_disabled === 1n,
        })),
        flags.json ?? false,
      );
    });
  const rename = verb('rename', 'Give a member another username', ['garden member rename ada lovelace'])
    .argument('<old>', 'The name they have')
    .argument('<new>', 'The name they get')
    .addOption(jsonOption())
    .action(async (username: string, newName: string, flags: Flags) => {
      const member = await withStore(flags, false, (store) =>
        store.write((tx) => renameMember(tx, username, newName)),
      );
      printObject(recordOf(member), flags.json ?? false);
    });
  return group('member', 'Make, list, rename, disable and delete members', [
    create,
    list,
    rename,
    disableVerb(true),
    disableVerb(false),
    deleteVerb(),
  ]);
}

function disableVerb(disables: boolean): Command {
  const name = disables ? 'disable' : 'enable';
  const summary = disables
    ? 'Stop a member and all their tokens, keeping what is theirs'
    : 'Let a disabled member in again';
  return verb(name, summary, [`garden member ${name} ada`])
    .argument('<username>', 'Whom')
    .addOption(jsonOption())
    .action(async (username: string, flags: Flags) => {
      const member = await withStore(flags, false, (store) =>
        store.write(async (tx) => {
          const found = await getMemberByName(tx, username);
          const next = { ...found, is_disabled: disables ? 1n : 0n };
          await updateMember(tx, next);
          await bumpRevisions(tx, ['records', `records:${next.id}`]);
          return next;
        }),
      );
      printObject({ ...recordOf(member), disabled: disables }, flags.json ?? false);
    });
}

/** The fields of the contract's UserRecord. */
function recordOf({
  is_disabled: _disabled,
  is_sample: _sample,
  ...record
}: MemberRow): Record<string, unknown> {
  const { created_at, updated_at, ...rest } = record;
  return { ...rest, created_at, updated_at };
}
