/** The first administrator, and the links that `garden serve` prints when it starts. */
import { readFile } from 'node:fs/promises';
import { linkLifetimesMs } from '../auth/entry.ts';
import { makeToken, tokenDays } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { allScopes } from '../contract/operations.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { AppError, invalidValue } from '../errors.ts';
import { loadSample, sampleUsername } from '../importing/sample.ts';
import { getMemberByName, makeDemoKey, makeFirstStaff, makeSetupKey } from '../practice/members.ts';
import { findMemberByName } from '../store/members.ts';
import { openStore, usingStore } from '../store/open.ts';
import { countOverview } from '../store/overview.ts';
import type { OpenOptions, Store } from '../store/store.ts';
import { withStore } from './database.ts';
import { printNotice } from './terminal.ts';

type Admin = Pick<Config, 'adminUsername' | 'adminPassword' | 'adminPasswordFile'>;

/** Runs before anybody can open a page. Throws invalidValue. */
export async function makeAdmin(config: Config, options: OpenOptions): Promise<void> {
  const { adminUsername: username, adminPassword, adminPasswordFile, databaseUrl } = config;
  if ((username ?? adminPassword ?? adminPasswordFile) === undefined) return;
  const readPassword = () => readAdminPassword(config);
  const isMade = await usingStore(openStore(databaseUrl, options), (store) =>
    makeFirstStaff(store, { username, readPassword }),
  );
  if (isMade)
    printNotice(`Created ${username}, an administrator (staff). ADMIN_PASSWORD is no longer needed.`);
}

async function readAdminPassword({ adminPassword, adminPasswordFile: file }: Admin): Promise<string> {
  if ((adminPassword === undefined) === (file === undefined)) {
    throw invalidValue('ADMIN_USERNAME needs ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, and only one of them.');
  }
  if (file === undefined) return adminPassword ?? '';
  try {
    const [line = ''] = (await readFile(file, 'utf8')).split(/\r?\n/, 1);
    return line;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw invalidValue(
      `${file}, which ADMIN_PASSWORD_FILE names, cannot be read (${code}); name a file that this user can read, with the password in its first line.`,
      cause,
    );
  }
}

interface ServerStart {
  baseUrl: string;
  databaseUrl: string;
  databaseFlag: string | undefined;
  sample: boolean;
  demo: boolean;
}

export async function greet(start: ServerStart): Promise<string | undefined> {
  try {
    return await withStore({ databaseUrl: start.databaseUrl }, (store) =>
      start.sample ? sampleGreeting(store, start) : setupGreeting(store, start),
    );
  } catch (error) {
    // A later start prints the link.
    if (!(error instanceof AppError)) throw error;
    printNotice(`No set-up link was created: ${error.message}`);
    return undefined;
  }
}

async function setupGreeting(store: Store, { baseUrl }: ServerStart): Promise<string | undefined> {
  const key = await makeSetupKey(store);
  if (key === undefined) return undefined;
  return `
This server has no accounts yet. Open this link to create the administrator account (once, within ${linkLifetimesMs.setup / hourMs} hours):
  ${baseUrl}/authentication/setup/?key=${key}`;
}

async function sampleGreeting(store: Store, start: ServerStart): Promise<string | undefined> {
  const { baseUrl } = start;
  const { members, problems } = await countOverview(store.reader);
  const isEmpty = members + problems === 0n;
  if (isEmpty) await loadSample(store);
  if (start.demo) return `\nPractice Garden is at ${baseUrl}/, as a demo that nobody can change.`;
  const key = isOnThisComputer(baseUrl) ? await makeDemoKey(store, sampleUsername) : undefined;
  const linkText = key === undefined ? await setupGreeting(store, start) : demoLinkText(baseUrl, key);
  if (!isEmpty) {
    const addresses = `Practice Garden is at ${baseUrl}/, the API documentation at ${baseUrl}/docs/reference/`;
    return `${linkText ?? `\n${addresses}`}\n${await tokenAdvice(store, start)}`;
  }
  const { id: userId } = await getMemberByName(store.reader, sampleUsername);
  const request = { userId, name: 'first start', scopes: allScopes, lifetimeMs: tokenDays.usual * dayMs };
  const { token } = await makeToken(store, request);
  return `${linkText}
${apiText(baseUrl, token)}`;
}

function demoLinkText(baseUrl: string, key: string): string {
  return `
Practice Garden is at ${baseUrl}/ with sample problems and a demo account.
Open this link on this computer, within ${linkLifetimesMs.demo / minuteMs} minutes, to try the demo account:
  ${baseUrl}/authentication/demo/?key=${key}`;
}

function apiText(base: string, token: string): string {
  return `
API documentation: ${base}/docs/reference/
API token of the demo account (shown only now): ${token}
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/problems/?tag=graphs&limit=3'
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/status/'
  curl -X DELETE -H 'Authorization: Bearer ${token}' '${base}/plants/1'

Stop with Ctrl+C.`;
}

/** A token is shown only once, so a later start shows how to make another. */
async function tokenAdvice({ reader }: Store, { databaseFlag = '' }: ServerStart): Promise<string> {
  const demo = await findMemberByName(reader, sampleUsername);
  const databaseOption = databaseFlag.startsWith('sqlite:') ? ` --database-url ${databaseFlag}` : '';
  return `To create another token (bin/garden member list shows the members, bin/garden member create adds one):
  bin/garden token create ${demo?.username ?? 'NAME'} --name "my programs"${databaseOption}`;
}

/** The demo link works only on the computer where the garden runs. */
function isOnThisComputer(baseUrl: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}
