// Scoring the reader's notes against the armies as they stood, once both are open.
import { lenient } from '../deploy/notation';
import { other, type Rank, type Square, type State } from '../wire/types';
import type { Notes } from './seen';

export interface Score {
  right: number;
  all: number;
  wrong: { man: Square; noted: Rank; was: Rank }[];
}

/** How many notes were right; null before the armies are open or without notes. */
export function scoreNotes(state: State, notes: Notes): Score | null {
  if (!state.truth) return null;
  const foe = other(state.seat);
  const army = lenient(state.variant, foe, state.truth[foe]);
  const made = Object.entries(notes).filter(([man]) => army[man] !== undefined);
  if (!made.length) return null;
  const wrong = made.flatMap(([man, noted]) => {
    const was = army[man];
    return was !== undefined && was !== noted ? [{ man, noted, was }] : [];
  });
  return { right: made.length - wrong.length, all: made.length, wrong };
}

/** Something worth a line about the enemy army that was hidden to the end, as a message name; null for nothing. */
export function curiosity(state: State): string | null {
  const foe = other(state.seat);
  if (!state.truth) return null;
  const army = lenient(state.variant, foe, state.truth[foe]);
  const spy = state.men.find((man) => man.seat === foe && army[man.id] === 1);
  if (spy && spy.fell === null && !spy.moved) return 'spy-never-moved';
  const marshal = state.men.find((man) => man.seat === foe && army[man.id] === 10);
  if (marshal && marshal.fell === null && !marshal.known) return 'marshal-never-seen';
  return null;
}
