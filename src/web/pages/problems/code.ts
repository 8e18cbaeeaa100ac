/** Own code with a problem: its panel and page, one file of it with what changed in it, and its download. */

import { isUtf8 } from 'node:buffer';
import { parseInt64 } from '../../../contract/common.ts';
import { tidyLine } from '../../../practice/lists.ts';
import {
  addSolution,
  codeOf,
  languageOf,
  removeSolution,
  restoreSolution,
  solutionLimits,
  textOfCode,
} from '../../../practice/solutions.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { findSolution, listSolutionsOf, type SolutionRow, type SolutionsTable } from '../../../store/solutions.ts';
import { moment } from '../../kit/dates.ts';
import { reveal } from '../../kit/difficulty.ts';
import { actions, button, type Faults, fileField, form, formActions, textArea, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { formPage } from '../../kit/list-parts.ts';
import { undoBar, webLink } from '../../kit/marks.ts';
import { copyButton, notice, panel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { codePath, problemPath, problemsPath } from '../../paths.ts';
import { bytesOfFile, idIn, refusalText, type UploadedFile } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commas } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

type Problem = Pick<ProblemRow, 'id' | 'title'>;

/** While a review is due, the code is hidden, with its names and descriptions, which say how the problem was solved. */
type OwnCode = Problem & { isHidden: boolean };

/** The page of the problem never has the code itself. */
export async function codePanel(visit: MemberVisit, problem: OwnCode, count: bigint): Promise<Html> {
  return panel(
    {
      id: 'code-title',
      heading: words('code.title'),
      beside: html`<p>${icon('lock')} ${words('code.onlyYou')}</p>`,
      more: { 'data-code': count },
    },
    html`
      ${count > 0n && (await codeList(visit, problem))}
      ${actions(
        linkButton(visit.site.basePath + codePath(problem.id), words('code.add'), { symbol: 'plus', kind: 'small' }),
      )}`,
  );
}

const hiddenIfDue = ({ isHidden, title }: OwnCode, content: Html) =>
  isHidden ? reveal(words('code.show'), title, content) : content;

/** The newest first. */
async function codeList({ store, member, site }: MemberVisit, problem: OwnCode): Promise<Html | false> {
  const rows = await listSolutionsOf(store.reader, { userId: member.user_id, problemId: problem.id });
  const items = rows.toReversed().map(
    (row) => html`
      <li>
        <a href="${site.basePath}${codePath(problem.id, row.id)}">${bdi(row.about ?? row.file)}</a>
        <p class="soft">${row.about !== null && html`${bdi(row.file)}${commas()}`}${factsOf(row)}</p>
      </li>`,
  );
  return rows.length > 0 && hiddenIfDue(problem, html`<ul class="plain codes">${items}</ul>`);
}

function factsOf(row: SolutionRow): Html {
  const { submission } = row;
  const facts = [
    languageOf(row),
    words('code.size', { count: row.bytes }),
    moment(row.added_at, 'date'),
    submission !== null && (webLink(submission, bdi(submission)) ?? bdi(submission)),
  ].filter((fact) => fact !== undefined && fact !== false);
  return html`${facts.map((fact, at) => html`${at > 0 && commas()}${fact}`)}`;
}

/** The page with all files, and the forms that add one. */
export async function showCode(visit: MemberVisit, problem: OwnCode, faults: Faults = {}): Promise<PageResult> {
  const { store, member, site, form: values, query } = visit;
  const { bytes, file, ofProblem, text } = solutionLimits;
  const to = codePath(problem.id);
  const line = (label: string, name: string) =>
    textField(label, name, {}, { value: values.get(name) ?? '', longest: text, isOptional: true });
  const details = html`
    ${line(words('code.about'), 'about')}
    ${line(words('code.submission'), 'submission')}`;
  const name = { value: values.get('file') ?? '', longest: file, more: { placeholder: 'main.cpp' } };
  const removed = parseInt64(query.get('removed') ?? '');
  const canRestore =
    removed !== undefined && (await findSolution(store.reader, member.user_id, removed, true)) !== undefined;
  const options = {
    title: words('code.title'),
    kind: 'p-code',
    headOptions: { crumbs: crumbsOf(site.basePath, problem), sub: words('code.onlyYou') },
    faults,
    bar: canRestore
      ? undoBar({ ...visit, from: to }, words('code.removed'), removed, { to, name: 'restore' })
      : undefined,
  };
  const paste = html`
    ${textField(words('code.file'), 'file', {}, name)}
    ${textArea(words('code.code'), 'code', { value: values.get('code') ?? '', rows: 9 })}
    ${details}
    ${formActions(words('code.add'))}`;
  const upload = html`
    ${details}
    ${fileField(words('uploads.file'))}
    ${formActions(words('code.add'))}`;
  return formPage(
    visit,
    options,
    html`
      ${successNotice(visit, { added: 'code.added', same: 'code.same', restored: 'code.restored' })}
      ${unheadedPanel(
        { label: words('code.title') },
        html`
          ${await codeList(visit, problem)}
          <p class="faint">${words('code.limits', { most: ofProblem, size: bytes / 1024 })}</p>`,
      )}
      ${panel({ id: 'paste', heading: words('code.add') }, form(visit, { to, className: 'form wide' }, paste))}
      ${panel(
        { id: 'code-file', heading: words('lists.upload') },
        form(visit, { to, className: 'form', hasFile: true }, upload),
      )}`,
  );
}

const crumbsOf = (basePath: string, { id, title }: Problem): [string, string][] => [
  [basePath + problemsPath, words('frame.problems')],
  [basePath + problemPath(id), title],
];

/** Adds or brings back. Browsers send the line breaks of a text field as CRLF, so a pasted text gets LF. */
export async function submitCode(visit: MemberVisit, problem: OwnCode, upload?: UploadedFile): Promise<PageResult> {
  const { store, member, form: values } = visit;
  const to = codePath(problem.id);
  try {
    if (values.has('restore')) {
      await restoreSolution(store, member.user_id, idIn(values.get('restore') ?? '', parseInt64));
      return { to: `${to}?done=restored` };
    }
    const pasted = (values.get('code') ?? '').replaceAll('\r\n', '\n');
    // One byte too many is refused with the sentence about the size.
    const tooLarge = Buffer.alloc(solutionLimits.bytes + 1, 1);
    const code = upload ? ((await bytesOfFile(upload, solutionLimits.bytes)) ?? tooLarge) : Buffer.from(pasted);
    const line = (name: string) => tidyLine(values.get(name) ?? '', solutionLimits.text + 1);
    const { isNew } = await addSolution(store, member.user_id, {
      problem: problem.id,
      file: (upload?.name ?? values.get('file') ?? '').replace(/^.*[/\\]/s, '').trim(),
      code,
      about: line('about'),
      submission: line('submission'),
    });
    return { to: `${to}?done=${isNew ? 'added' : 'same'}` };
  } catch (error) {
    return showCode(visit, problem, { form: refusalText(error) });
  }
}

/* One file. */

function shownText(code: Uint8Array): string {
  return textOfCode(code)
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

async function readFile({ store, member, params, path }: MemberVisit): Promise<SolutionsTable> {
  const row = await findSolution(store.reader, member.user_id, idIn(params['file'], parseInt64));
  if (row?.problem_id !== parseInt64(params['id'] ?? '')) throw pageNotFound(path);
  return row as SolutionsTable;
}

export async function showFile(visit: MemberVisit, problem: OwnCode): Promise<PageResult> {
  const { store, member, site } = visit;
  const row = await readFile(visit);
  const code = codeOf(row);
  const rows = await listSolutionsOf(store.reader, { userId: member.user_id, problemId: problem.id });
  const previous = rows.findLast(({ id }) => id < row.id);
  const before = previous && (await findSolution(store.reader, member.user_id, previous.id));
  const crumbs: [string, string][] = [
    ...crumbsOf(site.basePath, problem),
    [site.basePath + codePath(problem.id), words('code.title')],
  ];
  const to = codePath(problem.id, row.id);
  const headActions = html`
    ${linkButton(`${site.basePath}${to}file/`, richWords('backups.download', { name: row.file }))}
    ${form(visit, { to }, button(words('member.delete'), 'danger'))}`;
  const content = html`
    ${before && (await differencePanel(before.file, shownText(codeOf(before)), shownText(code)))}
    ${unheadedPanel(
      { label: row.file },
      html`
        ${row.about !== null && html`<p>${bdi(row.about)}</p>`}
        <pre class="source" tabindex="0" aria-label="${words('code.code')}"><code>${shownText(code)}</code></pre>
        ${copyButton()}`,
    )}`;
  return formPage(
    visit,
    { title: row.file, kind: 'p-code', headOptions: { crumbs, sub: factsOf(row), actions: headActions } },
    html`
      ${!isUtf8(code) && notice('plain', words('code.encoding'))}
      ${hiddenIfDue(problem, html`<div class="stack">${content}</div>`)}`,
  );
}

/** Where every line of 64 KiB differs, comparing takes 4 ms up to this bound, and half a minute without it. */
const changedLinesAtMost = 200;

async function differencePanel(file: string, before: string, after: string): Promise<Html | false> {
  const { structuredPatch } = await import('diff');
  // A last line without a line break is the same line.
  const [old, now] = [before, after].map((text) => (text.endsWith('\n') ? text : `${text}\n`)) as [string, string];
  const patch = structuredPatch('', '', old, now, '', '', { context: 3, maxEditLength: changedLinesAtMost });
  const markup = { '+': (line: string) => html`<ins>${line}</ins>`, '-': (line: string) => html`<del>${line}</del>` };
  const lines = patch?.hunks.flatMap((hunk) => [
    html`<span class="faint">@@ −${hunk.oldStart} +${hunk.newStart} @@</span>`,
    ...hunk.lines.map((line) => markup[line[0] as '+' | '-']?.(line) ?? html`${line}`),
  ]);
  const text = lines?.map((line) => html`${line}${'\n'}`);
  return (
    lines?.length !== 0 &&
    panel(
      { id: 'difference', heading: words('code.difference', { file }) },
      text
        ? html`<pre class="source difference" tabindex="0" aria-labelledby="difference">${text}</pre>`
        : html`<p class="soft">${words('code.tooDifferent')}</p>`,
    )
  );
}

export async function downloadFile(visit: MemberVisit): Promise<PageResult> {
  const row = await readFile(visit);
  const code = codeOf(row);
  return { file: [code], name: row.file, type: 'application/octet-stream', size: code.length };
}

export async function removeFile(visit: MemberVisit, { id }: Problem): Promise<PageResult> {
  const row = await readFile(visit);
  await removeSolution(visit.store, visit.member.user_id, row.id);
  return { to: `${codePath(id)}?removed=${row.id}` };
}
