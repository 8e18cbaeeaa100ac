/** What all pages of one server share. */
import type { IncomingMessage } from 'node:http';
import type { EntryThrottle } from '../../auth/entry-throttle.ts';
import type { BackupService } from '../../jobs/backups.ts';
import type { EnqueueJob } from '../../jobs/job-protocol.ts';
import type { UploadService } from '../../jobs/uploads.ts';
import type { AddLimits } from '../../practice/added-problems.ts';
import type { Finding } from '../../store/overview.ts';
import type { Store } from '../../store/store.ts';

export interface Site {
  baseUrl: string;
  basePath: string;
  /** For browsers that prefer none of our languages. */
  language: string;
}

export const pagePolicy =
  "default-src 'none'; manifest-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";

export interface Website {
  site: Site;
  store: Store;
  throttle: EntryThrottle;
  addressOf(request: IncomingMessage): string;
  /** The header in which a proxy names the member. */
  trustHeader: string | undefined;
  /** Undefined where no trusted proxy sent the request. */
  proxyHeaderValues(request: IncomingMessage): readonly string[] | undefined;
  isDemo: boolean;
  hasPrograms: boolean;
  examine(host: string | undefined): Promise<Finding[]>;
  backups: BackupService;
  uploads: UploadService;
  enqueueJob: EnqueueJob;
  /** Replacements of judges' addresses, by the names in JUDGE_URLS. */
  judgeUrls: ReadonlyMap<string, string> | undefined;
  addLimits: AddLimits;
  /** Origins that may be used although they are private or have no TLS. */
  privateOrigins: ReadonlySet<string>;
  syncsJudges: boolean;
  extendTimeout(request: IncomingMessage): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isHidden?: boolean;
    paths?: readonly string[];
  }
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];
const loopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;

/**
 * The host must be a loopback name, because a proxy may add no header and another site's name may resolve to this
 * computer (DNS rebinding).
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

/** Whether an address, such as BASE_URL, leads to this computer alone. */
export const isLoopback = (address: string): boolean => loopback.test(URL.parse(address)?.hostname ?? '');

/** The host at which a browser elsewhere opened a page, although BASE_URL is an address of this computer alone. */
export function remoteHost(host: string | undefined, baseUrl: string): string | undefined {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname;
  return isLoopback(baseUrl) && !loopback.test(name ?? 'localhost') ? name : undefined;
}
