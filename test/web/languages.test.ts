/**
 * The language of a visit: that of the member, else of the browser's cookie, else what the browser prefers, else the
 * server's. Nobody is served a page that was kept in another language.
 */
import assert from 'node:assert/strict';
import { cp, rm, symlink } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Message, message, serializeLocalizedText } from '../../src/errors.ts';
import { planReminders } from '../../src/jobs/reminders.ts';
import { sendReminders } from '../../src/jobs/webhooks.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { readLanguage } from '../../src/practice/preferences.ts';
import { saveWebhook, sendTest } from '../../src/practice/webhooks.ts';
import type { UploadsTable } from '../../src/store/uploads.ts';
import { periodName } from '../../src/web/drawing/charts/progress-view.ts';
import { html } from '../../src/web/markup.ts';
import { renderReport } from '../../src/web/pages/uploads/report.ts';
import { withViewer } from '../../src/web/words/viewer.ts';
import { localizeText, richWords, words } from '../../src/web/words/words.ts';
import { languageOf } from '../../src/words/catalogue.ts';
import { firstDayOfWeek, languageTags, lookUp, rangesOfGettext } from '../../src/words/languages.ts';
import { openGarden } from '../importing/support.ts';
import { attributeOf } from '../support/elements.ts';
import { type Browser, browser, memberWithPassword, usualPassword } from '../support/forms.ts';
import { root, serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';
import { startReceiver } from '../support/receiver.ts';

const langOf = (text: string) => /<html lang="([^"]*)"/.exec(text)?.[1];

async function gardenWithAda(t: TestContext, env: Record<string, string> = {}) {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl, env });
  return { databaseUrl, url };
}

const signIn = (visitor: Browser) =>
  visitor
    .open('/authentication/sign-in/')
    .then(() => visitor.submit({ within: 'form' }, { username: 'ada', password: usualPassword }));

const choose = (visitor: Browser, value: string) =>
  visitor.open('/language/').then(() => visitor.submit({ within: '.languages', name: 'language', value }));

test('no module of the website asks for the language while it loads', async () => {
  const hooks = registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.endsWith('/src/web/words/reader.ts')) return loaded;
      const reader = /readers\.getStore\(\) \?\? everybody/;
      assert.match(String(loaded.source), reader);
      const source = String(loaded.source).replace(reader, "readers.getStore() ?? assert.fail('no visit')");
      return { ...loaded, source: `import assert from 'node:assert/strict';\n${source}` };
    },
  });
  await import('../../src/web/routes.ts');
  hooks.deregister();
});

test('a server that listens has read all languages: their first page reads no file', async (t) => {
  const copy = await temporaryFolder(t);
  for (const name of ['bin', 'src', 'docs', 'package.json', 'openapi.json'])
    await cp(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('docs/pictures'),
    });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const databaseUrl = await temporaryDatabase(t);
  const { url } = await serve(t, { databaseUrl, launcher: join(copy, 'bin', 'garden') });
  for (const tag of languageTags) await rm(join(copy, 'src', 'words', `${tag}.json`));
  for (const tag of languageTags) {
    const page = await fetch(`${url}/authentication/sign-in/`, { headers: { 'Accept-Language': tag } });
    assert.equal(langOf(await page.text()), tag);
  }
});

test('a range finds the language that it names, a shorter one, or the one with a region (RFC 4647 §3.4)', () => {
  for (const [ranges, found] of [
    [['pt-BR'], 'pt-BR'],
    [['pt'], 'pt-BR'],
    [['pt-PT'], 'pt-BR'],
    [['PT-br'], 'pt-BR'],
    [['zh-Hans-CN'], 'zh-CN'],
    [['zh-TW'], 'zh-CN'],
    [['es-419'], 'es'],
    [['en-GB', 'ja'], 'en'],
    [['de', 'ru-RU'], 'ru'],
    [['de-x-ru'], undefined],
    [['*'], undefined],
    [['', '-', '--', 'jaja', 'j'], undefined],
    [[], undefined],
    [rangesOfGettext('de_DE:ko_KR.UTF-8:en'), 'ko'],
  ] as const)
    assert.equal(lookUp(ranges, languageTags), found, ranges.join());
  assert.deepEqual(
    languageTags.map((tag) => firstDayOfWeek(tag)),
    languageTags.map((tag) => (['ja', 'ko', 'pt-BR'].includes(tag) ? 7 : 1)),
  );
});

test('a range of thousands of letters is none, and holds nobody up', async (t) => {
  const { url } = await gardenWithAda(t);
  const visitor = browser(url);
  const took = (headers: Readonly<Record<string, string>>) =>
    ownMs(async () => {
      assert.equal((await visitor.ask('/', { headers })).headers['content-language'], 'en');
    });
  await took({});
  for (const range of ['-', 'a-', 'ja-']) {
    const long = range.repeat(14_000 / range.length);
    for (const headers of [{ 'Accept-Language': long }, { Cookie: `language=${long}` }] as const) {
      const times = [await took(headers), await took(headers), await took(headers)];
      assert.ok(Math.min(...times) < 150, `${Object.keys(headers)} ${range}: ${times.map(Math.round)} ms`);
    }
  }
});

test('a visitor gets the language of the browser, until they choose one', async (t) => {
  const { url } = await gardenWithAda(t);
  const visitor = browser(url, {
    'Accept-Language': 'de, ja;q=0.8, ru;q=0',
    Referer: `${url}/authentication/sign-in/`,
  });
  for (const path of ['/', '/authentication/sign-in/', '/docs/api/', '/docs/reference/', '/nothing/']) {
    const { text, headers } = await visitor.open(path);
    assert.equal(langOf(text), 'ja', path);
    assert.equal(headers['content-language'], 'ja', path);
    for (const name of ['Cookie', 'Accept-Language'])
      assert.ok(String(headers['vary']).split(/, ?/).includes(name), `${path} varies by ${name}`);
  }
  const choice = await visitor.open('/language/');
  assert.equal(choice.document.querySelectorAll('[name=language]').length, languageTags.length);
  assert.equal(attributeOf(choice, '[aria-current=true]', 'value'), 'ja');
  const after = await choose(visitor, 'ru');
  assert.equal(after.path, '/authentication/sign-in/');
  for (const path of ['/', '/docs/api/', '/docs/reference/', '/nothing/'])
    assert.equal(langOf((await visitor.open(path)).text), 'ru', path);
  const other = browser(url);
  assert.equal(langOf((await other.open('/docs/api/')).text), 'en', 'nobody else is served it');
  other.cookies.set('language', 'tlh"><script>');
  assert.equal(langOf((await other.open('/docs/api/')).text), 'en', 'an unknown cookie is none');
  const { headers } = await visitor.ask('/docs/api/');
  const again = await other.ask('/docs/api/', { headers: { 'If-None-Match': String(headers['etag']) } });
  assert.equal(again.status, 200, 'another language has another tag');
});

test('the language of a member goes before that of the browser, and follows them', async (t) => {
  const { url } = await gardenWithAda(t);
  const ada = browser(url, { 'Accept-Language': 'es', Referer: `${url}/dashboard/progress/` });
  await signIn(ada);
  assert.equal(langOf((await ada.open('/dashboard/')).text), 'es');
  const after = await choose(ada, 'ko');
  assert.equal(after.path, '/dashboard/progress/');
  assert.equal(langOf(after.text), 'ko');
  const elsewhere = browser(url, { 'Accept-Language': 'es' });
  await signIn(elsewhere);
  assert.equal(langOf((await elsewhere.open('/dashboard/')).text), 'ko');
  for (const path of ['/docs/api/', '/nothing/'])
    assert.equal(langOf((await elsewhere.open(path)).text), 'ko', `${path}, which knows no member`);
  const days = await elsewhere.open('/authentication/account/days/');
  assert.equal(
    attributeOf(days, '[name=week_start] [selected]', 'value'),
    'sunday',
    'weeks begin as is usual there until the member says otherwise',
  );
});

test('a language that the garden lacks, and an address elsewhere, are refused', async (t) => {
  const { url } = await gardenWithAda(t);
  const visitor = browser(url, { Referer: 'https://evil.example//evil.example/' });
  await visitor.open('/language/');
  const { fields } = visitor.filled({ within: '.languages', name: 'language', value: 'ja' });
  fields.set('language', 'xx');
  const refused = await visitor.post('/language/', fields);
  assert.equal(refused.status, 400);
  assert.equal(visitor.cookies.get('language'), undefined);
  assert.equal((await choose(visitor, 'ja')).path, '/');
});

test('LANGUAGE says which language others get, in pages and messages', async (t) => {
  const { url, databaseUrl } = await gardenWithAda(t, { LANGUAGE: 'de_DE:pt_BR:en' });
  assert.equal(langOf((await browser(url).open('/')).text), 'pt-BR');
  assert.equal(langOf((await browser(url, { 'Accept-Language': 'zh' }).open('/')).text), 'zh-CN');
  const { store } = await openGarden(t, databaseUrl);
  const receiver = await startReceiver(t);
  const ada = browser(url);
  await signIn(ada);
  await ada.open('/dashboard/groups/');
  const [club, other] = ['Club', 'Círculo'];
  for (const name of [club, other]) await makeGroup(store, 1n, { name, zone: 'UTC' });
  await ada.open('/dashboard/groups/1/settings/');
  const saved = await ada.submit({ name: 'language' }, { name: club, language: 'ru' });
  assert.equal(attributeOf(saved, '[name=language] [selected]', 'value'), 'ru');
  const now = Date.now();
  for (const group_id of [1n, 2n]) {
    const hook = { url: receiver.url, sendsWeeks: true, sendsDues: true, sendsContests: false };
    await saveWebhook(store, { group_id }, 1n, hook, '');
    await sendTest(store, { group_id }, 1n, now);
  }
  const options = { language: 'pt-BR', baseUrl: url, privateOrigins: new Set([receiver.url]) };
  await planReminders(store, now);
  await sendReminders(store, options, now + 1000);
  const texts = receiver.got.map(({ body }) => JSON.parse(body).text as string);
  assert.equal(texts.length, 2);
  for (const [name, letters] of [
    [club, /[а-я]{4}/],
    [other, /[çãé]|lembrete/],
  ] as const)
    assert.ok(
      texts.some((text) => text.includes(name) && letters.test(text)),
      texts.join('\n'),
    );
});

test('a calendar has the language that the browser of its member preferred, and then the one they choose', async (t) => {
  const { url, databaseUrl } = await gardenWithAda(t, { LANGUAGE: 'en' });
  const ada = browser(url, { 'Accept-Language': 'ja' });
  await signIn(ada);
  const page = await ada.open('/authentication/account/reminders/');
  assert.equal(langOf(page.text), 'ja');
  await ada.submit({ name: 'share', value: 'calendar' });
  const { store } = await openGarden(t, databaseUrl);
  assert.equal(await readLanguage(store.reader, 1n), 'ja');
  await choose(ada, 'ru');
  assert.equal(await readLanguage(store.reader, 1n), 'ru');
});

const inLanguage = <T>(tag: string, work: () => T): T =>
  withViewer({ language: languageOf([tag]) ?? assert.fail(tag) }, work);

test('a date that ends in a dot ends its sentence, in text and in markup; other dots stay', () => {
  inLanguage('ru', () => {
    assert.equal(words('season.asOf', { group: 'Пруд', when: '10 янв.' }), 'Пруд, 10 янв.');
    assert.equal(words('season.asOf', { group: 'Пруд', when: '10 мая' }), 'Пруд, 10 мая.');
    assert.equal(words('season.asOf', { group: 'A..b.', when: 'x...' }), 'A..b., x...');
    assert.equal(
      String(richWords('handles.newest', { day: html`<time datetime="x">10 янв.</time>` })),
      '<b>Самая новая посылка: <time datetime="x">10 янв.</time></b>',
    );
    const due = { left: 2, count: 3, when: '10 янв.' };
    assert.match(String(richWords('groups.due.soon', due)), /<b>Срок: 10 янв\.<\/b> Осталось 2/);
  });
  const other = { name: 'foo.', handle: 'bar.' };
  assert.equal(
    words('judgeFailed.otherAtCses', other),
    'foo. confirmed at CSES, but the handle here is bar.. Sign in there as bar., or rename the handle if foo. is your new name there.',
  );
});

test('nought is plural in Brazil', () => {
  const people = [0, 1, 2].map((count) => inLanguage('pt-BR', () => words('groups.count', { count })));
  assert.deepEqual(people, ['0 pessoas', '1 pessoa', '2 pessoas']);
});

test('a quarter has its year once, where the language writes it', () => {
  const quarter = { year: 2026, month: 0, months: 3, from: 20_454, to: 20_543 };
  const names = ['en', 'zh-CN', 'ja', 'ru', 'es', 'pt-BR', 'ko'].map((tag) =>
    inLanguage(tag, () => periodName(quarter)),
  );
  assert.deepEqual(names, [
    'Jan to Mar 2026',
    '2026年1月至3月',
    '2026年1月～3月',
    'янв. – март 2026 г.',
    'ene a mar 2026',
    'jan. a mar. de 2026',
    '2026년 1월~3월',
  ]);
});

test('a note of an import ends in one stop of its language', () => {
  const figures = { read: 1, new: 1, changed: 0, kept: 0, unmatched: 0, bad: 0 };
  const note = serializeLocalizedText({
    localized: message('imported.newHere', { count: 1 }),
    message: 'One problem is new here.',
  });
  const report = JSON.stringify({ figures, notes: [note], badRows: [], hasWritten: true, seconds: 1 });
  const shown = inLanguage('ja', () => String(renderReport({ state: 'imported', report } as UploadsTable)));
  assert.match(shown, /<li>[^<]*問。<\/li>/);
});

test('a stored message with a key of an earlier release is in English, also where it is a part of another', () => {
  const former = { key: 'badSetting.tokens', values: {} } as unknown as Message;
  const english = 'line 1, column 1: the limit is reached.';
  for (const localized of [former, message('badRow.at', { line: 1, column: 1, why: former })]) {
    const shown = inLanguage('ja', () => localizeText({ localized, message: english }));
    assert.equal(shown, english);
  }
});
