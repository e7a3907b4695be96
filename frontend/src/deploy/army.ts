// Changing an army in the making: every act takes an army and gives a new one.
import { fileOf, named, rowOf } from '../board/squares';
import type { Rank, Square, VariantCard } from '../wire/types';
import { type Army, remaining } from './notation';

const without = (army: Army, square: Square): Army => {
  const { [square]: _gone, ...rest } = army;
  return rest;
};

/** Puts a man of that rank on a square; whoever stood there goes back to the tray. Unchanged where none is left. */
export function put(variant: VariantCard, army: Army, square: Square, rank: Rank): Army {
  if (army[square] === rank) return army;
  if ((remaining(variant, army)[rank] ?? 0) <= 0) return army;
  return { ...army, [square]: rank };
}

/** Moves a man; two men change places. */
export function shift(army: Army, from: Square, to: Square): Army {
  const man = army[from];
  if (man === undefined || from === to) return army;
  const there = army[to];
  const bare = without(army, from);
  return there === undefined ? { ...bare, [to]: man } : { ...bare, [to]: man, [from]: there };
}

export const takeBack = (army: Army, square: Square): Army => (square in army ? without(army, square) : army);

/** Left and right exchanged; a man whose place has no mirror image in the home area stays. */
export const mirror = (variant: VariantCard, army: Army): Army => {
  const home = new Set([...variant.home.red, ...variant.home.blue]);
  return Object.fromEntries(
    Object.entries(army).map(([square, rank]) => {
      const across = named(variant.width - 1 - fileOf(square), rowOf(square));
      return [home.has(across) ? across : square, rank];
    }),
  );
};
