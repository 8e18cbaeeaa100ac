/** The addresses of the pages of a member's own account. No cache stores these pages. */
import { accountPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../request/visits.ts';
import { showAppearance } from './appearance.ts';
import { browserSyncPage } from './browser-sync.ts';
import { confirmedSyncPage } from './confirmed-sync.ts';
import { showConnections, submitConnections } from './connections.ts';
import { downloadData, showData } from './data.ts';
import { showDays, submitDays } from './days.ts';
import { showDeletion, submitDeletion } from './deletion.ts';
import { showHandles, submitHandles } from './handles.ts';
import { showInbox, submitInbox } from './inbox.ts';
import { showPassword, submitPassword } from './password.ts';
import { showProfile, submitProfile } from './profile.ts';
import { showProof, submitProof } from './proof.ts';
import { showReminders, submitReminders } from './reminders.ts';
import { showSessions, submitSessions } from './sessions.ts';
import { showSharing, submitSharing } from './sharing.ts';
import { showSignInMethods, submitSignInMethods } from './sign-in-methods.ts';
import { showTokens, submitTokens } from './tokens.ts';
import { showUnlinking, submitUnlinking } from './unlinking.ts';

const route = (
  path: string,
  get: NonNullable<PageRoute<MemberVisit>['get']>,
  post?: NonNullable<PageRoute<MemberVisit>['post']>,
): PageRoute<MemberVisit> => ({
  path: accountPath + path,
  isUncached: true,
  get,
  ...(post && { post }),
});

export const accountPages: readonly PageRoute<MemberVisit>[] = [
  route('', showProfile, submitProfile),
  route('handles/', showHandles, submitHandles),
  browserSyncPage,
  confirmedSyncPage,
  route('handles/:id/', showUnlinking, submitUnlinking),
  route('handles/:id/proof/', showProof, submitProof),
  route('days/', showDays, submitDays),
  route('appearance/', showAppearance),
  route('connections/', (visit) => showConnections(visit), submitConnections),
  route('tokens/', (visit) => showTokens(visit), submitTokens),
  route('sessions/', showSessions, submitSessions),
  route('password/', showPassword, submitPassword),
  route('sharing/', showSharing, submitSharing),
  route('reminders/', showReminders, submitReminders),
  route('inbox/', showInbox, submitInbox),
  route('ways/', showSignInMethods, submitSignInMethods),
  route('data/', showData),
  { ...route('data/:what/', downloadData), isDownload: true },
  route('delete/', showDeletion, submitDeletion),
];
