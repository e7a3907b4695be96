// Finding a square: by a near miss of the pointer, by an arrow with Shift, by typing its name.
import type { Seat, Square } from '../wire/types';
import { fileOf, type Ground, named, place } from './squares';

/** The square hit, or the nearest legal one within a few pixels where the hit one is not legal. */
export function nearestWithin(
  board: HTMLElement, targets: ReadonlyMap<Square, unknown>, hit: Square | null, x: number, y: number, slack: number,
): Square | null {
  if (hit && (targets.has(hit) || targets.size === 0)) return hit;
  let best: Square | null = hit;
  let least = slack;
  for (const square of targets.keys()) {
    const box = board.querySelector(`[data-sq="${square}"]`)?.getBoundingClientRect();
    if (!box) continue;
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (away <= least) {
      least = away;
      best = square;
    }
  }
  return best;
}

/** The nearest legal square in a direction of the screen. */
export function nextTarget(
  ground: Ground, seat: Seat, from: Square, way: readonly [number, number], targets: ReadonlyMap<Square, unknown>,
): Square | null {
  const [x, y] = place(ground, seat, from);
  let best: Square | null = null;
  let least = Infinity;
  for (const square of targets.keys()) {
    const [tx, ty] = place(ground, seat, square);
    const along = (tx - x) * way[0] + (ty - y) * way[1];
    const aside = Math.abs((tx - x) * way[1]) + Math.abs((ty - y) * way[0]);
    if (along > 0 && along + aside * 3 < least) {
      least = along + aside * 3;
      best = square;
    }
  }
  return best;
}

export interface Typing {
  file: string;
  row: number;
  at: number;
}

const PAUSE_MS = 1200;

/** A letter of a file waits for a row; `10` is typed as 1 and 0. */
export function jump(ground: Ground, key: string, before: Typing | null, now: number): { square: Square | null; wait: Typing | null } {
  const letter = key.toLowerCase();
  if (/^[a-j]$/.test(letter) && fileOf(letter) < ground.width) return { square: null, wait: { file: letter, row: 0, at: now } };
  if (!/^[0-9]$/.test(key) || !before || now - before.at > PAUSE_MS) return { square: null, wait: null };
  const row = before.row * 10 + Number(key);
  if (row < 1 || row > ground.height) return { square: null, wait: null };
  return { square: named(fileOf(before.file), row), wait: { file: before.file, row, at: now } };
}
