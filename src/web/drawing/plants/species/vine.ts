/**
 * Vitis spatians, of graphs: a vine that spans its vertices as Prim would, then closes cycles; trained on a trellis.
 */
import { along, type Curve, looking, mix, type Sketch } from '../sketch.ts';

interface Vertex {
  x: number;
  y: number;
  /** How many branches begin here. */
  degree: number;
}

const count = 13;
/** The best of so many throws is the one that is the farthest from all earlier vertices. */
const throwsEach = 8;

export function vine(sketch: Sketch): void {
  const full = sketch.pick('height', 0, 380, 440);
  trellis(sketch, full);
  const branches = span(scatter(sketch, full));
  for (const [nth, branch] of branches.entries()) {
    drawBranch(sketch, nth, branch);
    if (nth % 3 === 2 && nth >= 4) {
      closeCycle(
        sketch,
        nth,
        branch,
        branches.slice(0, nth - 1).map(({ to }) => to),
      );
    }
  }
}

function trellis(sketch: Sketch, full: number): void {
  const stake = Math.min(full + 14, full * sketch.height() * 1.1 + 30);
  const half = (y: number) => mix(74, 42, y / full);
  for (const side of [-1, 0, 1]) sketch.line(0, 'lc', 7, ['M', side * 74, 0, 'L', side * half(stake), -stake]);
  for (let y = 94; y < stake; y += 94) sketch.line(0, 'lc', 6, ['M', -half(y) - 9, -y, 'L', half(y) + 9, -y]);
}

const apart = (one: Vertex, other: Vertex) =>
  (one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y);

/** Vertices far from each other and from the foot. */
function scatter(sketch: Sketch, full: number): Vertex[] {
  const foot: Vertex = { x: 0, y: 0, degree: 0 };
  const vertices: Vertex[] = [];
  for (let first = throwsEach; first <= count * throwsEach; first += throwsEach) {
    let farthest: Vertex | undefined;
    let distance = -1;
    for (let nth = first; nth < first + throwsEach; nth++) {
      const [x, y] = looking(sketch.pick('angle', nth, 0, 360))(Math.sqrt(sketch.pick('radius', nth)));
      const vertex = { x: x * 116, y: -full * (0.56 - y * 0.44), degree: 0 };
      let near = 1e9;
      for (const other of vertices) near = Math.min(near, apart(other, vertex));
      near = Math.min(near, apart(foot, vertex));
      if (near > distance) [farthest, distance] = [vertex, near];
    }
    if (farthest) vertices.push(farthest);
  }
  return vertices;
}

interface Branch {
  from: Vertex;
  to: Vertex;
}

/**
 * The branches of a spanning tree in the order in which Prim finds them; many from one vertex are dear, low ones cheap.
 */
function span(vertices: readonly Vertex[]): Branch[] {
  const tree: Vertex[] = [{ x: 0, y: 0, degree: 0 }];
  const left = [...vertices];
  const branches: Branch[] = [];
  while (left.length > 0) {
    let next: Branch | undefined;
    let least = 1e9;
    for (const from of tree) {
      for (const to of left) {
        const cost = apart(from, to) + (from.degree > 1 ? 9000 : 0) - to.y * 20;
        if (cost < least) [next, least] = [{ from, to }, cost];
      }
    }
    if (!next) break;
    left.splice(left.indexOf(next.to), 1);
    next.from.degree++;
    tree.push(next.to);
    branches.push(next);
  }
  return branches;
}

const birthOf = (nth: number) => (0.62 * nth) / count - 0.06;

function drawBranch(sketch: Sketch, nth: number, { from: { x, y }, to }: Branch): void {
  const birth = birthOf(nth);
  const age = sketch.age(birth, 0.14);
  if (age === 0) return;
  const bow = sketch.pick('bow', nth, -0.3, 0.3);
  const [endX, endY] = [mix(x, to.x, age), mix(y, to.y, age)];
  const handle = [(x + endX) / 2 + (endY - y) * bow, (y + endY) / 2 - (endX - x) * bow] as const;
  const curve: Curve = [x, y, ...handle, endX, endY];
  sketch.bow(1.5, 'ls', mix(7, 11, sketch.age(birth, 0.9)), curve);
  const turn = along(curve)(1).direction + sketch.pick('fan', nth, -24, 24);
  const isOdd = nth % 2 === 1;
  sketch.use(1 + (nth % 2), isOdd ? 'hearts' : 'heartsleft', [endX, endY], sketch.age(birth + 0.01, 0.2), {
    turn,
    birth,
  });
  const open = sketch.age(0.68 + 0.2 * sketch.pick('bloom', nth), 0.12);
  if (isOdd) sketch.use(3, 'clematis', [endX, endY], open, { turn: sketch.pick('face', nth, 0, 60) });
  else if (nth > 1) sketch.use(3.1, 'grape', [endX, endY + 6], sketch.age(1.02 + 0.05 * nth, 0.2));
}

/** A tendril from a vertex to the nearest of the earlier ones that is not its parent. */
function closeCycle(sketch: Sketch, nth: number, { from, to }: Branch, earlier: readonly Vertex[]): void {
  if (sketch.age(birthOf(nth), 0.14) === 0) return;
  const others = earlier.filter((vertex) => vertex !== from);
  const near = others.reduce((one, other) => (apart(one, to) < apart(other, to) ? one : other));
  const age = sketch.age(0.34 + 0.04 * nth, 0.2);
  if (age === 0) return;
  const end = [mix(to.x, near.x, age), mix(to.y, near.y, age)] as const;
  sketch.bow(1.5, 'ls', 7, [to.x, to.y, (to.x + near.x) / 2, (to.y + near.y) / 2 + 24, ...end]);
}
