/** garden handle: the usernames of members at judges. */
import { Argument } from 'commander';
import { readHandle } from '../judges/addresses.ts';
import { judges } from '../judges/judges.ts';
import { addHandle, removeHandle } from '../practice/handles.ts';
import { getMemberByName } from '../practice/members.ts';
import { listHandles } from '../store/handles.ts';
import { commandGroup, databaseCommand, type Flags, withChoices } from './command.ts';
import { commandOnId, listCommand, withStore } from './database.ts';
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

export const command = commandGroup('handle', 'Link, list and unlink handles at judges', [add, list, remove]);
