// A finished game steps forth and back to the same positions.
import { expect, test } from 'vitest';
import { curiosity, scoreNotes } from '../game/ending';
import { blank } from '../wire/sample';
import type { Ply, State } from '../wire/types';
import { countLeft, course, nextBattle, positionAt, seen, winnerOf } from './build';

const ARMY = 'FB3243B322B53B74S5324B62895B742567M26862';
const ply = (number: number, from: string, to: string, outcome: Ply['outcome'] = 'quiet', attacker: number | null = null, defender: number | null = null): Ply => ({
  ply: number, seat: number % 2 ? 'red' : 'blue', from, to, outcome, attacker, defender, rescue: null, ms: 0,
});
// The marshal on e4 walks up the e file and takes the man on e7.
const over: State = {
  ...blank, phase: 'over', result: 'blue', reason: 'resigned', truth: { red: ARMY, blue: ARMY }, ply: 5,
  plies: [ply(1, 'e4', 'e5'), ply(2, 'j7', 'j6'), ply(3, 'e5', 'e6'), ply(4, 'j6', 'j5'), ply(5, 'e6', 'e7', 'attacker', 10, 2)],
};

test('positions follow the plies', () => {
  expect(positionAt(over, 0).get('e4')?.rank).toBe(10);
  const end = positionAt(over, 5);
  expect(end.get('e7')).toMatchObject({ seat: 'red', rank: 10, moved: true, known: true });
  expect(end.size).toBe(79);
  expect(countLeft(end).blue[2]).toBe(7);
});
test('the course counts men left after each ply', () => {
  expect(course(over).blue).toEqual([40, 40, 40, 40, 40, 39]);
  expect(course(over).red.at(-1)).toBe(40);
});
test('each side sees its own men and what was shown', () => {
  const end = positionAt(over, 5);
  const ranks = (by: 'red' | 'blue' | 'both'): number => seen(end, by).filter((man) => man.rank !== null).length;
  expect([ranks('red'), ranks('blue'), ranks('both')]).toEqual([40, 40, 79]);
});
test('battles are found in both directions', () => {
  expect(nextBattle(over.plies, 0, true)).toBe(5);
  expect(nextBattle(over.plies, 5, true)).toBe(5);
  expect(nextBattle(over.plies, 5, false)).toBe(0);
  expect(over.plies.map(winnerOf)).toEqual([null, null, null, null, 'red']);
});
test('notes are scored against the armies as they stood', () => {
  expect(scoreNotes(over, { j10: 12, i10: 11, h10: 11 })).toMatchObject({ right: 2, all: 3, wrong: [{ man: 'h10', noted: 11, was: 3 }] });
  expect(scoreNotes(over, {})).toBeNull();
  expect(curiosity({ ...over, men: [{ id: 'd9', seat: 'blue', square: 'd9', rank: 1, moved: false, known: false, fell: null }] })).toBe('spy-never-moved');
});
