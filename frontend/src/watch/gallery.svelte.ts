// One game as somebody sees it who looks on: what was told last, and the line to the server.
import * as api from '../wire/api';
import { Line } from '../wire/line';
import type { LawState, ToWatcher, Watched } from '../wire/types';
import { noteSeals } from './seals';
import { follow } from './told';

export class Gallery {
  told = $state.raw<Watched | null>(null);
  before = $state.raw<Watched | null>(null);
  /** The number of the ply that came while the page looked on. */
  fresh = $state(0);
  watchers = $state(0);
  law = $state.raw<LawState | null>(null);
  /** The code of the refusal: there is nothing to see for this browser. */
  refused = $state<string | null>(null);
  nextTry = $state<number | null>(null);
  heardAt = $state(0);
  private line: Line<ToWatcher> | null = null;
  private gone = false;

  /** `home`: called with the game where this browser has a seat of its own. */
  constructor(
    private readonly code: string,
    private readonly home: (game: string) => void,
  ) {
    void this.start();
  }

  private async start(): Promise<void> {
    if (!(await this.look()) && (this.refused || this.gone)) return;
    this.line = new Line<ToWatcher>(`/api/watch/${encodeURIComponent(this.code)}/socket`, {
      frame: (frame) => this.hear(frame),
      up: () => (this.nextTry = null),
      down: (next) => (this.nextTry = next),
      since: () => this.told?.ply ?? 0,
      worthwhile: () => this.look(),
    });
  }

  /** Asks whether the link leads anywhere, and whose game it is. */
  private async look(): Promise<boolean> {
    try {
      const { game, seat } = await api.watchLink(this.code);
      if (this.gone) return false;
      if (seat) {
        this.close();
        this.home(game);
      }
      return !seat;
    } catch (fault) {
      if (fault instanceof api.Refused && fault.status >= 400 && fault.status < 500) {
        this.refused = fault.code;
        this.line?.close();
      }
      return false;
    }
  }

  private hear(frame: ToWatcher): void {
    if (frame.type === 'watched') this.take(frame);
    else if (frame.type === 'crowd') this.watchers = frame.count;
    else if (frame.type === 'law') this.law = { state: frame.state, done: frame.done };
    else if (frame.type === 'refused' && frame.id === null) {
      if (frame.code === 'own_game' && typeof frame.params['game'] === 'string') {
        this.close();
        this.home(frame.params['game']);
      } else if (frame.code !== 'too_fast') {
        this.refused = frame.code;
        this.line?.close();
      }
    }
  }

  private take(news: Watched): void {
    const held = this.told;
    const told = follow(held, news);
    const ply = told.plies.at(-1);
    if (held && ply && ply.ply !== held.plies.at(-1)?.ply) {
      this.before = held;
      if (ply.ply === held.ply + 1 && told.phase === 'playing') this.fresh = ply.ply;
    }
    this.heardAt = Date.now();
    // A board that is late is heard when the game is further on.
    if (told.phase === 'playing') noteSeals(told.game, told.sealed, told.ply + (told.showing === 'public' ? 0 : (told.delay ?? 0)));
    this.law = null;
    this.told = told;
  }

  retry(): void {
    if (this.line) this.line.retry();
    else if (!this.gone) void this.start();
  }

  close(): void {
    this.gone = true;
    this.line?.close();
    this.told = this.before = null;
  }
}
