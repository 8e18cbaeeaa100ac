/** Days of members for tests with the real clock. */
import type { DayRule } from '../../src/practice/days.ts';

/** The day began twelve hours ago, so that none begins during the test. */
export function steadyDays(): DayRule {
  return { zone: 'UTC', startHour: (new Date().getUTCHours() + 12) % 24 };
}
