/** The languages of the garden, and their choice by preference (RFC 4647 §3.4). */

export const languageNames = {
  en: 'English',
  'zh-CN': '简体中文',
  ja: '日本語',
  ru: 'Русский',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ko: '한국어',
} as const;

export type LanguageTag = keyof typeof languageNames;

export const languageTags = Object.keys(languageNames) as readonly LanguageTag[];

export function isLanguage(tag: string | null | undefined): tag is LanguageTag {
  return tag !== null && tag !== undefined && Object.hasOwn(languageNames, tag);
}

/** RFC 5646 §4.4.1 asks for 35 characters. Shortening a range of thousands would take a second. */
const longestRange = 100;

/** A range without a region, such as `pt`, also matches a tag with one. */
export function lookUp<Tag extends string>(ranges: readonly string[], tags: readonly Tag[]): Tag | undefined {
  for (const range of ranges) {
    if (range.length > longestRange) continue;
    for (
      let prefix = range.toLowerCase();
      prefix !== '';
      prefix = prefix.replace(/(?:-[a-z0-9])?-?[^-]*$/, '')
    ) {
      const isPlain = !prefix.includes('-');
      const match = tags.find((tag) => {
        const lowerTag = tag.toLowerCase();
        return lowerTag === prefix || (isPlain && lowerTag.startsWith(`${prefix}-`));
      });
      if (match !== undefined) return match;
    }
  }
  return undefined;
}

/** The variable LANGUAGE as gettext reads it, such as `pt_BR:pt:en`. */
export function rangesOfGettext(text: string): string[] {
  return text.split(':').map((range) => range.replace(/[.@].*$/, '').replaceAll('_', '-'));
}

/** Node 20 has a property where newer ones have a method. */
type WithText = Intl.Locale & Readonly<Record<'textInfo' | 'getTextInfo', unknown>>;

export function directionOf(tag: string): 'ltr' | 'rtl' {
  const locale = new Intl.Locale(tag) as WithText;
  const info = typeof locale.getTextInfo === 'function' ? locale.getTextInfo() : locale.textInfo;
  return info?.direction === 'rtl' ? 'rtl' : 'ltr';
}

/** 1 is Monday and 7 is Sunday, in the usual region of the language. */
export function firstDayOfWeek(tag: string): number {
  const locale = new Intl.Locale(tag === 'en' ? 'en-GB' : tag).maximize() as Intl.Locale & {
    getWeekInfo(): { firstDay: number };
  };
  return locale.getWeekInfo().firstDay;
}

export function listSeparator(locale: string): string {
  const list = new Intl.ListFormat(locale).formatToParts(['a', 'b', 'c']);
  return list.find(({ type }) => type === 'literal')?.value ?? ', ';
}
