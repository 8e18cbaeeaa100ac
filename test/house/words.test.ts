/** The words of the pages, checked both ways: each is used with the values that it asks for, and pages have no words beside them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';
import { terminalMessages } from '../../src/errors.ts';
import { faultsOfMessages, missingFault } from '../../src/words/checking.ts';
import { languageTags } from '../../src/words/languages.ts';
import { parseHtml } from '../support/forms.ts';
import { root } from '../support/garden.ts';
import { textsOfMessage, wantsOf } from '../support/messages.ts';
import { read, sourceFiles } from './support.ts';

const ofPages = Object.entries<string>(JSON.parse(read('src/words/en.json')));
const ofTerminal = Object.entries<string>(terminalMessages);
const messages = new Map([...ofPages, ...ofTerminal]);
const labels = ['title', 'aria-label', 'placeholder', 'alt'];
const commonTags = ['b', 'code', 'faint', 'sr'];

interface Use {
  place: string;
  names: readonly (string | RegExp)[];
  isRich: boolean;
  given: readonly string[];
}

const found = (() => {
  const keys = new Set<string>();
  const uses: Use[] = [];
  for (const path of sourceFiles()) {
    const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) && messages.has(node.text)) keys.add(node.text);
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const { text } = node.expression;
        const [key, values] = text === 'translate' ? node.arguments.slice(1) : node.arguments;
        if (/^(?:words|richWords|localizedError|message|translate)$/.test(text) && key) {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          const place = `${path}:${line + 1}`;
          uses.push({
            place,
            names: namesOf(key),
            isRich: text === 'richWords',
            given: givenBy(values, place),
          });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { keys, uses };
})();

function namesOf(node: ts.Node): (string | RegExp)[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...namesOf(node.whenTrue), ...namesOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  const [span, ...further] = node.templateSpans;
  if (span && further.length === 0) {
    const ends = literalsOf(span.expression);
    if (ends) return ends.map((one) => `${node.head.text}${one}${span.literal.text}`);
  }
  const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return [new RegExp(`^${texts.map((text) => text.replaceAll('.', '[.]')).join('[^.]+')}$`)];
}

/** All texts that an expression may be; undefined where they do not stand in it. */
function literalsOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isIdentifier(node)) {
    const value = valueNamed(node);
    return value === node.parent ? undefined : literalsOf(value);
  }
  if (!ts.isConditionalExpression(node)) return undefined;
  const [yes, no] = [literalsOf(node.whenTrue), literalsOf(node.whenFalse)];
  return yes && no && [...yes, ...no];
}

/** The names of the values that a call gives; an object may have a name in the same file. */
function givenBy(values: ts.Node | undefined, place: string): string[] {
  if (values === undefined || place.startsWith('src/web/words/words.ts')) return [];
  if (ts.isIdentifier(values)) return givenBy(valueNamed(values), place);
  // Only a function that is given its key makes the values of its message from others.
  if (ts.isCallExpression(values)) return [];
  assert(ts.isObjectLiteralExpression(values), `${place} gives values that stand elsewhere`);
  return values.properties.flatMap((property) =>
    ts.isSpreadAssignment(property)
      ? givenBy(property.expression, place)
      : (property.name?.getText() ?? assert.fail(`${place} gives a value without a name`)),
  );
}

function valueNamed(use: ts.Identifier): ts.Node {
  let found: ts.Node = use.parent;
  (function visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && node.name.getText() === use.text && node.pos < use.pos && node.initializer)
      found = node.initializer;
    ts.forEachChild(node, visit);
  })(use.getSourceFile());
  return found;
}

function keysOf(names: Use['names']): string[] {
  return names.flatMap((name) =>
    typeof name === 'string' ? [name] : [...messages.keys()].filter((key) => name.test(key)),
  );
}

test('every message of the pages is sound, and stands alone under a name that says where it belongs', () => {
  for (const [key, message] of [...ofPages, ...ofTerminal]) {
    assert.match(key, /^[a-z]\w*(\.[\w-]+)+$/);
    assert.equal(message, message.trim(), key);
    assert.doesNotMatch(message, /\n| {2}|'/, key);
    const elements = parse(message);
    const { values, tags } = wantsOf(elements);
    if (values.size + tags.size > 0) continue;
    assert.deepEqual(
      elements.map((element) => 'value' in element && element.value),
      [message],
      key,
    );
  }
});

test('every language has a file of its own, and no message in it is wrong; one that is missing is shown in English', () => {
  const files = readdirSync(join(root, 'src/words')).filter((name) => name.endsWith('.json'));
  assert.deepEqual(files.toSorted(), languageTags.map((tag) => `${tag}.json`).toSorted());
  for (const tag of languageTags.filter((one) => one !== 'en')) {
    const messages = JSON.parse(read(`src/words/${tag}.json`));
    const wrong = faultsOfMessages(tag, messages).filter(({ fault }) => fault !== missingFault);
    assert.deepEqual(wrong, [], tag);
    assert.ok(read(`docs/glossary/${tag}.md`).split('\n').length > 40, `the glossary of ${tag}`);
  }
});

test('Chinese and Japanese words have the signs of their own script, without spaces around them', () => {
  const letter = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]';
  const foreign = `(?:^|${letter}) ?[,.;!?](?=\\s|$|${letter})|[,;!?] ?${letter}|${letter}\\(|\\)${letter}`;
  const spaced = '\\s[、。，；：！？）」』”]|[、。，；：！？（「『“]\\s';
  const wrong = new RegExp(`${foreign}|${spaced}`, 'u');
  for (const tag of ['ja', 'zh-CN'])
    for (const [key, message] of Object.entries<string>(JSON.parse(read(`src/words/${tag}.json`))))
      for (const text of textsOfMessage(parse(message)).texts) assert.doesNotMatch(text, wrong, `${tag} ${key}`);
});

// Those of src/practice/members.ts are of the command line and of the start of a server.
test('pages and rules throw only errors with a key, which are shown in the language of the reader', () => {
  const keyless = /\b(?:new AppError|invalidValue|badFile)\(/;
  const isShown = (path: string) => /^src\/(?:web|practice)\//.test(path) && path !== 'src/practice/members.ts';
  assert.deepEqual(
    sourceFiles().filter((path) => isShown(path) && keyless.test(read(path))),
    [],
  );
});

test('every message is shown by some page', () => {
  const used = new Set([...found.keys, ...found.uses.flatMap(({ names }) => keysOf(names))]);
  assert.deepEqual(
    [...messages.keys()].filter((key) => !used.has(key)),
    [],
  );
});

test('every message gets the values and tags that it asks for, and no others', () => {
  const called = new Set<string>();
  for (const { place, names, isRich, given } of found.uses) {
    if (names.length === 0) assert.deepEqual(given, [], `${place} gives values to a key that stands elsewhere`);
    for (const key of keysOf(names)) {
      called.add(key);
      const { values, tags } = wantsOf(parse(messages.get(key) ?? assert.fail(`${place}: ${key}`)));
      const own = [...tags].filter((tag) => !commonTags.includes(tag));
      assert.deepEqual(given.toSorted(), [...values, ...own].sort(), `${place}: ${key}`);
      assert(isRich || tags.size === 0, `${place} shows the tags of ${key}`);
    }
  }
  for (const key of messages.keys()) {
    if (called.has(key)) continue;
    const { values, tags } = wantsOf(parse(messages.get(key) ?? ''));
    assert.deepEqual([...values, ...tags], [], `${key} is shown where nothing is given to it`);
  }
  for (const [key, message] of ofPages) {
    const { values } = wantsOf(parse(messages.get(key) ?? ''));
    assert.deepEqual(
      [...wantsOf(parse(message)).values].filter((one) => !values.has(one)),
      [],
      key,
    );
  }
});

test('pages have no words of their own between tags and in labels, and no colon of one script behind a word', () => {
  const speaking = sourceFiles('src/web/').filter((path) => wordsIn(path).length > 0);
  assert.deepEqual(
    speaking.flatMap((path) => [path, ...wordsIn(path)]),
    [],
  );
});

function wordsIn(path: string): string[] {
  const texts: string[] = [];
  const look = (markup: string) => {
    const isAttribute = /^ ?[a-z-]+(?:="|$)/.test(markup);
    const fragment = parseHtml(isAttribute ? `<i ${markup}></i>` : markup.replace('<!doctype html>', ''));
    for (const code of fragment.querySelectorAll('code, pre, kbd')) code.remove();
    for (const element of fragment.querySelectorAll('*')) {
      for (const label of labels) texts.push(element.getAttribute(label) ?? '');
    }
    texts.push(fragment.textContent);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') look(markupOf(node.template));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true));
  return texts.filter((text) => /[a-z]|: /i.test(text)).map((text) => text.trim());
}

function markupOf(template: ts.TemplateLiteral): string {
  if (!ts.isTemplateExpression(template)) return template.text;
  const isInTag = (before: string) => /<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*$/i.test(before);
  return template.templateSpans.reduce(
    (before, { literal }) => before + (isInTag(before) ? ' ' : '…') + literal.text,
    template.head.text,
  );
}
