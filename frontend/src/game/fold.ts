// Laying a newer state over the one that is held: by its number, with the plies joined into one whole list.
import type { Ply, State } from '../wire/types';

/** A state whose `plies` are all of the game so far. */
export type Held = State;

/** The state to hold next; null where the new one is older than what is held. */
export function fold(held: Held | null, news: State): Held | null {
  if (!held || held.game !== news.game) return news;
  if (news.n < held.n) return null;
  return { ...news, plies: join(held.plies, news.plies, news.plies_from), plies_from: 1 };
}

/** Plies by their numbers; what comes later in time prevails from number `from` on, even where it is nothing: plies are taken back. */
export const join = (before: readonly Ply[], news: readonly Ply[], from: number): Ply[] => [...before.filter((one) => one.ply < from), ...news];

/** Whether no ply is missing. */
export const isGapless = (state: Held): boolean => state.plies.every((one, at) => one.ply === at + 1);

/** The last ply played, or null. */
export const lastPly = (state: Held | null): Ply | null => state?.plies.at(-1) ?? null;

/** The last ply that was a battle, or null. */
export const lastBattle = <P extends Ply>(plies: readonly P[]): P | null => plies.findLast((one) => one.outcome !== 'quiet') ?? null;
