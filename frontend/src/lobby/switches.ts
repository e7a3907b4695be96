// House rules as the page offers them: each switch of the law with the values a person may choose.
import { has, t } from '../text/text.svelte';
import type { Law, Switch, VariantCard } from '../wire/types';

/** Choices in the order of the list; only values other than a variant's own are departures. */
export const OFFERED: readonly (readonly [string, Switch])[] = [
  ['bomb_once', true],
  ['tie', 'attacker'],
  ['tie', 'defender'],
  ['reveal', 'silent'],
  ['scout_move_and_strike', false],
  ['two_square_limit', 2],
  ['two_square_limit', 5],
  ['two_square_limit', null],
  ['two_square_counts_attacks', false],
  ['two_square_scope', 'exact-squares'],
  ['more_squares', 'off'],
  ['chase_memory', 'since-capture'],
  ['chase_memory', 'game'],
  ['stuck_check', 'on_turn'],
  ['stuck_check', 'piece-count'],
  ['max_quiet_plies', 200],
  ['max_plies', 2000],
  ['limit_test', 'more-than'],
  ['flag_beats_limit', false],
  ['spy_taken_only_by_attack', true],
];

export interface Rule {
  key: string;
  value: Switch;
}

/** The switches in which a game departs from its variant. Who starts is said elsewhere. */
export const departures = (card: Pick<VariantCard, 'law' | 'default_law'>): Rule[] => departuresOf(card.law, card.default_law);

export function departuresOf(law: Law, usual: Law): Rule[] {
  return Object.entries(law)
    .filter(([key, value]) => key !== 'first_player' && key in usual && usual[key] !== value)
    .map(([key, value]) => ({ key, value }));
}

const args = (rule: Rule): { value: string; number: number; key: string } => ({
  value: rule.value === null ? 'none' : String(rule.value),
  number: typeof rule.value === 'number' ? rule.value : 0,
  key: rule.key,
});
const name = (rule: Rule): string => (has(`rule-${rule.key}`) ? `rule-${rule.key}` : 'rule-other');

/** A rule's short name, for a chip. */
export const ruleTitle = (rule: Rule): string => t(name(rule), args(rule));
/** What it means, in a sentence or two. */
export const ruleClause = (rule: Rule): string => t(`${name(rule)}.clause`, args(rule));
