/** Shapes as short texts: absolute commands become the shortest relative ones, in whole numbers. */

/** The commands M, L, Q and C of SVG, each with its absolute points behind it. */
export type Path = readonly (string | number)[];

const pointsOf: Readonly<Record<string, number>> = { M: 1, L: 1, Q: 2, C: 3 };

/** What is written of a path so far, and where its end is. */
export interface Pen {
  d: string;
  command: string;
  x: number;
  y: number;
}

export const newPen = (): Pen => ({ d: '', command: '', x: 0, y: 0 });

/** Writes on; a fill needs no command that closes it. */
export function write(pen: Pen, path: Path): Pen {
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

/** A path element; `paint` is its class, and may end the attribute and begin others. */
export function pathElement(paint: string, path: Path): string {
  return path.length > 0 ? `<path class="${paint}" d="${write(newPen(), path).d}"/>` : '';
}

/** The class of a line with its width. */
export const lineOf = (paint: string, width: number) => `${paint}" stroke-width="${width}`;

/** A number with so many decimals at most, and no zero before the point. */
export function short(value: number, decimals: number): string {
  const one = decimals === 3 ? 1000 : 100;
  return String(Math.round(value * one) / one).replace('0.', '.');
}
