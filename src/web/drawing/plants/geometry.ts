/**
 * Angles, points and curves with numbers that are equal in every engine: only + − × ÷ √ and a table of sines.
 * A plant is drawn in units of 0.3 px with its foot at 0,0 and up negative. Directions are degrees: 0 is up, 90 right.
 */

export type Point = readonly [x: number, y: number];
/** A quadratic curve: where it begins, its handle, and where it ends. */
export type Curve = readonly [x0: number, y0: number, cx: number, cy: number, x1: number, y1: number];

// No standard promises the last digit of Math.sin, and a picture must not hang on it.
const sines = Array.from({ length: 362 }, (_, degree) => {
  return Math.round(Math.sin((degree * Math.PI) / 180) * 1e6) / 1e6;
});

export function sin(degrees: number): number {
  const turn = ((degrees % 360) + 360) % 360;
  const low = Math.floor(turn);
  const from = sines[low] as number;
  return from + ((sines[low + 1] as number) - from) * (turn - low);
}

export const cos = (degrees: number) => sin(degrees + 90);

export const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** What lies between two numbers, at this share of the way. */
export const mix = (from: number, to: number, share: number) => from + (to - from) * share;

/** In degrees. */
export const goldenAngle = 137.508;

/** A point so far ahead, and so far to the right, of a place from which one looks in a direction. */
export type Ahead = (far: number, right?: number) => Point;

export function looking(direction: number, x = 0, y = 0): Ahead {
  const [s, c] = [sin(direction), cos(direction)];
  return (far, right = 0) => [x + s * far + c * right, y - c * far + s * right];
}

/** A place on a curve, and the direction in which the curve goes there. */
export interface Place {
  x: number;
  y: number;
  direction: number;
}

/** The places on a curve, by the share of the way. */
export function along([x0, y0, cx, cy, x1, y1]: Curve): (share: number) => Place {
  return (share) => {
    const [dx, dy] = [mix(cx - x0, x1 - cx, share), mix(cy - y0, y1 - cy, share)];
    return {
      x: mix(mix(x0, cx, share), mix(cx, x1, share), share),
      y: mix(mix(y0, cy, share), mix(cy, y1, share), share),
      // Whole degrees, because atan2 may differ between engines in its last digit.
      direction: Math.round((Math.atan2(dx, -dy) * 180) / Math.PI),
    };
  };
}
