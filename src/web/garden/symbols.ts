/**
 * The symbols: fronds, flowers, rosettes and sprigs, which many plants use. Most are drawn as large as they get. Each is made
 * once in the life of the process.
 */
import { along, goldenAngle, looking, mix, type Point, sin } from './geometry.ts';
import { lineOf, type Path, pathElement } from './paths.ts';
import { type LeafShape, litSide, Sketch } from './sketch.ts';

/** The classes of a petal's shaded and bright half. */
export const petalPaints = ['gq', 'gp'] as const;

/** A leaf of a bunch. */
type BunchLeaf = readonly [
  depth: number,
  direction: number,
  length: number,
  half: number,
  bend?: number,
  up?: number,
];

interface Bunch {
  paints?: typeof petalPaints;
  size?: number;
  turn?: number;
}

/** Leaves or petals at one stalk. */
function bunch(
  shape: LeafShape,
  leaves: readonly BunchLeaf[],
  { paints, size = 1, turn = 0 }: Bunch = {},
): string {
  const sketch = new Sketch({ id: 0n, growth: 1 });
  for (const [depth, direction, length, half, bend = 0, up = 0] of leaves) {
    const more = { shape, bend, ...(paints && { paints }) };
    sketch.leaf(depth, 0, -up * size, direction + turn, length * size, half * size, more);
  }
  return String(sketch);
}

const mirrored = (leaves: readonly BunchLeaf[]) =>
  leaves.map(([depth, direction, length, half, bend = 0]): BunchLeaf => {
    return [depth, -direction, length, half, -bend];
  });

const sprig: BunchLeaf[] = [
  [0, -98, 62, 24],
  [0, 94, 64, 24],
  [1, -58, 76, 27],
  [1, 58, 78, 27],
  [2, -20, 86, 28],
  [2, 22, 84, 28],
];
const fan: BunchLeaf[] = [
  [0, 44, 67, 10, 0.12],
  [1, 78, 80, 11.5, 0.14],
  [2, 112, 74, 10.5, 0.1],
  [1, 142, 52, 9, 0.06],
];
const hearts: BunchLeaf[] = [
  [1, -78, 60, 25, 0],
  [2, 70, 60, 25, 0],
];
const three: BunchLeaf[] = [
  [0, -60, 70, 30, -0.1],
  [1, 58, 70, 30, 0.1],
  [2, 0, 84, 33],
];
const pair: BunchLeaf[] = [
  [1, -58, 62, 22],
  [1, 58, 62, 22],
];
const cup: BunchLeaf[] = [
  [0, -52, 52, 20],
  [0, 52, 52, 20],
  [1, -24, 62, 22],
  [1, 24, 62, 22],
  [2, 0, 60, 24],
];
const peas: BunchLeaf[] = [
  [1, -58, 40, 19, 0, 18],
  [1, 58, 40, 19, 0, 30],
  [1, -52, 38, 18, 0, 46],
  [1, 50, 36, 17, 0, 58],
  [1, -36, 34, 15, 0, 72],
  [1, 16, 34, 14, 0, 84],
];

/** Dots of one paint, each a line of no length. */
function dots(paint: string, width: number, points: readonly Point[]): string {
  const path = points.flatMap((point) => ['M', ...point, 'L', ...point]);
  return pathElement(lineOf(paint, width), path);
}

const times = <T>(count: number, make: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => make(nth));

interface Flower {
  petals: number;
  /** Half the width of a petal, where it begins, and the heart: in hundredths of the radius. */
  half: number;
  start: number;
  heart?: number;
  rings?: number;
}

/** A flower from the front: rings of folded petals around a heart. */
function flower(radius: number, { petals, half, start, heart = 0, rings = 1 }: Flower): string {
  let markup = '';
  for (let ring = 0; ring < rings; ring++) {
    const bright: (string | number)[] = [];
    const shaded: (string | number)[] = [];
    for (let nth = 0; nth < petals; nth++) {
      const ahead = looking(((nth + ring / 2) * 360) / petals);
      const at = (far: number, right = 0) => ahead((far * radius) / 100, (right * radius) / 100);
      for (const [path, out] of [
        [bright, -1.2 * half],
        [shaded, 1.2 * half],
      ] as const)
        path.push(
          'M',
          ...at(start),
          'C',
          ...at(start + 12, out * 0.85),
          ...at(80, out),
          ...at(100 - ring * 3),
        );
    }
    // Outer rings lie behind.
    markup = pathElement('gq', shaded) + pathElement(ring > 0 ? 'gq' : 'gp', bright) + markup;
  }
  return markup + (heart > 0 ? `<circle class="gh" r="${Math.round((heart * radius) / 100)}"/>` : '');
}

/** The halves of a frond's pinnae, and the places of its spores. */
function pinnae(): { halves: [Path, Path]; spores: Point[] } {
  const rib = along([0, 0, 8, -270, 92, -390]);
  const halves: [(string | number)[], (string | number)[]] = [[], []];
  const spores: Point[] = [];
  for (let nth = 0; nth < 15; nth++) {
    const up = 0.1 + (0.9 * nth) / 15;
    const { x, y, direction } = rib(up);
    const length = 92 * (up < 0.3 ? 0.55 + 1.5 * up : (1 - up) * 1.36 + 0.06);
    const teeth = Math.max(3, Math.round(length / 14));
    for (const side of [0, 1] as const) {
      const ahead = looking(direction + (side === 1 ? 1 : -1) * mix(80, 48, up), x, y);
      const at = (far: number, wide: number) =>
        ahead(length * far, wide * (length * 0.19 * (1 - far * far * 0.9) + 2));
      const edge = (wide: number) =>
        times(teeth * 2, (k) => {
          const isNotch = k % 2 === 1;
          return ['L', ...at(((k >> 1) + (isNotch ? 0.85 : 0.5)) / teeth, isNotch ? wide / 2 : wide)];
        });
      halves[side].push('M', x, y, ...edge(1).flat(), 'L', ...at(1.04, 0), ...edge(-1).reverse().flat());
      if (nth > 2 && nth < 13) spores.push(at(0.35, 0), at(0.65, 0));
    }
  }
  return { halves, spores };
}

/** One frond, 400 long: every pinna is the same small frond, set smaller. */
function frond(): string {
  const [left, right] = pinnae().halves;
  return `${pathElement('gx', left)}${pathElement('gy', right)}<path class="ls" stroke-width="7" d="M0 0Q8-270 92-390"/>`;
}

/** A rosette of kites, seen a little from above, each facet lit by where it faces; each ring is turned by half a step. */
function rosette(sides: number): string {
  let markup = '<ellipse class="g1" rx="86" ry="70"/>';
  for (const [ring, far] of [100, 84, 66, 46, 26].entries()) {
    const dark: (string | number)[] = [];
    const bright: (string | number)[] = [];
    for (let nth = 0; nth < sides; nth++) {
      const direction = ((nth + ring / 2) * 360) / sides + 8;
      const ahead = looking(direction);
      const at = (out: number, right = 0): Point => {
        const [x, y] = ahead(out, right);
        return [x, y * 0.8 - ring * 5];
      };
      const half = far * sin(180 / sides) * 1.12;
      for (const side of [-1, 1]) {
        const path = side === litSide(direction) ? bright : dark;
        path.push('M', ...at(0), 'L', ...at(far * 0.7, side * half), 'L', ...at(far));
      }
    }
    const tone = [1, 2, 2, 3, 3][ring] ?? 3;
    markup += pathElement(`g${tone}`, dark) + pathElement(`g${tone + 1}`, bright);
  }
  return markup;
}

/** The globe of an onion: florets on a sphere by the golden angle, brighter where the light falls. */
function globe(): string {
  const rays: (string | number)[] = [];
  const shaded: (string | number)[] = [];
  const bright: (string | number)[] = [];
  for (let nth = 0; nth < 84; nth++) {
    const z = 1 - (2 * nth + 1) / 84;
    const [x, y] = looking(nth * goldenAngle)(Math.sqrt(1 - z * z));
    if (z < -0.15) rays.push('M', 0, 0, 'L', x * 100, y * 100);
    else {
      const isBright = x * -0.5 + y * -0.7 + z * 0.5 > 0.25;
      (isBright ? bright : shaded).push('M', x * 88, y * 88, 'L', x * 88, y * 88);
    }
  }
  return `<circle class="gq" r="78" opacity=".5"/>${pathElement(lineOf('lq', 6), rays)}${pathElement(lineOf('lq', 21), shaded)}${pathElement(lineOf('lp', 21), bright)}`;
}

/** A pad of prickly pear, 100 long, with its areoles in rows. */
function pad(): string {
  const outline = (wide: number, low: number, high: number, dx: number): Path => {
    const at = (across: number, up: number): Point => [dx + wide * across, -high * up];
    const foot: Point = [dx, -low];
    const flank = (side: number): Point => [dx + side * wide * 0.9, -low - 16];
    const left = ['M', ...foot, 'C', ...flank(-1), ...at(-1.35, 0.52), ...at(-1, 0.74)];
    const over = ['C', ...at(-0.72, 1.03), ...at(0.72, 1.03), ...at(1, 0.74)];
    return [...left, ...over, 'C', ...at(1.35, 0.52), ...flank(1), ...foot];
  };
  const rows = [
    [30, 2],
    [48, 3],
    [66, 3],
    [83, 2],
  ] as const;
  const areoles = rows.flatMap(([up, count]) =>
    times(count, (nth): Point => [(nth - (count - 1) / 2) * 15 - 2, -up]),
  );
  return `${pathElement('gx', outline(32, 0, 100, 0))}${pathElement('gy', outline(26, 9, 94, -2.5))}${dots('lt', 5, areoles)}`;
}

const symbols: Readonly<Record<string, () => string>> = {
  blossom: () => flower(29, { petals: 5, half: 50, start: 6, heart: 22 }),
  clematis: () => flower(42, { petals: 6, half: 30, start: 6, heart: 18 }),
  fernstar: () => flower(56, { petals: 8, half: 27, start: 8, heart: 22 }),
  daisy: () => flower(46, { petals: 12, half: 14, start: 18, heart: 30 }),
  poppy: () => flower(40, { petals: 5, half: 50, start: 6, heart: 22 }),
  squill: () => flower(42, { petals: 8, half: 27, start: 8, heart: 22 }),
  rays13: () => flower(100, { petals: 13, half: 17, start: 34, rings: 2 }),
  rays21: () => flower(100, { petals: 21, half: 11, start: 36, rings: 2 }),
  rays34: () => flower(100, { petals: 34, half: 8, start: 40 }),
  seeds: () =>
    dots(
      'lo',
      7,
      times(34, (nth) => looking(nth * goldenAngle)(Math.sqrt((nth + 0.5) / 34) * 36)),
    ),
  sepals: () =>
    flower(100, { petals: 13, half: 20, start: 20 }).replaceAll('gp', 'g3').replaceAll('gq', 'g2'),
  frond,
  spored: () => `<use href="#frond"/>${dots('lp', 9, pinnae().spores)}`,
  r5: () => rosette(5),
  r6: () => rosette(6),
  r8: () => rosette(8),
  globe,
  pad,
  cup: () => bunch('spoon', cup, { paints: petalPaints, size: 0.46 }),
  fan: () => bunch('lance', fan),
  fanleft: () => bunch('lance', mirrored(fan)),
  pea: () =>
    `<path class="ls" stroke-width="5" d="M0 0v-67"/>${bunch('spoon', peas, { paints: petalPaints, size: 0.8 })}`,
  hearts: () => bunch('heart', hearts),
  heartsleft: () => bunch('heart', mirrored(hearts)),
  pair: () => bunch('ovate', pair),
  sprig0: () => bunch('ovate', sprig, { size: 0.92, turn: -50 }),
  sprig1: () => bunch('ovate', sprig, { size: 0.92 }),
  sprig2: () => bunch('ovate', sprig, { size: 0.92, turn: 50 }),
  tri: () => bunch('heart', three, { size: 0.68 }),
  apple: () =>
    '<circle class="gk" r="19"/><circle class="gf" r="14" cx="-3" cy="-3"/><path class="lb" stroke-width="4" d="M0-18q1-9 6-14"/>',
  grape: () =>
    '<path class="lk" stroke-width="19" d="M-11 0h0m22 2h0m-11 15h0"/><path class="lf" stroke-width="7" d="M-14-4h0m22 2h0m-11 15h0"/>',
};

const made = new Map<string, string>();

/** The definitions of these symbols and of those that they use themselves, in the order of their names. */
export function symbolMarkup(names: Iterable<string>): string {
  const all = new Set(names);
  if (all.has('spored')) all.add('frond');
  return [...all].sort().map(definition).join('');
}

function definition(name: string): string {
  let markup = made.get(name);
  if (markup === undefined) {
    markup = `<g id="${name}">${symbols[name]?.()}</g>`;
    made.set(name, markup);
  }
  return markup;
}
