// House rules as the page offers them: each switch of the law with the values a person may choose.
import { rankName } from '../game/words';
import { capital, has, t } from '../text/text.svelte';
import type { Law, Switch, VariantCard } from '../wire/types';
import { countedRank, houseLaw } from './games';

type Choices = readonly (readonly [string, readonly Switch[]])[];

/** Switches by what they are about, with every value worth offering; a game's own value is never a departure. */
export const GROUPS: readonly (readonly [string, Choices])[] = [
  ['battle', [['bomb_once', [true, false]], ['tie', ['attacker', 'defender', 'both']], ['reveal', ['silent', 'none', 'both']], ['spy_taken_only_by_attack', [true]]]],
  ['moving', [['scout_move_and_strike', [false]], ['captains_move_two', [true, false]], ['rescues', [2, 3, 0]], ['smaller_army', [true, false]]]],
  ['repeating', [
    ['two_square_limit', [2, 5, 3, null]], ['two_square_counts_attacks', [false]], ['two_square_scope', ['exact-squares']], ['more_squares', ['off']],
    ['chase_memory', ['since-capture', 'game']],
  ]],
  ['ending', [['stuck_check', ['on_turn', 'piece-count']], ['max_quiet_plies', [200]], ['max_plies', [2000]], ['limit_test', ['more-than']], ['flag_beats_limit', [false]]]],
];

export interface Rule {
  key: string;
  value: Switch;
  /** What it would be otherwise. */
  usual: Switch;
}

/** The rules offered over a game without house rules, in their groups. */
export const offered = (card: VariantCard): { group: string; rules: Rule[] }[] =>
  GROUPS.map(([group, choices]) => ({
    group,
    rules: choices.flatMap(([key, values]) =>
      values.filter((value) => key in card.law && card.law[key] !== value).map((value) => ({ key, value, usual: card.law[key] ?? null }))),
  }));

/** The house rules by which a game departs from its entry. Who starts is said elsewhere. */
export const departures = (card: Pick<VariantCard, 'army' | 'default_army' | 'law' | 'default_law'>): Rule[] =>
  Object.entries(houseLaw(card)).filter(([key]) => key !== 'first_player').map(([key, value]) => {
    const rank = countedRank(key);
    return { key, value, usual: (rank === null ? card.default_law[key] : card.default_army[rank]) ?? (rank === null ? null : 0) };
  });

/** The rules of an entry that other games do not have. */
export const peculiarities = (card: Pick<VariantCard, 'default_law'>, plain: Law): Rule[] =>
  Object.entries(card.default_law)
    .filter(([key, value]) => key !== 'first_player' && key in plain && plain[key] !== value)
    .map(([key, value]) => ({ key, value, usual: plain[key] ?? null }));

const name = (rule: Rule): string => (countedRank(rule.key) !== null ? 'rule-count' : has(`rule-${rule.key}`) ? `rule-${rule.key}` : 'rule-other');
const args = (rule: Rule): Record<string, string | number> => ({
  value: rule.value === null ? 'none' : String(rule.value),
  number: typeof rule.value === 'number' ? rule.value : 0,
  usual: typeof rule.usual === 'number' ? rule.usual : 0,
  rank: capital(rankName(countedRank(rule.key))),
  key: rule.key,
});

/** A rule's short name, for a chip. */
export const ruleTitle = (rule: Rule): string => t(name(rule), args(rule));
/** What it means, in a sentence or two. */
export const ruleClause = (rule: Rule): string => t(`${name(rule)}.clause`, args(rule));
