// What lies on the table for everybody while the curtain hangs: public facts alone, built anew and never cut out of a seat's state.
import { lastPly } from '../game/fold';
import { other, type Both, type Phase, type Ply, type Seat, type Square, type State, type VariantCard } from '../wire/types';

/** A man lying face down. */
export interface Back {
  id: Square;
  seat: Seat;
  square: Square;
  moved: boolean;
}

export interface Picture {
  variant: VariantCard;
  phase: Phase;
  ply: number;
  men: Back[];
  /** The last ply as everybody was told of it. */
  last: Ply | null;
  ready: Both;
  /** The seat that is to act next. */
  due: Seat;
  /** Whether it acts on a draw offer. */
  offered: boolean;
}

/** Who is to act: an army is still to place, an offer to answer, or a man to move. */
export function dueOf(state: State): Seat {
  if (state.phase === 'deploying') return state.ready.red && !state.ready.blue ? 'blue' : 'red';
  return state.offer ? other(state.offer) : (state.turn ?? state.seat);
}

export function pictureOf(state: State): Picture {
  // Before both armies stand nobody has seen a man of either.
  const men = state.phase === 'deploying' ? [] : state.men;
  const backs = men.flatMap(({ id, seat, square, moved }) => (square === null ? [] : [{ id, seat, square, moved }]));
  return {
    variant: state.variant,
    phase: state.phase,
    ply: state.ply,
    men: backs.sort((a, b) => (a.square < b.square ? -1 : 1)),
    last: lastPly(state),
    ready: state.ready,
    due: dueOf(state),
    offered: state.phase === 'playing' && state.offer !== null,
  };
}

const key = (game: string): string => `flagfall.curtain.1.${game}`;

/** Keeps the picture for a reload of this tab; null forgets it. */
export function keepPicture(game: string, picture: Picture | null): void {
  try {
    if (picture) sessionStorage.setItem(key(game), JSON.stringify(picture));
    else sessionStorage.removeItem(key(game));
  } catch {
    // Without a store the curtain hangs before an empty board.
  }
}

export function recallPicture(game: string): Picture | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(game)) ?? 'null') as Picture | null;
  } catch {
    return null;
  }
}
