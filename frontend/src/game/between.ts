// What two people may ask of each other besides moves, as the page shows it: a function of the state and the time.
import type { State } from '../wire/types';
import { other } from '../wire/types';

/** `asked`: the other side asks for a ply back; `asking`: this one does; `left`: the other one's seat may be claimed. */
export type Between = 'asked' | 'asking' | 'left' | null;

/** Milliseconds until the game may be claimed; null where the other seat is not empty, or absence decides nothing. */
export function untilClaim(state: State, heardAt: number, at: number): number | null {
  if (state.absence?.seat !== other(state.seat)) return null;
  return Math.max(0, state.absence.claim_ms - Math.max(0, at - heardAt));
}

export function between(state: State, heardAt: number, at: number): Between {
  if (state.ask) return state.ask === state.seat ? 'asking' : 'asked';
  return untilClaim(state, heardAt, at) === 0 ? 'left' : null;
}

/** Whether plies may ever be taken back at this table. */
export const mayEverAsk = (state: State): boolean => state.against === 'friend' && !state.rated;
