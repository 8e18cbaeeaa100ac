/** garden token: the keys that programs read the garden with. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultLifetimeMs, makeToken } from '../auth/tokens.ts';
import { durationMs } from '../config.ts';
import { parseInt64 } from '../contract/common.ts';
import { allScopes, type Scope } from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import { getMemberByName } from '../practice/members.ts';
import { listTokens, revokeToken } from '../store/tokens.ts';
import {
  complain,
  group,
  jsonOption,
  printObject,
  printTable,
  verb,
  withStore,
  withStoreToRead,
} from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

interface CreateFlags extends Flags {
  name: string;
  scope?: Scope[];
  /** Milliseconds, or false for --no-expiry. */
  expires?: number;
  expiry: boolean;
}

export function tokenVerb(): Command {
  const create = verb('create', 'Make a token that acts for a member; it is shown this once', [
    'garden token create ada --name "my editor"',
    'garden token create ada --name dashboard --scope status:read --scope problems:read --expires 30d',
    'TOKEN=$(garden token create ada --name bot --no-expiry --json | jq -r .token)',
  ])
    .argument('<username>', 'For whom it acts')
    .requiredOption('--name <name>', 'What it is for')
    .addOption(
      new Option('--scope <scope>', 'What it may do; may be repeated; default: everything')
        .choices(allScopes)
        .argParser(collectScopes),
    )
    .option('--expires <duration>', 'A number with s, m, h or d; at most 365d (default: 90d)', readDuration)
    .addOption(new Option('--no-expiry', 'Never expires').conflicts('expires'))
    .addOption(jsonOption())
    .action(runCreate);
  const list = verb('list', 'List tokens, never the tokens themselves', [
    'garden token list',
    'garden token list ada',
  ])
    .argument('[username]', 'Only this member’s')
    .addOption(jsonOption())
    .action(async (username: string | undefined, flags: Flags) => {
      const tokens = await withStoreToRead(flags, async (store) =>
        listTokens(
          store.reader,
          username === undefined ? undefined : (await getMemberByName(store.reader, username)).id,
        ),
      );
      printTable(
        tokens.map(({ user_id: _user, scopes, ...token }) => ({ ...token, scopes: scopes.split(' ') })),
        flags.json ?? false,
      );
    });
  const revoke = verb('revoke', 'Revoke a token at once', ['garden token revoke 3'])
    .argument('<id>', 'Its number in garden token list')
    .addOption(jsonOption())
    .action(async (text: string, flags: Flags) => {
      const id = parseInt64(text);
      const isKnown =
        id !== undefined &&
        (await withStore(flags, false, (store) =>
          store.writeBeside((tx) => revokeToken(tx, id, new Date().toISOString())),
        ));
      if (!isKnown) {
        throw new AppError(
          'unknownItem',
          `There is no token ${text}; garden token list shows which there are.`,
        );
      }
      if (flags.json) printObject({ id, revoked: true }, true);
      else complain(`Token ${id} is revoked.`);
    });
  return group('token', 'Make, list and revoke tokens', [create, list, revoke]);
}

async function runCreate(username: string, flags: CreateFlags): Promise<void> {
  const made = await withStore(flags, false, async (store) =>
    makeToken(store, {
      userId: (await getMemberByName(store.reader, username)).id,
      name: flags.name,
      scopes: flags.scope ?? allScopes,
      lifetimeMs: flags.expiry ? (flags.expires ?? defaultLifetimeMs) : undefined,
    }),
  );
  const { id, token, expiresAt } = made;
  printObject(
    { id, token, name: flags.name, username, scopes: flags.scope ?? allScopes, expires_at: expiresAt },
    flags.json ?? false,
  );
  if (!flags.json) complain('Keep the token now: it is shown this once and kept nowhere.');
}

function collectScopes(scope: string, scopes: Scope[] | undefined): Scope[] {
  const known = allScopes.find((candidate) => candidate === scope);
  if (!known) throw new InvalidArgumentError(`Allowed are ${allScopes.join(', ')}.`);
  return [...new Set([...(scopes ?? []), known])];
}

function readDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a number with s, m, h or d, such as 90d.');
  return ms;
}
