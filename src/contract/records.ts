/** The user record. Its id is the member's id. */
import { int64, nullable, oneOf, resource, text, time } from './common.ts';
import { collectionQuery, queryText } from './parameters.ts';

const roles = ['member', 'staff'] as const;

export const UserRecord = resource('UserRecord', 'The user record of one member.', {
  id: int64('The id of the member.', '1'),
  username: text(
    'The name that identifies the member in commands and rows, unique without regard to case.',
    'demo',
    64,
  ),
  first_name: nullable(text('Given name.', 'Demo')),
  last_name: nullable(text('Family name.', 'Gardener')),
  email: nullable(text('E-mail address.', null)),
  phone: nullable(text('Telephone number.', null)),
  address: nullable(text('Street and number.', null)),
  city: nullable(text('City.', null)),
  state: nullable(text('State or region.', null)),
  zipcode: nullable(text('Postal code.', null)),
  role: oneOf(roles, 'The role: staff are administrators, who see the rows of all members.', 'member'),
  created_at: time('When the member joined.'),
  updated_at: time('When the record last changed.'),
});

export const RecordsQuery = collectionQuery(UserRecord, {
  q: queryText('Part of the username, names or e-mail, in any case.', 'dem'),
  role: oneOf(roles, 'Only members of this role.', 'member'),
});
