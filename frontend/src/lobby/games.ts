// A game as it is ordered: a name of the catalogue with house rules, or the form of one's own; both follow from its card.
import { ORDER } from '../board/ranks';
import { named } from '../board/squares';
import type { Chosen, Counts, Form, Law, Rank, VariantCard } from '../wire/types';

const WORDS = ['', 'spy', 'scout', 'miner', 'sergeant', 'lieutenant', 'captain', 'major', 'colonel', 'general', 'marshal', 'bomb', 'flag'];
const COUNTS = 'counts.';

/** The house rule that changes how many men of a rank there are. */
export const countKey = (rank: Rank): string => `${COUNTS}${WORDS[rank] ?? ''}`;
/** The rank whose count a house rule changes; null for any other rule. */
export const countedRank = (key: string): Rank | null => (key.startsWith(COUNTS) ? WORDS.indexOf(key.slice(COUNTS.length)) : null);

/** A card under house rules, as the page shows it before the server is asked. */
export function withLaw(card: VariantCard, law: Law): VariantCard {
  const army: Counts = { ...card.army };
  const switches: Law = { ...card.law };
  for (const [key, value] of Object.entries(law)) {
    const rank = countedRank(key);
    if (rank === null) switches[key] = value;
    else army[rank] = Number(value);
  }
  return { ...card, army, law: switches };
}

/** The house rules that make a card out of its entry in the catalogue. */
export function houseLaw(card: Pick<VariantCard, 'army' | 'default_army' | 'law' | 'default_law'>): Law {
  const law: Law = Object.fromEntries(Object.entries(card.law).filter(([key, value]) => key in card.default_law && card.default_law[key] !== value));
  for (const rank of ORDER) {
    const men = card.army[rank] ?? 0;
    if (men !== (card.default_army[rank] ?? 0)) law[countKey(rank)] = men;
  }
  return law;
}

/** A card of one's own as its file would have it. */
export function formOf(card: VariantCard): Form {
  const signs = new Map<string, string>([
    ...card.lakes.map((square) => [square, '~'] as const), ...card.home.red.map((square) => [square, 'r'] as const), ...card.home.blue.map((square) => [square, 'b'] as const),
  ]);
  const rows = Array.from({ length: card.height }, (_, down) =>
    Array.from({ length: card.width }, (_, file) => signs.get(named(file, card.height - down)) ?? '.').join(''));
  const byWord = (counts: Counts): Record<string, number> =>
    Object.fromEntries(Object.entries(counts).map(([rank, number]) => [WORDS[Number(rank)] ?? rank, number]));
  return {
    format: 'flagfall-variant-1', name: card.name, board: rows, army: byWord(card.army), reach: byWord(card.reach),
    battles: card.battles.map((one) => [WORDS[one.attacker], WORDS[one.defender], one.outcome]), law: card.law,
  };
}

/** What the server is asked for. */
export const orderOf = (card: VariantCard): { variant: Chosen; law: Law } =>
  card.own ? { variant: formOf(card), law: {} } : { variant: card.name, law: houseLaw(card) };

export const menOf = (counts: Counts): number => Object.values(counts).reduce((sum, men) => sum + men, 0);
