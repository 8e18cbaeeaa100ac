/** Days of members for tests that take the time as it is. */
import type { DayRule } from '../../src/practice/days.ts';

/** By this rule a day began twelve hours ago, so that none begins while a test runs, whatever hour it is. */
export function steadyDays(): DayRule {
  return { zone: 'UTC', startHour: (new Date().getUTCHours() + 12) % 24 };
}
