// Changing an army: placing, swapping, mirroring never makes or loses a man.
import { expect, test } from 'vitest';
import { classic } from '../wire/sample';
import { mirror, put, shift, takeBack } from './army';
import { count, fromText } from './notation';

const whole = fromText(classic, 'red', 'FB3243B322B53B74S5324B62895B742567M26862');

test('a man is put while any is left, and replaces who stood there', () => {
  const one = put(classic, {}, 'a1', 12);
  expect(one).toEqual({ a1: 12 });
  expect(put(classic, one, 'b1', 12)).toBe(one);
  expect(put(classic, one, 'a1', 11)).toEqual({ a1: 11 });
});
test('two men change places, one man moves', () => {
  expect(shift({ a1: 12, b1: 2 }, 'a1', 'b1')).toEqual({ a1: 2, b1: 12 });
  expect(shift({ a1: 12 }, 'a1', 'c3')).toEqual({ c3: 12 });
  expect(shift(whole, 'a1', 'a1')).toBe(whole);
});
test('a mirrored army is the same army, and mirrored again the same places', () => {
  const other = mirror(classic, whole);
  expect(other['j1']).toBe(12);
  expect(count(other)).toEqual(count(whole));
  expect(mirror(classic, other)).toEqual(whole);
});
test('a man without a mirror image of his place stays, and nobody is lost', () => {
  const odd = { ...classic, home: { ...classic.home, red: classic.home.red.filter((square) => square !== 'j1') } };
  const army = { a1: 12, b1: 2, i1: 3 };
  expect(mirror(odd, army)).toEqual({ a1: 12, i1: 2, b1: 3 });
});
test('taking back from an empty square changes nothing', () => {
  expect(takeBack(whole, 'e5')).toBe(whole);
  expect(takeBack({ a1: 12 }, 'a1')).toEqual({});
});
