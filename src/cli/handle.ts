/** garden handle: the usernames of members at judges. */
import { Argument } from 'commander';
import { parseInt64 } from '../contract/common.ts';
import { readHandle } from '../judges/addresses.ts';
import { judges } from '../judges/judges.ts';
import { addHandle, removeHandle, renameByHand } from '../practice/handles.ts';
import { getMemberByName } from '../practice/members.ts';
import { findHandle, listHandles } from '../store/handles.ts';
import { commandGroup, databaseCommand, type Flags, withChoices } from './command.ts';
import { commandOnId, listCommand, unknownId, withStore } from './database.ts';
import { printObject } from './terminal.ts';

const add = databaseCommand('add', 'Link a member’s handle at a judge', [
  'garden handle add ada codeforces ada_codes',
])
  .argument('<username>', 'The member’s username')
  .addArgument(withChoices(new Argument('<judge>', 'The judge'), Object.keys(judges)))
  .argument('<handle>', 'The handle at the judge')
  .action(async (username: string, source: string, input: string, flags: Flags) => {
    const handle = await withStore(flags, (store) =>
      store.write(async (tx) => {
        const { id } = await getMemberByName(tx, username);
        return addHandle(tx, id, source, readHandle(source, input));
      }),
    );
    printObject(
      { id: handle.id, username, judge: source, handle: handle.name, created_at: handle.created_at },
      flags,
    );
  });

const rename = databaseCommand(
  'rename',
  'Give a handle the name that it has at the judge now, and keep everything',
  ['garden handle rename 7 ada_codes_now'],
)
  .argument('<id>', 'Its number in garden handle list')
  .argument('<name>', 'The name at the judge now')
  .option('--join', 'Join it with the handle that has this name already')
  .action(async (text: string, input: string, flags: Flags & { join?: boolean }) => {
    const handle = await withStore(flags, (store) =>
      store.write(async (tx) => {
        const id = parseInt64(text);
        const old = id === undefined ? undefined : await findHandle(tx, id);
        if (!old) throw unknownId('handle', text);
        const name = readHandle(old.source, input);
        const renamed = await renameByHand(tx, { id: old.id }, name, flags.join ?? false);
        return { ...(renamed ?? old), former: old.name };
      }),
    );
    printObject(
      { id: handle.id, judge: handle.source, handle: handle.name, former_handle: handle.former },
      flags,
    );
  });

const list = listCommand(
  'handle',
  'List handles with the number of their submissions',
  async (reader, member) => {
    const handles = await listHandles(reader, member?.id);
    return handles.map(({ id, username, source, name, submissions, last_submitted_at }) => {
      return { id, username, judge: source, handle: name, submissions, last_submitted_at };
    });
  },
);

const remove = commandOnId(
  ['handle', 'remove', 'unlinked'],
  'Unlink a handle; its submissions and their statuses are removed',
  async (store, id) => (await store.write((tx) => removeHandle(tx, id))) !== undefined,
);

export const command = commandGroup('handle', 'Link, rename, list and unlink handles at judges', [
  add,
  rename,
  list,
  remove,
]);
