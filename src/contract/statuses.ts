/** The problem status, how far one member is with one problem. Its id is the problem's id. */
import Type, { type Static } from 'typebox';
import { int64, nullableOneOf, nullableTime, oneOf, resource } from './common.ts';
import { collectionUser, itemUser, pageParameters } from './parameters.ts';

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
  origin: nullableOneOf(origins, 'Who said so: the member, or a judge’s verdict. Null if never set.', 'self'),
  updated_at: nullableTime('When this status was set, or the verdict given. Null if never set.'),
});
export type ProblemStatus = Static<typeof ProblemStatus>;

export const StatusQuery = Type.Object({ ...itemUser });

export const StatusesQuery = Type.Object({
  ...pageParameters,
  ...collectionUser,
  status: Type.Optional(oneOf(states, 'Only rows with this status.', 'practicing')),
});
