// A game as it is ordered follows from its card: a name with house rules, or the form of one's own.
import { expect, test } from 'vitest';
import { classic } from '../wire/sample';
import { formOf, houseLaw, orderOf, withLaw } from './games';
import { departures, offered } from './switches';
import { sameGround } from './readyarmy';

test('house rules and counts go into a card and come out of it again', () => {
  const law = { bomb_once: true, 'counts.miner': 4 };
  const card = withLaw(classic, law);
  expect(card.army[3]).toBe(4);
  expect(houseLaw(card)).toEqual(law);
  expect(orderOf(card)).toEqual({ variant: 'classic', law });
  expect(departures(card)).toEqual([{ key: 'bomb_once', value: true, usual: false }, { key: 'counts.miner', value: 4, usual: 5 }]);
});
test('a game without house rules departs in nothing', () => {
  expect(departures(classic)).toEqual([]);
});
test('of a switch the other values are offered, not the game’s own', () => {
  const rules = offered(withLaw(classic, { bomb_once: true })).flatMap((one) => one.rules);
  expect(rules.filter((rule) => rule.key === 'bomb_once').map((rule) => rule.value)).toEqual([false]);
  expect(rules.some((rule) => rule.key === 'rescues')).toBe(false);
});
test('one’s own game travels as its file would have it', () => {
  const form = formOf({ ...classic, own: true, name: 'mine', battles: [{ attacker: 3, defender: 11, outcome: 'both' }] });
  expect(form).toMatchObject({ format: 'flagfall-variant-1', name: 'mine', battles: [['miner', 'bomb', 'both']] });
  const board = form['board'] as string[];
  expect([board.length, board[0], board[4]]).toEqual([10, 'b'.repeat(10), '..~~..~~..']);
  expect((form['army'] as Record<string, number>)['scout']).toBe(8);
  expect((form['reach'] as Record<string, number>)['bomb']).toBe(0);
});
test('both grounds of a game are compared as their owners see them', () => {
  expect(sameGround(classic)).toBe(true);
  expect(sameGround({ ...classic, home: { ...classic.home, blue: classic.home.blue.slice(1) } })).toBe(false);
  const shifted = classic.home.blue.map((square) => `${square[0]}${Number(square.slice(1)) - 1}`);
  expect(sameGround({ ...classic, home: { ...classic.home, blue: shifted } })).toBe(false);
});
