// Armies kept in this browser: the one in the making, and those saved under a name.
import { keep, recall } from '../settings/keep';

export interface Kept {
  name: string;
  variant: string;
  army: string;
}

export const shelf = $state({ mine: recall<Kept[]>('armies', []) });

const MOST = 60;

/** Saves under a name; an army of that name and variant gives way. */
export function save(one: Kept): void {
  shelf.mine = [one, ...shelf.mine.filter((old) => old.name !== one.name || old.variant !== one.variant)].slice(0, MOST);
  keep('armies', $state.snapshot(shelf.mine));
}

export function remove(one: Kept): void {
  shelf.mine = shelf.mine.filter((old) => old.name !== one.name || old.variant !== one.variant);
  keep('armies', $state.snapshot(shelf.mine));
}

/** The army in the making, in letters, whichever side it is for. */
export const draft = (variant: string): string | null => recall<Record<string, string>>('drafts', {})[variant] ?? null;
/** The army last sent into a game of that variant. */
export const lastArmy = (variant: string): string | null => recall<Record<string, string>>('last', {})[variant] ?? null;
export const keepLast = (variant: string, army: string): void =>
  keep('last', { ...recall<Record<string, string>>('last', {}), [variant]: army });
export const keepDraft = (variant: string, army: string): void =>
  keep('drafts', { ...recall<Record<string, string>>('drafts', {}), [variant]: army });
