/** Pages of groups and other people, and of judges that are asked. */
import '../../web/boards.test.ts';
import '../../web/browser-sync.test.ts';
import '../../web/group-pick.test.ts';
import '../../web/group-table.test.ts';
import '../../web/not-modified.test.ts';
import '../../web/groups.test.ts';
import '../../web/judge-places.test.ts';
import '../../web/public-pages.test.ts';
import '../../web/reminders.test.ts';
import '../../web/sync-now.test.ts';
