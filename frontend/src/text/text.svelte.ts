// Every word on the page: Fluent messages in the reader's languages, English beneath them all.
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import { negotiateLanguages } from '@fluent/langneg';
import english from '../locales/en.ftl?raw';
import { PSEUDO, disguise } from './pseudo';

// Held in an array: the bundler would write a bare constant out wherever it is used.
const base = [english] as const;
const lazy = import.meta.glob<string>(['../locales/*.ftl', '!../locales/en.ftl'], { query: '?raw', import: 'default' });
const tag = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.ftl'.length);

export const available: readonly string[] = ['en', ...Object.keys(lazy).map(tag)];

function bundle(locale: string, source: string, transform?: (text: string) => string): FluentBundle {
  const made = new FluentBundle(locale, { useIsolating: false, ...(transform ? { transform } : {}) });
  const faults = made.addResource(new FluentResource(source));
  if (faults.length) throw faults[0];
  return made;
}

let bundles = $state.raw<FluentBundle[]>([bundle('en', base[0])]);
const names = $state({ locale: 'en' });

/** The language in use, as a BCP 47 tag that Intl understands. */
export const locale = (): string => names.locale;

export type Args = Record<string, FluentVariable>;

/** The message of that name, or of its attribute after a dot; the name itself where no language has it. */
export function t(id: string, args?: Args): string {
  const [name = id, attribute] = id.split('.');
  for (const made of bundles) {
    const message = made.getMessage(name);
    const pattern = attribute ? message?.attributes[attribute] : message?.value;
    if (pattern) return made.formatPattern(pattern, args ?? null, []);
  }
  return id;
}

export const has = (id: string): boolean => bundles.some((made) => made.hasMessage(id));

/** Begins a sentence with a capital by the rules of the language. */
export const capital = (text: string): string => {
  const first = [...text][0] ?? '';
  return first.toLocaleUpperCase(names.locale === PSEUDO ? 'en' : names.locale) + text.slice(first.length);
};

/** Chooses languages by wish (a query, a setting, then the browser) and loads them. */
export async function speak(wishes: readonly string[]): Promise<void> {
  if (wishes[0] === PSEUDO) {
    bundles = [bundle('en', base[0], disguise)];
    names.locale = 'en';
    document.documentElement.lang = 'en';
    return;
  }
  const chosen = negotiateLanguages([...wishes], [...available], { defaultLocale: 'en' });
  bundles = await Promise.all(
    chosen.map(async (name) => {
      const path = Object.keys(lazy).find((one) => tag(one) === name);
      return bundle(name, path ? ((await lazy[path]?.()) ?? base[0]) : base[0]);
    }),
  );
  // Dates and numbers follow the reader's region where he named one of this language.
  const language = chosen[0] ?? 'en';
  names.locale = wishes.find((wish) => wish.split('-')[0] === language.split('-')[0]) ?? language;
  document.documentElement.lang = language;
  document.title = t('brand');
}
