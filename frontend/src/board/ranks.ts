// Ranks as the page shows them: drawing, number in either numbering, letter in texts.
import type { Rank } from '../wire/types';
import type { Numbering } from '../settings/settings.svelte';

export const BOMB = 11;
export const FLAG = 12;
/** From marshal to flag, the order of every list of ranks. */
export const ORDER: readonly Rank[] = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, BOMB, FLAG];

const DRAWINGS = ['', 'spy', 'scout', 'miner', 'sergeant', 'lieutenant', 'captain', 'major', 'colonel', 'general', 'marshal', 'bomb', 'flag'];
export const drawing = (rank: Rank): string => `#man-${DRAWINGS[rank] ?? ''}`;

const MODERN = ['', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'B', 'F'];
const ORIGINAL = ['', 'S', '9', '8', '7', '6', '5', '4', '3', '2', '1', 'B', 'F'];

/** The number or letter of a rank: modern 10 is the marshal, original 1 is (R2). */
export const figure = (rank: Rank, numbering: Numbering): string =>
  (numbering === 'modern' ? MODERN : ORIGINAL)[rank] ?? '';

/** The rank that a key asks for: digits by the numbering, 0 for ten, S B F always. */
export function rankOfKey(key: string, numbering: Numbering): Rank | null {
  const letter = key.toUpperCase();
  if (letter === 'S') return 1;
  if (letter === 'B') return BOMB;
  if (letter === 'F') return FLAG;
  if (!/^[0-9]$/.test(key)) return null;
  if (numbering === 'modern') return key === '0' ? 10 : Number(key);
  return key === '0' ? null : 11 - Number(key);
}

const LETTERS = ['', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M', 'B', 'F'];
/** The letter of a deployment text, the same in both numberings. */
export const letterOf = (rank: Rank): string => LETTERS[rank] ?? '.';
export const rankOfLetter = (letter: string): Rank | null => {
  const at = LETTERS.indexOf(letter.toUpperCase());
  return at > 0 ? at : null;
};
