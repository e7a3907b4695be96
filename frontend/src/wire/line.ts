// One socket to one game that mends itself: it waits longer after each failure, ten seconds at most.
import type { FromServer, ToServer } from './types';

export const WAITS_MS: readonly number[] = [400, 1000, 2000, 4000, 8000, 10_000];
const PING_MS = 15_000;
const SILENCE_MS = 25_000;

export interface LineEvents<Frame> {
  frame(frame: Frame): void;
  up(): void;
  /** The line is down; the next try comes at this moment of `Date.now()`. */
  down(nextTry: number): void;
  /** The last ply this page holds. */
  since(): number;
  /** Called before each new try; answers false where trying on is pointless. */
  worthwhile(): Promise<boolean>;
}

/** Closes a socket; one that is still being opened only then, for a browser complains of any other way. */
function leave(socket: WebSocket): void {
  socket.onmessage = null;
  socket.onclose = null;
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = (): void => socket.close();
  else socket.close();
}

export class Line<Frame = FromServer> {
  private socket: WebSocket | null = null;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly on: LineEvents<Frame>,
  ) {
    this.open();
    globalThis.addEventListener('online', this.retry);
    document.addEventListener('visibilitychange', this.seen);
  }

  /** Sends at once; false where the line is down. */
  send(frame: ToServer): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Tries now instead of at the end of the wait. */
  readonly retry = (): void => {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    void this.again();
  };

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    globalThis.removeEventListener('online', this.retry);
    document.removeEventListener('visibilitychange', this.seen);
    if (this.socket) leave(this.socket);
    this.socket = null;
  }

  // A laptop that wakes up finds out at once whether its socket is still alive.
  private readonly seen = (): void => {
    if (document.visibilityState !== 'visible') return;
    if (this.socket && Date.now() - this.heard > SILENCE_MS) this.drop();
    else this.retry();
  };

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}${this.path.includes('?') ? '&' : '?'}since=${this.on.since()}`);
    this.socket = socket;
    socket.onopen = (): void => {
      this.heard = Date.now();
      clearInterval(this.pulse);
      this.pulse = setInterval(() => this.beat(), PING_MS);
    };
    socket.onmessage = (event): void => {
      this.heard = Date.now();
      this.failures = 0;
      this.on.up();
      this.on.frame(JSON.parse(String(event.data)) as Frame);
    };
    socket.onclose = (): void => {
      if (this.socket === socket) this.drop();
    };
  }

  private beat(): void {
    if (Date.now() - this.heard > SILENCE_MS) this.drop();
    else this.send({ type: 'ping' });
  }

  private drop(): void {
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    if (socket) leave(socket);
    this.wait();
  }

  private wait(): void {
    if (this.closed) return;
    const wait = WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)] ?? 10_000;
    this.failures += 1;
    this.on.down(Date.now() + wait);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.again(), wait);
  }

  private async again(): Promise<void> {
    if (this.closed || this.socket) return;
    const go = await this.on.worthwhile();
    if (this.closed || this.socket) return;
    if (go) this.open();
    else this.wait();
  }
}
