/** Symbols that many plants use. Each is rendered once in a process. */
import { type Html, svg } from '../../markup.ts';
import {
  dots,
  facing,
  flower,
  frond,
  globe,
  goldenAngle,
  type LeafShape,
  pad,
  petalPaints,
  pinnae,
  repeat,
  rosette,
  Sketch,
} from './sketch.ts';

type BunchLeaf = readonly [depth: number, direction: number, length: number, half: number, bend?: number, up?: number];

interface Bunch {
  paints?: typeof petalPaints;
  size?: number;
  turn?: number;
}

function bunch(shape: LeafShape, leaves: readonly BunchLeaf[], { paints, size = 1, turn = 0 }: Bunch = {}): Html {
  const sketch = new Sketch({ id: 0n, growth: 1 });
  for (const [depth, direction, length, half, bend = 0, up = 0] of leaves) {
    const options = { shape, bend, ...(paints && { paints }) };
    sketch.addLeaf(depth, [0, -up * size], direction + turn, [length * size, half * size], options);
  }
  return sketch.markup();
}

const mirror = (leaves: readonly BunchLeaf[]) =>
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

const symbols: Readonly<Record<string, () => Html | ''>> = {
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
      repeat(34, (nth) => facing(nth * goldenAngle)(Math.sqrt((nth + 0.5) / 34) * 36)),
    ),
  sepals: () => flower(100, { petals: 13, half: 20, start: 20, paints: ['g2', 'g3'] }),
  frond,
  spored: () => svg`<use href="#frond"/>${dots('lp', 9, pinnae().spores)}`,
  r5: () => rosette(5),
  r6: () => rosette(6),
  r8: () => rosette(8),
  globe,
  pad,
  cup: () => bunch('spoon', cup, { paints: petalPaints, size: 0.46 }),
  fan: () => bunch('lance', fan),
  fanleft: () => bunch('lance', mirror(fan)),
  pea: () =>
    svg`<path class="ls" stroke-width="5" d="M0 0v-67"/>${bunch('spoon', peas, { paints: petalPaints, size: 0.8 })}`,
  hearts: () => bunch('heart', hearts),
  heartsleft: () => bunch('heart', mirror(hearts)),
  pair: () => bunch('ovate', pair),
  sprig0: () => bunch('ovate', sprig, { size: 0.92, turn: -50 }),
  sprig1: () => bunch('ovate', sprig, { size: 0.92 }),
  sprig2: () => bunch('ovate', sprig, { size: 0.92, turn: 50 }),
  tri: () => bunch('heart', three, { size: 0.68 }),
  apple: () =>
    svg`
      <circle class="gk" r="19"/>
      <circle class="gf" r="14" cx="-3" cy="-3"/>
      <path class="lb" stroke-width="4" d="M0-18q1-9 6-14"/>`,
  grape: () =>
    svg`
      <path class="lk" stroke-width="19" d="M-11 0h0m22 2h0m-11 15h0"/>
      <path class="lf" stroke-width="7" d="M-14-4h0m22 2h0m-11 15h0"/>`,
};

const rendered = new Map<string, Html>();

export function symbolMarkup(names: Iterable<string>): Html[] {
  const all = new Set(names);
  if (all.has('spored')) all.add('frond');
  return [...all].sort().map(definition);
}

function definition(name: string): Html {
  let markup = rendered.get(name);
  if (markup === undefined) {
    markup = svg`<g id="${name}">${symbols[name]?.()}</g>`;
    rendered.set(name, markup);
  }
  return markup;
}
