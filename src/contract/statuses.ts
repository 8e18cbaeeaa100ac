/** The problem status, how far one member is with one problem. Its id is the problem's id. */
import { int64, nullable, oneOf, resource, time } from './common.ts';
import { collectionQuery, collectionUser } from './parameters.ts';

export const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'] as const;
const origins = ['self', 'judge'] as const;

export const ProblemStatus = resource('ProblemStatus', 'How far one member is with one problem.', {
  id: int64('The id of the problem.', '7'),
  user: int64('The id of the member.', '1'),
  problem: int64('The id of the problem.', '7'),
  status: oneOf(
    states,
    'How far the member is. A client that meets another value treats it as "practicing".',
    'practicing',
  ),
  origin: nullable(oneOf(origins, 'Whose word it is: the member’s or a judge’s. Null if never set.', 'self')),
  updated_at: nullable(time('When the member set this status, or a judge gave it. Null if never set.')),
});

export const StatusesQuery = collectionQuery(ProblemStatus, {
  user: collectionUser,
  status: oneOf(states, 'Only rows with this status.', 'practicing'),
});
