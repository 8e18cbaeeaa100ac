/** The groups with which a member shares a note, and the notes that others share with them. */
import { setImmediate } from 'node:timers/promises';
import { longestNote } from '../../../practice/marks.ts';
import { shareNote } from '../../../practice/shared-notes.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import { listNotesSharedWith, listShares } from '../../../store/shared-notes.ts';
import { moment } from '../../kit/dates.ts';
import { button, checkbox, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { nameLink } from '../../kit/member-name.ts';
import { renderNote } from '../../kit/note.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath, shareNotePath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

/** The form that shares a note with groups, and a line about who reads it; undefined without groups. */
export async function readSharing(visit: MemberVisit, problem_id: bigint, isSolved: boolean) {
  const { user_id } = visit.member;
  const shares = await listShares(visit.store.reader, { problem_id, user_id });
  const sharedWith = new Set(shares.map(({ group_id }) => group_id));
  const joined = await listJoinedGroups(visit.store.reader, user_id);
  const groups = joined.filter(({ id, archived_at }) => archived_at === null || sharedWith.has(id));
  if (groups.length === 0) return undefined;
  const boxes = groups.map(({ id, name }) => checkbox(html`<bdi>${name}</bdi>`, `group-${id}`, sharedWith.has(id)));
  const fields = html`
    <fieldset>
      <legend class="sr">${words('sharedNotes.choose')}</legend>
      <p class="faint hint">${words('sharedNotes.who')}</p>
      ${boxes}
    </fieldset>
    <div class="actions">${button(words('profile.save'))}</div>`;
  const count = sharedWith.size;
  const line = words(isSolved ? 'sharedNotes.with' : 'sharedNotes.onceSolved', { count });
  return {
    audienceText: count > 0 && html`<p>${icon('people')} ${line}</p>`,
    shareForm: html`
      <details>
        <summary class="button small">${words('sharedNotes.choose')}</summary>
        ${form(visit, { to: shareNotePath(problem_id), className: 'note-form' }, fields)}
      </details>`,
  };
}

export async function submitNoteSharing({ store, member, form }: MemberVisit, problemId: bigint): Promise<PageResult> {
  await shareNote(store, member.user_id, problemId, (groupId) => form.has(`group-${groupId}`));
  return { to: `${problemPath(problemId)}#your-note` };
}

const notesAtMost = 20;
/** In characters, of all notes of a page. */
const noteLengthAtMost = 4 * longestNote;

/** Notes of others are folded, because they may give the solution away. */
export async function notesOfGroups({ store, member, site }: MemberVisit, problemId: bigint) {
  const notes = await listNotesSharedWith(store.reader, member.user_id, problemId, notesAtMost);
  const [first] = notes;
  if (!first) return undefined;
  const items: Html[] = [];
  let length = 0;
  for (const { note, shared_at, groups, ...writer } of notes) {
    length += note.length;
    if (length > noteLengthAtMost) break;
    const names = groups.split('\n').map((name) => html` · <bdi>${name}</bdi>`);
    items.push(html`
      <li>
        <p class="soft">${nameLink(site.basePath, writer)}${names} · ${moment(shared_at, 'date')}</p>
        ${renderNote(note)}
      </li>`);
    // Long notes must not hold up other requests.
    await setImmediate();
  }
  const older = Number(first.total) - items.length;
  return panel(
    { id: 'group-notes-title', heading: words('sharedNotes.ofGroups'), more: { id: 'group-notes' } },
    html`
      <details>
        <summary class="button small">${words('sharedNotes.show', { count: items.length })}</summary>
        <ul class="plain group-notes">${items}</ul>
        ${older > 0 && html`<p class="faint hint">${words('sharedNotes.older', { count: older })}</p>`}
      </details>`,
  );
}
