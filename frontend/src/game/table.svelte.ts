// One game as this page holds it: the latest state, what is under way, and the line to the server.
import { noteSeals } from '../watch/seals';
import { newId } from './id';
import { type Held, fold, isGapless, lastPly } from './fold';
import * as api from '../wire/api';
import { Line } from '../wire/line';
import type { FromServer, LawState, Rescue, Seat, Square, State, Talk, ToServer } from '../wire/types';

export interface Refusal {
  key: number;
  code: string;
  from: Square | null;
  to: Square | null;
  params: Record<string, unknown>;
}

type Without<T> = T extends { id: string } ? Omit<T, 'id'> : never;
/** Something to say, or whether to hear. */
export type Said = Without<Extract<ToServer, { type: 'say' | 'write' | 'wish' | 'hear' }>>;

interface Order {
  frame: Exclude<ToServer, { type: 'ping' | 'say' | 'write' | 'wish' | 'hear' }>;
  byDrag: boolean;
}

export type Lost = 'unknown' | 'seat' | 'banned' | null;

export class Table {
  state = $state.raw<Held | null>(null);
  /** The state before the last ply, for what was drawn before a battle. */
  before = $state.raw<Held | null>(null);
  /** Counts the states in which a ply arrived while the page looked on. */
  fresh = $state(0);
  byDrag = $state(false);
  order = $state.raw<Order | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  /** What became of this seat's draw offer, until the next ply. */
  answer = $state<'declined' | 'lapsed' | null>(null);
  /** What became of the ply that this seat asked back, until the next ply. */
  back = $state<'denied' | 'lapsed' | 'given' | null>(null);
  /** What was said at this table lately; null while nothing was. */
  talk = $state.raw<Talk | null>(null);
  law = $state.raw<LawState | null>(null);
  tabs = $state(1);
  lost = $state<Lost>(null);
  /** When the line is down: the moment of the next try. */
  nextTry = $state<number | null>(null);
  /** The moment of this page's clock at which the state came. */
  heardAt = $state(0);
  private line: Line | null = null;
  private refusals = 0;
  private gone = false;

  /** `seat`: which one is meant at a table where this browser has both. */
  constructor(
    readonly game: string,
    private readonly seat: Seat | null = null,
  ) {
    void this.start();
  }

  private async start(): Promise<void> {
    const found = await this.look();
    if (this.gone) return;
    if (!found && this.lost) return;
    this.line = new Line(`/api/games/${encodeURIComponent(this.game)}/socket${this.seat ? `?seat=${this.seat}` : ''}`, {
      frame: (frame) => this.hear(frame),
      up: () => {
        this.nextTry = null;
      },
      down: (next) => {
        this.nextTry = next;
        if (this.order) this.resend = true;
      },
      since: () => (this.state && isGapless(this.state) ? this.state.ply : 0),
      worthwhile: () => this.look(),
    });
  }

  /** Asks once over HTTP: whether the game is there, and how it stands. */
  private async look(): Promise<boolean> {
    try {
      this.take(await api.state(this.game, this.seat));
      return true;
    } catch (fault) {
      if (fault instanceof api.Refused && fault.code === 'law_not_ready') this.law = { state: 'warming', done: this.law?.done ?? 0 };
      if (fault instanceof api.Refused && fault.status >= 400 && fault.status < 500) {
        this.lost = fault.status === 404 ? 'unknown' : fault.code === 'banned' ? 'banned' : 'seat';
      } else if (this.line === null) this.nextTry = Date.now() + 400;
      return false;
    }
  }

  private hear(frame: FromServer): void {
    switch (frame.type) {
      case 'state':
        this.take(frame);
        this.settle();
        break;
      case 'done':
        if (this.order?.frame.id === frame.id) this.order = null;
        break;
      case 'refused':
        this.refused(frame);
        break;
      case 'law':
        this.law = { state: frame.state, done: frame.done };
        break;
      case 'tabs':
        this.tabs = frame.count;
        break;
      case 'crowd':
        if (this.state?.watch) this.state = { ...this.state, watch: { ...this.state.watch, watchers: frame.count } };
        break;
      case 'talk':
        this.talk = frame;
        break;
      case 'pong':
        break;
    }
  }

  /** Holds a state unless a newer one is held. */
  take(news: State): void {
    if (this.gone) return;
    const held = fold(this.state, news);
    if (!held) return;
    const old = lastPly(this.state);
    const ply = lastPly(held);
    if (this.state && ply && ply.ply !== old?.ply) {
      this.before = this.state;
      this.byDrag = this.order?.frame.type === 'move' && this.order.byDrag && ply.seat === held.seat;
      if (ply.ply === (old?.ply ?? 0) + 1) this.fresh = ply.ply;
      this.refusal = null;
    }
    const moved = held.ply !== this.state?.ply;
    if (this.state?.offer === held.seat && held.offer === null && held.phase === 'playing') this.answer = moved ? 'lapsed' : 'declined';
    else if (moved || held.offer) this.answer = null;
    const given = this.state !== null && held.backs !== this.state.backs;
    if (given) {
      this.back = 'given';
      this.fresh = 0;
    } else if (this.state?.ask === held.seat && held.ask === null && held.phase === 'playing') this.back = moved ? 'lapsed' : 'denied';
    else if (moved || held.ask) this.back = null;
    this.heardAt = Date.now();
    if (held.phase === 'playing') noteSeals(held.game, held.sealed, held.ply);
    if (news.phase !== 'deploying') this.law = null;
    this.state = held;
    if (this.order?.frame.type === 'move' && held.ply >= this.order.frame.ply) this.order = null;
  }

  /** After a break: an order that has not arrived goes out again under its old id, which the server plays once. */
  private settle(): void {
    const frame = this.order?.frame;
    if (!frame || !this.resend) return;
    this.resend = false;
    this.line?.send(frame);
  }
  private resend = false;

  private refused(frame: Extract<FromServer, { type: 'refused' }>): void {
    if (frame.id === null && frame.code === 'banned') {
      this.lost = 'banned';
      this.close();
      return;
    }
    const order = this.order?.frame.id === frame.id ? this.order.frame : null;
    if (order) this.order = null;
    this.refuse(frame.code, order?.type === 'move' ? order.from : null, order?.type === 'move' ? order.to : null, frame.params);
  }

  refuse(code: string, from: Square | null = null, to: Square | null = null, params: Record<string, unknown> = {}): void {
    this.refusals += 1;
    this.refusal = { key: this.refusals, code, from, to, params };
  }

  private send(frame: Order['frame'], byDrag = false): void {
    if (this.order) return;
    this.order = { frame, byDrag };
    this.resend = !(this.line?.send(frame) ?? false);
  }

  move(from: Square, to: Square, byDrag: boolean, rescue: Rescue | null = null): void {
    if (!this.state) return;
    this.send({ type: 'move', id: newId(), ply: this.state.ply + 1, from, to, rescue }, byDrag);
  }
  resign(): void {
    this.send({ type: 'resign', id: newId() });
  }
  offerDraw(): void {
    this.send({ type: 'offer_draw', id: newId() });
  }
  showTruth(give: boolean): void {
    this.send({ type: 'show_truth', id: newId(), give });
  }
  answerDraw(accept: boolean): void {
    this.send({ type: 'answer_draw', id: newId(), accept });
  }

  /** Says something at once, beside whatever else is under way; false where the line is down. */
  speak(said: Said): boolean {
    return this.line?.send({ ...said, id: newId() }) ?? false;
  }
  askBack(): void {
    if (this.state) this.send({ type: 'ask_back', id: newId(), ply: this.state.ply });
  }
  answerBack(accept: boolean): void {
    if (this.state) this.send({ type: 'answer_back', id: newId(), ply: this.state.ply, accept });
  }
  abort(): void {
    this.send({ type: 'abort', id: newId() });
  }
  claim(win: boolean): void {
    this.send({ type: 'claim', id: newId(), win });
  }

  retry(): void {
    this.line?.retry();
    if (!this.line && !this.gone) void this.start();
  }

  close(): void {
    this.gone = true;
    this.line?.close();
    // Whoever leaves takes along what the seat was told.
    this.state = this.before = this.order = this.refusal = this.talk = null;
  }
}
