/** What is computed from marks and solves. */
import '../../practice/activity.test.ts';
import '../../practice/backtest.test.ts';
import '../../practice/garden.test.ts';
import '../../practice/next.test.ts';
import '../../practice/reviews.test.ts';
import '../../practice/streak.test.ts';
