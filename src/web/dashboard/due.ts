/** The problems that are due for review, as the strip of Today shows them. */
import type { Html } from '../layout.ts';
import type { MemberVisit } from '../visits.ts';

/** Undefined where nothing is due, or the member wants no reviews. */
export async function dueForReview(_visit: MemberVisit): Promise<Html | undefined> {
  return undefined;
}
