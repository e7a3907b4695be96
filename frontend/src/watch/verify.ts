// A finished game's record held against itself, and against what this browser heard before the first ply.
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Seat } from '../wire/types';
import type { Noted } from './seals';

export interface GameRecord {
  game: string;
  secret: string;
  deployments: Record<Seat, string | null>;
  commitments: Record<Seat, string | null>;
  checksum: string;
  [field: string]: unknown;
}

/** What was found of one claim; `unknown` where this browser cannot tell. */
export type Finding = 'holds' | 'fails' | 'unknown';
export interface Findings {
  /** The record is as it was written: its own checksum fits. */
  whole: Finding;
  /** Each army in the record is the one that the record's digest was made of. */
  armies: Finding;
  /** These digests are the ones that this browser heard, and after how many plies. */
  heard: Finding;
  since: number | null;
}

/** JSON of which equal data has one spelling: keys in order, no spaces, ASCII alone. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
    return `{${fields.map(([key, held]) => `${ascii(key)}:${canonical(held)}`).join(',')}}`;
  }
  return typeof value === 'string' ? ascii(value) : JSON.stringify(value);
}

const ascii = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function checksumOf(record: GameRecord): string {
  const { checksum: _, ...rest } = record;
  return `sha256:${bytesToHex(sha256(utf8ToBytes(canonical(rest))))}`;
}

/** The salted digest of an army; the salt follows from the game's secret, which comes out with the record. */
export function digestOf(secret: string, seat: Seat, army: string): string {
  const key = blake2b(hexToBytes(secret), { dkLen: 64 });
  const salt = blake2b(utf8ToBytes(`salt\u001f${seat === 'red' ? 0 : 1}`), { key, dkLen: 32 });
  const letters = utf8ToBytes(army);
  const all = new Uint8Array(salt.length + letters.length);
  all.set(salt);
  all.set(letters, salt.length);
  return bytesToHex(blake2b(all, { dkLen: 32 }));
}

const holds = (claim: boolean): Finding => (claim ? 'holds' : 'fails');

export function verify(record: GameRecord, noted: Noted | null): Findings {
  const seats: readonly Seat[] = ['red', 'blue'];
  const made = (seat: Seat): string | null => {
    const army = record.deployments[seat];
    return army === null ? null : digestOf(record.secret, seat, army);
  };
  return {
    whole: holds(checksumOf(record) === record.checksum),
    armies: holds(seats.every((seat) => made(seat) === record.commitments[seat])),
    heard: noted ? holds(seats.every((seat) => made(seat) === noted[seat])) : 'unknown',
    since: noted?.ply ?? null,
  };
}
