/** What programs changed: one event for each write. */
import {
  listProgramChanges,
  listShownParts,
  type NamedProgramChange,
  type ShownPart,
} from '../../store/program-writes.ts';
import { attr, bdi, type Html, html } from '../markup.ts';
import { historyPath, listPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { byProgram, changeText, eventItem, type UndoForms, undoneText } from './changes.ts';
import { moment } from './dates.ts';
import { button, form } from './form.ts';
import { icon } from './icons.ts';
import { judgeKey, problemLink } from './marks.ts';

interface ProgramEvent {
  id: bigint;
  at: string;
  content: Html;
}

/** The newest first. */
export async function listProgramEvents(
  { store, member }: MemberVisit,
  forms: UndoForms,
  limit: number,
  place: Parameters<typeof listProgramChanges>[3] = {},
): Promise<ProgramEvent[]> {
  const { reader } = store;
  const writes = await listProgramChanges(reader, member.user_id, limit, place);
  const ids = writes.map(({ id }) => id);
  const parts = Map.groupBy(await listShownParts(reader, ids), ({ change_id }) => change_id);
  return writes.map((one) => {
    return { id: one.id, at: one.made_at, content: programEvent(one, parts.get(one.id) ?? [], forms) };
  });
}

const programTexts = {
  timer: 'change.timer',
  review: 'change.review',
  problem: 'change.problem',
  list: 'change.newList',
  content: 'change.list',
  item: 'change.item',
  solution: 'change.solution',
} as const;

/** A write of a program: its problem, what it did, and the name of its token. */
function programEvent(write: NamedProgramChange, parts: readonly ShownPart[], forms: UndoForms): Html {
  const { id, token, kind: operation, made_at, undone_at } = write;
  const texts = parts.flatMap(({ kind, mark_kind, mark_before: before, mark_after: after }) => {
    if (mark_kind && before !== null && after !== null) return changeText({ kind: mark_kind, before, after });
    return kind === 'marks' ? [] : words(programTexts[kind]);
  });
  const isOfList = operation === 'createList' || operation === 'replaceList';
  const { list_id: listId, list } = (isOfList && parts.find((part) => part.list_id !== null)) || {};
  const named = isOfList ? undefined : parts.find((part) => part.problem_id !== null);
  const problem = named && { id: named.problem_id ?? 0n, title: named.title ?? '' };
  const key = named && { source: named.source ?? '', source_key: named.source_key ?? '' };
  const undoing = { to: historyPath, hidden: forms.from === undefined ? {} : { from: forms.from } };
  return eventItem({
    about: attr('data-program', id),
    icon: icon('key', 'faint'),
    text: html`
      ${listId && html`<a href="${forms.site.basePath}${listPath(listId)}">${bdi(list ?? '')}</a> `}
      ${problem && key && html`${problemLink(forms.site.basePath, problem)} ${judgeKey(key)} `}
      ${commaList([...new Set(texts)])} <span class="faint">${byProgram(token)}</span>`,
    undone: undone_at !== null && undoneText(undone_at, made_at),
    undo:
      undone_at === null && form(forms, undoing, button(words('change.undo'), 'small quiet', ['program', id], 'undo')),
    when: moment(made_at, 'time'),
  });
}
