/** Imports the results of private contests for a group, with the key of its coach. */
import { AppError, localizedError } from '../../../errors.ts';
import { requestResults } from '../../../jobs/sync-on-request.ts';
import { judgeOf } from '../../../judges/judges.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { resultsAtMost } from '../../kit/private-results.ts';
import { html } from '../../markup.ts';
import { localPath } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { localizeText, words } from '../../words/words.ts';
import { coachedGroupOf, coachOfGroup, groupFrame, sessionOf } from './frame.ts';

export async function submitResults(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { store, member, website, site, form } = visit;
  try {
    const apiKey = await readGymKey(store.reader, coachOfGroup(visit, group), sessionOf(visit));
    const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
    for (const text of form.getAll('contest').slice(0, resultsAtMost)) {
      const [source = '', key = ''] = text.split(' ');
      if (judgeOf(source)?.gymTitle?.(key) === undefined) throw localizedError('invalidValue.contestLink');
      await requestResults(store, member.user_id, { source, key, place: addresses.get(source), apiKey }, group.id);
    }
    return { to: `${localPath(site, form.get('from')).replace(/[?#].*/, '')}?done=results` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const page = { tab: 'assignments/', title: words('results.get'), fault: localizeText(error) };
    return { html: groupFrame(visit, group, page, html``), status: error.status };
  }
}
