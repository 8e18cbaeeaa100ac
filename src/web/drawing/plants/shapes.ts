/** The shapes of the larger symbols: flowers, the frond, rosettes, the globe of an onion, the pad of a cactus. */
import { along, goldenAngle, looking, mix, type Point, sin } from './geometry.ts';
import { lineOf, type Path, pathElement } from './shape-paths.ts';
import { litSide } from './sketch.ts';

/** Dots of one paint, each a line of no length. */
export function dots(paint: string, width: number, points: readonly Point[]): string {
  const path = points.flatMap((point) => ['M', ...point, 'L', ...point]);
  return pathElement(lineOf(paint, width), path);
}

export const times = <T>(count: number, make: (nth: number) => T) =>
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
export function flower(radius: number, { petals, half, start, heart = 0, rings = 1 }: Flower): string {
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
        path.push('M', ...at(start), 'C', ...at(start + 12, out * 0.85), ...at(80, out), ...at(100 - ring * 3));
    }
    // Outer rings lie behind.
    markup = pathElement('gq', shaded) + pathElement(ring > 0 ? 'gq' : 'gp', bright) + markup;
  }
  return markup + (heart > 0 ? `<circle class="gh" r="${Math.round((heart * radius) / 100)}"/>` : '');
}

/** The halves of a frond's pinnae, and the places of its spores. */
export function pinnae(): { halves: [Path, Path]; spores: Point[] } {
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
      const at = (far: number, wide: number) => ahead(length * far, wide * (length * 0.19 * (1 - far * far * 0.9) + 2));
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
export function frond(): string {
  const [left, right] = pinnae().halves;
  return (
    `${pathElement('gx', left)}${pathElement('gy', right)}<path class="ls" stroke-width="7" d="M0 0Q8-270 ` +
    '92-390"/>'
  );
}

/**
 * A rosette of kites, seen a little from above, each facet lit by where it faces; each ring is turned by half a step.
 */
export function rosette(sides: number): string {
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
export function globe(): string {
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
  return (
    `<circle class="gq" r="78" opacity=".5"/>${pathElement(lineOf('lq', 6), rays)}` +
    `${pathElement(lineOf('lq', 21), shaded)}${pathElement(lineOf('lp', 21), bright)}`
  );
}

/** A pad of prickly pear, 100 long, with its areoles in rows. */
export function pad(): string {
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
  const areoles = rows.flatMap(([up, count]) => times(count, (nth): Point => [(nth - (count - 1) / 2) * 15 - 2, -up]));
  return (
    `${pathElement('gx', outline(32, 0, 100, 0))}${pathElement('gy', outline(26, 9, 94, -2.5))}` +
    `${dots('lt', 5, areoles)}`
  );
}
