// What is drawn is a function of what the seat was told.
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import Man from '../board/Man.svelte';
import { blank } from '../wire/sample';
import type { Man as OneMan, State } from '../wire/types';
import { boardMen, eventOf, targetsOf, total, vague } from './seen';

const man = (id: string, seat: 'red' | 'blue', rank: number | null, more: Partial<OneMan> = {}): OneMan => ({
  id, seat, square: id, rank, moved: false, known: rank !== null && seat === 'blue', fell: null, ...more,
});
const state: State = {
  ...blank, men: [man('j7', 'blue', 5), man('a4', 'red', 8, { known: true }), man('b7', 'blue', null), man('a7', 'blue', null, { moved: true })],
  legal: { a4: ['a5', 'b7'] },
};

test('men come in the order of their squares, whatever they are', () => {
  expect(boardMen(state, {}, false, new Set()).map((one) => one.square)).toEqual(['a4', 'a7', 'b7', 'j7']);
});
test('hidden men have one markup', () => {
  const backs = ['b7', 'c7', 'd8'].map(() => render(Man, { seat: 'blue', rank: null }).container.innerHTML);
  expect(new Set(backs).size).toBe(1);
  expect(backs[0]).not.toMatch(/man-/);
});
test('turned back, a known enemy is a back but for the last battle', () => {
  const drawn = (open: string[]): (number | null)[] => boardMen(state, {}, true, new Set(open)).map((one) => one.rank);
  expect(drawn([])).toEqual([8, null, null, null]);
  expect(drawn(['j7'])).toEqual([8, null, null, 5]);
});
test('notes lie on hidden enemies alone', () => {
  const notes = { b7: 11, j7: 2, a4: 3 };
  expect(boardMen(state, notes, false, new Set()).map((one) => one.note)).toEqual([null, null, 11, null]);
});
test('targets tell going from attacking', () => {
  expect([...targetsOf(state, 'a4')]).toEqual([['a5', 'go'], ['b7', 'attack']]);
  expect(targetsOf(state, null).size).toBe(0);
});
test('a battle opens what the ply told, and no more', () => {
  const ply = { ply: 1, seat: 'red' as const, from: 'a4', to: 'b7', outcome: 'attacker' as const, attacker: 8, defender: null, rescue: null, ms: 0 };
  expect(eventOf(ply, state, true, false, false)).toMatchObject({ before: { attacker: 8, defender: null }, after: { attacker: 8, defender: null } });
});
test('the total of a side is who stands on the board; before the first ply its army', () => {
  expect(total(state, 'blue')).toBe(3);
  expect(total({ ...state, men: state.men.map((one) => (one.id === 'j7' ? { ...one, square: null, fell: 9 } : one)) }, 'blue')).toBe(2);
  expect(total({ ...state, phase: 'deploying' }, 'blue')).toBe(40);
});
test('numbers by rank are only the most a side has where men fell unseen or stayed in the box', () => {
  expect([vague(state, 'blue'), vague(state, 'red')]).toEqual([false, false]);
  expect(vague({ ...state, hidden_fallen: { red: 0, blue: 2 } }, 'blue')).toBe(true);
  const free = { ...state, variant: { ...state.variant, law: { ...state.variant.law, smaller_army: true } } };
  expect([vague(free, 'blue'), vague(free, 'red')]).toEqual([true, false]);
});
