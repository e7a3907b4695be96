// The army in the making and all that may be done to it, with one step back for every act.
import { rowOf } from '../board/squares';
import { play } from '../sound/sound';
import { say } from '../text/say.svelte';
import { capital, t } from '../text/text.svelte';
import * as api from '../wire/api';
import type { Check, Counts, Rank, Seat, Square, VariantCard } from '../wire/types';
import { rankName } from '../game/words';
import { orderOf } from '../lobby/games';
import { mirror, put, shift, takeBack } from './army';
import { type Army, isWhole, lenient, remaining, toText } from './notation';
import { draft, keepDraft, lastArmy } from './shelf.svelte';

const CHECK_AFTER_MS = 180;
const MOST_STEPS = 200;

export class Workshop {
  army = $state.raw<Army>({});
  /** A rank taken from the tray, or a square picked on the board. */
  hand = $state<Rank | null>(null);
  picked = $state<Square | null>(null);
  /** What the last tool did, for the line that offers to undo it. */
  done = $state<string | null>(null);
  check = $state.raw<Check>({ faults: [], warnings: [] });
  busy = $state(false);
  trouble = $state(false);
  private steps: Army[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly card: VariantCard,
    readonly seat: Seat,
    letters: string | null,
    /** Whether this browser remembers the army in the making; not where two people share it. */
    private readonly keeps = true,
  ) {
    this.army = lenient(card, seat, letters ?? (keeps ? (draft(card.name) ?? lastArmy(card.name)) : null) ?? '');
    this.ask();
  }

  get letters(): string {
    return toText(this.card, this.seat, this.army);
  }
  get left(): Counts {
    return remaining(this.card, this.army);
  }
  get missing(): number {
    return Object.values(this.left).reduce((sum, men) => sum + Math.max(0, men), 0);
  }
  /** Every man stands that must. */
  get whole(): boolean {
    return isWhole(this.card, this.army);
  }
  /** Men may stay in the box. */
  get free(): boolean {
    return this.card.law['smaller_army'] === true;
  }
  home = (square: Square): boolean => this.card.home[this.seat].includes(square);

  private change(army: Army, done: string | null = null): boolean {
    if (army === this.army) return false;
    this.steps = [...this.steps.slice(-MOST_STEPS), this.army];
    this.army = army;
    this.done = done;
    this.remember();
    this.ask();
    return true;
  }

  private remember(): void {
    if (this.keeps) keepDraft(this.card.name, this.letters);
  }

  undo(): void {
    const back = this.steps.pop();
    if (!back) return;
    this.army = back;
    this.done = null;
    this.hand = this.picked = null;
    this.remember();
    say(t('undone'));
    this.ask();
  }

  /** Advice comes from the server, which knows the rules; a little later, so that quick hands ask once. */
  private ask(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const asked = this.letters;
      api.check(orderOf(this.card), this.seat, asked).then(
        (check) => {
          if (asked === this.letters) this.check = check;
        },
        () => {
          this.check = { faults: [], warnings: [] };
        },
      );
    }, CHECK_AFTER_MS);
  }

  take(rank: Rank): void {
    if (this.picked) {
      this.takeBack(this.picked);
      return;
    }
    if ((this.left[rank] ?? 0) <= 0) return;
    this.hand = this.hand === rank ? null : rank;
    if (this.hand) {
      play('pick');
      say(t('tray-picked', { rank: capital(rankName(rank)) }));
    }
  }

  put(square: Square, rank: Rank): boolean {
    if (!this.home(square) || !this.change(put(this.card, this.army, square, rank))) return false;
    play('place');
    say(t('placed', { rank: capital(rankName(rank)), square, left: this.left[rank] ?? 0 }));
    if ((this.left[rank] ?? 0) <= 0 && this.hand === rank) this.hand = null;
    return true;
  }

  shift(from: Square, to: Square): void {
    this.picked = null;
    if (!this.home(to)) return;
    const met = this.army[to];
    if (!this.change(shift(this.army, from, to))) return;
    play('place');
    const rank = capital(rankName(this.army[to] ?? 0));
    say(met === undefined ? t('shifted', { rank, square: to }) : t('swapped', { one: from, two: to }));
  }

  takeBack(square: Square): boolean {
    const rank = this.army[square];
    this.picked = null;
    if (rank === undefined || !this.change(takeBack(this.army, square))) return false;
    play('step');
    say(t('taken-back', { rank: capital(rankName(rank)), square }));
    return true;
  }

  press(square: Square): void {
    if (this.hand !== null) this.put(square, this.hand);
    else if (this.picked === square) this.letGo();
    else if (this.picked) this.shift(this.picked, square);
    else if (this.army[square] !== undefined) {
      this.picked = square;
      play('pick');
      say(t('deploy-picked', { rank: capital(rankName(this.army[square] ?? 0)), square }));
    } else if (this.home(square)) say(t('deploy-pick-first'));
  }

  letGo(): void {
    if (this.hand === null && this.picked === null) return;
    this.hand = this.picked = null;
    say(t('let-go'));
  }

  mirror(): void {
    if (this.change(mirror(this.card, this.army), t('did-mirror'))) say(t('did-mirror'));
  }
  clear(): void {
    this.hand = this.picked = null;
    if (Object.keys(this.army).length && this.change({}, t('did-clear'))) say(t('did-clear'));
  }
  load(letters: string, done: string): void {
    this.hand = this.picked = null;
    this.change(lenient(this.card, this.seat, letters), done);
    say(done);
  }
  set(army: Army, done: string): void {
    this.hand = this.picked = null;
    this.change(army, done);
    say(done);
  }

  /** A sensible army round what stands already. */
  async fill(): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.trouble = false;
    const some = Object.keys(this.army).length > 0;
    try {
      const { army } = await api.fill(orderOf(this.card), this.seat, this.letters);
      this.load(army, t(some ? 'did-fill' : 'did-fill-all'));
      return true;
    } catch {
      this.trouble = true;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The next home square after one, in reading order of the board. */
  after(square: Square): Square {
    const squares = [...this.card.home[this.seat]].sort((a, b) => {
      const way = this.seat === 'red' ? 1 : -1;
      return way * (rowOf(b) - rowOf(a)) || way * (a < b ? -1 : 1);
    });
    return squares[(squares.indexOf(square) + 1) % squares.length] ?? square;
  }
}
