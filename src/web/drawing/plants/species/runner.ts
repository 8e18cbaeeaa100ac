/**
 * Phaseolus avarus, for greedy algorithms: the bean leaps to the tallest cane within reach, and for one plant in
 * four a taller one stands just too far off.
 */
import { interpolate, type Sketch } from '../sketch.ts';

interface Cane {
  foot: number;
  head: number;
  top: number;
}

export function runner(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 380, 430);
  const height = fullHeight * sketch.height();
  const mirror = sketch.randomSign('mirror');
  const canes = ([0.36, 0.66, 1, 1.08] as const).map((part, index): Cane => {
    const [foot, head] = (
      [
        [-86, -66],
        [-24, -12],
        [40, 44],
        [126, 120],
      ] as const
    )[index] ?? [0, 0];
    return {
      foot: mirror * (foot + sketch.random('foot', index, -8, 8)),
      head: mirror * (head + sketch.random('head', index, -8, 8)),
      top: fullHeight * part * sketch.random('part', index, 0.93, 1.03),
    };
  }) as [Cane, Cane, Cane, Cane];
  const xAt = ({ foot, head }: Cane, y: number) => interpolate(foot, head, y / fullHeight);
  for (const cane of canes.slice(0, sketch.random('far') < 0.25 ? 4 : 3)) {
    const tall = Math.min(cane.top + 22, height + 64);
    sketch.addLine(0, 'lc', 9, ['M', cane.foot, 0, 'L', xAt(cane, tall), -tall]);
  }
  let [at, y] = [0, 0];
  for (let turn = 0; y < Math.min(height, canes[2].top); turn++) {
    const cane = canes[at] as Cane;
    const isBefore = turn % 2 === 0;
    const side = isBefore ? -1 : 1;
    const out = (turn >> 1) % 2 === 1 ? 1 : -1;
    const next = Math.min(y + 34, height, cane.top);
    const x = xAt(cane, y);
    sketch.addCurve(isBefore ? 1 : -0.1, 'ls', 10, [
      ...([x - side * 9, -y] as const),
      ...([x + side * 3, -(y + next) / 2 - 10] as const),
      ...([xAt(cane, next) + side * 9, -next] as const),
    ]);
    organs(sketch, turn, { x, y, out, up: y / fullHeight });
    if (next >= height) break;
    y = next;
    if (y < cane.top || at > 1) continue;
    const lift = Math.min(height - y, 20);
    const to = canes[++at] as Cane;
    const from = xAt(cane, y);
    sketch.addCurve(1, 'ls', 10, [
      ...([from + side * 9, -y] as const),
      ...([(from + xAt(to, y)) / 2, -y - 50] as const),
      ...([xAt(to, y + lift) - mirror * 9, -y - lift] as const),
    ]);
    y += lift;
  }
}

interface Node {
  x: number;
  y: number;
  out: 1 | -1;
  up: number;
}

function organs(sketch: Sketch, turn: number, { x, y, out, up }: Node): void {
  const birth = sketch.growthAtHeight(up) - 0.03;
  const isOdd = turn % 2 === 1;
  sketch.addSymbol(isOdd ? 2 : 0.5, 'tri', [x + out * 9, -y - 14], sketch.age(birth, 0.2), {
    rotation: out * sketch.random('tri', turn, 38, 84),
    birth,
  });
  const open = sketch.age(0.66 + 0.22 * up, 0.12);
  if (isOdd)
    sketch.addSymbol(3, 'pea', [x - out * 14, -y - 10], open, { rotation: -out * sketch.random('pea', turn, 26, 58) });
  const ripe = sketch.age(1.02 + 0.5 * sketch.random('ripe', turn), 0.3);
  if (!isOdd && y > 70)
    sketch.addLeaf(2.5, [x - out * 16, -y], 180 + out * 6, [100 * ripe, 15], {
      bend: out * 0.12,
      paints: ['gk', 'gf'],
    });
}
