// Clocks in words, made of their numbers.
import { t } from '../text/text.svelte';
import type { Clock } from '../wire/types';

export const clockKey = (clock: Clock | null): string => (clock ? JSON.stringify([clock.kind, clock.main_ms, clock.add_ms, clock.cap_ms]) : '');

export function clockTitle(clock: Clock | null): string {
  if (!clock) return t('clock-none');
  return t(`clock-${clock.kind}`, {
    minutes: Math.round(clock.main_ms / 60_000), seconds: Math.round((clock.kind === 'per-move' ? (clock.cap_ms ?? 0) : clock.add_ms) / 1000),
  });
}
