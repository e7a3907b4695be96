// Names for orders, so that the server plays each of them once.

/** 96 random bits; `crypto.randomUUID` is missing on plain addresses of other machines. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
