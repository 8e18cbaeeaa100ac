/**
 * Filix memoriae, for dynamic programming: one frond is drawn and reused by all others. It flowers at full
 * growth, as only legends tell of ferns.
 */
import type { Sketch } from '../sketch.ts';

export function fern(sketch: Sketch): void {
  const count = sketch.randomInteger('fronds', 0, 8, 11);
  const big = sketch.random('big', 0, 0.8, 0.96);
  for (let index = 0; index < count; index++) {
    const birth = (0.78 * index) / count - 0.16;
    const age = sketch.age(birth, 0.34);
    const [side, outer] = [index % 2 === 1 ? 1 : -1, 1 - index / count];
    const spread = side * (3 + 44 * outer * (0.4 + 0.6 * sketch.age(birth, 0.8)));
    const size = sketch.random('size', index, 0.82, 1) * (1 - 0.26 * outer) * age * big;
    const isRipe = sketch.growth > 1.02 + (0.9 * index) / count;
    sketch.addSymbol((index % 3) * 0.4, isRipe ? 'spored' : 'frond', [side * 4, 0], size, {
      rotation: spread + sketch.random('turn', index, -5, 5),
      scaleX: side * (0.5 + 0.5 * age),
      birth,
      className: `z${index % 3}`,
    });
  }
  for (const [index, birth] of [0, 0.25, 0.45].entries()) coil(sketch, index, birth);
  const open = sketch.age(0.7, 0.3);
  if (open === 0) return;
  sketch.addStem(2, [0, 0, 6, -75 - 60 * open, 0, -150 - 120 * open * big], 8, 5);
  const rotation = sketch.random('turn', 99, 0, 45);
  sketch.addSymbol(3, 'fernstar', [0, -150 - 120 * open * big], open, { rotation });
}

function coil(sketch: Sketch, index: number, birth: number): void {
  const age = sketch.age(birth, 0.2);
  const height = (64 + 46 * index) * age * sketch.random('coil', index, 0.9, 1.1);
  const x = sketch.randomSign('side', index) * (6 + 12 * index) * age;
  if (age === 0) return;
  const at = (out: number, down: number) => [x + Math.sign(x) * out * 11 * age, -height + down * 11 * age];
  const over = ['C', ...at(0, -2), ...at(2.6, -2), ...at(2.6, 0)];
  const under = ['C', ...at(2.6, 1.5), ...at(0.9, 1.4), ...at(1, 0)];
  const spiral = [...over, ...under, 'Q', ...at(1.2, -0.7), ...at(1.7, -0.2)];
  const paint = sketch.isNew(birth) ? 'ln' : 'l4';
  sketch.addLine(1.5, paint, 5 + 4 * age, ['M', 0, 0, 'Q', x, -height * 0.5, x, -height, ...spiral]);
}
