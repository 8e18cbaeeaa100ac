/** The language of a visit. */
import { preferredLanguages } from '../../http/negotiation.ts';
import { english, type Language, languageOf } from '../../words/catalogue.ts';
import type { Site } from './site.ts';

interface Wishes {
  /** The choice of the member who is signed in. */
  own?: string | null | undefined;
  /** The choice of the browser, from its cookie. */
  browser: string | undefined;
  /** The header Accept-Language. */
  accepted: string | undefined;
}

/** The member's choice, else that of the browser, else what the browser prefers, else the server's own language. */
export function languageFor(site: Pick<Site, 'language'>, { own, browser, accepted }: Wishes): Language {
  for (const ranges of [[own ?? ''], [browser ?? ''], preferredLanguages(accepted), [site.language]]) {
    const language = languageOf(ranges);
    if (language) return language;
  }
  return english;
}
