/** What all pages of one server share, and whether a visitor sits at the server. */
import type { IncomingMessage } from 'node:http';
import type { EntryThrottle } from '../../auth/entry-throttle.ts';
import type { BackupService } from '../../jobs/backups.ts';
import type { EnqueueJob } from '../../jobs/job-protocol.ts';
import type { UploadService } from '../../jobs/uploads.ts';
import type { AddLimits } from '../../practice/added-problems.ts';
import type { Finding } from '../../store/overview.ts';
import type { Store } from '../../store/store.ts';

/** `baseUrl` has no trailing slash; `basePath` is its path. */
export interface Site {
  baseUrl: string;
  basePath: string;
  /** For browsers that prefer none of our languages. */
  language: string;
}

/** The policy of pages without a session: no scripts. */
export const pagePolicy =
  "default-src 'none'; manifest-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";

export interface Website {
  site: Site;
  store: Store;
  throttle: EntryThrottle;
  addressOf(request: IncomingMessage): string;
  /** The header by which a proxy signs members in. */
  trustHeader: string | undefined;
  /** Undefined where no trusted proxy sent the request. */
  saidByProxy(request: IncomingMessage): readonly string[] | undefined;
  isDemo: boolean;
  examine(): Promise<Finding[]>;
  backups: BackupService;
  uploads: UploadService;
  enqueueJob: EnqueueJob;
  /** Replacements of judges' addresses, by the names in JUDGE_URLS. */
  judgeUrls: ReadonlyMap<string, string> | undefined;
  addLimits: AddLimits;
  /** Origins that sign-in and webhooks may use although they are private or have no TLS. */
  privatePlaces: ReadonlySet<string>;
  asksJudges: boolean;
  /** Gives the body of this request the time limit of an upload. */
  allowTime(request: IncomingMessage): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Unauthorized visitors see the same answer as for an unknown path. */
    isHidden?: boolean;
    /** The exact paths that a route ending in `*` serves. */
    paths?: readonly string[];
  }
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];
const loopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;

/**
 * The request must name a loopback host, because a proxy may add no header and another site's name may resolve to
 * this computer (DNS rebinding).
 */
export function isLocal({ socket, headers }: IncomingMessage, baseUrl: string): boolean {
  const isLoopbackClient = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  const base = new URL(baseUrl);
  const requested = URL.parse(`${base.protocol}//${headers.host ?? ''}`);
  const namesLoopback = loopback.test(base.hostname) && loopback.test(requested?.hostname ?? '');
  return (
    isLoopbackClient &&
    namesLoopback &&
    requested?.port === base.port &&
    !proxyHeaders.some((name) => headers[name] !== undefined)
  );
}
