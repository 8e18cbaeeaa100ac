/** Importing what members have set for themselves: what the problem list hides, their saved views, and the audience of their page. */
import { refused } from '../errors.ts';
import { isOfDays, isPreference } from '../practice/preferences.ts';
import { listMemberSettings, setMemberSetting } from '../store/settings.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, memberReferences } from './references.ts';

type GivenPreference = GivenMember & { name?: string; value?: string };

export function preferenceSink(applying: Applying): Sink<GivenPreference> {
  const { tx, each, count, followed } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      await each(entries, async ({ name = '', value = '', ...member }) => {
        const userId = memberOf(member);
        if (!isPreference(name, value))
          throw refused('badRow.preference', { name: JSON.stringify(name.slice(0, 50)) });
        const current = (await listMemberSettings(tx, userId)).get(name);
        const line = () => `${name} of member ${userId}`;
        if (current === value) return count('kept', line);
        await setMemberSetting(tx, userId, name, value);
        if (isOfDays(name)) followed.days(userId);
        return count(current === undefined ? 'new' : 'changed', line);
      });
    },
  };
}
