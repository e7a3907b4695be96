// What is told to those who look on, joined and turned into what the board draws.
import { describe, expect, it } from 'vitest';
import { blank, classic } from '../wire/sample';
import type { Ply, Watched } from '../wire/types';
import { asState, boardOf, follow } from './told';

const ply = (number: number): Ply => ({ ply: number, seat: number % 2 ? 'red' : 'blue', from: 'a4', to: 'a5', outcome: 'quiet', attacker: null, defender: null, rescue: null, ms: 0 });
const told: Watched = {
  type: 'watched', game: 'g', showing: 'public', delay: 4, agreed: { red: false, blue: false }, names: { red: null, blue: null }, ratings: { red: null, blue: null }, phase: 'playing', variant: classic, level: '', against: 'friend',
  complete: true, ready: { red: true, blue: true }, first: 'red', turn: 'red', ply: 0, men: [], plies_from: 1, plies: [], left: blank.left,
  hidden_fallen: { red: 0, blue: 0 }, offer: null, clock: null, sealed: null, result: null, reason: null, truth: null,
};

describe('following', () => {
  it('joins plies, and lets go of those that are shown no more', () => {
    const first = follow(null, { ...told, ply: 2, plies: [ply(1), ply(2)] });
    const next = follow(first, { ...told, ply: 3, plies_from: 3, plies: [ply(3)] });
    expect(next.plies.map((one) => one.ply)).toEqual([1, 2, 3]);
    expect(follow(next, { ...told, ply: 2, plies_from: 3, plies: [] }).plies.map((one) => one.ply)).toEqual([1, 2]);
    expect(follow(next, { ...told, game: 'h', ply: 1, plies: [ply(1)] }).plies).toHaveLength(1);
  });
});

describe('a state of no seat', () => {
  it('has nothing in it that belongs to one', () => {
    const state = asState(told, 'blue');
    expect([state.legal, state.may_offer, state.invite, state.watch, state.rematch, state.against]).toEqual([{}, false, null, null, null, 'here']);
    expect(Object.keys(state).sort()).toEqual(Object.keys({ ...blank, open: false }).sort());
  });
});

describe('men on the board', () => {
  const man = (id: string, seat: 'red' | 'blue', rank: number | null, known: boolean): Watched['men'][number] => ({ id, seat, square: id, rank, known, moved: false, fell: null });
  it('are marked as known only where both armies are open', () => {
    const men = [man('b1', 'red', 4, true), man('a1', 'blue', 5, false), { ...man('c1', 'red', 3, true), square: null }];
    expect(boardOf({ ...told, men }).map((one) => [one.square, one.known])).toEqual([['a1', false], ['b1', false]]);
    expect(boardOf({ ...told, men, showing: 'truth' }).map((one) => [one.square, one.known])).toEqual([['a1', false], ['b1', true]]);
  });
});
