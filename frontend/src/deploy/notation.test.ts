// Deployment texts: letters, lines, both numberings, and what is refused.
import { describe, expect, test } from 'vitest';
import { classic } from '../wire/sample';
import { fromText, isWhole, lenient, remaining, toLines, toText, Unreadable } from './notation';

const LETTERS = 'FB3243B322B53B74S5324B62895B742567M26862';
const code = (text: string): string => {
  try {
    fromText(classic, 'red', text);
    return 'read';
  } catch (fault) {
    return fault instanceof Unreadable ? fault.code : String(fault);
  }
};

describe('a deployment text', () => {
  test('goes back row first, left to right from the own seat', () => {
    const red = fromText(classic, 'red', LETTERS);
    expect(red['a1']).toBe(12);
    expect(red['b1']).toBe(11);
    expect(red['e4']).toBe(10);
    const blue = fromText(classic, 'blue', LETTERS);
    expect(blue['j10']).toBe(12);
    expect(blue['f7']).toBe(10);
  });
  test('comes back the same for both seats', () => {
    for (const seat of ['red', 'blue'] as const) {
      const army = fromText(classic, seat, LETTERS);
      expect(isWhole(classic, army)).toBe(true);
      expect(toText(classic, seat, army)).toBe(LETTERS);
      expect(fromText(classic, seat, toLines(classic, seat, army))).toEqual(army);
    }
  });
  test('reads the original numbering', () => {
    const original = LETTERS.replace(/[2-9M]/g, (sign) => (sign === 'M' ? '1' : String(11 - Number(sign))));
    expect(fromText(classic, 'red', original)).toEqual(fromText(classic, 'red', LETTERS));
    expect(fromText(classic, 'red', `original: ${original}`)).toEqual(fromText(classic, 'red', LETTERS));
  });
  test.each([
    ['deployment_length', 'F'],
    ['deployment_sign', `X${LETTERS.slice(1)}`],
    ['mixed_numbering', `1${LETTERS.slice(1)}`],
    ['bad_numbering', `martian:${LETTERS}`],
    ['which_numbering', `${'.'.repeat(39)}2`],
    ['deployment_too_long', '.'.repeat(2001)],
    ['read', `  ${LETTERS.toLowerCase().slice(0, 10)}\n${LETTERS.slice(10)} `],
  ])('says %s', (expected, text) => expect(code(text)).toBe(expected));
  test('of a browser is cut down to what the variant has', () => {
    expect(Object.keys(lenient(classic, 'red', 'F'.repeat(40)))).toHaveLength(1);
    expect(lenient(classic, 'red', 'nonsense')).toEqual({});
  });
  test('counts what is still to be placed', () => {
    expect(remaining(classic, { a1: 12, b1: 2 })).toMatchObject({ 12: 0, 2: 7, 10: 1 });
  });
});
