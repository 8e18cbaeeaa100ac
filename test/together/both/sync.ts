/** Judges that are asked by the program. */
import '../../sync/atcoder.test.ts';
import '../../sync/codeforces.test.ts';
import '../../sync/cses.test.ts';
import '../../sync/dmoj.test.ts';
import '../../sync/lists.test.ts';
import '../../sync/proofs-and-renames.test.ts';
import '../../sync/reminders.test.ts';
import '../../sync/renames.test.ts';
import '../../sync/replay.test.ts';
import '../../sync/schedule.test.ts';
import '../../sync/turns.test.ts';
