// Plies with every rank that this seat knows: what a ply told everybody, and what it left out but the seat can tell.
import type { Man, Ply, Rank, Seat, Square, State } from '../wire/types';

export interface ShownPly extends Ply {
  /** The rank of the man whom a rescue brought back. */
  back?: Rank | null;
}

/** The men of a ply by their ids: who moved, and whom he met. */
export interface Pair {
  mover: Square | undefined;
  met: Square | undefined;
}

/** Who took part in each ply; men are named by the squares where they began. */
export function pairs(ids: Iterable<Square>, plies: readonly Ply[]): Pair[] {
  const at = new Map<Square, Square>([...ids].map((id) => [id, id]));
  return plies.map((ply) => {
    const pair = { mover: at.get(ply.from), met: at.get(ply.to) };
    at.delete(ply.from);
    if (ply.outcome === 'both') at.delete(ply.to);
    else if (ply.outcome !== 'defender' && pair.mover) at.set(ply.to, pair.mover);
    if (ply.rescue) at.set(ply.rescue.put, ply.rescue.man);
    return pair;
  });
}

/** The plies with ranks filled in from whoever knows them; what a ply told stands. */
export function filled(ids: Iterable<Square>, plies: readonly Ply[], rankOf: (id: Square) => Rank | null): ShownPly[] {
  const who = pairs(ids, plies);
  const rank = (id: Square | undefined): Rank | null => (id === undefined ? null : rankOf(id));
  return plies.map((ply, at) => {
    const pair = who[at];
    if (ply.outcome === 'quiet' && !ply.rescue) return ply;
    return {
      ...ply,
      attacker: ply.attacker ?? (ply.outcome === 'quiet' ? null : rank(pair?.mover)),
      defender: ply.defender ?? (ply.outcome === 'quiet' ? null : rank(pair?.met)),
      back: ply.rescue ? rankOf(ply.rescue.man) : null,
    };
  });
}

const kept = new WeakMap<State, ShownPly[]>();

/** A state's plies as its seat knows them. */
export function shownPlies(state: State): ShownPly[] {
  const old = kept.get(state);
  if (old) return old;
  const men = new Map<Square, Man>(state.men.map((man) => [man.id, man]));
  const made = filled(men.keys(), state.plies, (id) => men.get(id)?.rank ?? null);
  kept.set(state, made);
  return made;
}

/** How many men of a side stand on the board, as everybody can count them. */
export const standing = (state: State, seat: Seat): number => state.men.filter((man) => man.seat === seat && man.square !== null).length;
