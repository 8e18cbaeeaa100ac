/**
 * Phaseolus avarus, for greedy algorithms: the bean leaps to the tallest cane within reach, and for one plant in
 * four a taller one stands just too far off.
 */
import { mix, type Sketch } from '../sketch.ts';

interface Cane {
  foot: number;
  head: number;
  top: number;
}

export function runner(sketch: Sketch): void {
  const full = sketch.pick('height', 0, 380, 430);
  const height = full * sketch.height();
  const mirror = sketch.sign('mirror');
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
      foot: mirror * (foot + sketch.pick('foot', index, -8, 8)),
      head: mirror * (head + sketch.pick('head', index, -8, 8)),
      top: full * part * sketch.pick('part', index, 0.93, 1.03),
    };
  }) as [Cane, Cane, Cane, Cane];
  const xAt = ({ foot, head }: Cane, y: number) => mix(foot, head, y / full);
  for (const cane of canes.slice(0, sketch.pick('far') < 0.25 ? 4 : 3)) {
    const tall = Math.min(cane.top + 22, height + 64);
    sketch.line(0, 'lc', 9, ['M', cane.foot, 0, 'L', xAt(cane, tall), -tall]);
  }
  let [at, y] = [0, 0];
  for (let turn = 0; y < Math.min(height, canes[2].top); turn++) {
    const cane = canes[at] as Cane;
    const isBefore = turn % 2 === 0;
    const side = isBefore ? -1 : 1;
    const out = (turn >> 1) % 2 === 1 ? 1 : -1;
    const next = Math.min(y + 34, height, cane.top);
    const x = xAt(cane, y);
    sketch.bow(isBefore ? 1 : -0.1, 'ls', 10, [
      ...([x - side * 9, -y] as const),
      ...([x + side * 3, -(y + next) / 2 - 10] as const),
      ...([xAt(cane, next) + side * 9, -next] as const),
    ]);
    organs(sketch, turn, { x, y, out, up: y / full });
    if (next >= height) break;
    y = next;
    if (y < cane.top || at > 1) continue;
    const lift = Math.min(height - y, 20);
    const to = canes[++at] as Cane;
    const from = xAt(cane, y);
    sketch.bow(1, 'ls', 10, [
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
  const birth = sketch.bornAt(up) - 0.03;
  const isOdd = turn % 2 === 1;
  sketch.use(isOdd ? 2 : 0.5, 'tri', [x + out * 9, -y - 14], sketch.age(birth, 0.2), {
    turn: out * sketch.pick('tri', turn, 38, 84),
    birth,
  });
  const open = sketch.age(0.66 + 0.22 * up, 0.12);
  if (isOdd) sketch.use(3, 'pea', [x - out * 14, -y - 10], open, { turn: -out * sketch.pick('pea', turn, 26, 58) });
  const ripe = sketch.age(1.02 + 0.5 * sketch.pick('ripe', turn), 0.3);
  if (!isOdd && y > 70)
    sketch.leaf(2.5, [x - out * 16, -y], 180 + out * 6, [100 * ripe, 15], {
      bend: out * 0.12,
      paints: ['gk', 'gf'],
    });
}
