/** The nine operations, their tokens and limits, asked over HTTP. */
import '../../api/bookmarks.test.ts';
import '../../api/collections.test.ts';
import '../../api/kept-answers.test.ts';
import '../../api/orders.test.ts';
import '../../api/parameters.test.ts';
import '../../api/plants.test.ts';
import '../../api/preconditions.test.ts';
import '../../api/problems.test.ts';
import '../../api/records.test.ts';
import '../../api/representations.test.ts';
import '../../api/statuses.test.ts';
import '../../api/walks.test.ts';
import '../../auth/isolation.test.ts';
import '../../auth/processes.test.ts';
import '../../auth/sign-in-throttle.test.ts';
import '../../auth/tokens.test.ts';
import '../../fuzz/document.test.ts';
