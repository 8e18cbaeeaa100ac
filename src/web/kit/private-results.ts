/** Says that a judge hides what is sent to private contests, and offers the results to a coach whose key opens them. */
import { listPrivateContests } from '../../jobs/fetched-contest.ts';
import { judgeName, judgeOf } from '../../judges/judges.ts';
import { findGymKey } from '../../store/gym-keys.ts';
import { type Html, html } from '../markup.ts';
import { groupPath, groupResultsPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList } from '../words/formats.ts';
import { linkTo, richWords, words } from '../words/words.ts';
import { actions, button, form, hiddenInputs } from './form.ts';
import { noticeOf } from './panel.ts';

/** How many contests one press of the button is for. */
export const resultsAtMost = 5;

/** `coachedGroup` is the group that the visitor coaches; `from` is the path of the page. */
export async function privateResults(
  visit: MemberVisit,
  problems: readonly { source: string; source_key: string }[],
  { coachedGroup, from }: { coachedGroup: bigint | undefined; from: string },
): Promise<Html | ''> {
  const { store, member, site } = visit;
  const contests = (await listPrivateContests(store.reader, problems)).slice(0, resultsAtMost);
  if (contests.length === 0) return '';
  const judges = commaList([...new Set(contests.map(({ source }) => judgeName(source)))]);
  const titles = commaList(contests.map(({ source, key }) => judgeOf(source)?.gymTitle?.(key) ?? key));
  const text = html`<p>${words('results.hidden', { judge: judges, contests: titles })}</p>`;
  if (coachedGroup === undefined) return noticeOf('plain', text);
  const key = await findGymKey(store.reader, { group_id: coachedGroup, user_id: member.user_id });
  if (key?.session_id !== member.id) {
    const settings = linkTo(`${site.basePath}${groupPath(coachedGroup)}settings/#key`);
    return noticeOf('plain', html`${text}<p>${richWords('results.needsKey', { settings })}</p>`);
  }
  const names = contests.map((one) => ['contest', `${one.source} ${one.key}`] as const);
  const fields = html`${hiddenInputs(names)}${actions(button(words('results.get'), 'small'))}`;
  const getForm = form(visit, { to: groupResultsPath(coachedGroup), hidden: { from } }, fields);
  return noticeOf('plain', html`${text}${getForm}`);
}
