// A variant and a state for tests: Classic as the server describes it, and an empty game on it.
import type { State, VariantCard } from './types';

const row = (line: number): string[] => [...'abcdefghij'].map((file) => `${file}${line}`);

export const classic: VariantCard = {
  name: 'classic', own: false, digest: '', width: 10, height: 10,
  lakes: ['c5', 'd5', 'g5', 'h5', 'c6', 'd6', 'g6', 'h6'],
  home: { red: [1, 2, 3, 4].flatMap(row), blue: [10, 9, 8, 7].flatMap((line) => row(line).reverse()) },
  army: { 1: 1, 2: 8, 3: 5, 4: 4, 5: 4, 6: 4, 7: 3, 8: 2, 9: 1, 10: 1, 11: 6, 12: 1 },
  default_army: { 1: 1, 2: 8, 3: 5, 4: 4, 5: 4, 6: 4, 7: 3, 8: 2, 9: 1, 10: 1, 11: 6, 12: 1 },
  reach: { 1: 1, 2: 9, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 0, 12: 0 },
  battles: [],
  law: { bomb_once: false, two_square_limit: 3, tie: 'both' },
  default_law: { bomb_once: false, two_square_limit: 3, tie: 'both' },
};

export const blank: State = {
  type: 'state', game: 'g', n: 1, seat: 'red', phase: 'playing', variant: classic, level: 'level-1', against: 'house', invite: null, open: false, names: { red: null, blue: null }, ratings: { red: null, blue: null },
  taken: { red: true, blue: true }, ready: { red: true, blue: true }, here: { red: true, blue: true }, first: 'red', rated: false, may_abort: false, turn: 'red', ply: 0,
  thinking: false, men: [], legal: {}, barred: [], rescues: [], plies_from: 1, plies: [], left: { red: classic.army, blue: classic.army },
  hidden_fallen: { red: 0, blue: 0 }, offer: null, may_offer: true, ask: null, may_ask: false, backs: 0, absence: null, clock: null, setup_ms: null, result: null, reason: null, truth: null, rematch: null, sealed: null, watch: null,
};
