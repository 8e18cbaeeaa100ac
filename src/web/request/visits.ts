/** The types of a page: its route, visit and answer. */

import type { Sealing } from '../../auth/sealing.ts';
import type { Client, SessionCookies } from '../../auth/sessions.ts';
import { type AppError, localizedError } from '../../errors.ts';
import type { Days } from '../../practice/days.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Language } from '../../words/catalogue.ts';
import type { Html } from '../markup.ts';
import type { Theme } from '../words/viewer.ts';
import type { UploadedFile } from './fields.ts';
import type { Download, PictureResponse } from './responses.ts';
import type { Site, Website } from './site.ts';
import type { ProxyIdentity } from './visitor.ts';

export interface Visit {
  website: Website;
  site: Site;
  store: Store;
  member: SignedInRow | undefined;
  /** Below the base path, with the query. */
  previousPath: string;
  days: Days;
  /** Whether the zone of the member is new, and that of the browser. */
  hasNewZone: boolean;
  language: Language;
  theme: Theme | undefined;
  /** Below the base path. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  client: Client;
  /** The key of the provider that the last member to sign out here had used, or a text that is none. */
  leftProvider: string | undefined;
  proxyIdentity: ProxyIdentity | undefined;
  isLocal: boolean;
  host: string | undefined;
  /** SHA-256 of a sign-in and the secret of this browser's session; the second one is of a page from before it. */
  browserHashes(attempt: string): string[];
  /** Encrypts texts for this session alone. */
  sealing: Sealing;
  antiForgery: Html;
  readFlash(): string | undefined;
  /** Aborted when the client leaves before it has the whole answer. */
  signal: AbortSignal;
}

export type MemberVisit = Visit & { member: SignedInRow };

/**
 * `session: null` signs out; `flash` is a text for the next page; `connectsTo` is an origin that scripts may call;
 * `goesTo` redirects to another site; an empty `leftProvider` forgets it.
 */
export type PageResult =
  | { html: Html; status?: number; refreshSeconds?: number; connectsTo?: string; goesTo?: string; leftProvider?: '' }
  | {
      to: string;
      isPermanent?: boolean;
      session?: SessionCookies | null;
      leftProvider?: string;
      flash?: string;
      language?: string;
      theme?: Theme | undefined;
    }
  | { picture: PictureResponse }
  | Download;

export interface PageRoute<V extends Visit = Visit> {
  /** Below the base path; it ends in a slash. */
  path: string;
  get?(visit: V): Promise<PageResult>;
  post?(visit: V, file?: UploadedFile): Promise<PageResult>;
  /** The form also works in a read-only demo. */
  isInDemo?: boolean;
  takesFile?: boolean;
  /** Each client gets one file at a time, whatever pages it opens meanwhile. */
  isDownload?: boolean;
  formBytesAtMost?: number;
  /** Sends `no-store`, also against the back button. */
  isUncached?: boolean;
  /** A GET form leads here; its empty fields are removed from the address. */
  dropsEmptyFields?: boolean;
  /** Showing the page uses up a one-time link, so HEAD is refused. */
  usesUpItsLink?: boolean;
}

/** Also for a page that the visitor may not see. */
export function pageNotFound(path: string, basePath = ''): AppError {
  const shown = JSON.stringify(path.slice(0, 100));
  return localizedError('unknownPath.page', { path: shown, docs: `${basePath}/docs/` });
}
