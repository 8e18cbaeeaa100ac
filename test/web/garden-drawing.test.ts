/**
 * The drawing of plants: the same data give the same bytes on every machine, a plant that grows loses nothing, and the picture
 * holds nothing that a strict policy refuses or a parser trips over. What somebody's plant looks like is frozen by the digest.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { growthOf, type PlantWithGrowth } from '../../src/practice/garden.ts';
import { allSpecies, type Species, speciesOf } from '../../src/practice/species.ts';
import { emptyGoal } from '../../src/store/plants.ts';
import { drawPlant } from '../../src/web/drawing/plants/drawn-plant.ts';
import { gardenMarkup } from '../../src/web/drawing/plants/garden-picture.ts';
import { plantKinds } from '../../src/web/drawing/plants/kinds.ts';
import { plantPicture } from '../../src/web/drawing/plants/plant-picture.ts';
import { sharePicture } from '../../src/web/drawing/plants/share-picture.ts';
import { Sketch } from '../../src/web/drawing/plants/sketch.ts';
import { shorten, wrapLines } from '../../src/web/drawing/plants/svg-text.ts';
import { symbolMarkup } from '../../src/web/drawing/plants/symbols.ts';
import { parseHtml } from '../support/forms.ts';
import { hasAllLooks } from '../support/looks.ts';

const ids = Array.from({ length: 40 }, (_, nth) => BigInt(nth) * 7919n + 13n);
/** Plants that are drawn at each step of their growth; with `npm test looks`, all. */
const growing = hasAllLooks ? ids : ids.slice(0, 6);
const topics = ['dp', 'graphs', 'trees', 'greedy', 'math', 'strings', 'geometry', 'data structures', 'implementation'];

function grown(own: Partial<PlantWithGrowth>): PlantWithGrowth {
  const plant = { id: 1n, user_id: 1n, name: 'A goal', tag: 'dp', target: 10n, planted_at: '2026-01-01' };
  const ofTopic = { ...emptyGoal, list: undefined };
  const figures = { done: 5, today: 0, inactiveDays: 0, lastAt: null };
  const species = speciesOf(own.tag === undefined ? 'dp' : own.tag);
  return { ...plant, ...ofTopic, species, ...figures, ...own };
}

/** Plants of all topics, in mixed stages unless they share one. */
function plantsOf(count: number, share?: number): PlantWithGrowth[] {
  return Array.from({ length: count }, (_, nth) => {
    const target = [8, 12, 20, 30, 50][nth % 5] ?? 8;
    return grown({
      id: BigInt(nth) * 104729n + 17n,
      name: `Goal <${nth}> & "more"`,
      tag: topics[nth % 10] ?? null,
      target: BigInt(target),
      done: Math.round(target * (share ?? (nth * 0.37) % 1.3)),
      today: nth % 6 === 0 ? 1 : 0,
      inactiveDays: nth % 8 === 0 ? 20 : 3,
      planted_at: `2026-0${1 + (nth % 9)}-01T00:00:00.000Z`,
    });
  });
}

const gardenOf = (plants: readonly PlantWithGrowth[], widths: Record<string, number> = { wide: 1216 }) =>
  String(gardenMarkup(plants, { owner: 'Ada & <Bob>', href: ({ id }) => `/plants/at/${id}/`, widths }));

test('growing by a hundredth at a time to twice its target, a plant loses no shape and no height', () => {
  for (const species of allSpecies) {
    for (const id of growing) {
      let before = new Map<string, number>();
      let top = 0;
      for (let percent = 1; percent <= 200; percent++) {
        const sketch = new Sketch({ id, growth: percent / 100 });
        plantKinds[species].draw(sketch);
        const shapes = shapesIn(String(sketch.markup()));
        const place = `${species} ${id} at ${percent} %`;
        for (const [key, count] of before) assert.ok((shapes.get(key) ?? 0) >= count, `${place} lost ${key}`);
        assert.ok(sketch.top <= top + 1.5, `${place} shrank from ${top} to ${sketch.top}`);
        [before, top] = [shapes, sketch.top];
      }
      assert.ok(before.size > 2, `${species} ${id} is drawn`);
    }
  }
});

test('a plant of a list loses nothing with each problem of the list that is completed', () => {
  for (const problems of [3, 12, 70]) {
    const list = { id: 7n, name: 'Camp', problems: BigInt(problems) };
    for (const id of growing) {
      let before = new Map<string, number>();
      for (let done = 1; done <= problems; done++) {
        const own = { id, tag: null, list_id: 7n, list_name: 'Camp', list, target: BigInt(problems), done };
        const plant = grown(own);
        assert.equal(plant.species, 'meadow');
        const { growth } = growthOf(plant);
        assert.equal(growth, done / problems);
        const sketch = new Sketch({ id, growth });
        plantKinds[plant.species].draw(sketch);
        const shapes = shapesIn(String(sketch.markup()));
        for (const [key, count] of before)
          assert.ok((shapes.get(key) ?? 0) >= count, `${id} at ${done} of ${problems} lost ${key}`);
        before = shapes;
      }
      assert.match(gardenOf([grown({ list_name: 'Camp', list, tag: null })]), />lists</);
      assert.equal(growthOf(grown({ target: BigInt(problems), done: problems })).stage, 'bloom');
    }
  }
});

function shapesIn(markup: string): Map<string, number> {
  const shapes = new Map<string, number>();
  const add = (key: string, count: number) => shapes.set(key, (shapes.get(key) ?? 0) + count);
  for (const [, symbol = ''] of markup.matchAll(/href="#(\w+)"/g)) add(symbol.replace('spored', 'frond'), 1);
  for (const [, paint = '', d = ''] of markup.matchAll(/class="(\w+)[^"]*"[^>]* d="([^"]*)"/g))
    add(paint, d.match(/m/g)?.length ?? 0);
  return shapes;
}

test('every plant stays within its place, whatever its id', () => {
  for (const species of allSpecies) {
    for (const id of [...ids, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const { top, markup } = drawPlant(grown({ id, species, done: 20 }));
      assert.ok(top < -150 && top > -620, `${species} ${id} is ${-top} high`);
      assert.doesNotMatch(String(markup), /NaN|undefined|Infinity|e-\d/, `${species} ${id}`);
    }
  }
});

test('what is released stays: 2,800 plants and all symbols have the digest that they had', () => {
  const digest = createHash('sha256');
  for (const id of ids) {
    for (const species of allSpecies) {
      for (const done of [1, 3, 6, 9, 10, 14, 20]) {
        const { markup, className, size, top, symbols } = drawPlant(grown({ id, species, done }));
        digest.update([markup, className, size.toFixed(6), Math.round(top), ...symbols].join('\n'));
        digest.update(symbolMarkup(symbols).join(''));
      }
    }
  }
  assert.equal(digest.digest('hex').slice(0, 16), 'd5bf106335bda3a7');
});

test('the same id is the same plant, and its neighbour another one, also where doubles end', () => {
  const picture = (id: bigint) => String(plantPicture(grown({ id, done: 10 }))).replaceAll(/id="g-?\d+"/g, '');
  assert.equal(picture(17n), picture(17n));
  for (const id of [17n, 2n ** 53n, -1n, 2n ** 62n, 0n]) assert.notEqual(picture(id), picture(id + 1n), `${id}`);
  assert.notEqual(picture(1n), picture(-1n));
});

test('the topics of judges have their species, and all others are meadows', () => {
  const wanted: [string | null, Species][] = [
    ['dp', 'fern'],
    ['Dynamic Programming', 'fern'],
    ['dfs and similar', 'vine'],
    ['binary-search', 'tree'],
    ['two pointers', 'runner'],
    ['2-sat', 'vine'],
    ['math', 'sunflower'],
    ['range queries', 'cactus'],
    ['', 'meadow'],
    [null, 'meadow'],
    ['constructor', 'meadow'],
    ['interactive', 'meadow'],
  ];
  for (const [topic, species] of wanted) assert.equal(speciesOf(topic), species, String(topic));
});

test('pictures hold nothing inline, nothing foreign and nothing that is missing, from none to sixty plants', () => {
  const share = (plants: readonly PlantWithGrowth[], owner = 'Ada & <Bob>') =>
    sharePicture({ owner, year: 2026, plants, solved: 412 });
  const hostile = ['<script>alert(1)</script>', '"><img onerror=x>', '\u202egnirts', 'a\0b\ud800', '🌱'.repeat(500)];
  const strange = hostile.map((name, nth) => grown({ id: BigInt(nth), name, tag: name, target: 2n ** 63n - 1n }));
  const pictures: Record<string, string> = {
    mixed: gardenOf(plantsOf(60)),
    narrow: gardenOf(plantsOf(60), { wide: 344 }),
    one: gardenOf(plantsOf(1)),
    seed: gardenOf([grown({ done: 0 })]),
    strange: gardenOf(strange),
    alone: String(plantPicture(grown({ name: hostile[1] ?? '' }))),
    share: share(plantsOf(60)).replace(/<style>.*?<\/style>/s, ''),
    shareOfNone: share([]).replace(/<style>.*?<\/style>/s, ''),
    shareOfStrange: share(strange, hostile[0]).replace(/<style>.*?<\/style>/s, ''),
  };
  for (const [name, picture] of Object.entries(pictures)) {
    assert.doesNotMatch(
      picture,
      /style=|<style|<script|<img|javascript:|<filter|<image|onerror=x>|NaN|undefined|Infinity|e-\d|[\0\u202e]/,
      name,
    );
    for (const [, id = ''] of picture.matchAll(/href="#([^"]+)"/g))
      assert.ok(picture.includes(`id="${id}"`), `${name}: ${id} is missing`);
    const named = [...picture.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(named).size, named.length, `${name}: an id stands twice`);
    assert.ok(picture.isWellFormed(), name);
  }
  assert.equal(pictures['mixed']?.match(/<title>/g)?.length, 60);
  assert.match(pictures['strange'] ?? '', /of 9,223,372,036,854,775,807/);
});

test('the whole garden says in words what it shows, and links each plant', () => {
  const plants = plantsOf(24);
  const document = parseHtml(gardenOf(plants));
  const links = document.querySelectorAll('a');
  assert.equal(links.length, 24);
  for (const plant of plants) {
    const link = links.find((one) => one.getAttribute('href') === `/plants/at/${plant.id}/`);
    const told = link?.querySelector('desc')?.textContent ?? '';
    assert.ok(told.startsWith(`${plant.done} of ${plant.target}, `), told);
    assert.equal(told.includes('1 more today'), plant.today > 0, told);
    assert.equal(told.includes('no progress'), plant.inactiveDays >= 14 && plant.today === 0, told);
  }
});

test('a shared picture names no goal, shows nobody resting, and stays from day to day', () => {
  const plants = plantsOf(30);
  const share = (some: readonly PlantWithGrowth[]) =>
    sharePicture({ owner: 'Ada', year: 2026, plants: some, solved: 412 });
  const picture = share(plants);
  assert.doesNotMatch(picture.replace(/<style>.*?<\/style>/s, ''), /Goal|class="rest"|today|waiting|class="lr"/);
  assert.equal(picture, share(plants.map((plant) => ({ ...plant, today: 0, inactiveDays: 90, name: 'x' }))));
  assert.match(picture, /Ada’s garden/);
  assert.match(picture, /412 problems · 30 plants · \d+ in bloom/);
});

test('a garden of 60 plants in mixed stages has at most 120 kB, and its pictures are drawn once for all widths', () => {
  const plants = plantsOf(60);
  const one = gardenOf(plants).length;
  assert.ok(one <= 120_000, `${one} bytes`);
  const all = gardenOf(plants, { wide: 1216, middle: 720, narrow: 344 }).length;
  assert.ok(all <= one * 1.7, `${all} bytes for three widths, ${one} for one`);
});

test('a name is broken where it leaves its place: signs of Han, kana and Hangul take two letters', () => {
  for (const [width, text, ...lines] of [
    [16, 'Prefix sums and differences', 'Prefix sums and', 'differences'],
    [16, 'a  b', 'a b'],
    [16, 'Supercalifragilistic', 'Supercalifragil…'],
    [10, 'one two three four five six seven', 'one two', 'three fou…'],
    [16, '在寒假之前解决五十道动态规划题', '在寒假之前解决五', '十道动态规划题'],
    [16, '冬休みまでに動的計画法の問題を五十問解くこと', '冬休みまでに動的', '計画法の問題を…'],
  ] as const)
    assert.deepEqual(wrapLines(text, width), lines);
  assert.equal(shorten('동적 계획법과 그래프', 12), '동적 계획법…');
  assert.equal(shorten('dynamic programming', 28), 'dynamic programming');
});
