// The game that is being ordered: the last choices of this browser, and what the address asked for.
import { keep, recall } from '../settings/keep';
import type { Clock, Law, NewGame } from '../wire/types';

export interface Order {
  variant: string;
  level: string;
  seat: NewGame['seat'];
  first: NewGame['first'];
  clock: Clock | null;
  law: Law;
}

const FIRST: Order = { variant: 'classic', level: 'level-5', seat: 'red', first: 'red', clock: null, law: {} };

const asked = new URLSearchParams(globalThis.location?.search ?? '');
const wish = (name: 'level' | 'variant'): Partial<Order> => {
  const value = asked.get(name);
  if (!value) return {};
  return { [name]: name === 'level' && /^\d+$/.test(value) ? `level-${value}` : value };
};

export const order: Order = $state({ ...FIRST, ...recall<Partial<Order>>('order', {}), ...wish('level'), ...wish('variant') });

/** Whether the deployment screen is placing an army for this order. */
export const placing = $state({ now: false });

export const remember = (): void => keep('order', $state.snapshot(order));

/** The order as the server takes it. */
export const ordered = (army: string | null): NewGame => ({ ...$state.snapshot(order), army });
