// What page and server say to each other. Do not edit: tools/wire_types.py writes it from src/flagfall/wire.

export type Seat = 'red' | 'blue';
export type SeatChoice = 'red' | 'blue' | 'lot';
export type Phase = 'deploying' | 'playing' | 'over';
export type Outcome = 'quiet' | 'attacker' | 'defender' | 'both' | 'flag';
export type Result = 'red' | 'blue' | 'draw' | 'void';
export type Reason = 'flag' | 'stuck' | 'both_stuck' | 'limit' | 'resigned' | 'agreed' | 'time' | 'forfeit' | 'aborted' | 'abandoned';
export type BarredCode = 'two_square' | 'more_squares';
export type Phrase = 'hello' | 'good_luck' | 'well_played' | 'thanks' | 'oops' | 'sorry' | 'moment' | 'back' | 'hurry' | 'good_game';
export type Hearing = 'all' | 'mute' | 'block';
export type ReportWord = 'insults' | 'cheating' | 'stalling' | 'other';
export type LawWord = 'cold' | 'warming' | 'ready';
export type Showing = 'public' | 'waiting' | 'truth' | 'late';
export type ClockKind = 'sudden-death' | 'fischer' | 'bronstein' | 'delay' | 'per-move';
export type Against = 'house' | 'friend' | 'here';
export type SetupEnd = 'forfeit' | 'random-fill';
export type Switch = boolean | number | string | null;
export type Param = string | number | boolean | null | (string | number)[];
export type Params = Record<string, Param>;
export type Counts = Record<string, number>;
export type Form = Record<string, unknown>;
export type Pace = 'days' | 'long' | 'rapid' | 'blitz' | 'untimed';
export type Score = 'won' | 'lost' | 'drawn';
export type Chosen = string | Form;

/** The name of a square, a1 to j10. */
export type Square = string;
/** 1 spy, 2 scout … 10 marshal, 11 bomb, 12 flag. */
export type Rank = number;
export type Law = Record<string, Switch>;

export const other = (seat: Seat): Seat => (seat === 'red' ? 'blue' : 'red');

/** Call the game off, before its second move; it counts for nothing and its armies stay closed. */
export interface Abort {
  type: 'abort';
  id: string;
}

/** Give the plies back that the other seat asks for on a board of `ply` plies, or keep to them. */
export interface AnswerBack {
  type: 'answer_back';
  id: string;
  ply: number;
  accept: boolean;
}

/** Take the other seat's draw offer or decline it. */
export interface AnswerDraw {
  type: 'answer_draw';
  id: string;
  accept: boolean;
}

/** Ask for one's last ply back on a board of `ply` plies; it lapses with the next ply. */
export interface AskBack {
  type: 'ask_back';
  id: string;
  ply: number;
}

/** Claim the win, or a draw, because the other seat has been empty for long. */
export interface Claim {
  type: 'claim';
  id: string;
  win: boolean;
}

/** Hear the other seat, or not at this table, or nowhere any more; it is not told. */
export interface Hear {
  type: 'hear';
  id: string;
  how: Hearing;
}

/** Play `origin`-`target` as ply number `ply`; the same `id` again is the same move, not a second one. */
export interface Move {
  type: 'move';
  id: string;
  ply: number;
  from: string;
  to: string;
  rescue: Rescue | null;
}

/** Offer a draw; it lapses with the next ply. */
export interface OfferDraw {
  type: 'offer_draw';
  id: string;
}

/** Ask whether the server is there. */
export interface Ping {
  type: 'ping';
}

/** Bring the fallen man who began on square `man` back onto square `put` (R13.2). */
export interface Rescue {
  man: string;
  put: string;
}

/** Give the game up. */
export interface Resign {
  type: 'resign';
  id: string;
}

/** Say one of the phrases that every page has in its own language. */
export interface Say {
  type: 'say';
  id: string;
  phrase: Phrase;
}

/** Let those who look on see both armies, late, as far as this seat is asked; or withdraw that. */
export interface ShowTruth {
  type: 'show_truth';
  id: string;
  give: boolean;
}

/** Want words of one's own, from both seats; or no longer. */
export interface Wish {
  type: 'wish';
  id: string;
  open: boolean;
}

/** Say something in words of one's own, where both seats want that. */
export interface Write {
  type: 'write';
  id: string;
  text: string;
}

/** The account's name for each seat, null for a guest's, the house's, and one that was deleted. */
export interface Names {
  red: string | null;
  blue: string | null;
}

/** The rating of each seat's account in the class of the game, null where it has none. */
export interface Ratings {
  red: Rating | null;
  blue: Rating | null;
}

/** Where each army may be placed. */
export interface Homes {
  red: string[];
  blue: string[];
}

/** A battle between two ranks that ends otherwise than in other games (R6). */
export interface Meeting {
  attacker: number;
  defender: number;
  outcome: Outcome;
}

/** A variant as the page draws it. */
export interface VariantCard {
  name: string;
  own: boolean;
  digest: string;
  width: number;
  height: number;
  lakes: string[];
  home: Homes;
  army: Counts;
  reach: Counts;
  battles: Meeting[];
  law: Record<string, Switch>;
  default_law: Record<string, Switch>;
  default_army: Counts;
}

/** A clock as it stands when the message leaves: what is left to each seat, and whose time runs. */
export interface ClockState {
  kind: ClockKind;
  red_ms: number;
  blue_ms: number;
  running: Seat | null;
  cap_ms: number | null;
  free_ms: number;
}

/** One man: `rank` null while hidden from this seat, `known` when it is public, `fell` the ply that took it. */
export interface Man {
  id: string;
  seat: Seat;
  square: string | null;
  rank: number | null;
  moved: boolean;
  known: boolean;
  fell: number | null;
}

/** One ply as everybody saw it; `ms` is the time the mover took, `rescue` who came back with it and where. */
export interface Ply {
  ply: number;
  seat: Seat;
  from: string;
  to: string;
  outcome: Outcome;
  attacker: number | null;
  defender: number | null;
  rescue: Rescue | null;
  ms: number;
}

/** A move of one's own that only a repetition rule forbids (R8, R9). */
export interface Barred {
  from: string;
  to: string;
  code: BarredCode;
}

/** A legal move that may bring any of these fallen men back, onto any of these squares (R13.2). */
export interface MayRescue {
  from: string;
  to: string;
  men: string[];
  squares: string[];
}

/** Men left by rank, as this seat knows it; keys are ranks. */
export interface Left {
  red: Counts;
  blue: Counts;
}

/** A number for each seat. */
export interface Pair {
  red: number;
  blue: number;
}

/** Yes or no for each seat. */
export interface Both {
  red: boolean;
  blue: boolean;
}

/** A seat that is empty while the other one waits; that one may claim the game in `claim_ms`, at 0 now. */
export interface Absence {
  seat: Seat;
  claim_ms: number;
}

/** Both deployments as letters, once the game is over. */
export interface Opened {
  red: string;
  blue: string;
}

/** The salted digests of both armies, told before the first ply; the salts come out with the finished record. */
export interface Sealed {
  red: string;
  blue: string;
}

/** Who may look on at this game. */
export interface Watching {
  code: string;
  delay: number | null;
  agreed: Both;
  showing: Showing;
  watchers: number;
}

/** Everything one seat may know now, and nothing else. */
export interface State {
  type: 'state';
  game: string;
  n: number;
  seat: Seat;
  phase: Phase;
  variant: VariantCard;
  level: string;
  against: Against;
  invite: string | null;
  open: boolean;
  taken: Both;
  ready: Both;
  here: Both;
  names: Names;
  ratings: Ratings;
  first: Seat;
  rated: boolean;
  may_abort: boolean;
  turn: Seat | null;
  ply: number;
  thinking: boolean;
  men: Man[];
  legal: Record<string, string[]>;
  barred: Barred[];
  rescues: MayRescue[];
  plies_from: number;
  plies: Ply[];
  left: Left;
  hidden_fallen: Pair;
  offer: Seat | null;
  may_offer: boolean;
  ask: Seat | null;
  may_ask: boolean;
  backs: number;
  absence: Absence | null;
  clock: ClockState | null;
  setup_ms: number | null;
  result: Result | null;
  reason: Reason | null;
  truth: Opened | null;
  rematch: string | null;
  sealed: Sealed | null;
  watch: Watching | null;
}

/** What the frame `id` asked has happened. */
export interface Done {
  type: 'done';
  id: string;
}

/** What the frame `id` asked was refused, and nothing changed; `code` is stable, `detail` is for people. */
export interface Refused {
  type: 'refused';
  id: string | null;
  code: string;
  detail: string;
  params: Params;
}

/** How far the compiled law is, `done` from 0 to 1. */
export interface LawFrame {
  type: 'law';
  state: LawWord;
  done: number;
}

/** Say that the server is there. */
export interface Pong {
  type: 'pong';
}

/** How many sockets of this seat are open. */
export interface Tabs {
  type: 'tabs';
  count: number;
}

/** How many look on. */
export interface Crowd {
  type: 'crowd';
  count: number;
}

/** One thing that was said: a phrase, or words of somebody's own; `n` grows by one. */
export interface TalkLine {
  n: number;
  seat: Seat;
  phrase: Phrase | null;
  text: string | null;
}

/** What was said lately as this seat hears it, who wants words of one's own, and whether it hears the other seat. */
export interface Talk {
  type: 'talk';
  lines: TalkLine[];
  open: Both;
  hears: Hearing;
}

/** A clock as it is ordered: times in milliseconds, null or 0 where the kind has none. */
export interface Clock {
  kind: ClockKind;
  main_ms: number;
  add_ms: number;
  cap_ms: number | null;
  setup_ms: number | null;
  setup_timeout: SetupEnd;
}

/** How far the compiled law is, `done` from 0 to 1. */
export interface LawState {
  state: LawWord;
  done: number;
}

/** A house player that may be sat opposite. */
export interface Level {
  name: string;
}

/** What a page needs before anything else; `usual_clocks` by variant, `plain_law` the law that most games have. */
export interface Hello {
  version: string;
  law: LawState;
  variants: VariantCard[];
  levels: Level[];
  clocks: Clock[];
  usual_clocks: Record<string, Clock>;
  plain_law: Record<string, Switch>;
}

/** Ask what the text of a variant's file means. */
export interface ReadVariant {
  text: string;
}

/** A user's own game: how it is drawn, and the form in which a game of it is ordered. */
export interface OwnVariant {
  card: VariantCard;
  form: Form;
  about: string;
  clock: Clock | null;
}

/** Ask how a game is drawn under house rules. */
export interface AskCard {
  variant: Chosen;
  law: Record<string, Switch>;
}

/** Ask for ready armies. */
export interface AskReady {
  variant: Chosen;
  seat: Seat;
  law: Record<string, Switch>;
}

/** Ask for a sensible army, round the men of `army` where that is given. */
export interface AskArmy {
  variant: Chosen;
  seat: Seat;
  army: string | null;
  law: Record<string, Switch>;
}

/** A deployment as letters. */
export interface Army {
  army: string;
}

/** A deployment of the house; title and idea stand in the page's catalogue under `name`. */
export interface ReadyArmy {
  name: string;
  army: string;
}

/** Ask whether an army is complete and what is unwise about it. */
export interface CheckArmy {
  variant: Chosen;
  seat: Seat;
  army: string;
  law: Record<string, Switch>;
}

/** One fault or warning, by code. */
export interface Finding {
  code: string;
  params: Params;
}

/** What is wrong with an army, and what is unwise. */
export interface Check {
  faults: Finding[];
  warnings: Finding[];
}

/** Let others look on by a link. delay: how many plies late they see both armies if both seats agree, else never. */
export interface Watch {
  delay: number | null;
}

/** Order a game; without an army its men are placed later. */
export interface NewGame {
  variant: Chosen;
  level: string | null;
  against: Against;
  law: Record<string, Switch>;
  seat: SeatChoice;
  first: SeatChoice;
  clock: Clock | null;
  army: string | null;
  open: boolean;
  watch: Watch | null;
  rated: boolean;
}

/** Place one's army and be ready. */
export interface GiveArmy {
  army: string;
}

/** What an invitation offers: the game, the seat, who moves first, and whether the seat is still free. */
export interface Invitation {
  variant: VariantCard;
  seat: Seat;
  first: Seat;
  clock: Clock | null;
  rated: boolean;
  free: boolean;
  game: string | null;
  open: boolean;
  away: boolean;
}

/** Where a link for looking on leads; `seat` for who sits at that table and goes there instead. */
export interface WatchLink {
  game: string;
  seat: Seat | null;
}

/** A game that was made, and the seat one has in it. */
export interface Created {
  game: string;
  seat: Seat;
}

/** One of my games; `opponent` is the name of whoever sits opposite under an account. */
export interface GameLine {
  game: string;
  variant: string;
  seat: Seat;
  level: string;
  against: Against;
  open: boolean;
  opponent: string | null;
  phase: Phase;
  ply: number;
  turn: Seat | null;
  result: Result | null;
  reason: Reason | null;
  started_ms: number;
  updated_ms: number;
}

/** An error over HTTP (RFC 9457): `code` is stable, `detail` is for people. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  params: Params;
}

/** A rating in one class, with its deviation; provisional while that is large. */
export interface Rating {
  rating: number;
  deviation: number;
  provisional: boolean;
}

/** A table at which somebody waits for anybody. */
export interface OpenTable {
  code: string;
  variant: string;
  law: Record<string, Switch>;
  seat: Seat;
  first: Seat;
  clock: Clock | null;
  mine: boolean;
  host: string | null;
  rated: boolean;
  rating: Rating | null;
  waited_ms: number;
}

/** Look for an opponent at a game of the catalogue, by its own rules, under a clock; rated needs an account. */
export interface Seek {
  variant: string;
  clock: Clock | null;
  rated: boolean;
}

/** A name and a password. */
export interface Credentials {
  name: string;
  password: string;
}

/** One's password, and what it is to be from now on. */
export interface NewPassword {
  old: string;
  new: string;
}

/** One's password, where it is asked for once more. */
export interface Proof {
  password: string;
}

/** One place where one is signed in; `here` is the one that asks. */
export interface SessionLine {
  id: string;
  created_ms: number;
  used_ms: number;
  here: boolean;
}

/** Who asks: null for a guest. claimable: how many games of this browser's guest the account can take over. */
export interface Me {
  name: string | null;
  claimable: number;
  sessions: SessionLine[];
}

/** The head of what an account takes with it; its games follow, as a list under `games`. */
export interface Portrait {
  format: string;
  name: string;
  created_ms: number;
  sessions: SessionLine[];
}

/** One game as its seat takes it along: of one that is not over, only its own army and how far it is. */
export interface Share {
  game: string;
  seat: Seat;
  variant: string;
  begun_ms: number;
  army: string | null;
  plies: number;
  record: Form | null;
}

/** What one player holds against the other, with words of his own where he likes. */
export interface Report {
  reason: ReportWord;
  words: string;
}

/** Somebody's rating in one class, and how many games made it. */
export interface RatingLine {
  variant: string;
  pace: Pace;
  rating: Rating;
  games: number;
}

/** From where to where a game moved the rating of a seat's account. */
export interface RatingChange {
  seat: Seat;
  before: Rating;
  after: Rating;
}

/** One game between people that is over, as a player's page shows it; no way leads from it to the armies. */
export interface Played {
  game: string | null;
  seat: Seat;
  variant: string;
  pace: Pace;
  rated: boolean;
  score: Score;
  opponent: string | null;
  over_ms: number;
}

/** Results against one opponent; null are all guests and all who have left. */
export interface Tally {
  opponent: string | null;
  won: number;
  drawn: number;
  lost: number;
}

/** An army from a game that is over, as its owner chose to show it; he alone is told the game. */
export interface Opening {
  game: string | null;
  variant: string;
  seat: Seat;
  army: string;
}

/** A player's page. mine: whether it is one's own. */
export interface Person {
  name: string;
  since_ms: number;
  mine: boolean;
  ratings: RatingLine[];
  against: Tally[];
  games: Played[];
  openings: Opening[];
}

/** Show one's army of a finished game on one's page, or no longer. */
export interface ShowOpening {
  public: boolean;
}

/** Make a token, called by a title of one's own. */
export interface NewToken {
  title: string;
}

/** A new token; it is told this once and kept nowhere. */
export interface MadeToken {
  id: string;
  title: string;
  token: string;
}

/** A token of one's own; used_ms: when it was last used, to the hour. */
export interface TokenLine {
  id: string;
  title: string;
  created_ms: number;
  used_ms: number | null;
}

/** Challenge an account by its name to a game, whose `against` is `friend`. */
export interface NewChallenge {
  name: string;
  order: NewGame;
}

/** Somebody wants to play. by: his name, null for a guest. seat: the one that is offered. law: its house rules. */
export interface Challenge {
  type: 'challenge';
  game: string;
  by: string | null;
  variant: string;
  law: Record<string, Switch>;
  seat: Seat;
  first: Seat;
  clock: Clock | null;
  rated: boolean;
}

/** A game of one's own goes on: it waits for an army, or for moves. level: the house's player opposite, or empty. */
export interface GameStart {
  type: 'game_start';
  game: string;
  seat: Seat;
  variant: string;
  level: string;
  opponent: string | null;
}

/** A game of one's own is over. */
export interface GameFinish {
  type: 'game_finish';
  game: string;
  seat: Seat;
  result: Result | null;
  reason: Reason | null;
}

/** Everything that somebody who looks on may know now, and nothing else. */
export interface Watched {
  type: 'watched';
  game: string;
  showing: 'public' | 'waiting' | 'truth' | 'late' | 'open';
  delay: number | null;
  agreed: Both;
  phase: Phase;
  variant: VariantCard;
  level: string;
  against: Against;
  complete: boolean;
  ready: Both;
  names: Names;
  ratings: Ratings;
  first: Seat;
  turn: Seat | null;
  ply: number;
  men: Man[];
  plies_from: number;
  plies: Ply[];
  left: Left;
  hidden_fallen: Pair;
  offer: Seat | null;
  clock: ClockState | null;
  sealed: Sealed | null;
  result: Result | null;
  reason: Reason | null;
  truth: Opened | null;
}

export type ToServer = Move | Resign | OfferDraw | AnswerDraw | AskBack | AnswerBack | Abort | Claim | ShowTruth | Say | Write | Wish | Hear | Ping;
export type FromServer = State | Done | Refused | LawFrame | Pong | Tabs | Crowd | Talk;
export type ToWatcher = Watched | Refused | LawFrame | Pong | Crowd;
