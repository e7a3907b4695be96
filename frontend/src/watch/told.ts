// What somebody who looks on was told, as the board and the panels take it; from no seat, whichever side he sits on.
import { join } from '../game/fold';
import type { Seat, State, Watched } from '../wire/types';
import type { BoardMan } from '../board/props';

/** What is told next; its plies joined to those that are held, up to the ply that is shown. */
export function follow(held: Watched | null, news: Watched): Watched {
  const plies = held?.game === news.game ? join(held.plies, news.plies, news.plies_from) : news.plies;
  return { ...news, plies: plies.filter((one) => one.ply <= news.ply), plies_from: 1 };
}

/** The same as a state with nothing in it that belongs to a seat; sentences are those for a reader of no side. */
export function asState(told: Watched, seat: Seat): State {
  const { complete, showing, agreed, delay, ...rest } = told;
  void [showing, agreed, delay];
  return {
    ...rest, type: 'state', n: told.ply, seat, against: 'here', invite: null, open: false, rated: false, may_abort: false, ask: null, may_ask: false, backs: 0, absence: null, taken: { red: complete, blue: complete },
    here: { red: true, blue: true }, thinking: false, legal: {}, barred: [], rescues: [], may_offer: false, setup_ms: null, rematch: null, watch: null,
  };
}

/** The men on the board; where both armies are open, those that the other side knows are marked. */
export function boardOf(told: Watched): BoardMan[] {
  const isOpen = told.showing === 'truth' || told.showing === 'open';
  return told.men.flatMap((man) => (man.square === null ? [] : [{ id: man.id, seat: man.seat, square: man.square, rank: man.rank, moved: man.moved, known: isOpen && man.known, note: null }]))
    .sort((one, two) => (one.square < two.square ? -1 : 1));
}
