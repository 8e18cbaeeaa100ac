/** Saves whether topics, ratings and chances are shown. */
import { setSwitch } from '../../../practice/preferences.ts';
import { listSwitchesPath, problemsPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';

export const switchPages: readonly PageRoute<MemberVisit>[] = [{ path: listSwitchesPath, post: submitSwitches }];

async function submitSwitches({ store, member, form, site }: MemberVisit): Promise<PageResult> {
  for (const name of ['hidesTopics', 'hidesRatings', 'hidesChances', 'showsChances'] as const) {
    const value = form.get(name);
    if (value !== 'true' && value !== 'false') continue;
    await setSwitch(store, member.user_id, name, value === 'true');
  }
  return { to: form.has('from') ? localPath(site, form.get('from')) : problemsPath };
}
