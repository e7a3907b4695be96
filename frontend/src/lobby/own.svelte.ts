// Games of one's own, read from files by the server and kept in this browser.
import { keep, onKept, recall } from '../settings/keep';
import type { Clock, VariantCard } from '../wire/types';

export interface OwnGame {
  card: VariantCard;
  about: string;
  clock: Clock | null;
}

const MOST = 20;

export const own = $state({ games: recall<OwnGame[]>('own-games', []) });
onKept('own-games', () => (own.games = recall<OwnGame[]>('own-games', [])));

/** Keeps a game; an older one of its name gives way. */
export function keepOwn(game: OwnGame): void {
  own.games = [game, ...own.games.filter((old) => old.card.name !== game.card.name)].slice(0, MOST);
  keep('own-games', $state.snapshot(own.games));
}

export function forgetOwn(name: string): void {
  own.games = own.games.filter((old) => old.card.name !== name);
  keep('own-games', $state.snapshot(own.games));
}
