/** The contest that somebody names by its link. */
import type { ContestRequest } from '../../jobs/sync-on-request.ts';
import { parseContestLink } from '../../judges/addresses.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import type { MemberVisit } from '../road/visits.ts';

/** The contest, and where its judge is asked for it; undefined for a text that names none. */
export async function readContestLink(
  { store, website }: MemberVisit,
  link: string,
): Promise<ContestRequest | undefined> {
  const places = await listJudgeAddresses(store.reader, website.judgeUrls);
  const contest = parseContestLink(link, places);
  return contest && { ...contest, place: places.get(contest.source) };
}
