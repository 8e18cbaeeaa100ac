/** The question which values in a file mean solved, before anything of the file is imported. */

import { type FoundLink, linksAtMost } from '../../../importing/list-text.ts';
import type { SolvedFile } from '../../../importing/solved-files.ts';
import { actions, button, checkbox, form } from '../../kit/form.ts';
import { parseArray, pastInstantIn, stringIn } from '../../kit/import-form-state.ts';
import { linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { historyImportPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

interface StatusCount {
  /** Empty for links without a status. */
  text: string;
  isSolved: boolean | undefined;
  count: number;
}

type Statuses = readonly StatusCount[];

const statusesAtMost = 20;
const otherStatuses = '…';

const textOf = ({ status }: FoundLink) => status?.text ?? '';

/** In the order of the links. Empty if no link has a status. */
export function countStatuses(links: readonly FoundLink[]): Statuses {
  if (links.every(({ status }) => !status)) return [];
  const all = [...Map.groupBy(links, textOf)].map(([text, some]) => {
    // A link whose text is its address is found twice.
    const addresses = new Set(some.map(({ address }) => address));
    return { text, isSolved: some[0]?.status?.isSolved, count: addresses.size };
  });
  const rare = new Set(all.toSorted((one, other) => other.count - one.count).slice(statusesAtMost));
  const count = [...rare].reduce((sum, one) => sum + one.count, 0);
  const shown = all.filter((one) => !rare.has(one));
  return rare.size === 0 ? shown : [...shown, { text: otherStatuses, isSolved: undefined, count }];
}

export const knownSolved = (statuses: Statuses): ReadonlySet<string> =>
  new Set(statuses.flatMap(({ text, isSolved }) => (isSolved ? text : [])));

export const tickedStatuses = ({ form }: MemberVisit, statuses: Statuses): ReadonlySet<string> =>
  new Set(statuses.flatMap(({ text }, index) => (form.get(`solved-${index}`) === 'true' ? text : [])));

export function solvedLinks(links: readonly FoundLink[], statuses: Statuses, solved: ReadonlySet<string>): FoundLink[] {
  const shown = new Set(statuses.map(({ text }) => text));
  const isSolved = (link: FoundLink) => solved.has(shown.has(textOf(link)) ? textOf(link) : otherStatuses);
  return links.filter((link) => statuses.length === 0 || isSolved(link));
}

export function statusPanel(
  visit: MemberVisit,
  { links, skipped }: SolvedFile,
  { statuses, solved, isAsked }: { statuses: Statuses; solved: ReadonlySet<string>; isAsked: boolean },
): Html {
  const row = ({ text, count }: StatusCount, index: number) => {
    const other = text === otherStatuses ? words('import.otherValues') : bdi(text);
    const name = text === '' ? words('import.noStatus') : other;
    const label = html`${name} <span class="faint">${words('import.links', { count })}</span>`;
    return html`<li>${checkbox(label, `solved-${index}`, solved.has(text))}</li>`;
  };
  const rows = links.map(({ address, title, solvedAt, status }) => {
    return [address, title, solvedAt, status?.text, status?.isSolved];
  });
  const hidden = { links: JSON.stringify(rows), skipped: JSON.stringify(skipped.map(({ address }) => address)) };
  const { basePath } = visit.site;
  const fields = html`
    <ul class="plain">${statuses.map(row)}</ul>
    ${actions(
      button(words('import.preview'), isAsked ? 'primary' : '', ['do', 'choose']),
      isAsked && linkButton(basePath + historyImportPath, words('lists.startOver'), { kind: 'quiet' }),
    )}`;
  return panel(
    { id: 'statuses', heading: words('import.whichSolved') },
    html`
      <p class="soft">${words(isAsked ? 'import.whichSolvedAsked' : 'import.whichSolvedText')}</p>
      ${form(visit, { to: historyImportPath, className: 'form wide', hidden }, fields)}`,
  );
}

/** Reads what `statusPanel` wrote. The browser could have changed it. */
export function readChoice({ form }: MemberVisit): SolvedFile & { text: string } {
  const linkOf = (row: unknown): FoundLink[] => {
    const [address, title, solvedAt, text, isSolved] = Array.isArray(row) ? row : [];
    const at = pastInstantIn(solvedAt);
    const known = typeof isSolved === 'boolean' ? isSolved : undefined;
    const status = typeof text === 'string' && { status: { text, isSolved: known } };
    const details = { ...(at && { solvedAt: at }), ...status };
    return typeof address === 'string' ? [{ line: 0, address, title: stringIn(title) ?? '', ...details }] : [];
  };
  const skipped = parseArray(form.get('skipped')).flatMap((address) => stringIn(address) ?? []);
  return {
    links: parseArray(form.get('links')).slice(0, linksAtMost).flatMap(linkOf),
    skipped: skipped.map((address) => ({ line: 0, address })),
    text: '',
  };
}
