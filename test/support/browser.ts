/** A real Chromium with an empty profile. Notes what a page does that it must not: leave its origin, break its policy, fail. */
import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { usualPassword } from './forms.ts';
import { faultsOfLook } from './looks.ts';
import { findTool } from './tools.ts';

export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long Playwright waits for anything; of itself it waits for 30 seconds, which a busy machine may need. */
export const browserPatienceMs = 120_000;

/** One for all tests of the process: to start another takes a second. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** All that the test opens in it is closed when the test ends. Undefined where there is none, and the test is skipped. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const executablePath = findTool(t, 'chromium');
  if (executablePath === undefined) return undefined;
  launched ??= chromium.launch({ executablePath, args: browserArgs, headless: true, timeout: browserPatienceMs });
  const browser = await launched;
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Watched {
  page: Page;
  /** Requests to other origins. */
  strays: string[];
  /** Breaches of the content security policy, uncaught errors, and what the console calls an error but for forms with faults (422). */
  complaints: string[];
  /** Asserts that the page has no fault of looks, with the name of the place where it had one. */
  look(place?: string): Promise<void>;
}

/**
 * A page in a context of its own, watched from before its first request; with cookies, it is that of somebody who is signed in. Nothing on it moves: where the window changes its size or the
 * next page comes before a fade between two pages is over, Chromium breaks the fade off and calls that an uncaught error.
 */
export async function openPage(
  browser: Browser,
  origin: string,
  { cookies, ...options }: Parameters<Browser['newContext']>[0] & { cookies?: ReadonlyMap<string, string> } = {},
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(browserPatienceMs);
  const session = cookies?.get('session');
  if (session !== undefined) await context.addCookies([{ name: 'session', value: session, url: origin }]);
  const page = await context.newPage();
  const strays: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && new URL(url).origin !== origin) strays.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 422'))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const look = async (place?: string) => assert.deepEqual(await faultsOfLook(page), [], place);
  return { page, strays, complaints, look };
}

/** Signs a member with the usual password in by the form, and waits for the whole page that comes then. */
export async function enter(page: Page, url: string, username: string, then = '/dashboard/'): Promise<void> {
  await page.goto(`${url}/authentication/sign-in/?then=${then}`);
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', usualPassword);
  await page.click('button.primary');
  await page.waitForURL(`**${then}`);
}
