// Squares, numberings, jumps and times.
import { expect, test } from 'vitest';
import { modeOf, squareOf } from '../frame/layout.svelte';
import { usualNumbering } from '../settings/settings.svelte';
import { classic } from '../wire/sample';
import { battleTime, stepTime } from './motion';
import { figure, letterOf, ORDER, rankOfKey, rankOfLetter } from './ranks';
import { jump, nextTarget, type Typing } from './reach';
import { outlines, shore } from './shore';
import { corner, homeOrder, place, rows, step, waters } from './squares';

test('each seat has its own back row below', () => {
  expect(rows(classic, 'red').at(-1)?.[0]).toBe('a1');
  expect(rows(classic, 'blue').at(-1)?.[0]).toBe('j10');
  expect(place(classic, 'red', 'a10')).toEqual([0, 0]);
  expect(place(classic, 'blue', 'a1')).toEqual([9, 0]);
  expect(rows(classic, 'blue', [5, 10]).map((line) => line.length)).toEqual([10, 10, 10, 10, 10, 10]);
});
test('steps follow the screen and stop at the edge', () => {
  expect(step(classic, 'red', 'a1', 0, -1)).toBe('a2');
  expect(step(classic, 'blue', 'j10', 0, -1)).toBe('j9');
  expect(step(classic, 'red', 'a1', -1, 0)).toBeNull();
});
test('home order is that of the deployment text', () => {
  expect(homeOrder([...classic.home.blue].reverse(), 'blue')).toEqual(classic.home.blue);
  expect(homeOrder([...classic.home.red].reverse(), 'red')).toEqual(classic.home.red);
});
test('lakes are two bodies of water', () => {
  expect(waters(classic.lakes)).toMatchObject([{ file: 2, row: 5, width: 2, height: 2 }, { file: 6, row: 5, width: 2, height: 2 }]);
});
test('a shore goes once round its water', () => {
  expect(outlines([[0, 0]])).toHaveLength(1);
  expect(outlines([[0, 0]])[0]).toHaveLength(4);
  // A bent lake has six corners, a ring two shores, two lakes that touch at a corner one each.
  expect(outlines([[0, 0], [0, 1], [1, 1]])[0]).toHaveLength(6);
  const ring = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y): [number, number] => [x, y])).filter(([x, y]) => x !== 1 || y !== 1);
  expect(outlines(ring).map((one) => one.length)).toEqual([4, 4]);
  expect(outlines([[0, 0], [1, 1]])).toHaveLength(2);
  expect(shore([[0, 0]])).toBe('M46 7Q73 7 73 34L73 46Q73 73 46 73L34 73Q7 73 7 46L7 34Q7 7 34 7Z');
});
test('a seat begins at its own left hand', () => {
  expect([corner(classic, 'red'), corner(classic, 'blue'), corner({ width: 8, height: 10 }, 'blue'), corner({ width: 4, height: 4 }, 'blue')]).toEqual(['a1', 'j10', 'h10', 'd4']);
});
test('numberings change figures and keys, never letters', () => {
  expect([figure(10, 'modern'), figure(10, 'original'), figure(1, 'original'), figure(3, 'original')]).toEqual(['10', '1', 'S', '8']);
  for (const rank of ORDER) expect(rankOfLetter(letterOf(rank))).toBe(rank);
  expect([rankOfKey('0', 'modern'), rankOfKey('0', 'original'), rankOfKey('1', 'modern'), rankOfKey('1', 'original'), rankOfKey('b', 'modern')]).toEqual([10, null, 1, 10, 11]);
});
test.each([[['lt'], 'original'], [['en-US'], 'original'], [['pt-BR'], 'original'], [['hy-AM'], 'original'], [['sq'], 'original'], [['en-GB', 'lt'], 'modern'], [['de'], 'modern'], [[], 'modern']] as const)(
  'boxes of %j', (languages, numbering) => expect(usualNumbering(languages)).toBe(numbering),
);
test('typing a letter and one or two digits names a square', () => {
  let wait: Typing | null = null;
  const type = (key: string, at: number): string | null => {
    const found = jump(classic, key, wait, at);
    wait = found.wait;
    return found.square;
  };
  expect(type('c', 0)).toBeNull();
  expect(type('1', 100)).toBe('c1');
  expect(type('0', 200)).toBe('c10');
  expect(type('5', 300)).toBeNull();
  expect(type('d', 400)).toBeNull();
  expect(type('4', 4000)).toBeNull();
});
test('Shift and an arrow find the next target that way', () => {
  const targets = new Map([['e6', 1], ['e8', 1], ['d5', 1]]);
  expect(nextTarget(classic, 'red', 'e5', [0, -1], targets)).toBe('e6');
  expect(nextTarget(classic, 'red', 'e5', [-1, 0], targets)).toBe('d5');
  expect(nextTarget(classic, 'red', 'e5', [1, 0], targets)).toBeNull();
});
test('times depend on distance and choice alone', () => {
  expect([stepTime(1, 'full'), stepTime(3, 'full'), stepTime(9, 'full'), stepTime(4, 'brief'), stepTime(4, 'none')]).toEqual([160, 230, 320, 90, 0]);
  expect(battleTime('full')).toEqual({ meet: 140, open: 220, fall: 260 });
});
test.each([
  [1440, 900, 16, 'wide', 78], [1280, 720, 16, 'wide', 60], [1180, 820, 16, 'rail', 70], [820, 1180, 16, 'tall', 76], [1024, 768, 16, 'rail', 62], [390, 844, 16, 'phone', 37], [844, 390, 16, 'flat', 36],
  [1440, 900, 32, 'rail', 73],
] as const)('a window of %i × %i at %i px', (width, height, rem, mode, side) => {
  expect(modeOf({ width, height, rem })).toBe(mode);
  expect(squareOf({ width, height, rem }, 'play')).toBe(side);
});
