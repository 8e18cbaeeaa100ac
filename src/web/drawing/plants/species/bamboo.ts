/**
 * Bambusa verbalis, for strings: its long and short joints spell part of the Fibonacci word. Ripe plants carry
 * paper strips, as at Tanabata.
 */
import { interpolate, type Sketch } from '../sketch.ts';

const births = [0, 0.1, 0.24, 0.38, 0.52] as const;
const parts = [1, 0.8, 0.9, 0.6, 0.46] as const;
const feet = [2, -42, 46, -80, 84] as const;
const fibonacciWord = wordOf(34);

function wordOf(length: number): string {
  let [letters, before] = ['a', 'b'];
  while (letters.length < length) [letters, before] = [letters + before, letters];
  return letters;
}

export function bamboo(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 400, 460);
  const shift = sketch.randomInteger('shift', 0, 0, 12);
  const flip = sketch.randomSign('flip');
  const joints = Array.from(fibonacciWord.slice(shift, shift + 9), (letter) => (letter === 'a' ? 58 : 38));
  const dashes = joints.map((joint) => `${joint - 4} 4`).join(' ');
  let strips = 0;
  for (const [index, birth] of births.entries()) {
    const tall = fullHeight * (parts[index] ?? 1) * sketch.random('tall', index, 0.9, 1.02);
    const age = index > 0 ? sketch.age(birth, 0.4) : sketch.height();
    if (age <= 0) continue;
    const foot = flip * ((feet[index] ?? 0) + sketch.random('foot', index, -6, 6));
    const lean = foot * 0.3 + sketch.random('lean', index, -12, 12);
    const xAt = (y: number) => foot + lean * (y / fullHeight) * (y / fullHeight);
    const tip = tall * age;
    let y = 0;
    for (const [place, joint] of joints.entries()) {
      y += joint;
      if (y >= tip || place < 1 || (place + index) % 2 === 1) continue;
      const side = (place >> 1) % 2 === 1 ? 1 : -1;
      const born = birth + 0.03 + 0.4 * (y / fullHeight);
      const rotation = side * sketch.random('fan', index * 20 + place, -8, 16);
      const fan = side < 0 ? 'fanleft' : 'fan';
      sketch.addSymbol(place % 3 > 0 ? 1.5 : 0.4, fan, [xAt(y), -y], sketch.age(born, 0.2), {
        rotation,
        birth: born,
      });
      if (y >= 90) hangStrip(sketch, strips++, xAt(y), y, side);
    }
    const width = 4 * Math.round(interpolate(14, index > 0 ? 18 : 23, sketch.age(birth, 0.8)) / 4);
    const culm = (dx: number) => ['M', foot + dx, 0, 'Q', foot + dx, -tip / 2, xAt(tip) + dx * 0.7, -tip];
    sketch.addLine(0.5, 'l3 cut', width, culm(0));
    sketch.addLine(0.6, 'l2 cut', width * 0.26, culm(width * 0.37));
    sketch.addLine(0.7, 'l1 cut', width + 2, culm(0), `0 ${dashes}`);
    sketch.addLeaf(0.95, [xAt(tip), -tip + 8], lean * 0.2, [34 + 30 * (1 - age), width * 0.62], { birth });
  }
}

/** The first five strips count as flowers, the others as fruit. */
function hangStrip(sketch: Sketch, index: number, x: number, y: number, side: number): void {
  const age = sketch.age(index < 5 ? 0.66 + 0.06 * index : 1.02 + 0.12 * (index - 5), 0.12);
  if (age === 0) return;
  const [left, top] = [x + side * 46, -y + 12];
  const paint = ['lp', 'lf', 'lk'][index % 3];
  const sway = sketch.random('sway', index, -5, 5);
  sketch.addLine(2.8, 'ls', 3, ['M', left - side * 6, -y - 6, 'L', left, top]);
  sketch.addLine(3, `${paint} cut`, 19, ['M', left, top, 'L', left + sway, top + 62 * age]);
  sketch.addLine(3.1, 'lw cut', 4, ['M', left, top + 7, 'L', left, top + 7 + 48 * age], '6 4 11 4');
}
