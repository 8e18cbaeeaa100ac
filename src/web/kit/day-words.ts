/** Hours of a member's clock in words. */
import { words } from '../words/words.ts';

/** An hour of the clock with its end. */
export function hoursFrom(hour: number): string {
  const clock = (one: number) => `${String(one % 24).padStart(2, '0')}:00`;
  return words('days.hours', { from: clock(hour), to: clock(hour + 1) });
}
