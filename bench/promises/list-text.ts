/** The most hostile texts of lists that a member can send are read in seconds, and hold the loop for none. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksAtMost, readListText } from '../../src/importing/list-text.ts';
import { newListPath } from '../../src/web/paths.ts';
import { signIn } from '../../test/support/forms.ts';
import { serve, temporaryDatabase } from '../../test/support/garden.ts';
import { send } from '../../test/support/http.ts';
import { membersNamed } from '../../test/support/members.ts';
import { ownMs } from '../../test/support/processes.ts';

const bytesAtMost = 1024 * 1024;
const filled = (piece: (n: number) => string) => {
  const pieces: string[] = [];
  for (let [n, length] = [0, 0]; length < bytesAtMost - 60; n++) {
    const one = piece(n);
    pieces.push(one);
    length += one.length;
  }
  return pieces.join('');
};
const escaped = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const listed = (piece: (n: number) => string) => filled(piece).replace(/,$/, '');

const texts: Readonly<Record<string, string>> = {
  'a course with escaped keys': `{"set_list":[{"title":"t","problems":[${listed((n) => `{"problem_id":"${escaped(`a${n % 9000}`)}"},`)}]}]}`,
  'modules with escaped names': `{${listed((n) => `"${escaped(`m${n % 9000}`)}":[{"url":"http://a.b/${n % 9000}"}],`)}}`,
  'modules whose names are numbers': `{${listed((n) => `"${9000 - (n % 9000)}":[{"url":"u${n}"}],`)}}`,
  patterns: `[${listed((n) => `{"pattern":"\\u0070${n}","link":"\\u006c${n}"},`)}]`,
  'short addresses': filled((n) => `a.bc/${n % 10} `),
  addresses: filled((n) => `https://codeforces.com/contest/${n}/problem/A\n`),
  dots: filled(() => 'a.'),
  'half addresses': filled(() => 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'),
  'open tags': filled(() => '<h1 '),
  'open headings': filled(() => '<h1>'),
  brackets: filled(() => '[a]('),
  lines: filled(() => '\n'),
  colons: filled(() => 'a:\n'),
  hashes: filled(() => '# a\n'),
  bold: filled(() => '**a**\n'),
  spaces: filled(() => ' '),
  deep: filled(() => '['),
  quotes: `"${filled(() => '\\"')}`,
  'own markdown': `<!-- practice-list/1 -->\n${filled(() => '- [\\\\](x) `a/b` — ')}`,
  'one word': filled(() => 'a'),
};

test('no text of a list takes long to read', async () => {
  for (const [what, text] of Object.entries(texts)) {
    const ms = await ownMs(() => readListText(text));
    assert(ms < 5_000, `${what}: ${Math.round(ms)} ms`);
  }
  assert.equal(readListText('a.bc/1 '.repeat(linksAtMost + 1)), undefined);
});

test('a server answers others while it reads the largest texts of lists', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada');
  const { url } = await serve(t, { databaseUrl });
  const member = await signIn(url, 'ada');
  for (const what of ['modules with escaped names', 'patterns', 'short addresses', 'addresses', 'lines']) {
    const bytes = texts[what] as string;
    await member.open(newListPath);
    let held = 0;
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const started = performance.now();
        await send(url, '/health/');
        held = Math.max(held, performance.now() - started);
      }
    })();
    const began = performance.now();
    const page = await member.submit({ name: 'file' }, { file: { name: 'a.txt', bytes } });
    const whole = performance.now() - began;
    isOver = true;
    await asking;
    assert([200, 422].includes(page.status), `${what}: ${page.status}`);
    const said = `${what}: held for ${Math.round(held)} of ${Math.round(whole)} ms`;
    t.diagnostic(said);
    assert(held < Math.max(whole / 2, 1_000), said);
  }
});
