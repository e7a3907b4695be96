// Records held against their digests, the numbers made by the referee itself.
import { beforeEach, describe, expect, it } from 'vitest';
import sample from './record.sample.json';
import { noteSeals, notedSeals } from './seals';
import { canonical, checksumOf, digestOf, verify, type GameRecord } from './verify';

const record = sample as unknown as GameRecord;
const changed = (fields: Partial<GameRecord>): GameRecord => {
  const made = { ...record, ...fields } as GameRecord;
  return { ...made, checksum: checksumOf(made) };
};

beforeEach(() => localStorage.clear());

describe('a record', () => {
  it('fits its checksum and its digests', () => {
    expect(checksumOf(record)).toBe(record.checksum);
    for (const seat of ['red', 'blue'] as const) expect(digestOf(record.secret, seat, record.deployments[seat] ?? '')).toBe(record.commitments[seat]);
    expect(verify(record, null)).toEqual({ whole: 'holds', armies: 'holds', heard: 'unknown', since: null });
  });

  it('is found out by a changed ply, by another army, and by digests made anew', () => {
    expect(verify({ ...record, elapsed_ms: 1 }, null).whole).toBe('fails');
    const army = (record.deployments.red ?? '').split('').reverse().join('');
    const swapped = changed({ deployments: { ...record.deployments, red: army } });
    expect(verify(swapped, null)).toMatchObject({ whole: 'holds', armies: 'fails' });
    const forged = changed({ deployments: { ...record.deployments, red: army }, commitments: { ...record.commitments, red: digestOf(record.secret, 'red', army) } });
    noteSeals(record.game, { red: record.commitments.red ?? '', blue: record.commitments.blue ?? '' }, 0);
    expect(verify(forged, null)).toMatchObject({ whole: 'holds', armies: 'holds', heard: 'unknown' });
    expect(verify(forged, notedSeals(record.game))).toMatchObject({ whole: 'holds', armies: 'holds', heard: 'fails' });
    expect(verify(record, notedSeals(record.game))).toMatchObject({ heard: 'holds', since: 0 });
  });
});

describe('digests that were heard', () => {
  it('stay as they were heard first, the last two hundred of them', () => {
    noteSeals('g', { red: 'a', blue: 'b' }, 3);
    noteSeals('g', { red: 'x', blue: 'y' }, 9);
    noteSeals('h', null, 0);
    expect(notedSeals('g')).toEqual({ red: 'a', blue: 'b', ply: 3 });
    expect(notedSeals('h')).toBeNull();
    for (let number = 0; number < 200; number += 1) noteSeals(`n${number}`, { red: 'a', blue: 'b' }, 0);
    expect(notedSeals('g')).toBeNull();
    expect(notedSeals('n0')).not.toBeNull();
  });
});

describe('one spelling of equal data', () => {
  it('is that of the referee', () => {
    expect(canonical({ b: [1, null, true], a: 'é😀"\u007f\n' })).toBe('{"a":"\\u00e9\\ud83d\\ude00\\"\\u007f\\n","b":[1,null,true]}');
  });
});
