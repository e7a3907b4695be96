// How long things move: a function of public facts alone (distance, battle or not) and of the reader's choice.
import type { Motion } from '../settings/settings.svelte';

export interface Beats {
  meet: number;
  open: number;
  fall: number;
}

/** Milliseconds of a quiet move over so many squares. */
export function stepTime(squares: number, motion: Motion): number {
  if (motion === 'none') return 0;
  if (motion === 'brief') return 90;
  return squares <= 1 ? 160 : Math.min(320, 140 + 30 * squares);
}

/** The three beats of a battle in milliseconds. */
export function battleTime(motion: Motion): Beats {
  if (motion === 'none') return { meet: 0, open: 0, fall: 0 };
  if (motion === 'brief') return { meet: 0, open: 120, fall: 120 };
  return { meet: 140, open: 220, fall: 260 };
}

export const EASE = 'cubic-bezier(.2,.7,.2,1)';
