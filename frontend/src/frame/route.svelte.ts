// Where the reader is: one hash a screen, so the server needs to know none of them.
import type { Against } from '../wire/types';

/** What the server writes behind the name of a bot. */
const BOT = / \(bot\)$/;

export type Route =
  | { at: 'home' }
  | { at: 'deploy' }
  | { at: 'game'; game: string }
  | { at: 'here'; game: string }
  | { at: 'join'; code: string }
  | { at: 'watch'; code: string }
  | { at: 'hall' }
  | { at: 'account' }
  | { at: 'player'; name: string }
  | { at: 'games' }
  | { at: 'rules' };

export function read(hash: string): Route {
  const [, first = '', second = ''] = hash.split('/');
  if ((first === 'game' || first === 'here') && second) return { at: first, game: decodeURIComponent(second) };
  if (first === 'player' && second) return { at: first, name: decodeURIComponent(second) };
  if ((first === 'join' || first === 'watch') && second) return { at: first, code: second };
  if (first === 'deploy' || first === 'account' || first === 'hall' || first === 'games' || first === 'rules') return { at: first };
  return { at: 'home' };
}

export const hashOf = (route: Route): string =>
  route.at === 'home' ? '#/' : route.at === 'game' || route.at === 'here' ? `#/${route.at}/${encodeURIComponent(route.game)}`
  : route.at === 'player' ? `#/player/${encodeURIComponent(route.name.replace(BOT, ''))}`
  : route.at === 'join' || route.at === 'watch' ? `#/${route.at}/${route.code}` : `#/${route.at}`;

/** Where a game is played: one at one screen has its curtain before it. */
export const placeOf = (game: { game: string; against: Against }): Route => ({ at: game.against === 'here' ? 'here' : 'game', game: game.game });

let now = $state.raw<Route>(read(globalThis.location?.hash ?? ''));
globalThis.addEventListener?.('hashchange', () => (now = read(location.hash)));

export const route = (): Route => now;

export function go(to: Route): void {
  location.hash = hashOf(to);
  now = to;
}

/** Goes on in the place of the present screen, to which nothing leads back. */
export function instead(to: Route): void {
  history.replaceState(null, '', hashOf(to));
  now = to;
}
