// Clocks in words, made of their numbers; and clocks of one's own, made of a kind.
import { t } from '../text/text.svelte';
import type { Clock } from '../wire/types';

export const DAY_MS = 86_400_000;
/** The kinds as a person chooses them: days a move are a kind of their own. */
export const KINDS = ['sudden-death', 'fischer', 'bronstein', 'delay', 'per-move', 'days'] as const;
export type OwnKind = (typeof KINDS)[number];

export const byDays = (clock: Pick<Clock, 'kind' | 'cap_ms'> | null): boolean => clock?.kind === 'per-move' && (clock.cap_ms ?? 0) >= DAY_MS;
export const ownKind = (clock: Clock): OwnKind => (byDays(clock) ? 'days' : clock.kind);

/** The clock of another kind that is nearest to this one. */
export function fitted(clock: Clock, kind: OwnKind): Clock {
  const days = kind === 'days';
  const each = days || kind === 'per-move';
  const gives = kind === 'fischer' || kind === 'bronstein' || kind === 'delay';
  const setup = { setup_ms: days ? null : (clock.setup_ms ?? 300_000), setup_timeout: days ? 'forfeit' as const : clock.setup_timeout };
  return {
    kind: kind === 'days' ? 'per-move' : kind, main_ms: each ? 0 : clock.main_ms || 600_000, add_ms: gives ? clock.add_ms || 5_000 : 0,
    cap_ms: days ? 3 * DAY_MS : kind === 'per-move' ? 30_000 : byDays(clock) || clock.kind === 'per-move' ? null : clock.cap_ms, ...setup,
  };
}

export const clockKey = (clock: Clock | null): string => (clock ? JSON.stringify([clock.kind, clock.main_ms, clock.add_ms, clock.cap_ms]) : '');

export function clockTitle(clock: Clock | null): string {
  if (!clock) return t('clock-none');
  if (byDays(clock)) return t('clock-days', { days: Math.round((clock.cap_ms ?? 0) / DAY_MS) });
  const title = t(`clock-${clock.kind}`, {
    minutes: Math.round(clock.main_ms / 60_000), seconds: Math.round((clock.kind === 'per-move' ? (clock.cap_ms ?? 0) : clock.add_ms) / 1000),
  });
  return clock.cap_ms === null || clock.kind === 'per-move' ? title : t('clock-capped', { clock: title, seconds: Math.round(clock.cap_ms / 1000) });
}
