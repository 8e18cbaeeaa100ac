/** garden member delete: a member with all that is theirs, after saying what that is and asking. */
import { createInterface } from 'node:readline/promises';
import { badSetting } from '../errors.ts';
import { getMemberByName, removeMember } from '../practice/members.ts';
import { type Belongings, countBelongings } from '../store/members.ts';
import { type Flags, verb } from './command.ts';
import { withStore } from './database.ts';
import { complain, exitCodes, print, printJson } from './terminal.ts';

export const deleteVerb = verb('delete', 'Delete a member and all that is theirs, for good', [
  'garden member delete ada',
  'garden member delete ada --yes --json',
])
  .argument('<username>', 'The member’s name')
  .option('--yes', 'Do not ask')
  .action((username: string, flags: Flags & { yes?: boolean }) =>
    withStore(flags, async (store) => {
      const { id, username: name } = await getMemberByName(store.reader, username);
      const what = `${name} (member ${id}) with ${inWords(await countBelongings(store.reader, id))}`;
      if (!flags.yes && !(await confirm(what))) {
        complain('Nothing was deleted.');
        process.exitCode = exitCodes.failed;
        return;
      }
      const { member, belongings } = await store.write((tx) => removeMember(tx, username));
      if (flags.json) printJson({ id: member.id, username: member.username, deleted: belongings });
      else print(`Deleted ${member.username} (member ${member.id}) with ${inWords(belongings)}.`);
      if (store.checkpoint?.() === false) {
        complain(
          'A reader keeps an older state of the database in its log; the next checkpoint takes it out.',
        );
      }
    }),
  );

/** Asks on a terminal. Throws badSetting where there is none, since a script has to give --yes. */
async function confirm(what: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw badSetting(
      `This would delete ${what}, for good; nothing was deleted, because there is no terminal to ask on: say --yes.`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await terminal.question(`This deletes ${what}, for good. Type yes to do it: `);
    return reply.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

function inWords({ statuses, bookmarks, tokens, plants }: Belongings): string {
  const counted = (count: bigint, one: string, many = `${one}s`) => `${count} ${count === 1n ? one : many}`;
  return `their record, ${counted(statuses, 'status', 'statuses')}, ${counted(bookmarks, 'bookmark')}, ${counted(tokens, 'token')}, and ${counted(plants, 'plant')}`;
}
