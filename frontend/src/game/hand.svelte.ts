// The man in hand: picking, placing and letting go, with a reason for every refusal.
import { play } from '../sound/sound';
import { say, sayAtOnce } from '../text/say.svelte';
import { capital, has, t } from '../text/text.svelte';
import { other, type Square } from '../wire/types';
import { manAt, targetsOf } from './seen';
import type { Refusal, Table } from './table.svelte';
import { rankName, reach, side } from './words';

/** A refusal in words; codes without a message of their own share one. */
export function refusalText(refusal: Refusal): string {
  const code = has(`refused-${refusal.code}`) ? refusal.code : 'other';
  return t(`refused-${code}`, { from: refusal.from ?? '', to: refusal.to ?? '', code: refusal.code, times: Number(refusal.params['limit'] ?? 3) + 1 });
}

export class Hand {
  picked = $state<Square | null>(null);

  constructor(private readonly table: Table) {}

  /** Empties the hand where the man in it can no longer be played. */
  check(): void {
    const state = this.table.state;
    if (this.picked && !(state?.phase === 'playing' && state.turn === state.seat && state.legal[this.picked])) this.picked = null;
  }

  letGo(): void {
    if (!this.picked) return;
    this.picked = null;
    this.table.refusal = null;
    say(t('let-go'));
  }

  /** A press on a square, with the pointer or the keyboard. Answers whether it was about an own man or a target. */
  press(square: Square): boolean {
    const state = this.table.state;
    if (!state || state.phase !== 'playing') return false;
    // Whatever was refused before is over with the next press.
    this.table.refusal = null;
    const man = manAt(state, square);
    if (this.picked) {
      if (square === this.picked) this.letGo();
      else if (targetsOf(state, this.picked).has(square)) this.place(square, false);
      else if (man?.seat === state.seat) this.pick(square);
      else this.refuse(this.why(this.picked, square), this.picked, square);
      return true;
    }
    if (man?.seat !== state.seat) return false;
    this.pick(square);
    return true;
  }

  /** Dropped after a drag; outside the board, or where he came from, he only goes home. */
  drop(from: Square, to: Square | null): void {
    const state = this.table.state;
    if (!state || this.picked !== from || to === null || to === from) return;
    if (targetsOf(state, from).has(to)) this.place(to, true);
    else this.refuse(this.why(from, to), from, to);
  }

  canDrag(square: Square): boolean {
    const state = this.table.state;
    return state?.phase === 'playing' && state.turn === state.seat && this.table.order === null && Boolean(state.legal[square]?.length);
  }

  /** Why a man cannot go somewhere, as a code. */
  private why(from: Square, to: Square): string {
    const state = this.table.state;
    if (state?.variant.lakes.includes(to)) return 'lake';
    return state?.barred.find((one) => one.from === from && one.to === to)?.code ?? 'geometry';
  }

  private pick(square: Square): void {
    const state = this.table.state;
    if (!state) return;
    const rank = manAt(state, square)?.rank ?? null;
    if (this.table.order) this.refuse('waiting', square);
    else if (state.turn !== state.seat) this.refuse('out_of_turn', square);
    else if (!state.legal[square]?.length) {
      const barred = this.table.state?.barred.find((one) => one.from === square);
      this.refuse(barred?.code ?? (rank !== null && rank > 10 ? 'immobile' : 'blocked'), square, barred?.to ?? null);
    } else {
      this.picked = square;
      this.table.refusal = null;
      play('pick');
      say(t('picked', { rank: capital(rankName(rank)), square, squares: reach(state, square), count: state.legal[square].length }));
    }
  }

  private place(to: Square, byDrag: boolean): void {
    const from = this.picked;
    if (!from) return;
    this.picked = null;
    this.table.move(from, to, byDrag);
  }

  private refuse(code: string, from: Square, to: Square | null = null): void {
    const state = this.table.state;
    this.table.refuse(code, from, to, state ? { limit: Number(state.variant.law['two_square_limit'] ?? 3) } : {});
  }
}

/** Speaks and sounds a refusal; for the page's own and the server's alike. */
export function tellRefusal(refusal: Refusal): void {
  play('refused');
  sayAtOnce(refusalText(refusal));
}

export const foeName = (table: Table): string => (table.state ? side(other(table.state.seat)) : '');
