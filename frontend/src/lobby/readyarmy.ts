// An army to play with at once: one of the house's, left and right as chance has it.
import { mirror } from '../deploy/army';
import { lenient, toText } from '../deploy/notation';
import * as api from '../wire/api';
import type { Seat, VariantCard } from '../wire/types';
import { orderOf } from './games';

const chance = (below: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % below;

/** Letters of a ready army; one made up by the server where the house has none. */
export async function readyArmy(card: VariantCard, seat: Seat): Promise<string> {
  const ready = await api.ready(orderOf(card), seat).catch(() => []);
  const one = ready[chance(Math.max(1, ready.length))];
  if (!one) return (await api.fill(orderOf(card), seat, '.'.repeat(card.home[seat].length))).army;
  return chance(2) ? one.army : toText(card, seat, mirror(card, lenient(card, seat, one.army)));
}

/** Whether one text is an army on either side: both grounds have one shape, seen from their owners. */
export const sameGround = (card: VariantCard): boolean => {
  const turned = (square: string): string => `${String.fromCharCode(97 + card.width - 1 - (square.charCodeAt(0) - 97))}${card.height + 1 - Number(square.slice(1))}`;
  return card.home.red.length === card.home.blue.length && card.home.blue.every((square, at) => turned(square) === card.home.red[at]);
};
