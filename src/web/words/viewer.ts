/**
 * The visitor's time zone, language and theme, in an AsyncLocalStorage because almost every component needs them
 * (docs/decisions/0021-words.md, 0025-days.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Days, daysOf, defaultDayRule } from '../../practice/days.ts';
import { english, type Language } from '../../words/catalogue.ts';

export type Theme = 'light' | 'dark';

export interface ViewerSettings {
  days: Days;
  language: Language;
  /** Undefined follows the visitor's system. */
  theme: Theme | undefined;
}

export const defaultViewer: ViewerSettings = { days: daysOf(defaultDayRule), language: english, theme: undefined };

const viewers = new AsyncLocalStorage<ViewerSettings>();

export function withViewer<T>(settings: Partial<ViewerSettings>, work: () => T): T {
  return viewers.run({ ...currentViewer(), ...settings }, work);
}

export const currentViewer = () => viewers.getStore() ?? defaultViewer;

export function perLanguage<T>(create: (language: Language) => T): () => T {
  const values = new Map<Language, T>();
  return () => {
    const { language } = currentViewer();
    let value = values.get(language);
    if (value === undefined) {
      value = create(language);
      values.set(language, value);
    }
    return value;
  };
}
