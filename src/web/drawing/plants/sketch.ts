/**
 * The sheet on which a species draws one plant: its dice, its growth, and leaves, stems and symbols in layers. Every
 * organ has a birth, and from then on only ages, so a plant that grows loses nothing.
 */
import { diceOf, type Pick } from './dice.ts';
import { type Curve, clamp, cos, looking, type Point, sin } from './geometry.ts';
import { lineOf, newPen, type Path, type Pen, short, write } from './shape-paths.ts';

/** What a drawing depends on beside the species. */
export interface Growing {
  id: bigint;
  /** From a seed, 0, over full bloom, 1, to laden with fruit, 2. */
  growth: number;
  /** The part of the growth that came today. */
  today?: number;
  isResting?: boolean;
}

export type Draw = (sketch: Sketch) => void;

/** The two handles of one side of a leaf, as shares of its length and half width; `lance` has one handle. */
const leafShapes = {
  lance: [0.42, 1.35],
  ovate: [0, 1.15, 0.7, 0.95],
  heart: [-0.22, 1.25, 0.62, 1.05],
  spoon: [0.45, 0.35, 0.95, 1.5],
} as const;
export type LeafShape = keyof typeof leafShapes;

interface Leaf {
  shape?: LeafShape;
  bend?: number;
  birth?: number;
  /** The classes of the dark and the bright half, where they are not the greens of the depth. */
  paints?: readonly [dark: string, bright: string];
}

interface Use {
  turn?: number;
  wide?: number;
  flat?: number;
  birth?: number;
  /** A class. */
  tone?: string;
}

/** How far a symbol reaches from its foot, where that is not about 80. */
const reachOf: Readonly<Record<string, number>> = {
  frond: 330,
  spored: 330,
  pad: 100,
  tri: 50,
  fan: 20,
  blossom: 29,
  clematis: 42,
  grape: 0,
  apple: 0,
};
const usualReach = 80;

/** An organ that is always there. */
const unborn = -1;
/** The name under which the symbols of a depth stand, behind all paints in their order. */
const symbolPaint = '~';

export class Sketch {
  readonly pick: Pick;
  readonly growth: number;
  readonly isResting: boolean;
  /** The names of the symbols that the drawing uses. */
  readonly symbols = new Set<string>();
  /** The highest point. */
  top = 0;
  topX = 0;
  readonly #today: number;
  readonly #layers = new Map<number, Map<string, Pen>>();

  constructor({ id, growth, today = 0, isResting = false }: Growing) {
    this.pick = diceOf(id);
    this.growth = growth;
    this.isResting = isResting;
    this.#today = today;
  }

  /** A whole number from `low` to `high`. */
  whole(name: string, index: number, low: number, high: number): number {
    return Math.floor(this.pick(name, index, low, high + 1));
  }

  sign(name: string, index = 0): 1 | -1 {
    return this.pick(name, index) < 0.5 ? -1 : 1;
  }

  /** How far an organ has come, 0 to 1, by a smoothstep. It never falls when growth rises. */
  age(birth: number, span = 0.25): number {
    const passed = clamp((this.growth - birth) / span);
    return passed * passed * (3 - 2 * passed);
  }

  /** The present part of the final height: quick at first, so that a first solve already shows. */
  height(): number {
    const left = 1 - clamp(this.growth / 0.92);
    return 0.13 + 0.87 * (1 - left * left);
  }

  /** The growth at which `height` reaches this part. */
  bornAt(part: number): number {
    return 0.92 * (1 - Math.sqrt(1 - clamp((part - 0.13) / 0.87)));
  }

  /** Whether an organ grew most today: born lately, and long enough ago to be seen. */
  isNew(birth: number): boolean {
    const old = this.growth - birth;
    return this.#today > 0 && old > 0.03 && old < 0.1 + Math.max(this.#today, 0.06);
  }

  /** Marks a path. All of one depth and paint share an element. */
  put(depth: number, paint: string, path: Path): void {
    this.#reach(path[1] as number, path[2] as number);
    this.#reach(path.at(-2) as number, path.at(-1) as number);
    write(this.#layer(depth, paint), path);
  }

  line(depth: number, paint: string, width: number, path: Path): void {
    this.put(depth, lineOf(paint, Math.round(width)), path);
  }

  /** A line along a quadratic curve. */
  bow(depth: number, paint: string, width: number, [x0, y0, ...rest]: Curve): void {
    this.line(depth, paint, width, ['M', x0, y0, 'Q', ...rest]);
  }

  dot(depth: number, paint: string, width: number, x: number, y: number): void {
    if (width >= 1) this.line(depth, paint, width, ['M', x, y, 'L', x, y]);
  }

  /** A stem that tapers along a quadratic curve. */
  stem(depth: number, [x0, y0, cx, cy, x1, y1]: Curve, from: number, to: number, paint = 'gs'): void {
    const across = (dx: number, dy: number, width: number): Point => {
      const part = width / 2 / (Math.sqrt(dx * dx + dy * dy) || 1);
      return [-dy * part, dx * part];
    };
    const [ax, ay] = across(cx - x0, cy - y0, from);
    const [mx, my] = across(x1 - x0, y1 - y0, (from + to) / 2);
    const [bx, by] = across(x1 - cx, y1 - cy, to);
    const there = ['M', x0 - ax, y0 - ay, 'Q', cx - mx, cy - my, x1 - bx, y1 - by];
    this.put(depth, paint, [...there, 'L', x1 + bx, y1 + by, 'Q', cx + mx, cy + my, x0 + ax, y0 + ay]);
  }

  /** A leaf, folded along its rib; the half that looks up and left is the bright one. Depth 0 is behind, 2 in front. */
  leaf(
    depth: number,
    x: number,
    y: number,
    direction: number,
    length: number,
    half: number,
    { shape = 'lance', bend = 0, birth = unborn, paints }: Leaf = {},
  ): void {
    if (length < 2) return;
    // A resting plant lets its leaves hang.
    const turned = direction + (this.isResting ? 12 * sin(direction) : 0);
    const ahead = looking(turned, x, y);
    const [far1, wide1, far2 = 0, wide2] = leafShapes[shape];
    const tip = ahead(length, bend * length);
    const handle = (side: number, far: number, wide: number) =>
      ahead(far * length, side * half * wide + bend * length * far * far * 0.6);
    const halfLeaf = (side: number): Path => {
      const first = handle(side, far1, wide1);
      if (wide2 === undefined) return ['M', x, y, 'Q', ...first, ...tip];
      return ['M', x, y, 'C', ...first, ...handle(side, far2, wide2), ...tip];
    };
    const tone = Math.floor(depth) + 1;
    const [dark, bright] = this.isNew(birth) ? ['gm', 'gn'] : (paints ?? [`g${tone}`, `g${tone + 1}`]);
    const bright1 = litSide(turned);
    this.put(depth, bright, halfLeaf(bright1));
    this.put(depth, dark, halfLeaf(-bright1));
  }

  /** A symbol. Most are drawn as large as they get, so a grown organ needs no scale. */
  use(
    depth: number,
    symbol: string,
    x: number,
    y: number,
    size: number,
    { turn = 0, wide = 1, flat = 1, birth = unborn, tone = '' }: Use = {},
  ): void {
    if (size < 0.03) return;
    this.symbols.add(symbol);
    const far = (reachOf[symbol] ?? usualReach) * size;
    this.#reach(x + far * sin(turn), y - far * Math.abs(cos(turn)));
    const [left, top] = [Math.round(x), Math.round(y)];
    const isEven = wide === 1 && flat === 1;
    const scale = isEven ? short(size, 2) : `${short(size * wide, 2)} ${short(size * flat, 2)}`;
    const turned = Math.abs(turn) > 3 ? `rotate(${Math.round(turn)})` : '';
    const scaled = scale === '1' ? '' : `scale(${scale})`;
    const place =
      turned || scaled ? `transform="translate(${left} ${top})${turned}${scaled}"` : `x="${left}" y="${top}"`;
    const hue = this.isNew(birth) ? 'zn' : tone;
    this.#layer(depth, symbolPaint).d += `<use href="#${symbol}"${hue && ` class="${hue}"`} ${place}/>`;
  }

  /** The markup of all layers from back to front; the symbols of a depth lie over its paths. */
  toString(): string {
    const parts: string[] = [];
    for (const [, paints] of [...this.#layers].sort(([one], [other]) => one - other)) {
      for (const [paint, { d }] of [...paints].sort(([one], [other]) => (one < other ? -1 : 1)))
        parts.push(paint === symbolPaint ? d : `<path class="${paint}" d="${d}"/>`);
    }
    // Joined, because it is kept: added up, it would stay in pieces, which each page would go over.
    return parts.join('');
  }

  #layer(depth: number, paint: string): Pen {
    const paints = this.#layers.get(depth) ?? new Map<string, Pen>();
    this.#layers.set(depth, paints);
    const pen = paints.get(paint) ?? newPen();
    paints.set(paint, pen);
    return pen;
  }

  #reach(x: number, y: number): void {
    if (y < this.top) [this.top, this.topX] = [y, x];
  }
}

/** The side of something that points in this direction on which the light falls, which comes from up and left. */
export function litSide(direction: number): 1 | -1 {
  return 0.6 * cos(direction) + 0.8 * sin(direction) > 0 ? -1 : 1;
}
