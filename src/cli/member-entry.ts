/** garden member password and garden member invite: how members get into the website. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Option } from 'commander';
import { changePassword, makeEntryLink } from '../auth/entry.ts';
import { hashPassword, passwordFault } from '../auth/passwords.ts';
import { durationMs, readConfig } from '../config.ts';
import { badSetting } from '../errors.ts';
import { getMemberByName } from '../practice/members.ts';
import { type Flags, optionReader, verb } from './command.ts';
import { withStore } from './database.ts';
import { complain, print, printJson } from './terminal.ts';

export const password = verb(
  'password',
  'Set a member’s password, sign them out everywhere and revoke their tokens',
  ['garden member password ada', 'printf %s "$SECRET" | garden member password ada'],
)
  .argument('<username>', 'The member’s username')
  .option('--keep-tokens', 'Do not revoke their API tokens')
  .action(async (username: string, flags: Flags & { keepTokens?: boolean }) => {
    const text = process.stdin.isTTY ? await askTwice() : await firstLine();
    const fault = passwordFault(text, username);
    if (fault) throw badSetting(`Nothing was changed. ${fault}`);
    const hash = await hashPassword(text);
    const { id, username: name } = await withStore(flags, (store) =>
      store.write(async (tx) => {
        const member = await getMemberByName(tx, username);
        await changePassword(tx, member.id, hash, !flags.keepTokens);
        return member;
      }),
    );
    if (flags.json) printJson({ id, username: name, password: 'set' });
    else
      complain(
        `${name} has a new password, and is signed out everywhere.${flags.keepTokens ? '' : ' Their API tokens are revoked.'}`,
      );
  });

interface InviteFlags extends Flags {
  role: 'member' | 'staff';
  expires: number;
  uses: number;
}

export const invite = verb('invite', 'Print an invitation link', [
  'garden member invite',
  'garden member invite --role staff --expires 1d --json',
  'garden member invite --uses 30',
])
  .addOption(
    new Option('--role <role>', 'Role: staff is an administrator')
      .choices(['member', 'staff'])
      .default('member'),
  )
  .addOption(
    new Option('--expires <duration>', 'How long the link is valid: a number with s, m, h or d')
      .argParser(optionReader('Enter a duration up to 30d, such as 7d.', (text) => inMonth(durationMs(text))))
      .default(7 * 86_400_000, '7d'),
  )
  .addOption(
    new Option('--uses <number>', 'How many people can use the link')
      .argParser(
        optionReader('Enter a number from 1 to 999.', (text) =>
          /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined,
        ),
      )
      .default(1),
  )
  .action(async ({ role, expires, uses, ...flags }: InviteFlags) => {
    const { baseUrl } = readConfig(flags);
    const link = { kind: 'invitation', role, uses, lifetimeMs: expires } as const;
    const key = await withStore(flags, (store) => store.write((tx) => makeEntryLink(tx, link)));
    const address = `${baseUrl}/authentication/invitation/${key}/`;
    const expiresAt = new Date(Date.now() + expires).toISOString();
    if (flags.json) printJson({ address, role, uses, expires_at: expiresAt });
    else print(address);
  });

function inMonth(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 && ms <= 30 * 86_400_000 ? ms : undefined;
}

/** The first line of standard input. */
async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw badSetting('There is no password on standard input; nothing was changed.');
}

/** Asks on the terminal, which shows nothing of what is typed. */
async function askTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const answers: string[] = [];
    for (const question of ['New password: ', 'Once more: ']) {
      process.stderr.write(question);
      answers.push(await terminal.question(''));
      process.stderr.write('\n');
    }
    const [first = '', second] = answers;
    if (first === second) return first;
    throw badSetting('The two passwords differ; nothing was changed.');
  } finally {
    terminal.close();
  }
}
