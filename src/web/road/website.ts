/** The parts that all pages of one server share. */

import type { IncomingMessage } from 'node:http';
import type { SignInThrottle } from '../../auth/sign-in-throttle.ts';
import type { UploadDesk } from '../../importing/uploads/desk.ts';
import type { Finding } from '../../store/examination.ts';
import type { Store } from '../../store/store.ts';
import type { ConfirmedRuns } from '../../sync/confirmed-runs.ts';
import type { BackupDesk } from './backup-desk.ts';
import type { Site } from './site.ts';

export interface Website {
  site: Site;
  store: Store;
  throttle: SignInThrottle;
  addressOf(request: IncomingMessage): string;
  /** Looks at the garden for the health page of staff. */
  examine(): Promise<Finding[]>;
  /** Makes and lists backups for staff. */
  backups: BackupDesk;
  uploads: UploadDesk;
  confirmedRuns: ConfirmedRuns;
  /** Other addresses of judges, by the names of JUDGE_URLS. */
  judgeUrls: ReadonlyMap<string, string> | undefined;
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
