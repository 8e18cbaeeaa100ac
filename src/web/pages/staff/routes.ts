/** The list of the pages of staff; what each shows and changes is in the file of its noun. */
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { backupsPage } from './backups.ts';
import { staffContestsPage } from './contests.ts';
import { healthPage } from './health.ts';
import { importPages } from './imports.ts';
import { invitationsPage } from './invitations.ts';
import { judgesPage } from './judges.ts';
import { logPage } from './log.ts';
import { memberPage } from './member.ts';
import { membersPage } from './members.ts';
import { overviewPage } from './overview.ts';
import { plantsPage } from './plants.ts';
import { problemsPage } from './problems.ts';
import { providerPage, providersPage } from './providers.ts';
import { settingsPage } from './settings.ts';
import { webhooksPage } from './webhooks.ts';

export const staffPages: readonly PageRoute<MemberVisit>[] = [
  overviewPage,
  membersPage,
  memberPage,
  invitationsPage,
  settingsPage,
  providersPage,
  providerPage,
  ...importPages,
  judgesPage,
  staffContestsPage,
  webhooksPage,
  problemsPage,
  plantsPage,
  backupsPage,
  healthPage,
  logPage,
];
