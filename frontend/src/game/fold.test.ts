// States in any order of arrival end in the newest, with every ply once.
import { expect, test } from 'vitest';
import { blank } from '../wire/sample';
import type { Ply, State } from '../wire/types';
import { fold, isGapless, join, lastBattle, lastPly, type Held } from './fold';

const ply = (number: number, outcome: Ply['outcome'] = 'quiet'): Ply => ({
  ply: number, seat: number % 2 ? 'red' : 'blue', from: 'a4', to: 'a5', outcome, attacker: null, defender: null, rescue: null, ms: 0,
});
const at = (n: number, plies: Ply[]): State => ({ ...blank, n, ply: plies.at(-1)?.ply ?? 0, plies, plies_from: plies[0]?.ply ?? 1 });

test('an older state changes nothing', () => {
  const held = fold(null, at(5, [ply(1), ply(2)])) as Held;
  expect(fold(held, at(4, [ply(1)]))).toBeNull();
});
test('an equal number replaces, and keeps the plies', () => {
  const held = fold(null, at(5, [ply(1), ply(2)])) as Held;
  const next = fold(held, { ...at(5, []), ply: 2, plies_from: 3, thinking: true });
  expect(next?.thinking).toBe(true);
  expect(next?.plies).toHaveLength(2);
});
test('late plies join without doubling', () => {
  expect(join([ply(1), ply(2)], [ply(2), ply(3)], 2).map((one) => one.ply)).toEqual([1, 2, 3]);
  const held = fold(fold(null, at(1, [ply(1)])), at(3, [ply(2), ply(3, 'both')])) as Held;
  expect(isGapless(held)).toBe(true);
  expect(lastPly(held)?.ply).toBe(3);
  expect(lastBattle(held.plies)?.outcome).toBe('both');
});
test('a gap is noticed', () => {
  expect(isGapless(fold(null, at(3, [ply(3)])) as Held)).toBe(false);
});
test('another game starts anew', () => {
  const held = fold(null, at(9, [ply(1)])) as Held;
  expect(fold(held, { ...blank, game: 'h', n: 1 })?.plies).toEqual([]);
});
test('plies that were taken back are gone, and others take their place', () => {
  const held = fold(fold(null, at(3, [ply(1), ply(2), ply(3)])), { ...at(5, []), plies_from: 2 }) as Held;
  expect(held.plies.map((one) => one.ply)).toEqual([1]);
  const again = fold(held, { ...at(6, [ply(2, 'both')]), plies_from: 2 }) as Held;
  expect(again.plies.map((one) => one.outcome)).toEqual(['quiet', 'both']);
});
