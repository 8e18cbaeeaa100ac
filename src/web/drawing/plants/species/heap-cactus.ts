/**
 * Opuntia acervata, for data structures: a heap of pads. None is larger than its parent, and they come level by
 * level.
 */
import { type Ahead, facing, mix, type Sketch } from '../sketch.ts';

interface Pad {
  direction: number;
  full: number;
  on: Ahead;
}

const levels = [0, 1, 1, 2, 2, 2, 2] as const;

export function heapCactus(sketch: Sketch): void {
  const count = sketch.whole('pads', 0, 9, 13);
  const flip = sketch.sign('flip');
  const pads: Pad[] = [];
  for (let index = 0; index < count; index++) {
    const parent = pads[(index - 1) >> 1];
    const level = levels[index] ?? 3;
    const birth = 0.06 + (0.6 * index) / count;
    const age = parent ? sketch.age(birth, 0.26) : mix(0.3, 1, sketch.age(-0.1, 0.7));
    if (age <= 0) break;
    const side = flip * (index % 2 === 1 ? -1 : 1);
    const full = parent ? parent.full * sketch.pick('less', index, 0.74, 0.86) : sketch.pick('root', 0, 126, 156);
    const direction = parent
      ? parent.direction * 0.62 + side * sketch.pick('turn', index, 18, 32)
      : sketch.pick('lean', 0, -6, 6);
    const [x, y] = parent ? parent.on(0.86, side * 0.17) : [0, 6];
    const ahead = facing(direction, x, y);
    const on: Ahead = (far, right = 0) => ahead(full * age * far, full * age * right);
    pads.push({ direction, full, on });
    sketch.use(2 - level * 0.4 + (index % 2) * 0.1, 'pad', [x, y], (full * age) / 100, {
      turn: direction,
      birth: parent ? birth : -1,
      tone: `z${1 + (level % 2)}`,
    });
    if (index >= 3) bloom(sketch, index, direction, on);
  }
}

function bloom(sketch: Sketch, index: number, direction: number, on: Ahead): void {
  const open = sketch.age(0.66 + 0.22 * sketch.pick('bloom', index), 0.14);
  if (index % 3 > 0 || index < 6) sketch.use(3, 'cup', on(0.97), open, { turn: direction });
  for (const side of [-1, 1]) {
    if ((index + side) % 3 === 0) continue;
    const ripe = sketch.age(1.02 + 0.6 * sketch.pick('ripe', index * 2 + side), 0.3);
    sketch.leaf(2.6, on(0.84, side * 0.27), direction + side * 36, [36 * ripe, 14 * ripe], {
      shape: 'spoon',
      paints: ['gk', 'gf'],
    });
  }
}
