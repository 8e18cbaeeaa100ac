/** Arbor binaria, for trees: every branch ends in two branches or in leaves. */
import { cos, type Sketch, sin } from '../sketch.ts';

interface Branch {
  x: number;
  y: number;
  direction: number;
  length: number;
  width: number;
  level: number;
  /** As in a heap, the children of node k are 2k and 2k + 1. */
  node: number;
}

export function binaryTree(sketch: Sketch): void {
  const wide = sketch.random('wide', 0, 0.8, 0.98);
  const odd = sketch.randomInteger('odd', 0, 0, 2);

  function grow({ x, y, direction, length, width, level, node }: Branch): void {
    const birth = level * 0.1 - 0.04;
    const age = level > 0 ? sketch.age(birth, 0.36) : 0.24 + 0.76 * sketch.age(-0.1, 0.8);
    if (age <= 0) return;
    const bow = direction + sketch.random('bow', node, -14, 14);
    const [endX, endY] = [x + sin(direction) * length * age * wide, y - cos(direction) * length * age];
    const curve = [
      x,
      y,
      x + sin(bow) * length * age * 0.55 * wide,
      y - cos(bow) * length * age * 0.55,
      endX,
      endY,
    ] as const;
    const thickness = width * (0.4 + 0.6 * sketch.age(birth, 1));
    if (level < 2) sketch.addStem(0.5, curve, thickness, thickness * 0.66, 'gb');
    else sketch.addCurve(0.5, 'lb', thickness * 0.8, curve);
    const splits = level < 3 || (level === 3 && node % 3 === odd);
    const sprig = `sprig${direction < -25 ? 0 : direction > 25 ? 2 : 1}`;
    const depth = splits ? 0.4 + level * 0.1 : 2;
    sketch.addSymbol(depth, level < 2 ? 'pair' : sprig, [endX, endY], sketch.age(birth + 0.02, 0.2), {
      rotation: level < 2 ? direction * 0.9 : 0,
      birth: birth + 0.02,
    });
    if (splits) {
      const spread = sketch.random('spread', node, 24, 31);
      for (const right of [0, 1]) {
        grow({
          x: endX,
          y: endY,
          direction: direction * 0.9 + (right === 1 ? spread : -spread) + sketch.random('uneven', node, -7, 7),
          length: length * sketch.random('part', node * 2 + right, 0.68, 0.8),
          width: width * 0.64,
          level: level + 1,
          node: node * 2 + right,
        });
      }
      return;
    }
    const open = sketch.age(0.66 + 0.2 * sketch.random('bloom', node), 0.14);
    if (node % 2 === 1 || level === 3)
      sketch.addSymbol(3, 'blossom', [endX + sin(direction) * 26, endY - cos(direction) * 26], open);
    const ripe = sketch.age(1.02 + 0.5 * sketch.random('ripe', node), 0.3);
    if (node % 2 === 0 || level > 3) sketch.addSymbol(3.1, 'apple', [endX - sin(direction) * 16 + 12, endY + 34], ripe);
  }

  grow({
    x: 0,
    y: 0,
    direction: sketch.random('lean', 0, -8, 8),
    length: sketch.random('trunk', 0, 108, 134),
    width: 28,
    level: 0,
    node: 1,
  });
}
