// Plies, squares and endings in sentences, all from the catalogue.
import { figure } from '../board/ranks';
import { numbering } from '../settings/settings.svelte';
import { capital, t } from '../text/text.svelte';
import { other, type GameLine, type Ply, type Rank, type Seat, type Square, type State } from '../wire/types';
import type { Notes } from './seen';
import { manAt } from './seen';
import { type ShownPly, shownPlies } from './shown';

export const side = (seat: Seat): string => t(`side-${seat}`);
/** A rank's name inside a sentence; a man whose rank was not told is just a man. */
export const rankName = (rank: Rank | null): string => t(`rank-${rank ?? 0}`);
export const rankFigure = (rank: Rank): string => figure(rank, numbering());

/** "Scout falls to sergeant." */
export function battle(ply: Ply): string {
  const names = { attacker: rankName(ply.attacker), defender: rankName(ply.defender) };
  const id =
    ply.outcome === 'flag' ? 'battle-flag'
    : ply.defender === 11 && ply.outcome === 'attacker' ? 'battle-bomb-cleared'
    : ply.defender === 11 && ply.outcome === 'defender' ? 'battle-bomb-stands'
    : ply.defender === 11 ? 'battle-bomb-burst'
    : ply.outcome === 'both' && ply.attacker === ply.defender && ply.attacker !== null ? 'battle-equal'
    : `battle-${ply.outcome}`;
  return capital(t(id, names));
}

/** A ply as one coordinate text: a4–c4, a4×c4; +a1 where a man was brought back. */
export const coordinates = (ply: Ply): string => `${ply.from}${ply.outcome === 'quiet' ? '–' : '×'}${ply.to}${ply.rescue ? `\u2009+${ply.rescue.put}` : ''}`;

/** A ply as a screen reader hears it, from one seat; null is a reader of both. */
export function spoken(ply: ShownPly, me: Seat | null): string {
  const parts = [t('said-ply', { side: side(ply.seat), from: ply.from, to: ply.to })];
  if (ply.outcome !== 'quiet') {
    const whose = me === null ? 'neutral' : ply.seat === me ? 'mine' : 'theirs';
    parts.push(capital(t('said-attack', { whose, attacker: rankName(ply.attacker), defender: rankName(ply.defender) })));
    parts.push(
      ply.outcome === 'both' ? t('said-both-fall')
      : ply.outcome === 'flag' ? t('said-flag')
      : t('said-falls', { rank: rankName(ply.outcome === 'attacker' ? ply.defender : ply.attacker) }),
    );
  }
  if (ply.rescue) parts.push(capital(t('said-rescue', { rank: rankName(ply.back ?? null), square: ply.rescue.put })));
  return parts.join(' ');
}

/** The accessible name of a square in play. */
export function squareName(state: State, square: Square, notes: Notes, shown: Rank | null, target: 'go' | 'attack' | undefined, lake: boolean): string {
  if (lake) return t('square-lake', { square });
  const man = manAt(state, square);
  if (!man) return t('square-empty', { square, go: target ? 'yes' : 'no' });
  const moved = man.moved ? 'yes' : 'no';
  if (man.seat === state.seat && man.rank !== null) {
    return t('square-own', {
      square, rank: rankName(man.rank), figure: rankFigure(man.rank), moved, known: man.known ? 'yes' : 'no', foe: side(other(state.seat)),
    });
  }
  const note = notes[man.id];
  const attack = target ? 'yes' : 'no';
  if (shown === null) {
    return t('square-hidden', {
      square, side: side(man.seat), moved, attack, noted: note ? 'yes' : 'no', note: note ? rankName(note) : '',
    });
  }
  return t('square-known', { square, side: side(man.seat), rank: rankName(shown), figure: rankFigure(shown), moved, attack });
}

/** Why the game ended, from this seat. */
export function ending(state: State): string {
  const last = shownPlies(state).at(-1);
  const mine = state.against === 'here' ? 'open' : state.result === 'draw' ? 'draw' : state.result === state.seat ? 'won' : 'lost';
  const winner = state.result === 'red' || state.result === 'blue' ? state.result : null;
  return t(`end-${state.reason ?? 'none'}`, {
    mine,
    winner: winner ? side(winner) : '',
    loser: winner ? side(other(winner)) : '',
    rank: rankName(last?.attacker ?? null),
    square: last?.to ?? '',
    ply: state.ply,
  });
}

export const resultTitle = (result: State['result']): string =>
  result === 'void' ? t('called-off') : result === 'draw' ? t('result-draw') : t('result-wins', { side: side(result ?? 'red') });

/** A list of squares and attacks: "e8, f7, attack f9". */
export function reach(state: State, from: Square): string {
  const squares = state.legal[from] ?? [];
  const quiet = squares.filter((square) => !manAt(state, square));
  const attacks = squares.filter((square) => manAt(state, square)).map((square) => t('reach-attack', { square }));
  return [...quiet, ...attacks].join(', ');
}

/** Who sits opposite, for a line of a list. */
export const opponent = (game: Pick<GameLine, 'against' | 'level' | 'open' | 'opponent'>): string =>
  game.opponent !== null ? t('with-name', { name: game.opponent }) : game.against === 'house' ? t('level', { number: levelNumber(game.level) }) : t(game.open ? 'with-stranger' : game.against === 'friend' ? 'with-friend' : 'at-one-screen');

export const levelNumber = (level: string): string => /(\d+)$/.exec(level)?.[1] ?? level;
