/** garden member delete: a member with all that is theirs, after saying what that is and asking. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { AppError } from '../errors.ts';
import { getMemberByName, removeMember } from '../practice/members.ts';
import { type Belongings, countBelongings } from '../store/members.ts';
import { complain, exitCodes, jsonOption, print, toJson, verb, withStore } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  yes?: boolean;
  json?: boolean;
}

export function deleteVerb(): Command {
  return verb('delete', 'Delete a member and all that is theirs, for good', [
    'garden member delete ada',
    'garden member delete ada --yes --json',
  ])
    .argument('<username>', 'Whom')
    .option('--yes', 'Do not ask')
    .addOption(jsonOption())
    .action(run);
}

async function run(username: string, flags: Flags): Promise<void> {
  await withStore(flags, false, async (store) => {
    const member = await getMemberByName(store.reader, username);
    const what = inWords(await countBelongings(store.reader, member.id));
    const isSure = flags.yes || (await confirm(`${member.username} (member ${member.id}) with ${what}`));
    if (!isSure) {
      complain('Nothing was deleted.');
      process.exitCode = exitCodes.failed;
      return;
    }
    const { member: gone, belongings } = await store.write((tx) => removeMember(tx, username));
    if (flags.json) print(toJson({ id: gone.id, username: gone.username, deleted: belongings }));
    else print(`Deleted ${gone.username} (member ${gone.id}) with ${inWords(belongings)}.`);
    if (store.checkpoint?.() === false) {
      complain('A reader keeps an older state of the database in its log; the next checkpoint takes it out.');
    }
  });
}

/** Asks on a terminal. Throws badSetting where there is none, since a script says --yes. */
async function confirm(what: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new AppError(
      'badSetting',
      `This would delete ${what}, for good; nothing was deleted, because there is no terminal to ask on: say --yes.`,
    );
  }
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await questions.question(`This deletes ${what}, for good. Type yes to do it: `);
    return reply.trim().toLowerCase() === 'yes';
  } finally {
    questions.close();
  }
}

function inWords({ statuses, bookmarks, tokens, plants }: Belongings): string {
  const counted = (count: bigint, one: string, many: string) => `${count} ${count === 1n ? one : many}`;
  return [
    'their record',
    counted(statuses, 'status', 'statuses'),
    counted(bookmarks, 'bookmark', 'bookmarks'),
    counted(tokens, 'token', 'tokens'),
    `and ${counted(plants, 'plant', 'plants')}`,
  ].join(', ');
}
