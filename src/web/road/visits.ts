/** The types of a page: its route, the visit that it gets, and the answer that it gives. */

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

export interface Visit {
  website: Website;
  site: Site;
  store: Store;
  member: SignedInRow | undefined;
  /** Path and query, below the base path, of the page whose link or form led here. */
  cameFrom: string;
  days: Days;
  language: Language;
  theme: Theme | undefined;
  /** Below the base path. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  client: Client;
  byProxy: ByProxy | undefined;
  /** The browser runs on the server's own computer. */
  isLocal: boolean;
  /** SHA-256 of the secret that only this browser has: its session, or the key of its forms. */
  browser: string;
  /** Encrypts texts for this session alone. */
  sealing: Sealing;
  antiForgery: Html;
  /** Reads and clears the text that the previous page's form left. */
  shownOnce(): string | undefined;
}

export type MemberVisit = Visit & { member: SignedInRow };

/**
 * A page, a redirect below the base path, a picture or a download. `session: null` signs out; `once` is a text for
 * the next page to show once; `connectsTo` is another origin that the page's script may call; `goesTo` redirects
 * to another site.
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
  change?(visit: V, file?: SentFile): Promise<Answer>;
  /** The form also works in a read-only demo. */
  isInDemo?: boolean;
  /** The form's last field may be a file. */
  takesFile?: boolean;
  formBytesAtMost?: number;
  /** Sends `no-store`, also against the back button. */
  isSecret?: boolean;
  /** A GET form leads here; its empty fields are removed from the address. */
  isAsked?: boolean;
  /** Showing the page uses something up, so HEAD is refused. */
  isOnce?: boolean;
}

/** The same for a path without a page and for a page that the visitor may not see. */
export function nothingHere(path: string): AppError {
  const shown = JSON.stringify(path.slice(0, 100));
  return localizedError('unknownPath.page', { path: shown });
}
