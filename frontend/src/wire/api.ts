// Questions asked once over HTTP; every failure comes back as one kind of error with a stable code.
import type { Check, Chosen, GameLine, Hello, Invitation, Law, MadeToken, Me, NewGame, OpenTable, OwnVariant, Params, Person, RatingChange, ReadyArmy, Report, Seat, Seek, State, TokenLine, VariantCard, Watched, WatchLink } from './types';

/** What the server, or the way to it, refused. `code` is `offline` where no answer came at all. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly params: Params = {},
  ) {
    super(code);
  }
}

const PATIENCE_MS = 15_000;

async function fetched<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused('offline', 0);
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  let problem: { code?: string; params?: Params } = {};
  try {
    problem = (await answer.json()) as typeof problem;
  } catch {
    // A proxy's page instead of ours: the status is all there is.
  }
  throw new Refused(problem.code ?? (answer.status >= 500 ? 'offline' : 'error'), answer.status, problem.params ?? {});
}

let met: Promise<unknown> | null = null;

/** Greets the server, which gives this browser its seat token; everything else is asked after the first greeting. */
export function hello(): Promise<Hello> {
  const asked = fetched<Hello>('GET', '/api/hello');
  met ??= asked.catch(() => undefined);
  return asked;
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  await (met ?? hello());
  try {
    return await fetched<T>(method, path, body);
  } catch (fault) {
    // The token was lost (cookies cleared, another store): greet again, once.
    if (!(fault instanceof Refused) || fault.code !== 'no_guest') throw fault;
    await hello();
    return fetched<T>(method, path, body);
  }
}

const at = (game: string, rest = ''): string => `/api/games/${encodeURIComponent(game)}${rest}`;

export const games = (): Promise<GameLine[]> => ask('GET', '/api/games');
export const newGame = (order: NewGame): Promise<{ game: string; seat: Seat }> => ask('POST', '/api/games', order);
const asSeat = (seat: Seat | null): string => (seat ? `?seat=${seat}` : '');
/** `seat`: which one is meant by who plays both. */
export const state = (game: string, seat: Seat | null = null): Promise<State> => ask('GET', at(game, asSeat(seat)));
export const sendArmy = (game: string, army: string, seat: Seat | null = null): Promise<State> => ask('POST', at(game, `/army${asSeat(seat)}`), { army });
export const rematch = (game: string): Promise<{ game: string; seat: Seat }> => ask('POST', at(game, '/rematch'), {});
/** Tells whoever runs the server about the other player. */
export const report = (game: string, body: Report): Promise<void> => ask('POST', at(game, '/report'), body);
/** Takes a game back that nobody has joined. */
export const withdraw = (game: string): Promise<void> => ask('POST', at(game, '/withdraw'), {});
const invited = (code: string, rest = ''): string => `/api/invitations/${encodeURIComponent(code)}${rest}`;
/** What an invitation offers. */
export const invitation = (code: string): Promise<Invitation> => ask('GET', invited(code));
export const join = (code: string): Promise<{ game: string; seat: Seat }> => ask('POST', invited(code, '/join'), {});
/** The tables at which somebody waits for anybody. */
export const openTables = (): Promise<OpenTable[]> => ask('GET', '/api/hall');
/** Sits down with whoever wants the same game, or lays a table to wait at. */
/** A player's page. */
export const person = (name: string): Promise<Person> => ask('GET', `/api/people/${encodeURIComponent(name)}`);
/** How a rated game moved the ratings of its seats, once it is over. */
export const ratingChanges = (game: string): Promise<RatingChange[]> => ask('GET', at(game, '/ratings'));
/** Shows one's own army of a finished game on one's page, or hides it again. */
export const showOpening = (game: string, shown: boolean): Promise<void> => ask('POST', at(game, '/opening'), { public: shown });
export const seek = (order: Seek): Promise<{ game: string; seat: Seat }> => ask('POST', '/api/hall/seek', order);
const mine = (rest = ''): string => `/api/account${rest}`;
/** One's tokens for bots. */
export const tokens = (): Promise<TokenLine[]> => ask('GET', mine('/tokens'));
export const makeToken = (title: string): Promise<MadeToken> => ask('POST', mine('/tokens'), { title });
export const revokeToken = (id: string): Promise<void> => ask('DELETE', mine(`/tokens/${encodeURIComponent(id)}`));
/** Who reads this page. */
export const me = (): Promise<Me> => ask('GET', mine());
export const register = (name: string, password: string): Promise<Me> => ask('POST', mine(), { name, password });
export const signIn = (name: string, password: string): Promise<Me> => ask('POST', mine('/session'), { name, password });
export const signOut = (): Promise<void> => ask('DELETE', mine('/session'));
export const endSession = (id: string): Promise<void> => ask('DELETE', mine(`/sessions/${encodeURIComponent(id)}`));
/** Ends every session but this one. */
export const endSessions = (): Promise<void> => ask('DELETE', mine('/sessions'));
/** Takes over the games that this browser's guest holds. */
export const claim = (): Promise<Me> => ask('POST', mine('/claim'), {});
export const changePassword = (old: string, fresh: string): Promise<void> => ask('POST', mine('/password'), { old, new: fresh });
/** Deletes the account; its games stay under nobody's name. */
export const forget = (password: string): Promise<void> => ask('POST', mine('/delete'), { password });
/** A finished game with both armies open, for anybody. */
export const finished = (game: string): Promise<Watched> => ask('GET', at(game, '/finished'));
/** Where a link for looking on leads. */
export const watchLink = (code: string): Promise<WatchLink> => ask('GET', `/api/watch/${encodeURIComponent(code)}`);
/** The finished game's record, as data to keep. */
export const record = (game: string): Promise<unknown> => ask('GET', at(game, '/record'));
interface Which {
  variant: Chosen;
  law: Law;
}
export const fill = (which: Which, seat: Seat, army: string): Promise<{ army: string }> => ask('POST', '/api/armies/random', { ...which, seat, army });
export const ready = (which: Which, seat: Seat): Promise<ReadyArmy[]> => ask('POST', '/api/armies/ready', { ...which, seat });
export const check = (which: Which, seat: Seat, army: string): Promise<Check> => ask('POST', '/api/armies/check', { ...which, seat, army });
/** What the text of a variant's file means. */
export const readVariant = (text: string): Promise<OwnVariant> => ask('POST', '/api/variants/read', { text });
/** A game under house rules, as the server draws it. */
export const card = (which: Which): Promise<VariantCard> => ask('POST', '/api/variants/card', which);
