/**
 * A visit to a page: what is known of the visitor, and what a page can answer. How pages are served is in `serving.ts`.
 */

import type { Sealing } from '../../auth/sealing.ts';
import type { Client, SessionCookies } from '../../auth/sessions.ts';
import { type AppError, localizedError } from '../../errors.ts';
import type { Days } from '../../practice/days.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Language } from '../../words/catalogue.ts';
import type { Html } from '../markup.ts';
import type { Theme } from '../words/reader.ts';
import type { SentFile } from './fields.ts';
import type { Download, SentPicture } from './sending.ts';
import type { Site, Website } from './site.ts';
import type { ByProxy } from './visitor.ts';

/** One request for a page, and what is known of its visitor. */
export interface Visit {
  website: Website;
  site: Site;
  store: Store;
  member: SignedInRow | undefined;
  /** The page whose link or form led here: below the base path, with its query. */
  cameFrom: string;
  days: Days;
  /** The language of the page, and its colours where the visitor chose them. */
  language: Language;
  theme: Theme | undefined;
  /** Below the base path. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  /** The place from which a session would be opened. */
  client: Client;
  /** Whom a trusted proxy names, if it names somebody. */
  byProxy: ByProxy | undefined;
  /** Whether it comes from the computer where the garden runs, and through no proxy. */
  isLocal: boolean;
  /** SHA-256 of what only this browser has: its session, or the secret of its forms. */
  browser: string;
  /** Seals texts that this session alone can open. */
  sealing: Sealing;
  /** The hidden field that every form has. */
  antiForgery: Html;
  /** The text that the form before this page left to be shown once, which is gone after this. */
  shownOnce(): string | undefined;
}

export type MemberVisit = Visit & { member: SignedInRow };

/**
 * A page; or the address below the base path where the browser goes on (`isPermanent` where the page has moved), with a
 * session that begins or ends (null), a text for the page there to show once, and the language or the colours that were
 * chosen; or a file to keep; or a picture. A page of something at work is loaded again after some seconds. One that
 * `connectsTo` another origin may ask there, which no other page may; one that `goesTo` an address leads there at once.
 */
export type Answer =
  | { html: Html; status?: number; refreshSeconds?: number; connectsTo?: string; goesTo?: string }
  | {
      to: string;
      isPermanent?: boolean;
      session?: SessionCookies | null;
      once?: string;
      language?: string;
      theme?: Theme | undefined;
    }
  | { picture: SentPicture }
  | Download;

export interface PageRoute<V extends Visit = Visit> {
  /** Below the base path; it ends in a slash. */
  path: string;
  show?(visit: V): Promise<Answer>;
  /** The work of a form that is sent here. */
  change?(visit: V, file?: SentFile): Promise<Answer>;
  /** Whether its form is taken also in a demo that nobody can change. */
  isInDemo?: boolean;
  /** Whether the form may have a file, as its last field. */
  takesFile?: boolean;
  /** The largest form that may be sent here, where that is more than forms have. */
  formBytesAtMost?: number;
  /** Whether no copy of it may be kept anywhere, not even for the back button. */
  isSecret?: boolean;
  /**
   * Whether a form leads here by GET. Without script it sends its empty fields along, and goes on to the address
   * without them.
   */
  isAsked?: boolean;
  /** Whether showing it uses something up, which HEAD must not. */
  isOnce?: boolean;
}

/** The refusal of a path without a page, and of a page that the visitor may not see: both look the same. */
export function nothingHere(path: string): AppError {
  const shown = JSON.stringify(path.slice(0, 100));
  return localizedError('unknownPath.page', { path: shown });
}
