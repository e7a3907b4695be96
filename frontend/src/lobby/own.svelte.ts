// Games of one's own, read from files by the server and kept in this browser.
import { keep, onKept, recall } from '../settings/keep';
import type { Clock, VariantCard } from '../wire/types';

export interface OwnGame {
  card: VariantCard;
  about: string;
  clock: Clock | null;
}

const MOST = 20;
const KEPT = 'own-games.1';

const kept = (): OwnGame[] => recall<OwnGame[]>(KEPT, []);

export const own = $state({ games: kept() });
onKept(KEPT, () => (own.games = kept()));

/** Keeps a game; an older one of its name gives way. */
export function keepOwn(game: OwnGame): void {
  own.games = [game, ...own.games.filter((old) => old.card.name !== game.card.name)].slice(0, MOST);
  keep(KEPT, $state.snapshot(own.games));
}

export function forgetOwn(name: string): void {
  own.games = own.games.filter((old) => old.card.name !== name);
  keep(KEPT, $state.snapshot(own.games));
}
