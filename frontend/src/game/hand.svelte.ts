// The man in hand: picking, placing and letting go, with a reason for every refusal.
import { play } from '../sound/sound';
import { say, sayAtOnce } from '../text/say.svelte';
import { capital, has, t } from '../text/text.svelte';
import type { Target } from '../board/props';
import { other, type Man, type Rescue, type Square } from '../wire/types';
import { manAt, targetsOf } from './seen';
import type { Refusal, Table } from './table.svelte';
import { rankName, reach, side } from './words';

/** A refusal in words; codes without a message of their own share one. */
export function refusalText(refusal: Refusal): string {
  const code = has(`refused-${refusal.code}`) ? refusal.code : 'other';
  return t(`refused-${code}`, { from: refusal.from ?? '', to: refusal.to ?? '', code: refusal.code, times: Number(refusal.params['limit'] ?? 3) + 1 });
}

/** A move that may bring a fallen man back, held until it is said whom, and where. */
export interface Rescuing {
  to: Square;
  byDrag: boolean;
  men: Man[];
  squares: Square[];
  man: Square | null;
}

export class Hand {
  picked = $state<Square | null>(null);
  rescuing = $state.raw<Rescuing | null>(null);

  constructor(private readonly table: Table) {}

  /** Empties the hand where the man in it can no longer be played. */
  check(): void {
    const state = this.table.state;
    if (this.picked && !(state?.phase === 'playing' && state.turn === state.seat && state.legal[this.picked])) this.picked = this.rescuing = null;
  }

  letGo(): void {
    if (!this.picked) return;
    this.picked = this.rescuing = null;
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
    const rescuing = this.rescuing;
    if (this.picked && rescuing?.man) {
      if (rescuing.squares.includes(square)) this.send(rescuing.to, rescuing.byDrag, { man: rescuing.man, put: square });
      else this.refuse('rescue', square);
      return true;
    }
    this.rescuing = null;
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
    const state = this.table.state;
    const may = state?.rescues.find((one) => one.from === this.picked && one.to === to);
    if (!state || !may) return this.send(to, byDrag);
    // Men of one rank that the enemy knows alike are one choice.
    const found = new Map(may.men.map((id) => state.men.find((man) => man.id === id)).filter((man) => man !== undefined).map((man) => [`${man.rank} ${man.known}`, man]));
    this.rescuing = { to, byDrag, men: [...found.values()].sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0)), squares: may.squares, man: null };
    say(t('rescue-title'));
  }

  /** Whom to bring back; where is the next question. */
  rescue(man: Square): void {
    if (!this.rescuing) return;
    this.rescuing = { ...this.rescuing, man };
    say(t('rescue-where'));
  }
  /** Only the move. */
  plain(): void {
    if (this.rescuing) this.send(this.rescuing.to, this.rescuing.byDrag);
  }

  /** The squares that may be pressed now. */
  targets(): Map<Square, Target> {
    const state = this.table.state;
    if (!state) return new Map();
    if (this.rescuing) return new Map(this.rescuing.man ? this.rescuing.squares.map((square) => [square, 'go']) : [[this.rescuing.to, manAt(state, this.rescuing.to) ? 'attack' : 'go']]);
    return targetsOf(state, this.picked);
  }

  private send(to: Square, byDrag: boolean, rescue: Rescue | null = null): void {
    const from = this.picked;
    if (!from) return;
    this.picked = this.rescuing = null;
    this.table.move(from, to, byDrag, rescue);
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
