// The digests of both armies as this browser heard them, and when: kept so that a record can be held against them.
import { keep, recall } from '../settings/keep';
import type { Sealed } from '../wire/types';

export interface Noted extends Sealed {
  /** How many plies had been played when they were first heard. */
  ply: number;
}
type Book = Record<string, Noted>;

const KEY = 'seals';
const MOST = 200;

/** Writes down what was heard first; what comes later changes nothing. */
export function noteSeals(game: string, sealed: Sealed | null, ply: number): void {
  if (!sealed) return;
  const book = recall<Book>(KEY, {});
  if (book[game]) return;
  const kept = Object.entries(book).slice(-(MOST - 1));
  keep(KEY, Object.fromEntries([...kept, [game, { red: sealed.red, blue: sealed.blue, ply }]]));
}

export const notedSeals = (game: string): Noted | null => recall<Book>(KEY, {})[game] ?? null;
