/** Finds the contest of a pasted link. */
import type { ContestRequest } from '../../jobs/sync-on-request.ts';
import { parseContestLink } from '../../judges/addresses.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import type { MemberVisit } from '../request/visits.ts';

export async function readContestLink(
  { store, website }: MemberVisit,
  link: string,
): Promise<ContestRequest | undefined> {
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const contest = parseContestLink(link, addresses);
  return contest && { ...contest, place: addresses.get(contest.source) };
}
