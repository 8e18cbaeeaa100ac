/** Flora fortuita, for all other topics: each stem is a short random walk. */
import { type Curve, cos, facing, pointOnCurve, type Sketch, sin } from '../sketch.ts';

const flowers = [
  ['daisy', 'cream'],
  ['poppy', 'coral'],
  ['squill', 'blue'],
] as const;

export function meadow(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 330, 410);
  for (let index = 0; index < 12; index++) {
    const birth = index * 0.065 - 0.28;
    const direction = sketch.random('blade', index, -36, 36);
    const length = sketch.age(birth, 0.36) * sketch.random('length', index, 100, 190) * (0.5 + 0.5 * sketch.height());
    const from = sketch.random('from', index, -40, 40);
    sketch.addLeaf(index % 3, [from, 0], direction, [length, 9 + length * 0.065], { bend: direction / 130, birth });
  }
  for (let index = 0; index < sketch.randomInteger('stems', 0, 5, 7); index++) stem(sketch, index, fullHeight);
}

function stem(sketch: Sketch, index: number, fullHeight: number): void {
  const birth = 0.05 + 0.05 * index;
  const age = sketch.age(birth, 0.56);
  if (age === 0) return;
  const isOdd = index % 2 === 1;
  const direction = (isOdd ? 1 : -1) * sketch.random('stem', index, 2, 24);
  const foot = sketch.random('foot', index, -32, 32);
  const [x, y] = facing(direction, foot)(fullHeight * sketch.random('tall', index, 0.6, 1) * age);
  const curve: Curve = [foot, 0, foot + sketch.random('walk', index, -24, 24), y * 0.55, x, y];
  sketch.addCurve(1.2, 'ls', 8, curve);
  const middle = pointOnCurve(curve)(0.5);
  for (const side of [-1, 1])
    sketch.addLeaf(index % 3, [middle.x, middle.y], direction + side * 38, [76 * age, 18 * age], { birth });
  sketch.addLeaf(2.8, [x - sin(direction) * 14, y + cos(direction) * 14], direction, [36 * age, 17 * age]);
  const [symbol, tone] = flowers[(sketch.randomInteger('kind', index, 0, 2) + index) % 3] ?? flowers[0];
  const open = sketch.age(0.62 + 0.025 * index, 0.18);
  sketch.addSymbol(3, symbol, [x, y], open, { rotation: direction, className: sketch.isResting ? '' : tone });
  const ripe = sketch.age(1.02 + 0.12 * index, 0.3);
  const beside = facing(direction * 1.5 + (isOdd ? 16 : -16), middle.x, middle.y);
  const [podX, podY] = beside(110 * ripe);
  if (ripe > 0) sketch.addLine(0.8, 'ls', 6, ['M', middle.x, middle.y, 'L', podX, podY]);
  const pod = { shape: 'spoon', paints: ['gk', 'gf'] } as const;
  sketch.addLeaf(2.7, [podX, podY + 4], direction * 1.5, [36 * ripe, 17 * ripe], pod);
}
