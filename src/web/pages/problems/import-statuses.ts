/** The question which values in a file mean solved, before anything of the file is imported. */

import { type FoundLink, linksAtMost } from '../../../importing/list-text.ts';
import type { SolvedFile } from '../../../importing/solved-files.ts';
import { actions, button, checkbox, form } from '../../kit/form.ts';
import { parseArray, pastInstantIn, previewRowsAtMost, stringIn } from '../../kit/import-form-state.ts';
import { panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { historyImportPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

/** `text` is empty for links without a status. */
type Statuses = readonly { text: string; isSolved: boolean | undefined; count: number }[];

const textOf = ({ status }: FoundLink) => status?.text ?? '';

/** In the order of the links. Empty if no link has a status. */
export function countStatuses(links: readonly FoundLink[]): Statuses {
  if (links.every(({ status }) => !status)) return [];
  return [...Map.groupBy(links, textOf)].map(([text, some]) => {
    // A link whose text is its address is found twice.
    const count = new Set(some.map(({ address }) => address)).size;
    return { text, isSolved: some[0]?.status?.isSolved, count };
  });
}

export function solvedTexts({ form }: MemberVisit, statuses: Statuses, isAnswered: boolean): ReadonlySet<string> {
  const isTicked = (index: number) => form.get(`solved-${index}`) === 'true';
  const solved = statuses.filter(({ isSolved }, index) => (isAnswered ? isTicked(index) : isSolved));
  return new Set(solved.map(({ text }) => text));
}

export const solvedLinks = (links: readonly FoundLink[], statuses: Statuses, solved: ReadonlySet<string>) =>
  links.filter((link) => statuses.length === 0 || solved.has(textOf(link)));

export function statusPanel(
  visit: MemberVisit,
  { links, skipped }: SolvedFile,
  { statuses, solved, isAsked }: { statuses: Statuses; solved: ReadonlySet<string>; isAsked: boolean },
): Html {
  const row = ({ text, count }: Statuses[number], index: number) => {
    const label = html`${bdi(text || '–')} <span class="faint">${words('problem.count', { count })}</span>`;
    return html`<li>${checkbox(label, `solved-${index}`, solved.has(text))}</li>`;
  };
  const rest = statuses.length - previewRowsAtMost;
  const fields = html`
    <ul class="plain">${statuses.slice(0, previewRowsAtMost).map(row)}</ul>
    ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}
    ${actions(button(words('import.preview'), isAsked ? 'primary' : '', ['do', 'choose']))}`;
  const hidden = { links: JSON.stringify(links), skipped: JSON.stringify(skipped) };
  return panel(
    { id: 'statuses', heading: words('import.whichSolved') },
    html`
      ${isAsked && html`<p class="soft">${words('import.whichSolvedText')}</p>`}
      ${form(visit, { to: historyImportPath, className: 'form wide', hidden }, fields)}`,
  );
}

/** Reads what `statusPanel` wrote. The browser could have changed it. */
export function readChoice({ form }: MemberVisit): SolvedFile & { text: string } {
  const read = (name: string) => parseArray(form.get(name)).slice(0, linksAtMost).flatMap(linkOf);
  return { links: read('links'), skipped: read('skipped'), text: '' };
}

function linkOf(value: unknown): FoundLink[] {
  const { address, title, solvedAt, status } = Object(value) as Record<string, unknown>;
  const { text, isSolved } = Object(status) as Record<string, unknown>;
  const link: FoundLink = { line: 0, address: stringIn(address) ?? '', title: stringIn(title) ?? '' };
  const at = pastInstantIn(solvedAt);
  if (at) link.solvedAt = at;
  if (typeof text === 'string') link.status = { text, isSolved: typeof isSolved === 'boolean' ? isSolved : undefined };
  return [link];
}
