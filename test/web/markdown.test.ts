/** Documents as pages: raw HTML is shown and not obeyed, links lead to pages, anchors are those that the documents link to. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { renderNote } from '../../src/web/kit/note.ts';
import { documentPage, firstSentenceOf, listDocuments, targetOf } from '../../src/web/pages/docs/documents.ts';
import { ownMs } from '../support/processes.ts';

const documents = listDocuments('http://localhost:8080/practice');
const api = documents.find(({ file }) => file === 'api.md');
assert.ok(api);

function render(markdown: string): string {
  assert.ok(api);
  const site = { baseUrl: 'http://localhost:8080/practice', basePath: '/practice', language: 'en' };
  return String(documentPage(site, api, documents, markdown)).split(/<\/?article[^>]*>/)[1] ?? '';
}

test('raw HTML and hostile links are shown, not obeyed', () => {
  const page = render(`# A <b>title</b>

<script>alert(1)</script>

Text with <img src=x onerror="alert(2)"> in it, [a link](javascript:alert(3)) and ![a picture](http://x/y.png).

\`\`\`"><script>
</code></pre><script>alert(4)</script>
\`\`\`

| a <i>cell</i> |
|---|
| \`</td>\` |
`);
  assert.doesNotMatch(page, /<(?:script|img|b|i)\b|javascript:|x\/y\.png/);
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(page, /&lt;img src=x onerror=&quot;alert\(2\)&quot;&gt;/);
  assert.match(page, /&lt;script&gt;alert\(4\)/);
  assert.match(page, /a link/);
});

test('formulas of a note are MathML; prices, definitions and what is no TeX stay texts, and many take no time', async () => {
  const note = (text: string) => String(renderNote(text));
  assert.match(
    note('in $O(n_1^2)$ steps'),
    /<math>.*<msubsup><mi>n<\/mi><mn>1<\/mn><mn>2<\/mn><\/msubsup>.*<\/math> steps/,
  );
  assert.match(note('$$\\frac{a}{b}$$'), /<math display="block"><mfrac>/);
  for (const text of [
    'costs $5 or $10',
    '`$a$`',
    '\\$a$',
    '$ a $',
    '$\\frac$',
    '$\\href{javascript:alert(1)}{x}$',
    '$^$',
  ])
    assert.doesNotMatch(note(text), /<math/, text);
  const hostile = note(
    '$\\text{<script>}$ $\\textcolor{red}{"}$ $\\def\\a{\\a\\a}\\a$ $\\rule{99em}{99em}$ $\\style{color:red}{x}$ $<b>&$',
  );
  assert.doesNotMatch(hostile, /<script|<b>|style=|class="tml|<mspace/);
  assert.ok((await ownMs(() => note("$'''''''''''''''''''''''''''''''''''''''$ ".repeat(499)))) < 300);
});

test('pictures of docs/pictures are shown, and no others', () => {
  const page = render('![The week](pictures/today-1440-light.png) ![out](pictures/../x.png) ![far](http://x/y.png)');
  assert.deepEqual(
    [...page.matchAll(/<img [^>]+>/g)].map(([tag]) => tag),
    ['<img src="/practice/docs/pictures/today-1440-light.png" alt="The week" loading="lazy">'],
  );
  assert.match(page, /> out far</);
});

test('links lead to pages, to what is served, or nowhere', () => {
  const page = render(
    '[errors](errors.md#x) [why](decisions/0002-ids.md) [all](decisions) [doc](../openapi.json) [code](../src/main.ts) [here](#ids) [far](https://example.org/?a=1&b=2)',
  );
  const targets = [...page.matchAll(/href="([^"]+)"/g)].map(([, target]) => target);
  assert.deepEqual(targets, [
    '/practice/docs/errors/#x',
    '/practice/docs/decisions/0002-ids/',
    '/practice/docs/decisions/',
    '/practice/openapi.json',
    '#ids',
    'https://example.org/?a=1&amp;b=2',
  ]);
  assert.match(page, / code /);
  assert.ok(api);
  assert.equal(targetOf(api, '//elsewhere.example/docs/api.md', documents), undefined);
});

test('headings have the anchors that the documents link to', () => {
  const page = render('# The page\n\n## `code`, and: more\n\n### Größe 2^63');
  const ids = [...page.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id);
  assert.deepEqual(ids, ['the-page', 'code-and-more', 'größe-263']);
});

test('a summary is the first sentence of the first paragraph', () => {
  const markdown = '# T\n\n```sh\nrun. this\n```\n\n| a. |\n|---|\n\nSee [the\nlist](x.md): `a.b` is one. And more.';
  assert.equal(firstSentenceOf(markdown), 'See the list: a.b is one.');
});

test('a note is Markdown whose HTML, pictures and addresses can do nothing', () => {
  const note = (text: string) => String(renderNote(text));
  const hostile = note(`# A <b>title</b>

<script>alert(1)</script>

<img src=x onerror="alert(2)"> ![a picture](https://pictures.example/y.png)

[one](javascript:alert(3)) [two](data:text/html,x) [three][r] <https://ok.example/?a=1&b="2> me@mail.example

[r]: vbscript:x

\`\`\`"><script>
</code></pre><script>alert(4)</script>
\`\`\`
`);
  assert.doesNotMatch(hostile, /<(?:script|img|b|i|h1|h2)\b|href="(?!https:)/);
  assert.match(hostile, /<a href="https:\/\/pictures\.example\/y\.png" rel="noreferrer">a picture<\/a>/);
  assert.match(hostile, /<h3>A &lt;b&gt;title&lt;\/b&gt;<\/h3>/);
  assert.match(hostile, /one two three/);
  const nested = note(
    '[![p](https://p.example/y.png) & <https://q.example/?a=">">](https://r.example) [![p](https://s.example)](x:y)',
  );
  assert.match(nested, /<p><a href="https:\/\/r.example" rel="noreferrer">p &amp; https:[^<]*<\/a> p<\/p>/);
  const plain = note('first line\nsecond, `O(n)`\n\n- [x] done\n- [ ] **open**\n\n```cpp\na < b\n```');
  assert.match(plain, /first line<br>second, <code>O\(n\)<\/code>/);
  assert.match(plain, /<li>☑ done<\/li>\n<li>☐ <strong>open<\/strong><\/li>/);
  assert.match(plain, /<pre tabindex="0"><code class="language-cpp">a &lt; b/);
});

test('a note of 10,000 marks is shown, at the worst as it was written', () => {
  for (const part of ['[', '*a_', '> ', '`', '![', '<a ', '- ', '|a', '(', '\\['])
    assert.match(String(renderNote(part.repeat(10_000 / part.length))), /class="prose note"/);
});

test('no note of the longest takes long or becomes much longer: wide tables, lists in lists and long runs stay as written', async () => {
  const wide = `${'|a'.repeat(2_500)}\n${'|-'.repeat(2_500)}\n${'x\n'.repeat(10_000)}`;
  const code = Array.from({ length: 360 }, (_, runs) => `${'`'.repeat(runs + 1)}a `).join('');
  const shouted = `${'!'.repeat(2_900)} `.repeat(22);
  const parts = [
    wide,
    code,
    shouted,
    '1. '.repeat(21_845),
    `a${' '.repeat(65_000)}b`,
    `http://a${'?!.,:'.repeat(13_000)}`,
  ];
  const ms = await ownMs(() => {
    for (const part of parts) {
      const shown = String(renderNote(part));
      assert.match(shown, /^<div class="prose note" dir="auto"><pre/);
      assert.ok(shown.length < 2 * part.length, `${shown.length} of ${part.length}`);
    }
  });
  assert.ok(ms < 5_000, `${ms} ms`);
  const table = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(500)}`;
  assert.equal(String(renderNote(table)).match(/<tr>/g)?.length, 501);
  assert.match(String(renderNote('> - 1. one')), /<blockquote>\n<ul>\n<li><ol>/);
  assert.equal(renderNote(table), renderNote(`${table}`), 'a text is rendered once');
});
