// One man under the pointer, whichever panel he was picked up in.
import type { Rank, Seat } from '../wire/types';

export const held = $state({ on: false, x: 0, y: 0, size: 0, seat: 'red' as Seat, rank: null as Rank | null, small: false });

const SLOP_PX = 5;
const STRAY_PX = 14;

export interface DragOrder {
  seat: Seat;
  rank: Rank | null;
  size: number;
  small: boolean;
  /** Whether this man may be lifted at all; a press on others can only be a tap. */
  free: boolean;
  /** The pointer really moves: the man leaves his place. */
  begin(): void;
  /** Let go at a point of the window; `over` is what lies beneath. */
  drop(x: number, y: number, over: Element | null): void;
  /** Pressed and released in place. */
  tap(): void;
  /** Always, at the end. */
  end(): void;
}

/** Follows one pointer from its press to its release. */
export function follow(press: PointerEvent, order: DragOrder): void {
  const home = { x: press.clientX, y: press.clientY };
  let moving = false;
  const watch = new AbortController();
  const options = { signal: watch.signal };
  const mine = (event: PointerEvent): boolean => event.pointerId === press.pointerId;
  const away = (event: PointerEvent): number => Math.hypot(event.clientX - home.x, event.clientY - home.y);
  const stop = (): void => {
    watch.abort();
    Object.assign(held, { on: false, rank: null });
    order.end();
  };
  addEventListener('pointermove', (event) => {
    if (!mine(event) || !order.free) return;
    if (!moving && away(event) < SLOP_PX) return;
    if (!moving) {
      moving = true;
      Object.assign(held, { on: true, seat: order.seat, rank: order.rank, size: order.size, small: order.small });
      order.begin();
    }
    held.x = event.clientX;
    held.y = event.clientY;
  }, options);
  addEventListener('pointerup', (event) => {
    if (!mine(event)) return;
    if (moving) order.drop(event.clientX, event.clientY, document.elementFromPoint(event.clientX, event.clientY));
    else if (away(event) < STRAY_PX) order.tap();
    stop();
  }, options);
  addEventListener('pointercancel', (event) => {
    if (mine(event)) stop();
  }, options);
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') stop();
  }, options);
}
