// An army to play with at once: one of the house's, left and right as chance has it.
import { mirror } from '../deploy/army';
import { lenient, toText } from '../deploy/notation';
import * as api from '../wire/api';
import type { VariantCard } from '../wire/types';

const chance = (below: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % below;

/** Letters of a ready army; one made up by the server where the house has none. */
export async function readyArmy(card: VariantCard): Promise<string> {
  const ready = await api.ready(card.name).catch(() => []);
  const one = ready[chance(Math.max(1, ready.length))];
  if (!one) return (await api.fill(card.name, 'red', '.'.repeat(card.home.red.length))).army;
  return chance(2) ? one.army : toText(card, 'red', mirror(card, lenient(card, 'red', one.army)));
}
