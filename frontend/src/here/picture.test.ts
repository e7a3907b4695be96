// The curtain's picture holds public facts alone, and says who is to act.
import { expect, test } from 'vitest';
import { blank } from '../wire/sample';
import type { Man, State } from '../wire/types';
import { dueOf, pictureOf } from './picture';

const man = (id: string, seat: Man['seat'], rank: number | null, known = false): Man => ({ id, seat, square: id, rank, moved: false, known, fell: null });

test('no man in the picture has a rank, known or not, and the order says nothing', () => {
  const men = [man('b1', 'red', 10), man('a1', 'red', 12, true), man('a10', 'blue', 4, true), man('b10', 'blue', null)];
  const one = pictureOf({ ...blank, men });
  const two = pictureOf({ ...blank, seat: 'blue', men: men.map((each) => ({ ...each, rank: each.seat === 'blue' ? 2 : null, known: false })).reverse() });
  expect(one).toEqual(two);
  expect(one.men.map((each) => each.square)).toEqual(['a1', 'a10', 'b1', 'b10']);
  expect(JSON.stringify(one.men)).not.toMatch(/rank|known/);
});
test('while armies are placed nobody sees a man', () => {
  const placed: State = { ...blank, phase: 'deploying', turn: null, men: [man('a1', 'red', 12)], ready: { red: true, blue: false } };
  expect(pictureOf(placed)).toMatchObject({ men: [], due: 'blue' });
});
test('who is to act', () => {
  const deploying: State = { ...blank, phase: 'deploying', turn: null };
  expect(dueOf({ ...deploying, ready: { red: false, blue: false } })).toBe('red');
  expect(dueOf({ ...deploying, ready: { red: false, blue: true } })).toBe('red');
  expect(dueOf({ ...blank, turn: 'blue' })).toBe('blue');
  expect(dueOf({ ...blank, turn: 'red', offer: 'red' })).toBe('blue');
});
