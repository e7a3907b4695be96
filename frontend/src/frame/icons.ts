// Line drawings of the controls, on 20 units: stroked unless said to be filled.

export interface Drawing {
  d: string;
  fill?: string;
}

const die = 'M6 3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z';
const dot = (x: number, y: number): string => `M${x - 1.4} ${y}a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0z`;

export const ICONS = {
  scales: { d: 'M10 3v14M4 6h12M4 6l-2 5h4zM16 6l-2 5h4zM7 17h6' },
  sound: { d: 'M3 7.5h3l4-3.5v12l-4-3.5H3zM13 7.5c1.3 1.4 1.3 3.6 0 5M15.5 5c2.7 2.9 2.7 7.1 0 10' },
  mute: { d: 'M3 7.5h3l4-3.5v12l-4-3.5H3zM13.5 8l4 4M17.5 8l-4 4' },
  theme: { d: 'M10 3.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z', fill: 'M10 3.5a6.5 6.5 0 0 1 0 13z' },
  settings: { d: 'M3 6h7M14.5 6H17M3 14h2.5M10 14h7M10 6a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0zM5.6 14a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z' },
  close: { d: 'm5 5 10 10M15 5 5 15' },
  talk: { d: 'M4 3.5h12a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3.5v-3.5H4A1.5 1.5 0 0 1 2.5 12V5A1.5 1.5 0 0 1 4 3.5zM6.5 7.3h7M6.5 10h4.5' },
  menu: { d: 'M3.5 6h13M3.5 10h13M3.5 14h13' },
  pencil: { d: 'm3.5 16.5.8-3.6L13.5 3.7l2.8 2.8-9.2 9.2z' },
  draw: { d: 'M4 7.5h12M4 12.5h12' },
  resign: { d: 'M5 2.5v15M5 3.5h10.5L13 7.2l2.5 3.8H5' },
  house: { d: 'M5 7a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zM8 2.5V5M12 2.5V5M8 15v2.5M12 15v2.5M2.5 8H5M2.5 12H5M15 8h2.5M15 12h2.5' },
  die: { d: die, fill: dot(7, 7) + dot(13, 13) + dot(10, 10) },
  mirror: { d: 'M10 2.5v2M10 7v2M10 11.5v2M10 16v1.5M7 6 2.5 14H7zM13 6l4.5 8H13z' },
  clear: { d: 'M7.5 16.5h9M4 12.5l7-8 5.5 5-6 7H7.5z' },
  text: { d: 'M6.5 6 2.5 10l4 4M13.5 6l4 4-4 4' },
  save: { d: 'M5.5 2.8h9v14.5L10 13.6l-4.5 3.7z' },
  undo: { d: 'M4 8.5h8.5a4 4 0 0 1 0 8H8M7 5 3.5 8.5 7 12' },
  warning: { d: 'M10 3 18 16.5H2zM10 8v4M10 14.2v.1' },
  retry: { d: 'M16 10a6 6 0 1 1-1.8-4.3M16 2.8v3.4h-3.4' },
  check: { d: 'm4.5 10.5 3.7 3.7 7.3-8' },
  bulb: { d: 'M7.5 15.5h5M8.5 18h3M6.5 11.5a5 5 0 1 1 7 0c-.7.7-1 1.3-1 2h-5c0-.7-.3-1.3-1-2z' },
  back: { d: 'M12 4.5 6.5 10l5.5 5.5' },
  forward: { d: 'M8 4.5 13.5 10 8 15.5' },
  play: { d: '', fill: 'M5.5 3.5 16 10 5.5 16.5z' },
  pause: { d: '', fill: 'M5 4h3.5v12H5zM11.5 4H15v12h-3.5z' },
  first: { d: '', fill: 'M4 4h2.2v12H4zM16 4v12l-9-6z' },
  last: { d: '', fill: 'M13.8 4H16v12h-2.2zM4 4v12l9-6z' },
  download: { d: 'M10 3v9.5M6 9l4 4 4-4M4 16.5h12' },
  swords: { d: 'm4 4 9.5 9.5M16 4l-9.5 9.5M11.5 15.5l4-4M8.5 15.5l-4-4' },
  minus: { d: 'M4 10h12' },
  plus: { d: 'M10 4v12M4 10h12' },
  trash: { d: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v5M11.5 9v5' },
  windows: { d: 'M3 6.5h10v10H3zM7 6.5v-3h10v10h-4' },
  down: { d: 'm5.5 7.5 4.5 4.5 4.5-4.5' },
  link: { d: 'M8.5 11.5a3.2 3.2 0 0 0 4.5 0l3-3a3.2 3.2 0 0 0-4.5-4.5l-1 1M11.5 8.5a3.2 3.2 0 0 0-4.5 0l-3 3a3.2 3.2 0 0 0 4.5 4.5l1-1' },
  list: { d: 'M7 5.5h10M7 10h10M7 14.5h10M3 5.5h.5M3 10h.5M3 14.5h.5' },
  person: { d: 'M10 10a3.4 3.4 0 1 0 0-6.8a3.4 3.4 0 1 0 0 6.8zM3.8 17c0-3.4 2.6-5 6.2-5s6.2 1.6 6.2 5' },
  people: { d: 'M7.2 9.5a3 3 0 1 0 0-6a3 3 0 1 0 0 6zM2 16.5c0-3 2.2-4.8 5.2-4.8s5.2 1.8 5.2 4.8M13 9.3a2.6 2.6 0 1 0 0-5.2M14.4 11.9c2.2.4 3.6 2 3.6 4.6' },
  book: { d: 'M4 4.5c2.5-1 4.5-.7 6 .8 1.5-1.5 3.5-1.8 6-.8V15c-2.5-1-4.5-.7-6 .8-1.5-1.5-3.5-1.8-6-.8zM10 5.5v10' },
} satisfies Record<string, Drawing>;

export type IconName = keyof typeof ICONS;
