/** Aeonium convexum, for geometry: rosettes of kites whose tips are their convex hull. */
import { type Curve, interpolate, petalPaints, pointOnCurve, type Sketch } from '../sketch.ts';

const arms = [
  { side: -1, birth: 0.2, up: 0.62, out: 104, size: 0.7 },
  { side: 1, birth: 0.34, up: 0.42, out: 112, size: 0.74 },
  { side: -1, birth: 0.5, up: 0.12, out: 92, size: 0.52 },
  { side: 1, birth: 0.62, up: 0.02, out: 70, size: 0.46 },
  { side: -1, birth: 1.1, up: -0.06, out: 40, size: 0.36 },
] as const;

/** Stalks with bells; the last two are its fruit. */
const stalks = [
  { side: 1, birth: 0.64, wide: 74, tall: 210 },
  { side: -1, birth: 0.74, wide: 84, tall: 170 },
  { side: 1, birth: 1.1, wide: 134, tall: 128 },
  { side: -1, birth: 1.4, wide: 140, tall: 96 },
] as const;

export function rosettes(sketch: Sketch): void {
  const symbol = `r${[5, 6, 8][sketch.randomInteger('sides', 0, 0, 2)]}`;
  const height = 26 + sketch.random('height', 0, 150, 214) * sketch.age(0.03, 0.6);
  const flip = sketch.randomSign('side');
  const thickening = sketch.age(0, 1);
  sketch.addStem(
    0,
    [0, 0, 6 * flip, -height * 0.5, 0, -height],
    interpolate(12, 26, thickening),
    interpolate(10, 18, thickening),
    'gb',
  );
  for (const [index, { side, birth, up, out, size }] of arms.entries()) {
    const age = sketch.age(birth, 0.35);
    const x = side * flip * out * age * sketch.random('out', index, 0.86, 1.06);
    const y = -height * (up + sketch.random('up', index, -0.06, 0.06)) - 50 * age;
    if (age > 0 && index < 3)
      sketch.addStem(0, [0, -height * up * 0.7, x * 0.7, -height * up * 0.9, x, y + 6], 15, 12, 'gb');
    sketch.addSymbol(index < 2 ? 1 : 2.4, symbol, [x, y], size * age * sketch.random('size', index, 0.84, 1.08));
  }
  const main = sketch.random('main', 0, 0.92, 1.06);
  sketch.addSymbol(2, symbol, [0, -height], interpolate(0.36, main, sketch.age(-0.05, 0.75)));
  for (const { side, birth, wide, tall } of stalks) {
    const age = sketch.age(birth, 0.26);
    const out = side * flip;
    const end = [out * wide * age, -height - tall * age] as const;
    const curve: Curve = [out * 6, -height - 20, out * wide * 0.1, -height - 190 * age, ...end];
    if (age > 0) sketch.addCurve(1.9, 'ls', 8, curve);
    for (let index = 0; index < 5; index++) {
      const { x, y, direction } = pointOnCurve(curve)(0.5 + 0.125 * index);
      const length = 40 * sketch.age(birth + 0.1, 0.22);
      const bell = { shape: 'spoon', paints: petalPaints } as const;
      sketch.addLeaf(3, [x, y], direction + (index % 2 === 1 ? 58 : -58), [length, 15], bell);
    }
  }
}
