/** Templates of pages: values are escaped, and white space that only indents a template is not sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../src/web/markup.ts';

const sent = (markup: unknown) => String(markup);

test('a line break with its indentation sends nothing between elements and values', () => {
  const items = ['a', 'b'].map((text) => html`<li>${text}</li>`);
  assert.equal(
    sent(html`
      <ul>
        ${items}
        <li>c</li>
      </ul>`),
    '<ul><li>a</li><li>b</li><li>c</li></ul>',
  );
});

test('it sends one blank between two words, and one between two attributes', () => {
  assert.equal(
    sent(html`
      <p
        class="soft"
        id="x"
      >
        two words
        and two more
      </p>`),
    '<p class="soft" id="x">two words and two more</p>',
  );
});

test('blanks within a line, values, quoted attributes and preformatted text are sent as they are', () => {
  assert.equal(
    sent(html`<b>${'1  2\n 3'}</b> <i title="a
  b"></i><pre>
 x
</pre>`),
    '<b>1  2\n 3</b> <i title="a\n  b"></i><pre>\n x\n</pre>',
  );
});

test('values are escaped, in text and in attributes', () => {
  assert.equal(sent(html`<p title="${'"<'}">${'<b>&'}</p>`), '<p title="&quot;&lt;">&lt;b&gt;&amp;</p>');
});

test('a line break where a blank may or may not be meant is refused', () => {
  assert.throws(
    () => html`<p>a word
      ${'value'}</p>`,
    /line break beside a word/,
  );
  assert.throws(
    () => html`<p>a word
      <b>bold</b></p>`,
    /line break beside a word/,
  );
  assert.throws(
    () => html`<p><b>bold</b>
      a word</p>`,
    /line break beside a word/,
  );
  assert.throws(
    () => html`<label><input type="checkbox">
      a word</label>`,
    /line break beside a word/,
  );
  assert.equal(
    sent(html`
      <div>
        <p>one</p>
        two<br>
        three
      </div>`),
    '<div><p>one</p>two<br>three</div>',
  );
});
