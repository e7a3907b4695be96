// The reader's own choices, kept in this browser and applied to the document at once.
import { keep, onKept, recall } from './keep';

export type Theme = 'auto' | 'light' | 'dark';
export type Numbering = 'modern' | 'original';
export type Motion = 'full' | 'brief' | 'none';

export interface Choices {
  theme: Theme;
  numbering: Numbering | null;
  motion: Motion | null;
  sound: boolean;
  volume: number;
  turnBack: boolean;
  letters: boolean;
  language: string | null;
}

const FIRST: Choices = {
  theme: 'auto',
  numbering: null,
  motion: null,
  sound: true,
  volume: 0.4,
  turnBack: false,
  letters: true,
  language: null,
};

const OLDER_BOXES = new Set(['lt', 'pt', 'sq', 'hy']);

/** Boxes sold in some languages print 1 on the marshal (R2); everywhere else 10 is the marshal. */
export function usualNumbering(languages: readonly string[]): Numbering {
  const first = (languages[0] ?? 'en').toLowerCase();
  const language = first.split('-')[0] ?? 'en';
  return OLDER_BOXES.has(language) || first === 'en-us' ? 'original' : 'modern';
}

export const choices: Choices = $state({ ...FIRST, ...recall<Partial<Choices>>('choices', {}) });

// A choice made in another tab counts here too, at once.
onKept('choices', () => {
  Object.assign(choices, FIRST, recall<Partial<Choices>>('choices', {}));
  apply();
});

/** Changes one choice and remembers it. */
export function choose<K extends keyof Choices>(key: K, value: Choices[K]): void {
  choices[key] = value;
  keep('choices', { ...choices });
  apply();
}

export const numbering = (): Numbering => choices.numbering ?? usualNumbering(navigator.languages);

const calm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');
export const motion = (): Motion => choices.motion ?? (calm?.matches ? 'none' : 'full');

/** Puts theme and motion where the style sheets look for them. */
export function apply(): void {
  const root = document.documentElement;
  if (choices.theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = choices.theme;
  root.dataset['motion'] = motion();
}
