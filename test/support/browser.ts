/** A real Chromium, which records what a page must not do: leave its origin, break its policy, fail. */
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

/** Playwright's own 30 seconds are too short for a busy machine. */
export const browserPatienceMs = 120_000;

/** One for all tests of the process, because a start takes a second. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** Undefined without Chromium; the test is skipped then. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const executablePath = findTool(t, 'headless');
  if (executablePath === undefined) return undefined;
  launched ??= chromium.launch({ executablePath, args: browserArgs, headless: true, timeout: browserPatienceMs });
  const browser = await launched;
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Watched {
  page: Page;
  strays: string[];
  /** Breaches of the content security policy, uncaught errors, and errors of the console except status 422. */
  complaints: string[];
  look(place?: string): Promise<void>;
}

/**
 * A page in a context of its own. It has no animations: Chromium aborts a fade between two pages when the window is
 * resized or the next page comes, and reports that as an uncaught error.
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

export async function enter(page: Page, url: string, username: string, then = '/dashboard/'): Promise<void> {
  await page.goto(`${url}/authentication/sign-in/?then=${then}`);
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', usualPassword);
  await page.click('button.primary');
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/authentication/sign-in/'));
}
