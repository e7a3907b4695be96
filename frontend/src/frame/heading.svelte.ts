// Which game the top of the page names, and the dialogues that open from anywhere.
import type { VariantCard } from '../wire/types';

export interface Opening {
  /** Letters of an army to start with. */
  army?: string;
}

export const heading = $state({
  card: null as VariantCard | null,
  newGame: null as Opening | null,
  settings: false,
  keys: false,
  menu: false,
});
