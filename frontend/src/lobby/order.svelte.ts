// The game that is being ordered: the last choices of this browser, and what the address asked for.
import { account } from '../account/account.svelte';
import { keep, recall } from '../settings/keep';
import type { Against, Clock, Law, NewGame, SetupEnd, VariantCard, Watch } from '../wire/types';
import { orderOf, withLaw } from './games';
import { usualClock } from './hello.svelte';
import { departures } from './switches';

export interface Order {
  variant: string;
  against: Against;
  /** Whether anybody in the hall may take the friend's seat. */
  open: boolean;
  level: string;
  seat: NewGame['seat'];
  first: NewGame['first'];
  clock: Clock | null;
  /** Whether the clock is the game's usual one, whichever game that is. */
  usual: boolean;
  /** What becomes of an army that is not placed in time. */
  late: SetupEnd;
  law: Law;
  /** Whether it is to count, against a friend. */
  rated: boolean;
  /** Whether others may look on, and so many plies late see both armies; null for nobody. */
  watch: Watch | null;
}

const FIRST: Order = { variant: 'classic', against: 'house', open: false, level: 'level-5', seat: 'red', first: 'red', clock: null, usual: false, late: 'forfeit', law: {}, watch: null, rated: false };

const asked = new URLSearchParams(globalThis.location?.search ?? '');
const wish = (name: 'level' | 'variant'): Partial<Order> => {
  const value = asked.get(name);
  if (!value) return {};
  return { [name]: name === 'level' && /^\d+$/.test(value) ? `level-${value}` : value };
};

export const order: Order = $state({ ...FIRST, ...recall<Partial<Order>>('order', {}), ...wish('level'), ...wish('variant') });

/** The game whose army the deployment screen is placing, as it was ordered; null where one only looks. */
export const placing = $state({ now: null as VariantCard | null });

export const remember = (): void => keep('order', $state.snapshot(order));

/** The game as it would be played: the chosen one under the chosen house rules. */
export const orderedCard = (card: VariantCard): VariantCard => withLaw(card, order.law);

/** Whether a game as it would be played can be rated: the reader is signed in, and its rules are the catalogue's own. */
export const countable = (card: VariantCard): boolean => !!account.me?.name && !card.own && !departures(card).length;

/** The chosen clock. */
export function orderedClock(card: VariantCard): Clock | null {
  const clock = order.usual ? usualClock(card) : $state.snapshot(order.clock);
  return clock?.setup_ms ? { ...clock, setup_timeout: order.late } : clock;
}

/** The order as the server takes it; `card` is the game as it would be played. At one screen both place after the curtain. */
export function ordered(card: VariantCard, army: string | null): NewGame {
  const { against, open, level, seat, first } = order;
  const rated = against === 'friend' && order.rated && countable(card);
  return { ...orderOf(card), level: against === 'house' ? level : null, against, seat, first, clock: orderedClock(card), rated, army: against === 'here' ? null : army, open: open && against === 'friend', watch: against !== 'friend' ? null : $state.snapshot(order.watch) };
}
