/** Importing handles, by member, judge and name, as an archive has them. */
import { refused } from '../errors.ts';
import { asRow, badRow } from '../files/entries.ts';
import { handleFault, judgeOf } from '../judges/judges.ts';
import { addHandle } from '../practice/handles.ts';
import { findHandleByName, updateHandle } from '../store/handles.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, memberReferences } from './references.ts';

interface GivenHandle extends GivenMember {
  source?: string;
  name?: string;
  created_at?: string;
}

export function handleSink(applying: Applying): Sink<GivenHandle> {
  const { tx, now, each, count } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      await each(entries, async ({ source = '', name = '', created_at, ...member }) => {
        const user_id = memberOf(member);
        const judge = judgeOf(source);
        if (!judge) throw refused('badRow.noJudge', { source: JSON.stringify(source.slice(0, 50)) });
        const fault = handleFault(judge, name);
        if (fault) throw badRow(fault);
        const found = await findHandleByName(tx, user_id, source, name);
        const line = () => `${source} ${name}`;
        if (!found) {
          await asRow(addHandle(tx, user_id, source, name, created_at ?? now));
          return count('new', line);
        }
        const next = { ...found, name, created_at: created_at ?? found.created_at };
        const isSame = next.name === found.name && next.created_at === found.created_at;
        if (!isSame) await updateHandle(tx, next);
        return count(isSame ? 'kept' : 'changed', line);
      });
    },
  };
}
