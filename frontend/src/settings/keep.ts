// What this browser remembers: small JSON values under one prefix; a locked store means forgetting, never failing.

const PREFIX = 'flagfall.';

/** Calls back when another tab has kept something else under a key, or has forgotten everything. */
export function onKept(key: string, changed: () => void): void {
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key === null || event.key === PREFIX + key) changed();
  });
}

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined || value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the page goes on without a memory.
  }
}
