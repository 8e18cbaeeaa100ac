/** Pages that show what was practised. */
import '../../web/dashboard.test.ts';
import '../../web/days.test.ts';
import '../../web/far-dates.test.ts';
import '../../web/figures.test.ts';
import '../../web/garden.test.ts';
import '../../web/navigation.test.ts';
import '../../practice/progress.test.ts';
import '../../web/progress.test.ts';
