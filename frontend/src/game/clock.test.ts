// Clocks fall from the server's last word and are read in whole seconds.
import { expect, test } from 'vitest';
import { speak } from '../text/text.svelte';
import { blank } from '../wire/sample';
import { clockText, crossed, timeLeft } from './clock.svelte';

const state = { ...blank, clock: { kind: 'fischer' as const, red_ms: 60_000, blue_ms: 30_000, running: 'red' as const, cap_ms: null, free_ms: 0 } };

test('only the running clock falls, never below nothing', () => {
  expect(timeLeft(state, 'red', 1000, 6000)).toBe(55_000);
  expect(timeLeft(state, 'blue', 1000, 6000)).toBe(30_000);
  expect(timeLeft(state, 'red', 0, 100_000)).toBe(0);
  expect(timeLeft(blank, 'red', 0, 0)).toBeNull();
});
test.each([[547_000, '9:07'], [59_001, '1:00'], [0, '0:00'], [3_930_000, '1:05:30']])('%i ms', (ms, text) => expect(clockText(ms)).toBe(text));
test('free time runs before the clock does', () => {
  const free = { ...state, clock: { ...state.clock, kind: 'delay' as const, free_ms: 3000 } };
  expect(timeLeft(free, 'red', 1000, 4000)).toBe(60_000);
  expect(timeLeft(free, 'red', 1000, 6000)).toBe(58_000);
});
test.each([[86_400_000, '1 day'], [2 * 86_400_000 + 5 * 3_600_000 + 1, '2 days 5 h'], [86_399_000, '23:59:59']])('%i ms in words', (ms, text) => {
  speak(['en']);
  expect(clockText(ms)).toBe(text);
});
test('warnings come once, as the clock passes them', () => {
  expect(crossed(60_100, 59_900)).toBe(60_000);
  expect(crossed(59_900, 59_700)).toBeNull();
  expect(crossed(20_050, 19_990)).toBe(20_000);
});
