/** The garden and the token that the command acts with, and the changes that `undo` undoes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readBaseUrl } from './transport.ts';
import { command, failure } from './usage.ts';

export interface Account {
  url: string;
  token: string;
}

type Name = 'client.json' | 'client-changes.json';

const keyringMs = 30_000;
const isWindows = process.platform === 'win32';

const base = process.env[isWindows ? 'APPDATA' : 'XDG_CONFIG_HOME'] || join(homedir(), '.config');
const folder = join(base, 'practice-garden');
const pathOf = (name: Name) => join(folder, name);

function read(name: Name) {
  const path = pathOf(name);
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) return {};
  if (mode & 0o077 && !isWindows) throw failure(2, `Others can read ${path}. Run: chmod 600 '${path}'`);
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw failure(2, `${path} cannot be read. Delete it, then run: ${command} sign-in URL`);
  }
}

/** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
function write(name: Name, value: object): void {
  const path = pathOf(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

/** The token is never an argument of these programs either, because other users can see arguments. */
function keyring(action: 'store' | 'lookup' | 'clear', url: string, token = ''): string | undefined {
  const isMac = process.platform === 'darwin';
  const item = `-s practice-garden -a "${url}"`;
  const verbs = {
    store: `add-generic-password -U -w "${token}"`,
    lookup: 'find-generic-password -w',
    clear: 'delete-generic-password',
  };
  const label = action === 'store' ? ['--label=Practice Garden'] : [];
  const [command, args, input] = isMac
    ? ['security', ['-i'], `${verbs[action]} ${item}\n`]
    : ['secret-tool', [action, ...label, 'service', 'practice-garden', 'url', url], token];
  const { status, stdout } = spawnSync(command, args, { input, encoding: 'utf8', timeout: keyringMs });
  return status === 0 ? stdout.trim() : undefined;
}

export function accountOf(address: string, token: string): Account {
  if (!/^pgw_[0-9A-Za-z]{36}$/.test(token))
    throw failure(
      2,
      'This is not a token for programs: create one in the garden under Settings, Connections.',
    );
  try {
    return { url: readBaseUrl(new URL(address).href), token };
  } catch {
    throw failure(2, `${address} is not the address of a garden, such as https://garden.example`);
  }
}

export function readAccount(): Account {
  const { GARDEN_URL, GARDEN_TOKEN } = process.env;
  if (GARDEN_URL && GARDEN_TOKEN) return accountOf(GARDEN_URL, GARDEN_TOKEN);
  if (GARDEN_URL || GARDEN_TOKEN) throw failure(2, 'Set GARDEN_URL and GARDEN_TOKEN, or neither of them.');
  const { url, token } = read('client.json');
  const found = token || (url && keyring('lookup', url));
  if (!found) throw failure(2, `You are not signed in. Run: ${command} sign-in URL`);
  return accountOf(url, found);
}

/** Answers where the token is now. */
export function storeAccount({ url, token }: Account): string {
  removeAccount();
  const isInKeyring = keyring('store', url, token) !== undefined && keyring('lookup', url) === token;
  write('client.json', isInKeyring ? { url } : { url, token });
  return isInKeyring ? 'the keyring' : pathOf('client.json');
}

/** Answers the address, if somebody was signed in. */
export function removeAccount(): string | undefined {
  const { url } = read('client.json');
  if (url) keyring('clear', url);
  rmSync(pathOf('client.json'), { force: true });
  return url;
}

/** Those of the last run that changed something, the oldest first. */
export function lastChanges(address: string): string[] {
  const { url, changes } = read('client-changes.json');
  return url === address ? changes : [];
}

export const storeChanges = (url: string, changes: string[]) =>
  write('client-changes.json', { url, changes });
