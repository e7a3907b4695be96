// Which of the five layouts fits the window, and how large a square may be.

export type Mode = 'wide' | 'rail' | 'tall' | 'phone' | 'flat';
export interface Window {
  width: number;
  height: number;
  /** The reader's font size in pixels; 16 is usual. */
  rem: number;
}

/** wide: two rails; rail: one with tabs; tall: panels below; phone; flat: a phone lying on its side. */
export function modeOf({ width, height, rem }: Window): Mode {
  const [w, h] = [(width * 16) / rem, (height * 16) / rem];
  if (height < 500 && width > height && width >= 480) return 'flat';
  if (w >= 1240) return 'wide';
  if (w >= 1100) return 'rail';
  if (w >= 640) return w > h ? 'rail' : 'tall';
  return 'phone';
}

export type Screen = 'play' | 'replay';

/** The side of a square in whole pixels. */
export function squareOf(window: Window, screen: Screen, cols = 10, lines = 10): number {
  const { width, height, rem } = window;
  const k = rem / 16;
  const mode = modeOf(window);
  const below = screen === 'replay' ? 140 : 0;
  const fits = (most: number, high: number, wide: number): number =>
    Math.max(24, Math.floor(Math.min(most, high / lines, wide / cols)));
  switch (mode) {
    case 'wide':
      return fits(78, height - 52 * k - 60 - below, width - (screen === 'replay' ? 630 : 556) * k - (screen === 'replay' ? 118 : 104));
    case 'rail':
      return fits(78, height - 52 * k - 60 - below, width - 304 * k - 96);
    case 'tall':
      return fits(76, Infinity, width - 58);
    case 'flat':
      return fits(60, height - 22, width - 300 * k);
    case 'phone':
      // A narrow board may grow, as long as seats, battle and a panel have their room beneath it.
      return fits(76, Math.max(width - 19, height - 450 * k), width - 19);
  }
}

const root = globalThis.document?.documentElement;
const measure = (): Window => ({
  width: globalThis.innerWidth ?? 1440,
  height: globalThis.innerHeight ?? 900,
  rem: root ? parseFloat(getComputedStyle(root).fontSize) || 16 : 16,
});

export const screen: Window = $state(measure());
globalThis.addEventListener?.('resize', () => Object.assign(screen, measure()));

export const mode = (): Mode => modeOf(screen);
