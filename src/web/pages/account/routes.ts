/** The addresses of the pages of a member's own account. No cache stores these pages. */
import { accountPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { showAppearance } from './appearance.ts';
import { browserSyncPage } from './browser-sync.ts';
import { confirmingPage } from './confirming.ts';
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
import { showSignInWays, submitSignInWays } from './sign-in-ways.ts';
import { showTokens, submitTokens } from './tokens.ts';
import { showUnlinking, submitUnlinking } from './unlinking.ts';

const route = (
  end: string,
  show: NonNullable<PageRoute<MemberVisit>['get']>,
  change?: NonNullable<PageRoute<MemberVisit>['post']>,
): PageRoute<MemberVisit> => ({
  path: accountPath + end,
  isUncached: true,
  get: show,
  ...(change && { post: change }),
});

export const accountPages: readonly PageRoute<MemberVisit>[] = [
  route('', showProfile, submitProfile),
  route('handles/', showHandles, submitHandles),
  browserSyncPage,
  confirmingPage,
  route('handles/:id/', showUnlinking, submitUnlinking),
  route('handles/:id/proof/', showProof, submitProof),
  route('days/', showDays, submitDays),
  route('appearance/', showAppearance),
  route('tokens/', showTokens, submitTokens),
  route('sessions/', showSessions, submitSessions),
  route('password/', showPassword, submitPassword),
  route('sharing/', showSharing, submitSharing),
  route('reminders/', showReminders, submitReminders),
  route('inbox/', showInbox, submitInbox),
  route('ways/', showSignInWays, submitSignInWays),
  route('data/', showData),
  route('data/:what/', downloadData),
  route('delete/', showDeletion, submitDeletion),
];
