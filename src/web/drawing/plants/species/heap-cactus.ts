/**
 * Opuntia acervata, for data structures: a heap of pads. None is larger than its parent, and they come level by
 * level.
 */
import { facing, interpolate, type LocalAxes, type Sketch } from '../sketch.ts';

interface Pad {
  direction: number;
  fullSize: number;
  on: LocalAxes;
}

const levels = [0, 1, 1, 2, 2, 2, 2] as const;

export function heapCactus(sketch: Sketch): void {
  const count = sketch.randomInteger('pads', 0, 9, 13);
  const flip = sketch.randomSign('flip');
  const pads: Pad[] = [];
  for (let index = 0; index < count; index++) {
    const parent = pads[(index - 1) >> 1];
    const level = levels[index] ?? 3;
    const birth = 0.06 + (0.6 * index) / count;
    const age = parent ? sketch.age(birth, 0.26) : interpolate(0.3, 1, sketch.age(-0.1, 0.7));
    if (age <= 0) break;
    const side = flip * (index % 2 === 1 ? -1 : 1);
    const fullSize = parent
      ? parent.fullSize * sketch.random('less', index, 0.74, 0.86)
      : sketch.random('root', 0, 126, 156);
    const direction = parent
      ? parent.direction * 0.62 + side * sketch.random('turn', index, 18, 32)
      : sketch.random('lean', 0, -6, 6);
    const [x, y] = parent ? parent.on(0.86, side * 0.17) : [0, 6];
    const ahead = facing(direction, x, y);
    const on: LocalAxes = (far, right = 0) => ahead(fullSize * age * far, fullSize * age * right);
    pads.push({ direction, fullSize, on });
    sketch.addSymbol(2 - level * 0.4 + (index % 2) * 0.1, 'pad', [x, y], (fullSize * age) / 100, {
      rotation: direction,
      birth: parent ? birth : -1,
      className: `z${1 + (level % 2)}`,
    });
    if (index >= 3) bloom(sketch, index, direction, on);
  }
}

function bloom(sketch: Sketch, index: number, direction: number, on: LocalAxes): void {
  const open = sketch.age(0.66 + 0.22 * sketch.random('bloom', index), 0.14);
  if (index % 3 > 0 || index < 6) sketch.addSymbol(3, 'cup', on(0.97), open, { rotation: direction });
  for (const side of [-1, 1]) {
    if ((index + side) % 3 === 0) continue;
    const ripe = sketch.age(1.02 + 0.6 * sketch.random('ripe', index * 2 + side), 0.3);
    sketch.addLeaf(2.6, on(0.84, side * 0.27), direction + side * 36, [36 * ripe, 14 * ripe], {
      shape: 'spoon',
      paints: ['gk', 'gf'],
    });
  }
}
