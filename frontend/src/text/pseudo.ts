// A pretended language for tests: catalogue text gets accents, so whatever stays plain was written into the code.

export const PSEUDO = 'en-XA';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ODD = 'åƀçđéƒğĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇĐÉƑĞĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ';
const odd = [...ODD];

/** Every plain letter becomes an accented one of the same look. */
export const disguise = (text: string): string =>
  [...text].map((letter) => {
    const at = PLAIN.indexOf(letter);
    return at < 0 ? letter : (odd[at] ?? letter);
  }).join('');
