/** The problem status. Its id is the problem's id. */
import { int64, nullable, oneOf, resource, time } from './common.ts';
import { collectionQuery, collectionUser } from './parameters.ts';

export const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'] as const;
const websiteNames: Readonly<Record<string, string>> = {
  practicing: 'trying',
  complete: 'solved',
  staff: 'administrator',
};

/** The interface for programs has these words too. */
export const websiteStatus = (state: string): string => websiteNames[state] ?? state;

export const withWebsiteName = (word: string): string =>
  Object.hasOwn(websiteNames, word) ? `${word} (${websiteNames[word]})` : word;

const origins = ['self', 'judge'] as const;

export const ProblemStatus = resource('ProblemStatus', 'One member’s status on one problem.', {
  id: int64('The id of the problem.', '7'),
  user: int64('The id of the member.', '1'),
  problem: int64('The id of the problem.', '7'),
  status: oneOf(
    states,
    'The status; the website calls "practicing" trying and "complete" solved. A client that meets another value treats it as "practicing".',
    'practicing',
  ),
  origin: nullable(oneOf(origins, 'Who set it: the member ("self") or a judge. Null if never set.', 'self')),
  updated_at: nullable(
    time(
      'When the member or the judge set this status. Null if never set, or if it was solved on an unknown day.',
    ),
  ),
});

export const StatusesQuery = collectionQuery(ProblemStatus, {
  user: collectionUser,
  status: oneOf(states, 'Only rows with this status.', 'practicing'),
});
