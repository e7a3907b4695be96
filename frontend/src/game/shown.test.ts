// What a ply left out is filled in from what this seat knows, and nothing else.
import { expect, test } from 'vitest';
import { blank } from '../wire/sample';
import type { Man, Ply, State } from '../wire/types';
import { pairs, shownPlies } from './shown';

const ply = (number: number, from: string, to: string, outcome: Ply['outcome'] = 'quiet', more: Partial<Ply> = {}): Ply => ({
  ply: number, seat: number % 2 ? 'red' : 'blue', from, to, outcome, attacker: null, defender: null, rescue: null, ms: 0, ...more,
});
const man = (id: string, seat: 'red' | 'blue', rank: number | null): Man => ({ id, seat, square: id, rank, moved: false, known: false, fell: null });
const men = [man('a1', 'red', 5), man('b1', 'red', 3), man('a4', 'blue', null), man('b4', 'blue', null)];
const plies = [
  ply(1, 'a1', 'a2'), ply(2, 'a4', 'a3'), ply(3, 'a2', 'a3', 'defender'), ply(4, 'b4', 'b3'), ply(5, 'b1', 'b2'), ply(6, 'a3', 'a2'),
  ply(7, 'b2', 'b3', 'attacker'), ply(8, 'a2', 'a1'), ply(9, 'b3', 'b4', 'quiet', { rescue: { man: 'a1', put: 'c1' } }), ply(10, 'a1', 'b1'), ply(11, 'c1', 'b1', 'both'),
];
const state: State = { ...blank, men, plies };

test('men are followed by their ids, back from a rescue too', () => {
  const who = pairs(men.map((one) => one.id), plies);
  expect(who[2]).toEqual({ mover: 'a1', met: 'a4' });
  expect(who[6]).toEqual({ mover: 'b1', met: 'b4' });
  expect(who[10]).toEqual({ mover: 'a1', met: 'a4' });
});
test('own men are named where a ply names nobody; hidden ones stay hidden', () => {
  const shown = shownPlies(state);
  expect([shown[2]?.attacker, shown[2]?.defender]).toEqual([5, null]);
  expect([shown[6]?.attacker, shown[6]?.defender]).toEqual([3, null]);
  expect(shown[8]).toMatchObject({ back: 5, attacker: null });
  expect(shown[0]).toBe(plies[0]);
});
test('what a ply told stands', () => {
  const told = shownPlies({ ...state, plies: [ply(1, 'a1', 'a4', 'both', { attacker: 9, defender: 9 })] });
  expect([told[0]?.attacker, told[0]?.defender]).toEqual([9, 9]);
});
test('a man known by now is known in his old battles', () => {
  const later = { ...state, men: men.map((one) => (one.id === 'a4' ? { ...one, rank: 7 } : one)) };
  expect(shownPlies(later)[2]?.defender).toBe(7);
});
