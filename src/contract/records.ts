/** The user record, a member's personal data. Its id is the member's id. */
import Type, { type Static } from 'typebox';
import { int64, nullableText, oneOf, resource, text, time } from './common.ts';
import { longestTarget, pageParameters } from './parameters.ts';

/** In characters; a longer username is refused when a member is made or imported. */
const longestUsername = 64;

const roles = ['member', 'staff'] as const;

export const UserRecord = resource('UserRecord', 'What the garden knows of one member.', {
  id: int64('The id of the member.', '1'),
  username: text(
    'The name that commands and rows call the member by, unique without regard to case.',
    'demo',
    longestUsername,
  ),
  first_name: nullableText('Given name.', 'Demo'),
  last_name: nullableText('Family name.', 'Gardener'),
  email: nullableText('E-mail address.', null),
  phone: nullableText('Telephone number.', null),
  address: nullableText('Street and number.', null),
  city: nullableText('City.', null),
  state: nullableText('State or region.', null),
  zipcode: nullableText('Postal code.', null),
  role: oneOf(roles, 'What the member may do: staff see every member’s rows.', 'member'),
  created_at: time('When the member joined.'),
  updated_at: time('When the record last changed.'),
});
export type UserRecord = Static<typeof UserRecord>;

export const RecordsQuery = Type.Object({
  ...pageParameters,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestTarget,
      description: 'Part of the username, names or e-mail, in any case.',
      examples: ['dem'],
    }),
  ),
  role: Type.Optional(oneOf(roles, 'Only members of this role.', 'member')),
});
