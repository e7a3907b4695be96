// Tells of what has happened: one spoken line and one sound a ply, the end, offers and low time.
import { play, type Sound } from '../sound/sound';
import { say, sayAtOnce } from '../text/say.svelte';
import { t } from '../text/text.svelte';
import { distance } from '../board/squares';
import type { Ply, Seat, State } from '../wire/types';
import type { ShownPly } from './shown';
import { ending, resultTitle, side, spoken } from './words';

/** The sound of a ply as this seat hears it; hidden men all sound alike. */
export function soundOf(ply: Ply, me: Seat): Sound {
  if (ply.outcome === 'quiet') return distance(ply.from, ply.to) > 1 ? 'run' : 'step';
  if (ply.defender === 11) return ply.outcome === 'attacker' ? 'cleared' : 'bomb';
  if (ply.outcome === 'both') return 'both-fall';
  const fallen: Seat = ply.outcome === 'defender' ? ply.seat : ply.seat === 'red' ? 'blue' : 'red';
  return fallen === me ? 'mine-falls' : 'theirs-falls';
}

// Public delays: the same for every man.
const OPEN_MS = 260;
const TURN_MS = 760;

/** Speaks and sounds a fresh ply. */
export function heraldPly(state: State, ply: ShownPly): void {
  if (ply.outcome === 'quiet') play(soundOf(ply, state.seat));
  else {
    play('meet');
    // The sound alone waits: a timer that held the state would keep a mover's ranks alive behind a fallen curtain.
    const sound = soundOf(ply, state.seat);
    setTimeout(() => play(sound), OPEN_MS);
  }
  if (state.turn === state.seat) setTimeout(() => play('turn'), TURN_MS);
  if (state.phase === 'over') return;
  say([spoken(ply, state.seat), state.turn === state.seat ? t('your-move') : ''].join(' ').trim());
}

export function heraldEnd(state: State): void {
  play(state.result === 'draw' ? 'draw' : state.result === state.seat || state.against === 'here' ? 'win' : 'loss');
  sayAtOnce(`${resultTitle(state.result)}. ${ending(state)}`);
}

export function heraldOffer(state: State): void {
  if (!state.offer || state.offer === state.seat) return;
  play('offer');
  sayAtOnce(t('offer-title', { side: side(state.offer) }));
}

export function heraldAsk(state: State): void {
  if (!state.ask || state.ask === state.seat) return;
  play('offer');
  sayAtOnce(t('back-title', { side: side(state.ask) }));
}

export function heraldTime(mark: number): void {
  play('low');
  sayAtOnce(t('time-left', { seconds: mark / 1000 }));
}
