// What the clocks show now: the server's last word, less the time since it came.
import { t } from '../text/text.svelte';
import type { Seat, State } from '../wire/types';

const tick = $state({ now: Date.now() });
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps time running while somebody looks; call the answer to stop. */
export function watchTime(): () => void {
  users += 1;
  timer ??= setInterval(() => (tick.now = Date.now()), 200);
  return () => {
    users -= 1;
    if (users > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export const now = (): number => tick.now;

/** Milliseconds left to a seat; null without a clock. */
export function timeLeft(state: State, seat: Seat, heardAt: number, at: number): number | null {
  const clock = state.clock;
  if (!clock) return null;
  const stood = seat === 'red' ? clock.red_ms : clock.blue_ms;
  const gone = clock.running === seat && state.phase === 'playing' ? Math.max(0, at - heardAt) : 0;
  const left = Math.max(0, stood - Math.max(0, gone - clock.free_ms));
  return clock.cap_ms !== null && clock.running === seat ? Math.min(left, Math.max(0, clock.cap_ms - gone)) : left;
}

const DAY_MS = 86_400_000;

/** 9:07, or 1:05:30 from an hour on; a started second counts whole. From a day on in words: 2 days 5 h. */
export function clockText(ms: number): string {
  if (ms >= DAY_MS) return t('clock-days-left', { days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / 3_600_000) });
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The moments at which a falling clock is spoken: a minute, 20 seconds, 10 seconds. */
export const WARNINGS_MS: readonly number[] = [60_000, 20_000, 10_000];
export const crossed = (before: number, after: number): number | null =>
  WARNINGS_MS.find((mark) => before > mark && after <= mark) ?? null;
