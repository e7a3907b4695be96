// What a board is told to draw and whom it tells of a press.
import type { Outcome, Rank, Seat, Square } from '../wire/types';
import type { Ground } from './squares';

/** A man as drawn: `rank` null is a back, whatever the reason. */
export interface BoardMan {
  id: Square;
  seat: Seat;
  square: Square;
  rank: Rank | null;
  moved: boolean;
  known: boolean;
  note: Rank | null;
}

export type Target = 'go' | 'attack';

/** The ply that has just happened, for motion alone. */
export interface BoardEvent {
  key: number;
  /** It happened while the page looked on; an old one is not played again. */
  fresh: boolean;
  byDrag: boolean;
  seat: Seat;
  from: Square;
  to: Square;
  outcome: Outcome;
  before: { attacker: Rank | null; defender: Rank | null };
  after: { attacker: Rank | null; defender: Rank | null };
}

export interface BoardProps {
  ground: Ground & { lakes: Square[] };
  seat: Seat;
  men: BoardMan[];
  size: number;
  label: string;
  name: (square: Square) => string;
  focus: Square;
  picked?: Square | null;
  targets?: Map<Square, Target>;
  last?: { from: Square; to: Square; seat: Seat; put?: Square | null } | null;
  event?: BoardEvent | null;
  shake?: { square: Square; key: number } | null;
  /** The square whose note is being edited. */
  noting?: Square | null;
  /** A square whose coordinates stand out while nobody is in hand. */
  mark?: Square | null;
  /** The rows shown, lowest and highest; all by default. */
  only?: [number, number] | undefined;
  /** How a square without a man invites one: '' or 'free' or 'hot'. */
  invite?: (square: Square) => '' | 'free' | 'hot';
  /** Ground hidden under a hatching, with its sentence. */
  curtain?: { seat: Seat; squares: Square[]; text: string } | null;
  dim?: boolean;
  letters?: boolean;
  canDrag?: (square: Square) => boolean;
  onpress: (square: Square) => void;
  ondrop?: (from: Square, to: Square | null, over: Element | null) => void;
  onmenu?: (square: Square) => void;
  /** A key the board has no use for; true where it was used. */
  onkey?: (press: KeyboardEvent, square: Square) => boolean;
  onescape?: () => void;
}
