/** The addresses of the pages of a member's own account. No cache stores these pages. */
import { accountPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { showAppearance } from './appearance.ts';
import { browserSyncPage } from './browser-sync.ts';
import { confirmingPage } from './confirming.ts';
import { sendData, showData } from './data.ts';
import { showDays, takeDays } from './days.ts';
import { showDeletion, takeDeletion } from './deletion.ts';
import { showHandles, takeHandles } from './handles.ts';
import { showInbox, takeInbox } from './inbox.ts';
import { showPassword, takePassword } from './password.ts';
import { showProfile, takeProfile } from './profile.ts';
import { showProof, takeProof } from './proof.ts';
import { showReminders, takeReminders } from './reminders.ts';
import { showSessions, takeSessions } from './sessions.ts';
import { showSharing, takeSharing } from './sharing.ts';
import { showWays, takeWays } from './sign-in-ways.ts';
import { showTokens, takeTokens } from './tokens.ts';
import { showUnlinking, takeUnlinking } from './unlinking.ts';

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
  route('', showProfile, takeProfile),
  route('handles/', showHandles, takeHandles),
  browserSyncPage,
  confirmingPage,
  route('handles/:id/', showUnlinking, takeUnlinking),
  route('handles/:id/proof/', showProof, takeProof),
  route('days/', showDays, takeDays),
  route('appearance/', showAppearance),
  route('tokens/', showTokens, takeTokens),
  route('sessions/', showSessions, takeSessions),
  route('password/', showPassword, takePassword),
  route('sharing/', showSharing, takeSharing),
  route('reminders/', showReminders, takeReminders),
  route('inbox/', showInbox, takeInbox),
  route('ways/', showWays, takeWays),
  route('data/', showData),
  route('data/:what/', sendData),
  route('delete/', showDeletion, takeDeletion),
];
