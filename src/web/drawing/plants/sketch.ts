/**
 * The canvas of one plant: random numbers, and leaves, stems and symbols in layers. A part of the plant appears at the
 * growth called its birth and only ages from then on, so a growing plant loses nothing. A paint is a class of
 * kit/palette.ts.
 */
import { attr, type Html, svg } from '../../markup.ts';

/*
 * Random numbers without a state: each depends on the plant's id, a name and an index, so a new one changes no
 * other. Frozen, because a member's plant keeps its looks (docs/decisions/0027-the-garden.md).
 */

/** An avalanche function: each bit of the result depends on each bit of the input. */
function mixBits(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

const hashes = new Map<string, number>();

function hashOf(name: string): number {
  let hash = hashes.get(name);
  if (hash === undefined) {
    hash = 0x811c9dc5;
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
    hashes.set(name, hash);
  }
  return hash;
}

/** A number from `low`, included, to `high`, excluded. */
export type RandomNumber = (name: string, index?: number, low?: number, high?: number) => number;

export function randomSource(id: bigint): RandomNumber {
  const bits = BigInt.asUintN(64, id);
  const seed = mixBits(Number(bits & 0xffffffffn) ^ mixBits(Number(bits >> 32n) ^ 0x9e3779b9));
  return (name, index = 0, low = 0, high = 1) =>
    low + ((high - low) * mixBits(seed ^ hashOf(name) ^ mixBits(index + 0x51ed27))) / 2 ** 32;
}

/*
 * Geometry with equal numbers in every engine: only + − × ÷ √ and a table of sines. A plant is drawn in units of
 * 0.3 px with its foot at 0,0 and up negative. Directions are degrees: 0 is up, 90 right.
 */

export type Point = readonly [x: number, y: number];
export type Curve = readonly [x0: number, y0: number, cx: number, cy: number, x1: number, y1: number];

// No standard fixes the last digit of Math.sin, and a picture must not depend on it.
const sines = Array.from({ length: 362 }, (_, degree) => {
  return Math.round(Math.sin((degree * Math.PI) / 180) * 1e6) / 1e6;
});

export function sin(degrees: number): number {
  const angle = ((degrees % 360) + 360) % 360;
  const low = Math.floor(angle);
  const from = sines[low] as number;
  return from + ((sines[low + 1] as number) - from) * (angle - low);
}

export const cos = (degrees: number) => sin(degrees + 90);

const clamp = (value: number) => Math.min(1, Math.max(0, value));

export const interpolate = (from: number, to: number, share: number) => from + (to - from) * share;

export const goldenAngle = 137.508;

/** Maps a distance ahead, and one to the right, to a point. */
export type LocalAxes = (distance: number, right?: number) => Point;

export function facing(direction: number, x = 0, y = 0): LocalAxes {
  const [s, c] = [sin(direction), cos(direction)];
  return (distance, right = 0) => [x + s * distance + c * right, y - c * distance + s * right];
}

export interface SketchPoint {
  x: number;
  y: number;
  direction: number;
}

/** The returned function maps a share of the way to a point. */
export function pointOnCurve([x0, y0, cx, cy, x1, y1]: Curve): (share: number) => SketchPoint {
  return (share) => {
    const [dx, dy] = [interpolate(cx - x0, x1 - cx, share), interpolate(cy - y0, y1 - cy, share)];
    return {
      x: interpolate(interpolate(x0, cx, share), interpolate(cx, x1, share), share),
      y: interpolate(interpolate(y0, cy, share), interpolate(cy, y1, share), share),
      // Whole degrees, because atan2 may differ between engines in its last digit.
      direction: Math.round((Math.atan2(dx, -dy) * 180) / Math.PI),
    };
  };
}

/** The SVG commands M, L, Q and C, each followed by its absolute points. */
export type Path = readonly (string | number)[];

const pointsOf: Readonly<Record<string, number>> = { M: 1, L: 1, Q: 2, C: 3 };

export interface Pen {
  d: string;
  command: string;
  x: number;
  y: number;
}

const newPen = (): Pen => ({ d: '', command: '', x: 0, y: 0 });

function write(pen: Pen, path: Path): Pen {
  for (let at = 0; at < path.length; ) {
    const command = path[at++] as string;
    let [text, x, y] = ['', 0, 0];
    for (let left = pointsOf[command] ?? 0; left > 0; left--) {
      x = Math.round(path[at++] as number) - pen.x;
      y = Math.round(path[at++] as number) - pen.y;
      text += (x < 0 || text === '' ? '' : ' ') + x + (y < 0 ? '' : ' ') + y;
    }
    if (command === 'L' && x === 0 && y === 0) {
      // A line of no length with round ends is a dot.
      pen.d += 'h0';
      pen.command = '';
    } else {
      const isRepeated = command === pen.command && command !== 'M';
      pen.d += (isRepeated ? (text.startsWith('-') ? '' : ' ') : command.toLowerCase()) + text;
      pen.command = command;
    }
    pen.x += x;
    pen.y += y;
  }
  return pen;
}

interface Stroke {
  width?: number;
  dashes?: string;
}

function pathElement(paint: string, path: Path, stroke: Stroke = {}): Html | '' {
  return path.length > 0 ? pathMarkup(paint, stroke, write(newPen(), path)) : '';
}

const pathMarkup = (paint: string, { width, dashes }: Stroke, { d }: Pen) =>
  svg`<path class="${paint}"${attr('stroke-dasharray', dashes)}${attr('stroke-width', width)} d="${d}"/>`;

export function shortNumber(value: number, decimals: number): string {
  const one = decimals === 3 ? 1000 : 100;
  return String(Math.round(value * one) / one).replace('0.', '.');
}

export interface Growth {
  id: bigint;
  /** 0 is a seed, 1 full bloom, 2 laden with fruit. */
  growth: number;
  today?: number;
  isResting?: boolean;
}

export type Draw = (sketch: Sketch) => void;

/** Control points of one side of a leaf, as shares of its length and half width; `lance` has one. */
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
  /** Classes of the dark and the bright half; by default the greens of the depth. */
  paints?: readonly [dark: string, bright: string];
}

interface SymbolOptions {
  rotation?: number;
  scaleX?: number;
  scaleY?: number;
  birth?: number;
  className?: string;
}

/** How far a symbol extends from its origin, where that is not the default. */
const symbolReach: Readonly<Record<string, number>> = {
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
const defaultReach = 80;

const alwaysBorn = -1;

interface Layer {
  paths: Map<string, { paint: string; stroke: Stroke; pen: Pen }>;
  symbols: Html[];
}

export class Sketch {
  readonly random: RandomNumber;
  readonly growth: number;
  readonly isResting: boolean;
  readonly symbols = new Set<string>();
  top = 0;
  topX = 0;
  readonly #today: number;
  readonly #layers = new Map<number, Layer>();

  constructor({ id, growth, today = 0, isResting = false }: Growth) {
    this.random = randomSource(id);
    this.growth = growth;
    this.isResting = isResting;
    this.#today = today;
  }

  /** Both ends are included. */
  randomInteger(name: string, index: number, low: number, high: number): number {
    return Math.floor(this.random(name, index, low, high + 1));
  }

  randomSign(name: string, index = 0): 1 | -1 {
    return this.random(name, index) < 0.5 ? -1 : 1;
  }

  /** From 0 to 1 by a smoothstep. It never falls when growth rises. */
  age(birth: number, span = 0.25): number {
    const progress = clamp((this.growth - birth) / span);
    return progress * progress * (3 - 2 * progress);
  }

  /** The present part of the final height: quick at first, so that a first solve already shows. */
  height(): number {
    const left = 1 - clamp(this.growth / 0.92);
    return 0.13 + 0.87 * (1 - left * left);
  }

  growthAtHeight(part: number): number {
    return 0.92 * (1 - Math.sqrt(1 - clamp((part - 0.13) / 0.87)));
  }

  /** The part appeared with what was solved today, and is large enough to be seen. */
  isNew(birth: number): boolean {
    const old = this.growth - birth;
    return this.#today > 0 && old > 0.03 && old < 0.1 + Math.max(this.#today, 0.06);
  }

  /** Paths of one depth and paint share an element. */
  addPath(depth: number, paint: string, path: Path, stroke: Stroke = {}): void {
    this.#reach(path[1] as number, path[2] as number);
    this.#reach(path.at(-2) as number, path.at(-1) as number);
    const { paths } = this.#layer(depth);
    const name = [paint, stroke.dashes, stroke.width].join('"');
    const one = paths.get(name) ?? { paint, stroke, pen: newPen() };
    paths.set(name, one);
    write(one.pen, path);
  }

  addLine(depth: number, paint: string, width: number, path: Path, dashes?: string): void {
    this.addPath(depth, paint, path, { width: Math.round(width), ...(dashes && { dashes }) });
  }

  addCurve(depth: number, paint: string, width: number, [x0, y0, ...rest]: Curve): void {
    this.addLine(depth, paint, width, ['M', x0, y0, 'Q', ...rest]);
  }

  addDot(depth: number, paint: string, width: number, x: number, y: number): void {
    if (width >= 1) this.addLine(depth, paint, width, ['M', x, y, 'L', x, y]);
  }

  addStem(depth: number, [x0, y0, cx, cy, x1, y1]: Curve, from: number, to: number, paint = 'gs'): void {
    const offset = (dx: number, dy: number, width: number): Point => {
      const part = width / 2 / (Math.sqrt(dx * dx + dy * dy) || 1);
      return [-dy * part, dx * part];
    };
    const [ax, ay] = offset(cx - x0, cy - y0, from);
    const [mx, my] = offset(x1 - x0, y1 - y0, (from + to) / 2);
    const [bx, by] = offset(x1 - cx, y1 - cy, to);
    const there = ['M', x0 - ax, y0 - ay, 'Q', cx - mx, cy - my, x1 - bx, y1 - by];
    this.addPath(depth, paint, [...there, 'L', x1 + bx, y1 + by, 'Q', cx + mx, cy + my, x0 + ax, y0 + ay]);
  }

  /** Depth 0 is behind, 2 in front. */
  addLeaf(
    depth: number,
    [x, y]: Point,
    direction: number,
    [length, half]: readonly [length: number, half: number],
    { shape = 'lance', bend = 0, birth = alwaysBorn, paints }: Leaf = {},
  ): void {
    if (length < 2) return;
    const rotated = direction + (this.isResting ? 12 * sin(direction) : 0);
    const ahead = facing(rotated, x, y);
    const [far1, wide1, far2 = 0, wide2] = leafShapes[shape];
    const tip = ahead(length, bend * length);
    const handle = (side: number, distance: number, wide: number) =>
      ahead(distance * length, side * half * wide + bend * length * distance * distance * 0.6);
    const halfLeaf = (side: number): Path => {
      const first = handle(side, far1, wide1);
      if (wide2 === undefined) return ['M', x, y, 'Q', ...first, ...tip];
      return ['M', x, y, 'C', ...first, ...handle(side, far2, wide2), ...tip];
    };
    const tone = Math.floor(depth) + 1;
    const [dark, bright] = this.isNew(birth) ? ['gm', 'gn'] : (paints ?? [`g${tone}`, `g${tone + 1}`]);
    const bright1 = brightSide(rotated);
    this.addPath(depth, bright, halfLeaf(bright1));
    this.addPath(depth, dark, halfLeaf(-bright1));
  }

  /** Most symbols are drawn at full size, so a grown organ needs no scale. */
  addSymbol(
    depth: number,
    symbol: string,
    [x, y]: Point,
    size: number,
    { rotation = 0, scaleX = 1, scaleY = 1, birth = alwaysBorn, className = '' }: SymbolOptions = {},
  ): void {
    if (size < 0.03) return;
    this.symbols.add(symbol);
    const distance = (symbolReach[symbol] ?? defaultReach) * size;
    this.#reach(x + distance * sin(rotation), y - distance * Math.abs(cos(rotation)));
    const [left, top] = [Math.round(x), Math.round(y)];
    const isEven = scaleX === 1 && scaleY === 1;
    const scale = isEven ? shortNumber(size, 2) : `${shortNumber(size * scaleX, 2)} ${shortNumber(size * scaleY, 2)}`;
    const rotated = Math.abs(rotation) > 3 ? `rotate(${Math.round(rotation)})` : '';
    const scaled = scale === '1' ? '' : `scale(${scale})`;
    const place =
      rotated || scaled ? svg` transform="translate(${left} ${top})${rotated}${scaled}"` : svg` x="${left}" y="${top}"`;
    const usedClass = this.isNew(birth) ? 'zn' : className;
    this.#layer(depth).symbols.push(svg`<use href="#${symbol}"${attr('class', usedClass || undefined)}${place}/>`);
  }

  markup(): Html {
    const layers = [...this.#layers].sort(([one], [other]) => one - other);
    const parts = layers.map(([, { paths, symbols }]) => {
      const sorted = [...paths].sort(([one], [other]) => (one < other ? -1 : 1));
      return [sorted.map(([, { paint, stroke, pen }]) => pathMarkup(paint, stroke, pen)), symbols];
    });
    return svg`${parts}`;
  }

  #layer(depth: number): Layer {
    const layer = this.#layers.get(depth) ?? { paths: new Map(), symbols: [] };
    this.#layers.set(depth, layer);
    return layer;
  }

  #reach(x: number, y: number): void {
    if (y < this.top) [this.top, this.topX] = [y, x];
  }
}

/** The light comes from the upper left. */
function brightSide(direction: number): 1 | -1 {
  return 0.6 * cos(direction) + 0.8 * sin(direction) > 0 ? -1 : 1;
}

export function dots(paint: string, width: number, points: readonly Point[]): Html | '' {
  const path = points.flatMap((point) => ['M', ...point, 'L', ...point]);
  return pathElement(paint, path, { width });
}

export const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

interface Flower {
  petals: number;
  /** Half the width of a petal, its start, and the heart, in hundredths of the radius. */
  half: number;
  start: number;
  heart?: number;
  rings?: number;
  paints?: readonly [dark: string, bright: string];
}

export const petalPaints = ['gq', 'gp'] as const;

export function flower(
  radius: number,
  { petals, half, start, heart = 0, rings = 1, paints: [dark, light] = petalPaints }: Flower,
): Html {
  const paths: (Html | '')[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const bright: (string | number)[] = [];
    const shaded: (string | number)[] = [];
    for (let index = 0; index < petals; index++) {
      const ahead = facing(((index + ring / 2) * 360) / petals);
      const at = (distance: number, right = 0) => ahead((distance * radius) / 100, (right * radius) / 100);
      for (const [path, out] of [
        [bright, -1.2 * half],
        [shaded, 1.2 * half],
      ] as const)
        path.push('M', ...at(start), 'C', ...at(start + 12, out * 0.85), ...at(80, out), ...at(100 - ring * 3));
    }
    paths.unshift(pathElement(dark, shaded), pathElement(ring > 0 ? dark : light, bright));
  }
  const middle = heart > 0 && svg`<circle class="gh" r="${Math.round((heart * radius) / 100)}"/>`;
  return svg`${paths}${middle}`;
}

export function pinnae(): { halves: [Path, Path]; spores: Point[] } {
  const rib = pointOnCurve([0, 0, 8, -270, 92, -390]);
  const halves: [(string | number)[], (string | number)[]] = [[], []];
  const spores: Point[] = [];
  for (let index = 0; index < 15; index++) {
    const up = 0.1 + (0.9 * index) / 15;
    const { x, y, direction } = rib(up);
    const length = 92 * (up < 0.3 ? 0.55 + 1.5 * up : (1 - up) * 1.36 + 0.06);
    const teeth = Math.max(3, Math.round(length / 14));
    for (const side of [0, 1] as const) {
      const ahead = facing(direction + (side === 1 ? 1 : -1) * interpolate(80, 48, up), x, y);
      const at = (distance: number, wide: number) =>
        ahead(length * distance, wide * (length * 0.19 * (1 - distance * distance * 0.9) + 2));
      const edge = (wide: number) =>
        repeat(teeth * 2, (k) => {
          const isNotch = k % 2 === 1;
          return ['L', ...at(((k >> 1) + (isNotch ? 0.85 : 0.5)) / teeth, isNotch ? wide / 2 : wide)];
        });
      halves[side].push('M', x, y, ...edge(1).flat(), 'L', ...at(1.04, 0), ...edge(-1).reverse().flat());
      if (index > 2 && index < 13) spores.push(at(0.35, 0), at(0.65, 0));
    }
  }
  return { halves, spores };
}

/** Each leaflet is a small frond. */
export function frond(): Html {
  const [left, right] = pinnae().halves;
  return svg`
    ${pathElement('gx', left)}
    ${pathElement('gy', right)}
    <path class="ls" stroke-width="7" d="M0 0Q8-270 92-390"/>`;
}

export function rosette(sides: number): Html {
  const facets: (Html | '')[] = [];
  for (const [ring, distance] of [100, 84, 66, 46, 26].entries()) {
    const dark: (string | number)[] = [];
    const bright: (string | number)[] = [];
    for (let index = 0; index < sides; index++) {
      const direction = ((index + ring / 2) * 360) / sides + 8;
      const ahead = facing(direction);
      const at = (out: number, right = 0): Point => {
        const [x, y] = ahead(out, right);
        return [x, y * 0.8 - ring * 5];
      };
      const half = distance * sin(180 / sides) * 1.12;
      for (const side of [-1, 1]) {
        const path = side === brightSide(direction) ? bright : dark;
        path.push('M', ...at(0), 'L', ...at(distance * 0.7, side * half), 'L', ...at(distance));
      }
    }
    const tone = [1, 2, 2, 3, 3][ring] ?? 3;
    facets.push(pathElement(`g${tone}`, dark), pathElement(`g${tone + 1}`, bright));
  }
  return svg`<ellipse class="g1" rx="86" ry="70"/>${facets}`;
}

/** Florets on a sphere by the golden angle. */
export function globe(): Html {
  const rays: (string | number)[] = [];
  const shaded: (string | number)[] = [];
  const bright: (string | number)[] = [];
  for (let index = 0; index < 84; index++) {
    const z = 1 - (2 * index + 1) / 84;
    const [x, y] = facing(index * goldenAngle)(Math.sqrt(1 - z * z));
    if (z < -0.15) rays.push('M', 0, 0, 'L', x * 100, y * 100);
    else {
      const isBright = x * -0.5 + y * -0.7 + z * 0.5 > 0.25;
      (isBright ? bright : shaded).push('M', x * 88, y * 88, 'L', x * 88, y * 88);
    }
  }
  return svg`
    <circle class="gq" r="78" opacity=".5"/>
    ${pathElement('lq', rays, { width: 6 })}
    ${pathElement('lq', shaded, { width: 21 })}
    ${pathElement('lp', bright, { width: 21 })}`;
}

export function pad(): Html {
  const outline = (wide: number, low: number, high: number, dx: number): Path => {
    const at = (offset: number, up: number): Point => [dx + wide * offset, -high * up];
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
    repeat(count, (index): Point => [(index - (count - 1) / 2) * 15 - 2, -up]),
  );
  return svg`
    ${pathElement('gx', outline(32, 0, 100, 0))}
    ${pathElement('gy', outline(26, 9, 94, -2.5))}
    ${dots('lt', 5, areoles)}`;
}
