// The reader's guesses about enemy men, by game, in this browser alone.
import { keep, recall } from '../settings/keep';
import type { Rank, Square } from '../wire/types';
import type { Notes } from './seen';

const MOST_GAMES = 60;

export class NoteBook {
  notes = $state.raw<Notes>({});

  /** A book without a game is kept nowhere. */
  constructor(private readonly game: string | null) {
    if (game) this.notes = recall<Notes>(`notes.${game}`, {});
  }

  write(man: Square, rank: Rank | null): void {
    const { [man]: _old, ...rest } = this.notes;
    this.notes = rank === null ? rest : { ...rest, [man]: rank };
    if (!this.game) return;
    keep(`notes.${this.game}`, Object.keys(this.notes).length ? this.notes : null);
    const games = [this.game, ...recall<string[]>('notes', []).filter((one) => one !== this.game)];
    games.slice(MOST_GAMES).forEach((old) => keep(`notes.${old}`, null));
    keep('notes', games.slice(0, MOST_GAMES));
  }
}
