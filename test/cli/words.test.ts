/** garden words check: a translator learns what a file lacks, and what it has that English does not. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { root, temporaryFolder } from '../support/garden.ts';

test('a whole file is sound, and each fault of another is told by its key', async (t) => {
  const folder = await temporaryFolder(t);
  const english: Record<string, string> = JSON.parse(await readFile(join(root, 'src/words/en.json'), 'utf8'));
  const count = Object.keys(english).length;
  const check = async (name: string, content: unknown, ...flags: string[]) => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return gardenHere(['words', 'check', path, ...flags]);
  };
  const whole = await check('en.json', english);
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal(whole.stdout.trim(), `en: ${count} of ${count} messages, 0 faults`);

  const { 'frame.today': today, ...others } = english;
  assert.ok(today);
  const broken = await check(
    'ru.json',
    {
      ...others,
      'page.titleOf': 'Practice Garden',
      'page.skip': 'Skip {now}',
      'page.foot': ' ',
      'frame.garden': 'an {unclosed',
      'frame.problems': 'Problems ',
      'reminder.streak': '{count, plural, one {#} other {#}}',
      'frame.nothing': 'x',
    },
    '--json',
  );
  assert.equal(broken.code, 1);
  const { language, messages, faults } = JSON.parse(broken.stdout);
  assert.deepEqual([language, messages], ['ru', count]);
  const told = new Map(faults.map(({ key, fault }: { key: string; fault: string }) => [key, fault]));
  assert.equal(told.get('frame.today'), 'It is missing.');
  assert.equal(told.get('page.titleOf'), 'It lacks {title}.');
  assert.equal(told.get('page.skip'), 'English has no {now}.');
  assert.equal(told.get('page.foot'), 'It must be a text.');
  assert.match(String(told.get('frame.garden')), /format of ICU/);
  assert.equal(told.get('frame.problems'), 'Remove the blanks at its ends.');
  assert.equal(told.get('reminder.streak'), '{count} needs the plural few, many.');
  assert.equal(told.get('frame.nothing'), 'English has no such key; remove it.');

  for (const [name, content, said] of [
    ['notes.md.json', {}, /not named after a language/],
    ['it.json', '{"a":', /is not JSON/],
    ['fr.json', '[1]', /one JSON object/],
  ] as const) {
    const { code, stdout, stderr } = await check(name, content);
    assert.notEqual(code, 0, name);
    assert.match(stdout + stderr, said, name);
  }
  const none = await gardenHere(['words', 'check', join(folder, 'de.json')]);
  assert.match(none.stderr, /cannot be read \(ENOENT\)/);
});
