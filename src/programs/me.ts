/** getMe: for whom the token acts. */
import { documentedError } from '../errors.ts';
import { dateOf, daysOf } from '../practice/days.ts';
import { readDayRule } from '../practice/preferences.ts';
import { findMembersByIds } from '../store/members.ts';
import { findToken } from '../store/tokens.ts';
import type { Reader } from './context.ts';

export const getMe: Reader<'getMe'> = async (db, { actor }) => {
  const [member] = await findMembersByIds(db, [actor.memberId]);
  const token = await findToken(db, actor.tokenId);
  if (!member || !token) throw documentedError('invalidToken', 'pgw');
  const rule = await readDayRule(db, actor.memberId);
  const { name, scopes, expires_at } = token;
  return {
    body: {
      id: String(member.id),
      username: member.username,
      day: dateOf(daysOf(rule).at(Date.now())),
      time_zone: rule.zone,
      token: { name, scopes: scopes.split(' '), expires_at },
    },
  };
};
