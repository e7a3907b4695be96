// A finished game at any ply: both armies as they were placed, with the plies played on them.
import type { BoardMan } from '../board/props';
import { lenient } from '../deploy/notation';
import { filled, type ShownPly } from '../game/shown';
import type { Counts, Ply, Rank, Seat, Square, State } from '../wire/types';

export interface OpenMan {
  id: Square;
  seat: Seat;
  rank: Rank;
  moved: boolean;
  known: boolean;
}
export type Position = Map<Square, OpenMan>;
export type SeenBy = Seat | 'both';

/** Where everybody stood before the first ply. */
export function start(state: Pick<State, 'variant' | 'truth'>): Position {
  const at: Position = new Map();
  if (!state.truth) return at;
  for (const seat of ['red', 'blue'] as const) {
    for (const [square, rank] of Object.entries(lenient(state.variant, seat, state.truth[seat]))) {
      at.set(square, { id: square, seat, rank, moved: false, known: false });
    }
  }
  return at;
}

/** Plays one ply on a position; `fallen` keeps by id whoever leaves the board, as he left it. */
export function play(at: Position, ply: Ply, fallen: Map<Square, OpenMan>): void {
  const mover = at.get(ply.from);
  if (!mover) return;
  const met = at.get(ply.to);
  at.delete(ply.from);
  const after = { ...mover, moved: true, known: mover.known || ply.attacker !== null };
  const there = met && { ...met, known: met.known || ply.defender !== null };
  if (ply.outcome === 'defender' || ply.outcome === 'both') fallen.set(after.id, after);
  if (there && ply.outcome !== 'defender') fallen.set(there.id, there);
  if (ply.outcome === 'defender') {
    if (there) at.set(ply.to, there);
  } else if (ply.outcome === 'both') at.delete(ply.to);
  else at.set(ply.to, after);
  const back = ply.rescue && fallen.get(ply.rescue.man);
  if (ply.rescue && back) at.set(ply.rescue.put, back);
}

/** The position after so many plies. */
export function positionAt(state: State, ply: number): Position {
  const at = start(state);
  const fallen = new Map<Square, OpenMan>();
  for (const one of state.plies.slice(0, ply)) play(at, one, fallen);
  return at;
}

/** The plies as one side knows them, or a reader of both: with the ranks that were not told to all. */
export function pliesSeen(state: State, by: SeenBy): ShownPly[] {
  const men = new Map([...start(state)].map(([id, man]) => [id, man]));
  return filled(men.keys(), state.plies, (id) => {
    const man = men.get(id);
    return man && (by === 'both' || man.seat === by) ? man.rank : null;
  });
}

/** Men left of each rank on a position. */
export function countLeft(at: Position): Record<Seat, Counts> {
  const left: Record<Seat, Counts> = { red: {}, blue: {} };
  for (const man of at.values()) left[man.seat][man.rank] = (left[man.seat][man.rank] ?? 0) + 1;
  return left;
}

/** Totals of men left before the first ply and after each. */
export function course(state: State): Record<Seat, number[]> {
  const now = { red: 0, blue: 0 };
  for (const man of start(state).values()) now[man.seat] += 1;
  const line: Record<Seat, number[]> = { red: [now.red], blue: [now.blue] };
  for (const ply of state.plies) {
    const foe = ply.seat === 'red' ? 'blue' : 'red';
    if (ply.outcome === 'defender' || ply.outcome === 'both') now[ply.seat] -= 1;
    if (ply.outcome === 'attacker' || ply.outcome === 'both' || ply.outcome === 'flag') now[foe] -= 1;
    if (ply.rescue) now[ply.seat] += 1;
    line.red.push(now.red);
    line.blue.push(now.blue);
  }
  return line;
}

/** Who won a battle: a seat, or null where both fell. */
export const winnerOf = (ply: Ply): Seat | null =>
  ply.outcome === 'both' || ply.outcome === 'quiet' ? null : ply.outcome === 'defender' ? (ply.seat === 'red' ? 'blue' : 'red') : ply.seat;

/** The next battle after a ply, or the one before it; the ends where there is none. */
export function nextBattle(plies: readonly Ply[], from: number, forward: boolean): number {
  const battles = plies.filter((ply) => ply.outcome !== 'quiet').map((ply) => ply.ply);
  return forward ? (battles.find((ply) => ply > from) ?? plies.length) : (battles.findLast((ply) => ply < from) ?? 0);
}

/** Men as one side, or a reader of both, sees them. */
export function seen(at: Position, by: SeenBy): BoardMan[] {
  return [...at.entries()].map(([square, man]) => ({
    id: man.id,
    seat: man.seat,
    square,
    rank: by === 'both' || by === man.seat || man.known ? man.rank : null,
    moved: man.moved,
    known: by === man.seat && man.known,
    note: null,
  }));
}
