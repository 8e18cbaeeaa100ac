/** A real Chromium with an empty profile. Notes what a page does that it must not: leave its origin, break its policy, fail. */
import { after, type TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { usualPassword } from './forms.ts';
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

/** One for all tests of the process: to start another takes a second. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** All that the test opens in it is closed when the test ends. Undefined where there is none, and the test is skipped. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const executablePath = findTool(t, 'chromium');
  if (executablePath === undefined) return undefined;
  launched ??= chromium.launch({ executablePath, args: browserArgs, headless: true });
  const browser = await launched;
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Watched {
  page: Page;
  /** Requests to other origins. */
  strays: string[];
  /** Breaches of the content security policy, uncaught errors, and what the console calls an error. */
  complaints: string[];
}

/**
 * A page in a context of its own, watched from before its first request. Nothing on it moves: where the window changes its size or the
 * next page comes before a fade between two pages is over, Chromium breaks the fade off and calls that an uncaught error.
 */
export async function openPage(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const strays: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && new URL(url).origin !== origin) strays.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, strays, complaints };
}

/** Signs a member with the usual password in by the form, and waits for the whole page that comes then. */
export async function enter(page: Page, url: string, username: string, then = '/dashboard/'): Promise<void> {
  await page.goto(`${url}/authentication/sign-in/?then=${then}`);
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', usualPassword);
  await page.click('button.primary');
  await page.waitForURL(`**${then}`);
}
