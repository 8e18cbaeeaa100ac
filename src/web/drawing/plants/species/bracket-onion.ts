/** Allium parens, for implementation: leaves come in nested pairs like brackets. */
import { interpolate, type Sketch } from '../sketch.ts';

const pairs = [
  { birth: -0.08, tall: 230, out: 40, tip: 6 },
  { birth: 0.1, tall: 196, out: 82, tip: 50 },
  { birth: 0.26, tall: 158, out: 118, tip: 104 },
  { birth: 0.42, tall: 112, out: 140, tip: 150 },
] as const;

/** The last two stalks are its fruit. */
const stalks = [
  { side: 0, part: 1, birth: 0.2 },
  { side: -1, part: 0.8, birth: 0.42 },
  { side: 1, part: 0.88, birth: 0.52 },
  { side: -1, part: 0.5, birth: 1.02 },
  { side: 1, part: 0.56, birth: 1.35 },
] as const;

export function bracketOnion(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 370, 440);
  const lush = sketch.random('lush', 0, 0.84, 1.1);
  for (const [index, pair] of pairs.entries()) {
    const age = sketch.age(pair.birth, 0.34);
    if (age === 0) continue;
    const greens = index % 2 === 1 ? ['g1', 'g3'] : ['g2', 'g4'];
    const [dark = '', bright = ''] = sketch.isNew(pair.birth) ? ['gm', 'gn'] : greens;
    for (const side of [-1, 1]) {
      const tall = pair.tall * lush * (0.15 + 0.85 * age) * sketch.random('tall', index * 2 + side, 0.9, 1.06);
      const out = side * pair.out * (0.3 + 0.7 * age);
      const [tip, x] = [side * pair.tip * age, side * (3 + 4 * index)];
      const half = (wide: number) => [
        ...['M', x, 0, 'Q', x + out, -tall * 0.62, tip, -tall],
        ...['Q', x + out + wide, -tall * 0.56 - wide * side * 0.5, x + wide * 0.5, 0],
      ];
      sketch.addPath(1.6 - index * 0.3, bright, half(-13 - 13 * age));
      sketch.addPath(1.6 - index * 0.3, dark, half(13 + 13 * age));
    }
  }
  const flip = sketch.randomSign('flip');
  for (const [index, { side, part, birth }] of stalks.entries()) {
    const age = sketch.age(birth, 0.46);
    if (age === 0) continue;
    const isFruit = index > 2;
    const top = fullHeight * part * (0.06 + 0.94 * age) * sketch.random('part', index, 0.9, 1.05);
    const x = flip * (side * (isFruit ? 124 : 84) + sketch.random('stalk', index, -14, 14)) * age;
    sketch.addStem(0.2, [0, 0, x * 0.2, -top * 0.6, x, -top], 11, 8);
    const size = (isFruit ? 0.42 : 0.62) * sketch.random('globe', index, 0.86, 1.08);
    sketch.addSymbol(3, 'globe', [x, -top], interpolate(0.2, size, sketch.age(Math.max(0.6, birth), 0.4)) * age);
  }
}
