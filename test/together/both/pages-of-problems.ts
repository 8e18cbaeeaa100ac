/** Pages on which problems are found and marked. */
import '../../web/confirming.test.ts';
import '../../web/contests.test.ts';
import '../../web/forms.test.ts';
import '../../web/lists.test.ts';
import '../../web/statements.test.ts';
import '../../web/problems.test.ts';
import '../../web/review.test.ts';
import '../../web/solved-filters.test.ts';
import '../../web/submissions.test.ts';
