/** The routes of the staff pages, and the frame of the staff's uploads. */
import type { UploadSection } from '../../kit/uploads/section.ts';
import { importsPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { backupsPage } from './backups.ts';
import { staffContestsPage } from './contests.ts';
import { staffPage } from './frame.ts';
import { invitationsPage } from './invitations.ts';
import { judgesPage } from './judges.ts';
import { logPage } from './log.ts';
import { memberPage } from './member.ts';
import { membersPage } from './members.ts';
import { healthPage, overviewPage } from './overview.ts';
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
  judgesPage,
  staffContestsPage,
  webhooksPage,
  problemsPage,
  backupsPage,
  healthPage,
  logPage,
];

export const staffUploads: UploadSection = {
  scope: 'staff',
  path: importsPath,
  frame: (visit, content, title) =>
    staffPage(
      visit,
      { section: 'imports/', title, ...(title === undefined && { sub: words('uploads.staffSub') }) },
      content,
    ).html,
};
