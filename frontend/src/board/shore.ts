// The outline of a body of water: once round its squares, a little inside, with soft corners.

export type Spot = readonly [number, number];

const SIDE = 80;
const INSET = 7;
const SOFT = 27;

/** Ways round a square, clockwise on the screen; the inner side is always on the right. */
const EDGES = [
  { from: [0, 0], way: [1, 0], beyond: [0, -1] },
  { from: [1, 0], way: [0, 1], beyond: [1, 0] },
  { from: [1, 1], way: [-1, 0], beyond: [0, 1] },
  { from: [0, 1], way: [0, -1], beyond: [-1, 0] },
] as const;

interface Edge {
  at: Spot;
  way: Spot;
}
const key = ({ at, way }: Edge): string => `${at} ${way}`;

/** Corners of every outline of a set of squares, islands included, each with the water on the right. */
export function outlines(squares: readonly Spot[]): Spot[][] {
  const wet = new Set(squares.map(String));
  const left = new Map<string, Edge>();
  for (const [x, y] of squares) {
    for (const { from, way, beyond } of EDGES) {
      const edge: Edge = { at: [x + from[0], y + from[1]], way };
      if (!wet.has(String([x + beyond[0], y + beyond[1]]))) left.set(key(edge), edge);
    }
  }
  const found: Spot[][] = [];
  for (const first of left.values()) {
    const corners: Spot[] = [];
    for (let edge: Edge | undefined = first; edge; ) {
      left.delete(key(edge));
      const [dx, dy]: Spot = edge.way;
      const at: Spot = [edge.at[0] + dx, edge.at[1] + dy];
      // Where two squares touch at a corner only, the outline stays with the square that it is on.
      const ways: Spot[] = [[-dy, dx], [dx, dy], [dy, -dx]];
      const next: Edge | undefined = ways.map((way) => left.get(key({ at, way }))).find((one) => one !== undefined);
      const turn: Spot = (next ?? first).way;
      if (turn[0] !== dx || turn[1] !== dy) corners.push(at);
      edge = next;
    }
    found.push(corners);
  }
  return found;
}

const text = (value: number): string => String(Math.round(value * 10) / 10);

/** The same as one drawing, 80 units a square. */
export function shore(squares: readonly Spot[]): string {
  return outlines(squares).map((corners) => {
    const unit = (from: Spot, to: Spot): Spot => [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
    const near = (at: number): { corner: Spot; before: Spot; after: Spot } => {
      const corner = corners[at] ?? [0, 0];
      const before = unit(corners.at(at - 1) ?? corner, corner);
      const after = unit(corner, corners[(at + 1) % corners.length] ?? corner);
      return { corner, before, after };
    };
    const parts = corners.map((_, at) => {
      const { corner, before, after } = near(at);
      // Inwards is to the right of either way.
      const x = corner[0] * SIDE + INSET * (-before[1] - after[1]);
      const y = corner[1] * SIDE + INSET * (before[0] + after[0]);
      return `${at ? 'L' : 'M'}${text(x - before[0] * SOFT)} ${text(y - before[1] * SOFT)}Q${text(x)} ${text(y)} ${text(x + after[0] * SOFT)} ${text(y + after[1] * SOFT)}`;
    });
    return `${parts.join('')}Z`;
  }).join('');
}
