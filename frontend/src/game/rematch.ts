// The next game of the same two, or with the house again: the one that is laid already, or a new one.
import { go, placeOf } from '../frame/route.svelte';
import * as api from '../wire/api';
import type { State } from '../wire/types';

/** Goes to it. Throws where the server refuses or is away. */
export async function rematch(over: State): Promise<void> {
  const game = over.rematch ?? (await api.rematch(over.game)).game;
  go(placeOf({ game, against: over.against }));
}
