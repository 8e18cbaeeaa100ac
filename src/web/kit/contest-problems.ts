/** The problems of a contest that somebody gives by its link. */
import { refused } from '../../errors.ts';
import { askContest } from '../../jobs/while-waiting.ts';
import { contestAt } from '../../judges/addresses.ts';
import type { ApiKey, AskedContest } from '../../judges/judge.ts';
import { isGym, judgeOf } from '../../judges/judges.ts';
import type { WantedProblem } from '../../practice/added-problems.ts';
import { judgePlaces } from '../../practice/judge-places.ts';
import type { MemberVisit } from '../road/visits.ts';

/** A contest as its judge tells it, whose problems can be added here. */
export interface GivenContest extends Omit<AskedContest, 'problems'> {
  source: string;
  key: string;
  problems: (WantedProblem & { title: string; position: string })[];
}

/** Asks the judge for the contest while the page waits. `key` opens private ones. Throws badSetting and judgeFailed. */
export async function askedContest(
  { store, member, website }: MemberVisit,
  link: string,
  key?: ApiKey,
): Promise<GivenContest> {
  const wanted = contestAt(link);
  if (!wanted) throw refused('badSetting.contestLink');
  const { source, contest } = wanted;
  const place = (await judgePlaces(store.reader, website.judgeUrls)).get(source);
  const { problems, ...told } = await askContest(store, member.user_id, { source, contest, key }, place);
  const judge = judgeOf(source);
  const named = problems.map((one) => ({
    ...one,
    ...{ source, isGym: isGym({ source, source_key: one.key }) },
    url: judge?.problemPage?.(one.key, undefined) ?? link,
    position: judge?.placeOf?.(one.key)?.position ?? one.key,
  }));
  return { ...told, source, key: contest, problems: named };
}
