/** Vitis spatians, for graphs: branches of a spanning tree in Prim's order, then tendrils that close cycles. */
import { type Curve, facing, interpolate, pointOnCurve, type Sketch } from '../sketch.ts';

interface Vertex {
  x: number;
  y: number;
  degree: number;
}

const count = 13;
const candidatesEach = 8;

export function vine(sketch: Sketch): void {
  const fullHeight = sketch.random('height', 0, 380, 440);
  trellis(sketch, fullHeight);
  const branches = span(scatter(sketch, fullHeight));
  for (const [index, branch] of branches.entries()) {
    drawBranch(sketch, index, branch);
    if (index % 3 === 2 && index >= 4) {
      closeCycle(
        sketch,
        index,
        branch,
        branches.slice(0, index - 1).map(({ to }) => to),
      );
    }
  }
}

function trellis(sketch: Sketch, fullHeight: number): void {
  const stake = Math.min(fullHeight + 14, fullHeight * sketch.height() * 1.1 + 30);
  const half = (y: number) => interpolate(74, 42, y / fullHeight);
  for (const side of [-1, 0, 1]) sketch.addLine(0, 'lc', 7, ['M', side * 74, 0, 'L', side * half(stake), -stake]);
  for (let y = 94; y < stake; y += 94) sketch.addLine(0, 'lc', 6, ['M', -half(y) - 9, -y, 'L', half(y) + 9, -y]);
}

const squaredDistance = (a: Vertex, b: Vertex) => (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);

/** Each vertex is the candidate farthest from the foot and the earlier vertices. */
function scatter(sketch: Sketch, fullHeight: number): Vertex[] {
  const foot: Vertex = { x: 0, y: 0, degree: 0 };
  const vertices: Vertex[] = [];
  for (let first = candidatesEach; first <= count * candidatesEach; first += candidatesEach) {
    let farthest: Vertex | undefined;
    let distance = -1;
    for (let index = first; index < first + candidatesEach; index++) {
      const [x, y] = facing(sketch.random('angle', index, 0, 360))(Math.sqrt(sketch.random('radius', index)));
      const vertex = { x: x * 116, y: -fullHeight * (0.56 - y * 0.44), degree: 0 };
      let nearest = 1e9;
      for (const other of vertices) nearest = Math.min(nearest, squaredDistance(other, vertex));
      nearest = Math.min(nearest, squaredDistance(foot, vertex));
      if (nearest > distance) [farthest, distance] = [vertex, nearest];
    }
    if (farthest) vertices.push(farthest);
  }
  return vertices;
}

interface Branch {
  from: Vertex;
  to: Vertex;
}

/** In Prim's order. Further branches of one vertex cost more, low vertices less. */
function span(vertices: readonly Vertex[]): Branch[] {
  const tree: Vertex[] = [{ x: 0, y: 0, degree: 0 }];
  const remaining = [...vertices];
  const branches: Branch[] = [];
  while (remaining.length > 0) {
    let next: Branch | undefined;
    let least = 1e9;
    for (const from of tree) {
      for (const to of remaining) {
        const cost = squaredDistance(from, to) + (from.degree > 1 ? 9000 : 0) - to.y * 20;
        if (cost < least) [next, least] = [{ from, to }, cost];
      }
    }
    if (!next) break;
    remaining.splice(remaining.indexOf(next.to), 1);
    next.from.degree++;
    tree.push(next.to);
    branches.push(next);
  }
  return branches;
}

const birthOf = (index: number) => (0.62 * index) / count - 0.06;

function drawBranch(sketch: Sketch, index: number, { from: { x, y }, to }: Branch): void {
  const birth = birthOf(index);
  const age = sketch.age(birth, 0.14);
  if (age === 0) return;
  const bow = sketch.random('bow', index, -0.3, 0.3);
  const [endX, endY] = [interpolate(x, to.x, age), interpolate(y, to.y, age)];
  const handle = [(x + endX) / 2 + (endY - y) * bow, (y + endY) / 2 - (endX - x) * bow] as const;
  const curve: Curve = [x, y, ...handle, endX, endY];
  sketch.addCurve(1.5, 'ls', interpolate(7, 11, sketch.age(birth, 0.9)), curve);
  const rotation = pointOnCurve(curve)(1).direction + sketch.random('fan', index, -24, 24);
  const isOdd = index % 2 === 1;
  sketch.addSymbol(1 + (index % 2), isOdd ? 'hearts' : 'heartsleft', [endX, endY], sketch.age(birth + 0.01, 0.2), {
    rotation,
    birth,
  });
  const open = sketch.age(0.68 + 0.2 * sketch.random('bloom', index), 0.12);
  if (isOdd) sketch.addSymbol(3, 'clematis', [endX, endY], open, { rotation: sketch.random('face', index, 0, 60) });
  else if (index > 1) sketch.addSymbol(3.1, 'grape', [endX, endY + 6], sketch.age(1.02 + 0.05 * index, 0.2));
}

function closeCycle(sketch: Sketch, index: number, { from, to }: Branch, earlier: readonly Vertex[]): void {
  if (sketch.age(birthOf(index), 0.14) === 0) return;
  const others = earlier.filter((vertex) => vertex !== from);
  const nearest = others.reduce((one, other) => (squaredDistance(one, to) < squaredDistance(other, to) ? one : other));
  const age = sketch.age(0.34 + 0.04 * index, 0.2);
  if (age === 0) return;
  const end = [interpolate(to.x, nearest.x, age), interpolate(to.y, nearest.y, age)] as const;
  sketch.addCurve(1.5, 'ls', 7, [to.x, to.y, (to.x + nearest.x) / 2, (to.y + nearest.y) / 2 + 24, ...end]);
}
