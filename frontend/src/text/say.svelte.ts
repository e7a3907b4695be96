// What a screen reader is told: one polite and one assertive line, each said anew even when the words repeat.

export const lines = $state({ polite: '', assertive: '' });

// A changed no-break space at the end makes the same sentence a new one.
const renew = (before: string, text: string): string => (before === text ? `${text}\u00a0` : text);

export const say = (text: string): void => {
  lines.polite = renew(lines.polite, text);
};

/** Takes back what was said: its room is left. */
export const hush = (): void => {
  lines.polite = lines.assertive = '';
};

export const sayAtOnce = (text: string): void => {
  lines.assertive = renew(lines.assertive, text);
};
