// From a state to what the board draws: everything here is a function of what the seat was told, and of its own notes.
import type { BoardEvent, BoardMan, Target } from '../board/props';
import type { Man, Ply, Rank, Seat, Square, State } from '../wire/types';
import { standing } from './shown';

export type Notes = Readonly<Record<Square, Rank>>;

/** Men on the board. With `turnBack`, known enemies are backs again, but for the squares in `open`. */
export function boardMen(state: State, notes: Notes, turnBack: boolean, open: ReadonlySet<Square>): BoardMan[] {
  const men: BoardMan[] = [];
  for (const man of state.men) {
    if (man.square === null) continue;
    const own = man.seat === state.seat;
    const shown = own || !turnBack || open.has(man.square) || state.phase === 'over';
    const rank = shown ? man.rank : null;
    men.push({
      id: man.id,
      seat: man.seat,
      square: man.square,
      rank,
      moved: man.moved,
      known: own && man.known,
      note: own || rank !== null ? null : (notes[man.id] ?? null),
    });
  }
  // The order of the list says nothing: by square.
  return men.sort((a, b) => (a.square < b.square ? -1 : 1));
}

export const manAt = (state: State, square: Square): Man | undefined => state.men.find((man) => man.square === square);

/** Where the man in hand may go, and which of these squares are attacks. */
export function targetsOf(state: State, picked: Square | null): Map<Square, Target> {
  const found = new Map<Square, Target>();
  if (!picked) return found;
  for (const square of state.legal[picked] ?? []) found.set(square, manAt(state, square) ? 'attack' : 'go');
  return found;
}

/** The last ply as a motion: drawn before as the state before it was drawn, after as the ply told. */
export function eventOf(ply: Ply | null, before: State | null, fresh: boolean, byDrag: boolean, turnBack: boolean): BoardEvent | null {
  if (!ply) return null;
  const rankBefore = (square: Square, seat: Seat): Rank | null => {
    const man = before && manAt(before, square);
    if (!man || man.seat !== seat) return null;
    return man.seat !== before.seat && turnBack ? null : man.rank;
  };
  const foe: Seat = ply.seat === 'red' ? 'blue' : 'red';
  const was = { attacker: rankBefore(ply.from, ply.seat), defender: rankBefore(ply.to, foe) };
  return {
    key: ply.ply,
    fresh,
    byDrag,
    seat: ply.seat,
    from: ply.from,
    to: ply.to,
    outcome: ply.outcome,
    before: was,
    after: { attacker: ply.attacker ?? was.attacker, defender: ply.defender ?? was.defender },
  };
}

/** How many men of an army are left: those on the board, which everybody can count; before the first ply the army. */
export const total = (state: State, seat: Seat): number =>
  state.phase === 'deploying' ? Object.values(state.left[seat]).reduce((sum, men) => sum + men, 0) : standing(state, seat);

/** Whether the counts of a side by rank are the most it can have, because men fell unseen or may have stayed in the box. */
export const vague = (state: State, seat: Seat): boolean =>
  seat !== state.seat && (state.hidden_fallen[seat] > 0 || state.variant.law['smaller_army'] === true);

/** Own men that the enemy knows. */
export const knownMen = (state: State): Man[] =>
  state.men.filter((man) => man.seat === state.seat && man.square !== null && man.known);
