/** The question which values in a file mean solved, before anything of the file is imported. */

import type { FoundItem } from '../../../importing/lists.ts';
import { actions, button, checkbox, form } from '../../kit/form.ts';
import { previewRowsAtMost, writeFormState } from '../../kit/import-form-state.ts';
import { panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { historyImportPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

interface Choice {
  isAsked: boolean;
  solved: readonly FoundItem[];
  panel: Html;
}

/** Undefined where no item has a status. `lost` are the addresses without a problem, which the form carries too. */
export function solvedChoice(
  visit: MemberVisit,
  items: readonly FoundItem[],
  lost: readonly string[],
  isAnswered: boolean,
): Choice | undefined {
  if (items.every(({ status }) => !status)) return undefined;
  const byText = [...Map.groupBy(items, ({ status }) => status?.text ?? '')].map(([text, some], index) => {
    const isSolved = isAnswered ? visit.form.get(`solved-${index}`) === 'true' : some[0]?.status?.isSolved;
    return { text, some, isSolved };
  });
  const isAsked = byText.some(({ isSolved }) => isSolved === undefined);
  const row = ({ text, some, isSolved = false }: (typeof byText)[number], index: number) => {
    const count = html`<span class="faint">${words('problem.count', { count: some.length })}</span>`;
    return html`<li>${checkbox(html`${bdi(text || '–')} ${count}`, `solved-${index}`, isSolved)}</li>`;
  };
  const rest = byText.length - previewRowsAtMost;
  const fields = html`
    <ul class="plain">${byText.slice(0, previewRowsAtMost).map(row)}</ul>
    ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}
    ${actions(button(words('import.preview'), isAsked ? 'primary' : '', ['do', 'choose']))}`;
  const hidden = { content: writeFormState([{ name: '', items: [...items] }]), lost: JSON.stringify(lost) };
  return {
    isAsked,
    solved: byText.flatMap(({ some, isSolved }) => (isSolved ? some : [])),
    panel: panel(
      { id: 'statuses', heading: words('import.whichSolved') },
      form(visit, { to: historyImportPath, className: 'form wide', hidden }, fields),
    ),
  };
}
