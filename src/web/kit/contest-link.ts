/** Finds the contest of a pasted link, and what one can do with a link that is no problem. */
import type { ContestRequest } from '../../jobs/sync-on-request.ts';
import { pageAt, parseContestLink } from '../../judges/addresses.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import { type Html, html } from '../markup.ts';
import { handlesPath, newListPath, newRoundPath, problemsPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { words } from '../words/words.ts';
import { linkButton } from './links.ts';

export async function readContestLink(
  { store, website }: MemberVisit,
  link: string,
): Promise<ContestRequest | undefined> {
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const contest = parseContestLink(link, addresses);
  return contest && { ...contest, place: addresses.get(contest.source) };
}

/** Buttons for a link that leads to a contest or a profile instead of a problem. */
export async function pageButtons(visit: MemberVisit, link: string): Promise<Html | false> {
  const { store, website, site } = visit;
  const page = pageAt(link, await listJudgeAddresses(store.reader, website.judgeUrls));
  if (page?.kind === 'profile') return linkButton(site.basePath + handlesPath, words('handles.another'));
  const contest = page && (await readContestLink(visit, link));
  if (!contest) return false;
  const { source, key } = contest;
  const problems = `${problemsPath}?${new URLSearchParams({ source, contest: key })}`;
  const list = `${newListPath}?${new URLSearchParams({ text: link })}`;
  const round = `${newRoundPath}?${new URLSearchParams({ contest: link })}`;
  return html`
    ${linkButton(site.basePath + problems, words('handles.whichUnmatched'))}
    ${linkButton(site.basePath + list, words('lists.new'))}
    ${linkButton(site.basePath + round, words('rounds.new'))}`;
}
