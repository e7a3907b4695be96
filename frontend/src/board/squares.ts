// Names of squares and the order in which a seat sees them; nothing here knows a rule.
import type { Seat, Square } from '../wire/types';

export const fileOf = (square: Square): number => square.charCodeAt(0) - 97;
export const rowOf = (square: Square): number => Number(square.slice(1));
export const named = (file: number, row: number): Square => `${String.fromCharCode(97 + file)}${row}`;

export interface Ground {
  width: number;
  height: number;
}

/** Rows from top to bottom, each left to right, with the seat's own back row below. */
export function rows(ground: Ground, seat: Seat, only?: [number, number]): Square[][] {
  const [low, high] = only ?? [1, ground.height];
  const seen: Square[][] = [];
  for (let row = high; row >= low; row--) {
    seen.push(Array.from({ length: ground.width }, (_, file) => named(file, row)));
  }
  return seat === 'red' ? seen : seen.reverse().map((line) => line.reverse());
}

/** Column and line of a square as the seat sees it, counted from the top left. */
export function place(ground: Ground, seat: Seat, square: Square, top = seat === 'red' ? ground.height : 1): [number, number] {
  const file = fileOf(square);
  const row = rowOf(square);
  return seat === 'red' ? [file, top - row] : [ground.width - 1 - file, row - top];
}

/** The neighbour in a direction of the screen, or null beyond the edge. */
export function step(ground: Ground, seat: Seat, square: Square, dx: number, dy: number): Square | null {
  const turn = seat === 'red' ? 1 : -1;
  const file = fileOf(square) + dx * turn;
  const row = rowOf(square) - dy * turn;
  return file < 0 || file >= ground.width || row < 1 || row > ground.height ? null : named(file, row);
}

export const distance = (a: Square, b: Square): number =>
  Math.abs(fileOf(a) - fileOf(b)) + Math.abs(rowOf(a) - rowOf(b));

/** A home's squares in the order of a deployment text: own back row first, left to right from the owner's seat. */
export function homeOrder(squares: readonly Square[], seat: Seat): Square[] {
  const key = (square: Square): number =>
    seat === 'red' ? rowOf(square) * 100 + fileOf(square) : -rowOf(square) * 100 - fileOf(square);
  return [...squares].sort((a, b) => key(a) - key(b));
}

/** The square at a seat's own left hand, in its back row. */
export const corner = (ground: Ground, seat: Seat): Square => (seat === 'red' ? 'a1' : named(ground.width - 1, ground.height));

/** A body of water: its squares and the box round them. */
export interface Water {
  squares: Square[];
  file: number;
  row: number;
  width: number;
  height: number;
}

/** Lakes gathered into whole bodies of water: lake squares that touch side to side. */
export function waters(lakes: readonly Square[]): Water[] {
  const left = new Set(lakes);
  const found: Water[] = [];
  for (const start of lakes) {
    if (!left.delete(start)) continue;
    const body = [start];
    for (const at of body) {
      for (const [df, dr] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        const next = named(fileOf(at) + df, rowOf(at) + dr);
        if (left.delete(next)) body.push(next);
      }
    }
    const files = body.map(fileOf);
    const lines = body.map(rowOf);
    const file = Math.min(...files);
    const row = Math.min(...lines);
    found.push({ squares: body, file, row, width: Math.max(...files) - file + 1, height: Math.max(...lines) - row + 1 });
  }
  return found;
}
