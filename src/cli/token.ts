/** garden token: the tokens with which programs use the API. */
import { Option } from 'commander';
import { makeToken, revokeToken, tokenDays } from '../auth/tokens.ts';
import { readConfig } from '../config.ts';
import { allScopes, type Scope } from '../contract/operations.ts';
import { allProgramScopes, type ProgramScope } from '../contract/programs/operations.ts';
import { dayMs, durationMs } from '../durations.ts';
import { getMemberByName } from '../practice/members.ts';
import { listTokens } from '../store/tokens.ts';
import { commandGroup, databaseCommand, type Flags, optionParser, withChoices } from './command.ts';
import { commandOnId, listCommand, withStore } from './database.ts';
import { printNotice, printObject } from './terminal.ts';

interface CreateFlags extends Flags {
  name: string;
  scope?: readonly (Scope | ProgramScope)[];
  /** In milliseconds. */
  expires?: number;
  expiry: boolean;
}

const usualExpiry = `${tokenDays.usual}d`;
const readDuration = optionParser(`Enter a number with s, m, h or d, such as ${usualExpiry}.`, durationMs);
const scopeOption = new Option(
  '--scope <scope>',
  'A permission of the token; can be repeated; default: all of the nine operations',
);

const create = databaseCommand('create', 'Create a token that acts for a member; it is shown only once', [
  'garden token create ada --name "my editor"',
  'garden token create ada --name dashboard --scope status:read --scope problems:read --expires 30d',
  'garden token create ada --name editor --scope practice:mark',
  'TOKEN=$(garden token create ada --name bot --no-expiry --json | jq -r .token)',
])
  .argument('<username>', 'The member’s username')
  .requiredOption('--name <name>', 'What it is for')
  .addOption(withChoices(scopeOption, [...allScopes, ...allProgramScopes], { isRepeatable: true }))
  .option(
    '--expires <duration>',
    `A number with s, m, h or d; at most ${tokenDays.longest}d (default: ${usualExpiry})`,
    readDuration,
  )
  .addOption(new Option('--no-expiry', 'Never expires').conflicts('expires'))
  .action(async (username: string, flags: CreateFlags) => {
    const { name, scope: scopes = allScopes, expires = tokenDays.usual * dayMs, expiry } = flags;
    const { id, token, expiresAt } = await withStore(flags, async (store) => {
      const { id: userId } = await getMemberByName(store.reader, username);
      return makeToken(store, { userId, name, scopes, lifetimeMs: expiry ? expires : undefined });
    });
    printObject({ id, token, name, username, scopes, expires_at: expiresAt }, flags);
    if (!flags.json) printNotice('Copy the token now: it is shown only once.');
    if (scopes.some((scope) => scope.startsWith('practice:')) && !readConfig(flags).programs)
      printNotice('PROGRAMS is off here, so the server does not take this token until it is on.');
  });

const list = listCommand(
  'token',
  'List tokens by name; the tokens themselves are never shown',
  async (reader, member) => {
    const tokens = await listTokens(reader, member?.id);
    return tokens.map(({ user_id: _user, scopes, ...row }) => ({ ...row, scopes: scopes.split(' ') }));
  },
);

const revoke = commandOnId(['token', 'revoke', 'revoked'], 'Revoke a token immediately', (store, id) =>
  revokeToken(store, id),
);

export const command = commandGroup('token', 'Create, list and revoke tokens', [create, list, revoke]);
