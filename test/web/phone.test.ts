/**
 * The garden on a phone, in a real Chromium and under a base path, because that is the harder case: it can be installed, it takes
 * what other apps share, without the server it says so in words, and it has the colours that its visitor chose.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { shutdownTimes } from '../../src/server/stopping.ts';
import { headerColours } from '../../src/web/kit/theme.ts';
import { browserArgs, browserPatienceMs, enter, openBrowser, openPage } from '../support/browser.ts';
import { importRows, root, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { exactJson, send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { faultsOfLook } from '../support/looks.ts';
import { membersNamed } from '../support/members.ts';
import { freePort } from '../support/ports.ts';
import { pseudoTag } from '../support/pseudo-words.ts';
import { findTool } from '../support/tools.ts';
import { until } from '../support/waiting.ts';

const base = '/garden';

type Garden = Awaited<ReturnType<typeof world>>;

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', [{ id: 1, source: 'codeforces', source_key: '4A', title: 'Watermelon' }]);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const start = () => serveHere(t, { databaseUrl, env: { PORT: String(port), BASE_URL: `${origin}${base}` } });
  return { origin, url: origin + base, start, server: await start() };
}

/** The addresses of all that the caches of the page's origin keep. */
const cached = (page: Page) =>
  page.evaluate(`(async () => {
    const all = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
    return (await Promise.all(all)).flat().map(({ url }) => url);
  })()`);

const workerOf = (page: Page) =>
  page.evaluate('navigator.serviceWorker.ready.then(({ scope, active }) => ({ scope, script: active.scriptURL }))');

const isControlled = (page: Page) =>
  // A function, because the pages' policy lets no text be evaluated again and again.
  page.waitForFunction(() => {
    const { serviceWorker } = navigator as unknown as { serviceWorker: { controller: { state: string } | null } };
    return serviceWorker.controller?.state === 'activated';
  });

test('the garden on a phone', async (t) => {
  const garden = await world(t);
  await t.test('the theme is chosen without script, and lives on', (t) => themed(t, garden));
  await t.test('it is installed', (t) => installed(t, garden));
});

async function installed(t: TestContext, { origin, url, start, server }: Garden) {
  const executablePath = findTool(t, 'chromium');
  if (executablePath === undefined) return;
  // A private window installs nothing, so this profile is a whole one. Playwright switches off what keeps whole pages.
  const context = await chromium.launchPersistentContext(await temporaryFolder(t), {
    executablePath,
    args: browserArgs,
    headless: true,
    reducedMotion: 'reduce',
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    timeout: browserPatienceMs,
  });
  context.setDefaultTimeout(browserPatienceMs);
  t.after(() => context.close());
  const [page = await context.newPage()] = context.pages();
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await enter(page, url, 'ada');

  await t.test('Chromium finds nothing against installing it', async () => {
    const session = await context.newCDPSession(page);
    const manifest = await session.send('Page.getAppManifest');
    assert.deepEqual([manifest.url, manifest.errors], [`${url}/manifest.webmanifest`, []]);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
  });

  await t.test('its icons have the sizes that they say, and show something', async () => {
    const { icons } = exactJson((await send(server.url, `${base}/manifest.webmanifest`)).text) as {
      icons: { src: string; sizes: string; purpose: string }[];
    };
    const apple = (await page.getAttribute('link[rel="apple-touch-icon"]', 'href')) ?? '';
    const all = [...icons, { src: apple, sizes: '180x180', purpose: 'whole' }];
    assert.deepEqual(
      icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
      ['192x192 any', '512x512 any', '512x512 maskable'],
    );
    for (const { src, sizes, purpose } of all) {
      const seen = (await page.evaluate(`(async () => {
        const picture = new Image();
        picture.src = ${JSON.stringify(src)};
        await picture.decode();
        const [width, height] = [picture.naturalWidth, picture.naturalHeight];
        const drawn = new OffscreenCanvas(width, height).getContext('2d');
        drawn.drawImage(picture, 0, 0);
        const pixels = new Uint32Array(drawn.getImageData(0, 0, width, height).data.buffer);
        return { sizes: width + 'x' + height, colours: new Set(pixels).size, corner: pixels[0] >>> 24 };
      })()`)) as { sizes: string; colours: number; corner: number };
      assert.equal(seen.sizes, sizes, src);
      assert.ok(seen.colours > 10, `${src} has ${seen.colours} colours`);
      // A phone cuts these out itself.
      if (purpose !== 'any') assert.equal(seen.corner, 255, src);
    }
  });

  await t.test('its worker starts at once, and keeps one page, whatever is visited', async () => {
    assert.deepEqual(await workerOf(page), { scope: `${url}/`, script: `${url}/service-worker.js` });
    await isControlled(page);
    for (const path of ['/problem_list/', '/problem_list/problem/1/', '/authentication/account/', '/docs/api/'])
      await page.goto(url + path);
    assert.deepEqual(await cached(page), [`${url}/offline/`]);
  });

  await t.test('a link at another site finds the member signed in, and a form sends what it should', async () => {
    await page.goto(`${url.replace('127.0.0.1', 'localhost')}/docs/api/`);
    await page.evaluate(`location.href = ${JSON.stringify(`${url}/problem_list/problem/1/`)}`);
    await page.waitForURL(`${url}/problem_list/problem/1/`);
    await page.click('.star');
    await page.locator('.star[aria-pressed="true"]').waitFor();
  });

  await t.test('what Android shares opens Add a problem with the address filled in', async () => {
    const { share_target } = exactJson((await send(server.url, `${base}/manifest.webmanifest`)).text) as {
      share_target: { action: string; method: string; params: Record<'title' | 'text' | 'url', string> };
    };
    const { action, params, method } = share_target;
    assert.equal(method, 'GET');
    const address = 'https://lemonsite.example/tasks/7?lang=en';
    const shared = [
      { title: 'Seven', text: address },
      { title: '', text: `Seven – Lemonsite ${address}`, url: '' },
      { text: `Look:\n<${address}>` },
      { url: address, text: 'https://elsewhere.example/' },
    ];
    for (const one of shared) {
      const query = new URLSearchParams(
        Object.entries(one).map(([name, value]) => [params[name as 'title'], value] as [string, string]),
      );
      await page.goto(`${origin}${action}?${query}`);
      assert.equal(await page.inputValue('[name=url]'), address, String(query));
      if (one.title) assert.equal(await page.inputValue('[name=title]'), one.title);
    }
    await page.goto(`${origin}${action}?${params.text}=only%20words`);
    assert.equal(await page.inputValue('[name=url]'), 'only words');
    await page.goto(`${origin}${action}?${params.text}=https://codeforces.com/problemset/problem/4/A`);
    await page.locator('[data-known="1"]').waitFor();
  });

  assert.deepEqual(complaints.splice(0), [
    // The address that is none has a sentence beside its field.
    'Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)',
  ]);

  await t.test('without the server it says so in words, and goes on once the server is back', async () => {
    await page.goto(`${url}/authentication/account/appearance/`);
    await page.click('.page .theme [value=dark]');
    await page.waitForSelector('[data-theme=dark]');
    // The colours make it another page, which a new worker keeps in place of the first.
    await until('the new page is kept', () =>
      page.evaluate<boolean>(`caches.match(${JSON.stringify(`${url}/offline/`)})
        .then(async (kept) => (await kept.text()).includes('data-theme="dark"'))`),
    );
    assert.deepEqual(await cached(page), [`${url}/offline/`]);
    await server.end(shutdownTimes);
    for (const path of ['/problem_list/?tag=dp', '/dashboard/']) {
      await page.goto(url + path);
      assert.equal(page.url(), url + path);
      assert.equal(await page.textContent('h1'), 'Can’t reach Practice Garden');
    }
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(15, 20, 18)');
    assert.deepEqual(await faultsOfLook(page), []);
    await start();
    await page.click('a');
    await page.waitForSelector('.p-today');
    assert.equal(page.url(), `${url}/dashboard/`);
  });

  await t.test('after signing out nothing of the member is kept, and Back shows none of their pages', async () => {
    await page.goto(`${url}/problem_list/`);
    await page.evaluate('globalThis.isKept = true');
    await page.goto(`${url}/contests/`);
    const shows = page.waitForFunction(() => 'isKept' in globalThis);
    await page.evaluate('history.back()');
    await shows;
    assert.match((await page.textContent('.menu-title')) ?? '', /ada/, 'a page of somebody who is signed in is kept');
    await page.evaluate('document.querySelector(\'form[action$="/sign-out/"] button\').click()');
    await page.waitForURL(`${url}/authentication/sign-in/`);
    assert.deepEqual(await cached(page), [`${url}/offline/`]);
    for (let times = 0; times < 2; times++) {
      await page.evaluate('history.back()');
      await page.waitForURL('**/sign-in/?then=**');
      assert.equal(await page.locator('.menu-title').count(), 0, page.url());
    }
  });
}

/** The colours of a page as Chromium paints them, and what it paints around it. */
async function look(page: Page) {
  // A form that leads back to its own address may still be loading.
  await page.waitForLoadState();
  return (await page.evaluate(`(() => {
    const ground = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
    const around = [...document.querySelectorAll('meta[name="theme-color"]')].find(({ media }) => matchMedia(media).matches);
    return { body: ground('body'), header: ground('header'), around: around.content };
  })()`)) as { body: string; header: string; around: string };
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const looks = {
  light: { body: 'rgb(250, 251, 248)', header: rgb(headerColours.light), around: headerColours.light },
  dark: { body: 'rgb(15, 20, 18)', header: rgb(headerColours.dark), around: headerColours.dark },
};

async function themed(t: TestContext, { url, origin }: Garden) {
  const browser = await openBrowser(t);
  if (!browser) return;
  const open = (colorScheme: 'light' | 'dark') => openPage(browser, origin, { javaScriptEnabled: false, colorScheme });

  await t.test('by a visitor, from a page back to it, on every page', async () => {
    const { page, complaints, strays } = await open('light');
    await page.goto(`${url}/docs/api/`);
    assert.deepEqual(await look(page), looks.light);
    await page.click('.foot >> text=Theme: System');
    await page.click('.theme [value=dark]');
    assert.equal(page.url(), `${url}/docs/api/`);
    for (const path of ['/docs/api/', '/docs/reference/', '/', '/authentication/sign-in/', '/nothing/', '/offline/']) {
      await page.goto(url + path);
      const ground = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      if (path === '/offline/') assert.equal(ground, looks.dark.body);
      else assert.deepEqual(await look(page), looks.dark, path);
    }
    await page.goto(`${url}/`);
    await page.click('.foot >> text=Theme: Dark');
    await page.click('.theme [value=system]');
    assert.equal(page.url(), `${url}/`);
    assert.deepEqual(await look(page), looks.light);
    const cookies = await page.context().cookies();
    assert.deepEqual(
      cookies.filter(({ name }) => name === 'theme'),
      [],
    );
    assert.deepEqual([complaints.filter((line) => !line.includes('404')), strays], [[], []]);
  });

  await t.test('by a member, in the menu and in the settings, for the next visit too', async () => {
    const { page, complaints } = await open('dark');
    await enter(page, url, 'ada');
    assert.deepEqual(await look(page), looks.dark);
    await page.goto(`${url}/problem_list/?q=melon`);
    await page.click('.account summary');
    await page.click('.account .theme [value=light]');
    assert.equal(page.url(), `${url}/problem_list/?q=melon`);
    assert.deepEqual(await look(page), looks.light);
    const next = await page.context().newPage();
    await next.goto(`${url}/plants/`);
    assert.deepEqual(await look(next), looks.light);
    await next.goto(`${url}/authentication/account/`);
    await next.click('.rooms >> text=Appearance');
    await next.click('.page .theme [value=dark]');
    assert.equal(next.url(), `${url}/authentication/account/appearance/`);
    assert.deepEqual(await look(next), looks.dark);
    const [kept] = (await page.context().cookies()).filter(({ name }) => name === 'theme');
    assert.deepEqual([kept?.value, kept?.path, kept?.sameSite], ['dark', `${base}/`, 'Lax']);
    assert.ok(Math.abs((kept?.expires ?? 0) * 1000 - Date.now() - 365 * 86_400_000) < 60_000);
    assert.deepEqual(complaints, []);
  });
}

test('what browsers ask for names the garden by its address, and nobody gets the colours of another', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const whole = url.replace('127.0.0.1', 'localhost');
  const manifest = exactJson((await send(url, '/manifest.webmanifest')).text) as Record<string, unknown>;
  const { id, start_url, scope, lang, dir, name } = manifest;
  assert.deepEqual(
    { id, start_url, scope, lang, dir, name },
    { id: '/', start_url: '/dashboard/', scope: '/', lang: 'en', dir: 'auto', name: 'Practice Garden' },
  );
  const { text } = await send(url, '/opensearch.xml');
  assert.ok(text.includes(`template="${whole}/problem_list/?q={searchTerms}"`), text);
  // Longer names are no names (OpenSearch 1.1).
  const folder = join(root, 'src/web/words');
  for (const file of (await readdir(folder)).filter((one) => one.endsWith('.json')))
    assert.ok(JSON.parse(await readFile(join(folder, file), 'utf8'))['page.name'].length <= 16, file);

  await t.test('in the words of their reader', async () => {
    for (const path of ['/manifest.webmanifest', '/opensearch.xml', '/offline/', '/service-worker.js']) {
      const english = await send(url, path);
      const other = await send(url, path, { headers: { 'Accept-Language': pseudoTag } });
      assert.notEqual(other.headers.etag, english.headers.etag, path);
      if (path === '/service-worker.js') continue;
      assert.match(other.text, /⟦/, path);
      assert.match(other.text, new RegExp(`lang":"${pseudoTag}"|lang="${pseudoTag}"|<Language>${pseudoTag}<`), path);
    }
  });

  const ada = await browserOf(url, 'ada');
  const themes = [undefined, 'dark', 'light', 'dark', undefined, 'blue"><script>'];
  for (const path of ['/docs/api/', '/docs/reference/', '/', '/offline/', '/dashboard/']) {
    const tags = new Map<string, string>();
    for (const theme of themes) {
      const cookie = [...ada.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
      const own = path === '/dashboard/' ? cookie : 'other=theme=dark';
      const headers = { Cookie: theme ? `${own}; theme=${theme}` : own, 'Accept-Encoding': 'gzip' };
      const { headers: sent, bytes } = await send(url, path, { headers });
      assert.match(String(sent.vary), /Cookie/, path);
      const known = theme === 'dark' || theme === 'light' ? theme : 'light dark';
      const page = gunzipSync(bytes).toString();
      assert.ok(page.includes(`<meta name="color-scheme" content="${known}">`), `${path} for ${theme}`);
      assert.equal(/<html [^>]*data-theme="(\w+)"/.exec(page)?.[1] ?? 'light dark', known);
      const tag = String(sent.etag);
      assert.equal(tags.get(known) ?? tag, tag, 'the same page has the same tag');
      tags.set(known, tag);
    }
    assert.equal(new Set(tags.values()).size, 3, path);
  }

  await t.test('a form from elsewhere changes nothing', async () => {
    const forged = await ada.ask('/appearance/', { method: 'POST', form: { theme: 'dark', from: '/' } } as never);
    assert.equal(forged.status, 403);
    assert.equal(forged.headers['set-cookie'], undefined);
  });
});
