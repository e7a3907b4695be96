// The letters of the board: each says something that the page also shows (LOOK 7).
import { ORDER } from '../board/ranks';
import { say } from '../text/say.svelte';
import { capital, t } from '../text/text.svelte';
import { other, type Square, type State } from '../wire/types';
import { clockText, timeLeft } from './clock.svelte';
import { lastBattle } from './fold';
import { knownMen, manAt, total, vague } from './seen';
import { shownPlies } from './shown';
import { rankFigure, rankName, reach, side, spoken } from './words';

/** Says where the focused man may go. */
export function sayReach(state: State, square: Square): void {
  const man = manAt(state, square);
  if (man?.seat !== state.seat || man.rank === null) return say(t('say-not-yours', { square }));
  const squares = reach(state, square);
  say(squares ? t('say-reach', { rank: capital(rankName(man.rank)), square, squares }) : t('say-no-reach', { rank: capital(rankName(man.rank)), square }));
}

export function sayLast(state: State): void {
  const plies = shownPlies(state);
  const last = plies.at(-1);
  const fought = lastBattle(plies);
  if (!last) return say(t('no-moves-yet'));
  const parts = [spoken(last, state.seat)];
  if (fought && fought !== last) parts.push(t('say-last-battle'), spoken(fought, state.seat));
  say(parts.join(' '));
}

export function sayLeft(state: State): void {
  const foe = other(state.seat);
  const ranks = ORDER.filter((rank) => state.variant.army[rank]).map((rank) =>
    t('say-left-rank', {
      rank: capital(rankName(rank)), foe: side(foe), theirs: state.left[foe][rank] ?? 0, own: side(state.seat), ours: state.left[state.seat][rank] ?? 0, all: state.variant.army[rank] ?? 0,
    }),
  );
  const unseen = state.hidden_fallen[foe] ? [t('fell-unseen', { side: side(foe), men: state.hidden_fallen[foe] })] : [];
  const most = vague(state, foe) ? [t('at-most', { side: side(foe) })] : [];
  say([t('say-left', { foe: side(foe), theirs: total(state, foe), own: side(state.seat), ours: total(state, state.seat) }), ...unseen, ...most, ...ranks].join(' '));
}

export function sayClocks(state: State, heardAt: number): void {
  const [mine, theirs] = [state.seat, other(state.seat)].map((seat) => timeLeft(state, seat, heardAt, Date.now()));
  if (mine === null || mine === undefined || theirs === null || theirs === undefined) return say(t('no-clock'));
  say(t('say-clocks', { mine: clockText(mine), theirs: clockText(theirs) }));
}

export function sayKnown(state: State): void {
  const men = knownMen(state);
  if (!men.length) return say(t('say-none-known'));
  say(t('say-known', { men: men.map((man) => `${rankName(man.rank)} ${rankFigure(man.rank ?? 1)} ${man.square}`).join(', ') }));
}
