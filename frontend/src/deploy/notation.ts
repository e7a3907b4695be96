// Deployment texts: own back row first, left to right from the owner's seat, letters in either numbering.
import { BOMB, FLAG, letterOf, ORDER } from '../board/ranks';
import { homeOrder, rowOf } from '../board/squares';
import type { Numbering } from '../settings/settings.svelte';
import type { Counts, Rank, Seat, Square, VariantCard } from '../wire/types';

export type Army = Readonly<Record<Square, Rank>>;

/** Why a text is no deployment: a code of the catalogue with what its sentence needs. */
export class Unreadable extends Error {
  constructor(
    readonly code: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(code);
  }
}

const MODERN: Record<string, Rank> = { F: FLAG, B: BOMB, S: 1, M: 10 };
const ORIGINAL: Record<string, Rank> = { F: FLAG, B: BOMB, S: 1, '1': 10 };
for (let figure = 2; figure <= 9; figure++) {
  MODERN[figure] = figure;
  ORIGINAL[figure] = 11 - figure;
}

/** The letters of an army on the wire: one a home square, a dot where nobody stands. */
export const toText = (variant: VariantCard, seat: Seat, army: Army): string =>
  homeOrder(variant.home[seat], seat).map((square) => (army[square] ? letterOf(army[square]) : '.')).join('');

const sign = (rank: Rank, numbering: Numbering): string =>
  numbering === 'modern' || rank === 1 || rank >= BOMB ? letterOf(rank) : String(11 - rank);

/** The same for people: the numbering they chose, named, then one line a row, the back row first. */
export function toLines(variant: VariantCard, seat: Seat, army: Army, numbering: Numbering = 'modern'): string {
  let row = 0;
  let text = `${numbering}:`;
  for (const square of homeOrder(variant.home[seat], seat)) {
    if (rowOf(square) !== row) text += '\n';
    row = rowOf(square);
    text += army[square] ? sign(army[square], numbering) : '.';
  }
  return text;
}

export function count(army: Army): Counts {
  const found: Counts = {};
  for (const rank of Object.values(army)) found[rank] = (found[rank] ?? 0) + 1;
  return found;
}

/** How many men of each rank are still to be placed. */
export function remaining(variant: VariantCard, army: Army): Counts {
  const placed = count(army);
  return Object.fromEntries(ORDER.map((rank) => [rank, (variant.army[rank] ?? 0) - (placed[rank] ?? 0)]));
}

/** Whether an army may take the field; where men may stay in the box, all but the flag may. */
export const isWhole = (variant: VariantCard, army: Army): boolean => {
  const left = remaining(variant, army);
  return variant.law['smaller_army'] === true ? left[FLAG] === 0 : Object.values(left).every((men) => men === 0);
};

function read(signs: string, table: Record<string, Rank>, squares: Square[]): Army | null {
  const army: Record<Square, Rank> = {};
  for (const [place, sign] of [...signs].entries()) {
    if (sign === '.') continue;
    const rank = table[sign];
    if (rank === undefined) return null;
    army[squares[place] ?? ''] = rank;
  }
  return army;
}

const same = (a: Army, b: Army): boolean =>
  Object.keys({ ...a, ...b }).every((square) => a[square] === b[square]);

/** The army that a text means. Throws Unreadable; digits alone are only read where one reading is an army. */
export function fromText(variant: VariantCard, seat: Seat, text: string): Army {
  if (text.length > 2000) throw new Unreadable('deployment_too_long');
  const [, head, rest] = /^\s*([a-z]+)\s*:(.*)$/is.exec(text) ?? [];
  const named = head?.toLowerCase();
  if (named && named !== 'modern' && named !== 'original') throw new Unreadable('bad_numbering');
  const signs = (rest ?? text).replace(/\s+/g, '').toUpperCase();
  const squares = homeOrder(variant.home[seat], seat);
  if (signs.length !== squares.length) throw new Unreadable('deployment_length', { needed: squares.length, have: signs.length });
  const odd = [...signs].findIndex((sign) => !/[.FBSM1-9]/.test(sign));
  if (odd >= 0) throw new Unreadable('deployment_sign', { place: odd + 1, sign: signs[odd] ?? '' });
  const numbering = named ?? (signs.includes('M') ? 'modern' : signs.includes('1') ? 'original' : null);
  const tables = numbering === 'modern' ? [MODERN] : numbering === 'original' ? [ORIGINAL] : [MODERN, ORIGINAL];
  const readings = tables.map((table) => read(signs, table, squares)).filter((army) => army !== null);
  const [first, second] = readings;
  if (!first) throw new Unreadable('mixed_numbering');
  if (!second || same(first, second)) return first;
  const whole = readings.filter((army) => isWhole(variant, army));
  if (whole.length !== 1 || !whole[0]) throw new Unreadable('which_numbering');
  return whole[0];
}

/** The men of a text that fit the variant's counts and squares; used for what a browser kept. */
export function lenient(variant: VariantCard, seat: Seat, letters: string): Army {
  try {
    const army = fromText(variant, seat, `modern:${letters}`);
    const left: Counts = { ...variant.army };
    return Object.fromEntries(
      Object.entries(army).filter(([, rank]) => {
        left[rank] = (left[rank] ?? 0) - 1;
        return (left[rank] ?? -1) >= 0;
      }),
    );
  } catch {
    return {};
  }
}
