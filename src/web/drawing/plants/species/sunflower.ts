/**
 * Helianthus aureus, for mathematics: seeds by the golden angle, and 13, 21 or 34 rays, which are Fibonacci
 * numbers.
 */
import { type Curve, cos, facing, goldenAngle, interpolate, pointOnCurve, type Sketch, sin } from '../sketch.ts';

const seeds = 34;
const ripeAtMost = 21;

export function sunflower(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 370, 452);
  const height = fullHeight * sketch.height();
  const lean = sketch.random('lean', 0, -30, 30);
  const curve: Curve = [0, 0, -lean * 0.7, -height * 0.55, lean * sketch.height(), -height];
  const at = (up: number) => pointOnCurve(curve)(Math.min(1, (up * fullHeight) / Math.max(height, 1)));
  sketch.addStem(1, curve, interpolate(7, 15, sketch.age(0, 1)), interpolate(6, 9, sketch.age(0, 1)));
  seedLeaves(sketch, at(0.13));
  leaves(sketch, at);
  const top = at(1);
  const bud = Math.max(sketch.age(0.45, 0.5), 0.24 * sketch.age(0.1, 0.4));
  const tip = { birth: sketch.growth - 0.05 };
  for (const side of [-1, 1]) {
    const direction = side * interpolate(24, 64, sketch.age(0.5, 0.4));
    sketch.addLeaf(2, [top.x, top.y + 10], direction, [52 * sketch.age(0.02, 0.2), 17], tip);
  }
  head(sketch, top.x, top.y - 8 * bud, {
    size: sketch.random('head', 0, 0.86, 1.02),
    bud,
    open: sketch.age(0.72, 0.28),
    turn: lean * 0.4,
    ripens: ripeAtMost,
  });
  for (const [index, birth] of [1.02, 1.4].entries()) {
    const age = sketch.age(birth, 0.5);
    const side = (index === 1 ? -1 : 1) * sketch.randomSign('branch');
    const { x, y } = at(0.5 + 0.12 * index);
    const end = [x + side * 104 * age, y - (70 + 10 * index) * age] as const;
    if (age > 0) sketch.addStem(0.9, [x, y, x + side * 84 * age, y - 4, ...end], 7, 6);
    head(sketch, ...end, { size: 0.5, bud: age, open: age, turn: side * 14, ripens: 0 });
  }
}

function seedLeaves(sketch: Sketch, { x, y }: { x: number; y: number }): void {
  for (const side of [-1, 1]) {
    const direction = side * interpolate(40, 72, sketch.age(0, 0.3));
    sketch.addLeaf(2, [x, y], direction, [50 * sketch.age(-0.05, 0.14), 18], { shape: 'spoon' });
  }
}

function leaves(sketch: Sketch, at: ReturnType<typeof pointOnCurve>): void {
  const around = sketch.random('around', 0, 0, 360);
  for (let index = 0; index < 8; index++) {
    const up = 0.2 + 0.09 * index;
    const birth = sketch.growthAtHeight(up) * 0.92;
    const side = cos(around + index * goldenAngle);
    const { x, y } = at(up);
    // A leaf that points toward the viewer looks shorter.
    const foreshortening = 0.66 + 0.34 * Math.abs(side);
    const size =
      sketch.age(birth) * interpolate(132, 78, index / 8) * sketch.random('leaf', index, 0.88, 1.1) * foreshortening;
    const direction = (side < 0 ? -1 : 1) * interpolate(100, 60, index / 8) * (0.55 + 0.45 * Math.abs(side));
    const depth = sin(around + index * goldenAngle) > 0 ? 2 : 0;
    sketch.addLeaf(depth, [x, y], direction, [size, size * 0.38], {
      shape: 'heart',
      bend: side < 0 ? -0.14 : 0.14,
      birth,
    });
  }
}

interface Head {
  size: number;
  bud: number;
  open: number;
  turn: number;
  ripens: number;
}

function head(sketch: Sketch, x: number, y: number, { size, bud, open, turn: rotation, ripens }: Head): void {
  const rays = `rays${[13, 21, 34][sketch.randomInteger('rays', 0, 0, 2)]}`;
  sketch.addSymbol(3, 'sepals', [x, y], size * bud * 0.66, { rotation });
  const raySize = open > 0 ? size * bud * (0.4 + 0.6 * open) : 0;
  sketch.addSymbol(3.1, rays, [x, y], raySize, { rotation, scaleY: 0.95 });
  const radius = size * bud * 40;
  sketch.addDot(3.2, 'lh', radius * 2, x, y);
  sketch.addDot(3.3, 'l3', radius * interpolate(1.9, 0.5, open), x, y);
  sketch.addSymbol(3.4, 'seeds', [x, y], open > 0.3 ? radius / 40 : 0);
  for (let index = seeds - 1; index >= seeds - ripens * (sketch.growth - 1); index--) {
    const place = facing(index * goldenAngle, x, y)(Math.sqrt((index + 0.5) / seeds) * radius * 0.9);
    sketch.addDot(3.5, 'lk', radius * 0.17, ...place);
  }
}
