/** The place of this garden, the parts that its pages share, and whether a visitor sits at the server. */
import type { IncomingMessage } from 'node:http';
import type { EntryThrottle } from '../../auth/entry-throttle.ts';
import type { BackupService } from '../../jobs/backups.ts';
import type { EnqueueJob } from '../../jobs/job-protocol.ts';
import type { UploadService } from '../../jobs/uploads.ts';
import type { AddLimits } from '../../practice/added-problems.ts';
import type { Finding } from '../../store/overview.ts';
import type { Store } from '../../store/store.ts';

/** The address of this garden: the configured base address, without a trailing slash, and its path. */
export interface Site {
  baseUrl: string;
  basePath: string;
  /** The tag of the language for visitors whose browser prefers none of ours. */
  language: string;
}

/** No page without a session loads anything from elsewhere, and none but the reference of the API runs a script. */
export const pagePolicy =
  "default-src 'none'; manifest-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/* The parts that all pages of one server share. */

export interface Website {
  site: Site;
  store: Store;
  throttle: EntryThrottle;
  addressOf(request: IncomingMessage): string;
  /** The header by which a proxy signs members in. */
  trustHeader: string | undefined;
  /** The lines of that header; undefined where no trusted proxy sent the request. */
  saidByProxy(request: IncomingMessage): readonly string[] | undefined;
  /** Whether this is a public demo that nobody can change. */
  isDemo: boolean;
  /** Looks at the garden for the health page of staff. */
  examine(): Promise<Finding[]>;
  backups: BackupService;
  uploads: UploadService;
  enqueueJob: EnqueueJob;
  /** Other addresses of judges, by the names of JUDGE_URLS. */
  judgeUrls: ReadonlyMap<string, string> | undefined;
  addLimits: AddLimits;
  /** Origins where members may sign in, and webhooks may lead, although they are private or have no TLS. */
  privatePlaces: ReadonlySet<string>;
  /** Whether this server asks judges by itself. */
  asksJudges: boolean;
  /** Lets the body of this request take as long as an upload may. */
  allowTime(request: IncomingMessage): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether only some members may know that there is a page. */
    isHidden?: boolean;
    /** The paths below a route that ends with `*`; the route itself answers requests for other paths. */
    paths?: readonly string[];
  }
}

/* Whether somebody sits at the computer where the garden runs. */

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];
const loopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;

/**
 * The browser must also have asked for the garden's own address, and that must be one of this computer: a proxy may add
 * no header, and the name of another site may lead here (DNS rebinding).
 */
export function isLocal({ socket, headers }: IncomingMessage, baseUrl: string): boolean {
  const isFromHere = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
  const own = new URL(baseUrl);
  const asked = URL.parse(`${own.protocol}//${headers.host ?? ''}`);
  const isAskedHere = loopback.test(own.hostname) && loopback.test(asked?.hostname ?? '');
  return (
    isFromHere && isAskedHere && asked?.port === own.port && !proxyHeaders.some((name) => headers[name] !== undefined)
  );
}
