/** The problems of a contest that somebody gives by its link. */
import { refused } from '../../errors.ts';
import type { GivenContest } from '../../jobs/asked-contest.ts';
import { askContest } from '../../jobs/while-waiting.ts';
import { contestAt } from '../../judges/addresses.ts';
import type { ApiKey } from '../../judges/judge.ts';
import { judgePlaces } from '../../practice/judge-places.ts';
import type { MemberVisit } from '../road/visits.ts';

/** Asks the judge while the page waits; `apiKey` opens private contests. Throws badSetting and judgeFailed. */
export async function askedContest(
  { store, member, website }: MemberVisit,
  link: string,
  apiKey?: ApiKey,
): Promise<GivenContest> {
  const places = await judgePlaces(store.reader, website.judgeUrls);
  const wanted = contestAt(link, places);
  if (!wanted) throw refused('badSetting.contestLink');
  const { source, contest } = wanted;
  return askContest(store, member.user_id, { source, key: contest, apiKey }, places.get(source));
}
