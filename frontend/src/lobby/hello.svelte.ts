// What the server says of itself: variants, levels, clocks and how ready the rules are; kept for a start without it.
import { keep, recall } from '../settings/keep';
import type { Clock, Hello, VariantCard } from '../wire/types';
import * as api from '../wire/api';
import { WAITS_MS } from '../wire/line';
import { own } from './own.svelte';

export const greeting = $state({
  hello: null as Hello | null,
  /** The moment of the next try while the server does not answer. */
  nextTry: null as number | null,
});

// The form of what is kept has a number: what an older page kept is not read.
const KEPT = 'hello.2';
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks until the server answers, and again while its rules are still being made ready. */
export async function greet(): Promise<void> {
  clearTimeout(timer);
  try {
    const hello = await api.hello();
    failures = 0;
    greeting.hello = hello;
    greeting.nextTry = null;
    keep(KEPT, hello);
    if (hello.law.state !== 'ready') timer = setTimeout(() => void greet(), 1000);
  } catch {
    greeting.hello ??= recall<Hello | null>(KEPT, null);
    const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 10_000;
    failures += 1;
    greeting.nextTry = Date.now() + wait;
    timer = setTimeout(() => void greet(), wait);
  }
}

/** Every game that can be ordered: the catalogue's, then one's own. */
export const cards = (): VariantCard[] => [...(greeting.hello?.variants ?? []), ...own.games.map((game) => game.card)];

export const cardOf = (name: string): VariantCard | null => {
  const all = cards();
  return all.find((card) => card.name === name) ?? all[0] ?? null;
};

/** The clock that a game is usually played with. */
export const usualClock = (card: VariantCard): Clock | null =>
  (card.own ? own.games.find((game) => game.card.name === card.name)?.clock : greeting.hello?.usual_clocks[card.name]) ?? null;
