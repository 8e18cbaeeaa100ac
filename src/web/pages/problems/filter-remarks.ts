/**
 * Remarks of the problem list on filters that can find nothing: judges, topics and lists that this garden does not have,
 * and bounds the wrong way round.
 */
import type { Catalogue } from '../../../store/catalogue.ts';
import type { CountedContest } from '../../../store/contests.ts';
import { daysText } from '../../kit/day-links.ts';
import { addressOf, type ProblemQuery } from '../../kit/problem-query.ts';
import type { Html } from '../../markup.ts';
import { listPath } from '../../paths.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

interface Found {
  facts: Catalogue;
  contests: readonly CountedContest[];
  hasList: boolean;
}

export function filterRemarks(
  query: ProblemQuery,
  { facts, contests, hasList }: Found,
  basePath: string,
): (Html | string)[] {
  const remarks: (Html | string)[] = [];
  const { source, contest, tags, withoutTags, list } = query;
  if (source !== '' && !facts.sources.some((one) => one.source === source))
    remarks.push(words('filters.noSuchJudge', { source }));
  if (contest !== '' && contests.length === 0) remarks.push(words('filters.noContest'));
  for (const topic of new Set([...tags, ...withoutTags]))
    if (!facts.byTag.has(topic)) remarks.push(words('filters.noSuchTopic', { topic }));
  if (list !== '' && !hasList) remarks.push(words('filters.noSuchList', { list }));

  const { ratingMin, ratingMax, triesMin, triesMax, statusFrom, statusTo, solvedFrom, solvedTo } = query;
  const swapped = (kind: 'days' | 'numbers', from: string, to: string, changes: Partial<ProblemQuery>) =>
    richWords('asked.swap', {
      kind,
      from,
      to,
      link: linkTo(basePath + listPath + addressOf(query, changes)),
    });
  const numbers = [
    [ratingMin, ratingMax, { ratingMin: ratingMax, ratingMax: ratingMin }],
    [triesMin, triesMax, { triesMin: triesMax, triesMax: triesMin }],
  ] as const;
  for (const [from, to, changes] of numbers)
    if (from !== undefined && to !== undefined && from > to)
      remarks.push(swapped('numbers', String(from), String(to), changes));
  const days = [
    [statusFrom, statusTo, { statusFrom: statusTo, statusTo: statusFrom }],
    [solvedFrom, solvedTo, { solvedFrom: solvedTo, solvedTo: solvedFrom }],
  ] as const;
  for (const [from, to, changes] of days)
    if (from !== '' && to !== '' && from > to)
      remarks.push(swapped('days', daysText(from, from), daysText(to, to), changes));
  return remarks;
}
