// The catalogue: every name the code uses exists, every message is used, and no text is written into the code.
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { beforeAll, expect, test } from 'vitest';
import english from '../locales/en.ftl?raw';
import { disguise } from './pseudo';
import { has, speak, t } from './text.svelte';

const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts'], { query: '?raw', import: 'default', eager: true });
const code = Object.values(sources).join('\n');
const resource = new FluentResource(english);
const ids = resource.body.flatMap((message) => [message.id, ...Object.keys(message.attributes).map((attribute) => `${message.id}.${attribute}`)]);

/** Names that the code builds from a beginning and a code of the server or a rank. */
const BUILT = [
  'rank-', 'side-', 'level-', 'army-', 'rule-', 'end-', 'warning-', 'unreadable-', 'trouble-', 'refused-', 'clock-', 'motion-', 'theme-', 'numbers-', 'key-for-', 'keys-', 'tip-', 'rules-', 'battle-', 'file-', 'switches-', 'against-', 'back-', 'phrase-', 'report-', 'showing-', 'verify-',
];

beforeAll(() => speak(['en']));

test('every name in the code is in the catalogue', () => {
  const asked = [...code.matchAll(/\b(?:t|has)\('([a-z][\w.-]*)'/g)].map((match) => match[1] ?? '');
  const chosen = [...code.matchAll(/\bt\([^()'`]*(?:\([^()]*\)[^()'`]*)*\? '([a-z][\w.-]*)' : '([a-z][\w.-]*)'/g)].flatMap((match) => [match[1] ?? '', match[2] ?? '']);
  expect(asked.length).toBeGreaterThan(150);
  expect(chosen.length).toBeGreaterThan(20);
  expect([...asked, ...chosen].filter((name) => !ids.includes(name))).toEqual([]);
});
test('every beginning of a built name leads somewhere', () => {
  const begun = [...code.matchAll(/\b(?:t|has)\(\s*`([a-z-]+)\$\{/g)].map((match) => match[1] ?? '');
  expect(begun.filter((start) => !ids.some((id) => id.startsWith(start)))).toEqual([]);
});
test('no message is idle', () => {
  const idle = resource.body
    .map((message) => message.id)
    .filter((id) => !code.includes(`'${id}'`) && !BUILT.some((start) => id.startsWith(start)) && !english.includes(`{ ${id} }`));
  expect(idle).toEqual([]);
});
test('all messages format without a fault', () => {
  const bundle = new FluentBundle('en', { useIsolating: false });
  bundle.addResource(resource);
  const named = [...english.matchAll(/\$([a-zA-Z]+)/g)].map((match) => match[1] ?? '');
  const args = Object.fromEntries(named.map((name) => [name, 3]));
  for (const { id } of resource.body) {
    const message = bundle.getMessage(id);
    for (const pattern of [message?.value, ...Object.values(message?.attributes ?? {})]) {
      if (!pattern) continue;
      const faults: Error[] = [];
      bundle.formatPattern(pattern, args, faults);
      expect(faults, id).toEqual([]);
    }
  }
});
test('a pretended language changes every letter', () => {
  expect(disguise('Your move')).not.toMatch(/[A-Za-z]/);
  expect(disguise('a4–c4')).toHaveLength(5);
});
test('missing names show themselves', () => {
  expect(t('nothing-of-the-kind')).toBe('nothing-of-the-kind');
  expect(has('brand')).toBe(true);
});
