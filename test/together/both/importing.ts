/** Files that are read into a garden. */
import '../../importing/addresses.test.ts';
import '../../importing/archive.test.ts';
import '../../importing/bad-rows.test.ts';
import '../../importing/catalogues.test.ts';
import '../../importing/contests.test.ts';
import '../../importing/integers.test.ts';
import '../../importing/limits.test.ts';
import '../../importing/other-gardens.test.ts';
import '../../importing/own-rows.test.ts';
import '../../importing/real-data.test.ts';
import '../../importing/solves.test.ts';
import '../../importing/submissions.test.ts';
import '../../importing/twins.test.ts';
