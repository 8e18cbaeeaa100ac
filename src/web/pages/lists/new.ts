/** The page where a list is made: empty, or from any text with links of problems, after a preview. */

import { AppError } from '../../../errors.ts';
import { decodeListFile } from '../../../importing/list-bytes.ts';
import {
  type FoundText,
  linksAtMost,
  parseUnknownMembers,
  readListTextInThread,
} from '../../../importing/list-text.ts';
import { isLinkedProblem, type LinkedProblem, type ResolvedList, resolveLinks } from '../../../importing/lists.ts';
import { requestContest } from '../../../jobs/sync-on-request.ts';
import { problemAt } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import { judgeName } from '../../../judges/judges.ts';
import { type AddAllowance, longestTitle, readAllowance, titleFrom } from '../../../practice/added-problems.ts';
import { moduleOf } from '../../../practice/courses.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { limits, limitsOf, makeList, tidyLine } from '../../../practice/lists.ts';
import { readContestLink } from '../../kit/contest-link.ts';
import {
  actions,
  button,
  checkbox,
  type Faults,
  fileField,
  form,
  formActions,
  textArea,
  textField,
} from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { previewRowsAtMost, readFormState, writeFormState } from '../../kit/import-form-state.ts';
import { linkButton } from '../../kit/links.ts';
import { allowanceText, crumbsOf, formPage } from '../../kit/list-parts.ts';
import { judgeKey, webLink } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { plainTable } from '../../kit/table.ts';
import { attr, type Html, html } from '../../markup.ts';
import { editListPath, listPath, newListPath } from '../../paths.ts';
import { bytesOfFile, refusalText, textBytesAtMost, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { localize, localizeText, words } from '../../words/words.ts';

/** The two files of The Ultimate Topic List have 1.9 MiB. */
const fileBytesAtMost = 2 * textBytesAtMost;

/** The form of the preview has up to 1,000 memos and the extra members of a file; a character can take nine bytes. */
const formBytesAtMost = 4 * 1024 * 1024;

export const newListPages: readonly PageRoute<MemberVisit>[] = [
  { path: newListPath, get: (visit) => showNew(visit), post: submitNew, takesFile: true, formBytesAtMost },
];

async function submitNew(visit: MemberVisit, file?: UploadedFile): Promise<PageResult> {
  const { store, member, form, website } = visit;
  if (form.get('do') === 'save') return save(visit);
  let raw: string | undefined;
  try {
    const bytes = file && (await bytesOfFile(file, fileBytesAtMost));
    raw = file ? bytes && (await decodeListFile(bytes)) : (form.get('text') ?? '');
  } catch (error) {
    return showNew(visit, { file: refusalText(error) });
  }
  if (raw === undefined) return showNew(visit, { file: words('lists.fileTooLarge') });
  const text = raw.replaceAll('\0', '').toWellFormed();
  const name = tidyLine(form.get('name') ?? '');
  // Removes the extension, such as .problems.json.
  const fileName = tidyLine((file?.name ?? '').replace(/(?:\.problems)?\.[a-z]{1,5}$/i, '').replaceAll('_', ' '));
  if (text.trim() === '') {
    if (file) return showNew(visit, { file: words('lists.noText') });
    if (name === '') return showNew(visit, { name: words('lists.nameIt') });
    try {
      // An empty list is filled on its edit page.
      return { to: editListPath(await makeList(store, { ownerId: member.user_id, name })) };
    } catch (error) {
      return showNew(visit, { form: refusalText(error) });
    }
  }
  let parsed: FoundText | undefined;
  let resolved: ResolvedList | undefined;
  try {
    parsed = (await contestAt(visit, text.trim())) ?? (await readListTextInThread(text));
    const judgeAddresses = await listJudgeAddresses(store.reader, website.judgeUrls);
    resolved = parsed && (await resolveLinks(store.reader, parsed.sections, judgeAddresses));
  } catch (error) {
    const isJudgeFault = faultKindOf(error) !== undefined && error instanceof AppError;
    return showNew(visit, { text: isJudgeFault ? localizeText(error) : refusalText(error) });
  }
  if (!parsed || !resolved) return showNew(visit, { text: words('lists.tooManyLinks', { most: linksAtMost }) });
  resolved.unmatched = [...resolved.unmatched, ...parsed.linesWithoutLink].sort((one, other) => one.line - other.line);
  if (resolved.sections.length === 0)
    return showNew(visit, { text: words('lists.noLinks') }, unmatchedPanel(resolved.unmatched));
  return previewPage(visit, name || parsed.title || fileName, resolved, { extras: parsed.extras });
}

/** The problems of a contest, where its link is all there is. Throws judgeFailed and invalidValue. */
async function contestAt(visit: MemberVisit, link: string): Promise<FoundText | undefined> {
  const { store, member, website } = visit;
  if (/\s/.test(link) || problemAt(link, await listJudgeAddresses(store.reader, website.judgeUrls))) return undefined;
  const request = await readContestLink(visit, link);
  if (!request) return undefined;
  const { title, problems } = await requestContest(store, member.user_id, request);
  const links = problems.map(({ source, key, url, title }) => ({
    line: 1,
    address: url,
    title,
    reference: { source, key },
  }));
  return { title, sections: [{ name: '', links }], linesWithoutLink: [] };
}

async function save(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, website } = visit;
  const sections = await readFormState(visit);
  const extras = parseUnknownMembers(form.get('extras'), 'list');
  const withFaults = (faults: Faults) =>
    previewPage(
      visit,
      form.get('name') ?? '',
      { sections, unmatched: [], repeatedCount: 0, overLimitCount: 0 },
      { extras, faults },
    );
  const addsLinkedProblems = form.get('add') === 'true';
  let linkedIndex = 0;
  const selected = sections.map(({ items, ...section }) => ({
    ...section,
    items: items.flatMap(({ problem, memo, extras }) => {
      if (!isLinkedProblem(problem)) return { problem: problem.id, memo, extras };
      const at = linkedIndex++;
      const isTicked = at < previewRowsAtMost ? form.get(`add-${at}`) === 'true' : !problem.isDoubtful;
      if (!addsLinkedProblems || !isTicked) return [];
      return { problem: { ...problem, title: form.get(`title-${at}`) ?? problem.title }, memo, extras };
    }),
  }));
  const content = selected.filter(({ items, extras }) => items.length > 0 || moduleOf(extras));
  if (sections.some(({ items }) => items.length > 0) && content.every(({ items }) => items.length === 0))
    return withFaults({ add: words('lists.nothingTicked') });
  const name = tidyLine(form.get('name') ?? '') || words('lists.untitled');
  try {
    const list = { ownerId: member.user_id, name, extras, content };
    return { to: listPath(await makeList(store, list, website.addLimits)) };
  } catch (error) {
    return withFaults({ form: refusalText(error) });
  }
}

async function showNew(visit: MemberVisit, faults: Faults = {}, below: Html | '' = ''): Promise<PageResult> {
  const { form: input, query, site } = visit;
  const pasteFields = html`
    ${textField(words('lists.name'), 'name', faults, {
      value: input.get('name') ?? '',
      longest: limits.name,
      isOptional: true,
      hasFocus: !faults['text'] && !faults['file'],
      hint: words('lists.nameHint'),
    })}
    ${textArea(words('lists.text'), 'text', {
      value: input.get('text') ?? query.get('text') ?? '',
      rows: 10,
      isOptional: true,
      hint: words('lists.textHint'),
      faults,
    })}
    ${formActions(words('lists.look'))}`;
  const fileFields = html`
    ${fileField(words('uploads.file'), { hint: words('lists.fileHint'), faults })}
    ${actions(button(words('uploads.send')))}`;
  const headOptions = { crumbs: crumbsOf(site.basePath), sub: words('lists.newSub') };
  const to = newListPath;
  return formPage(
    visit,
    { title: words('lists.new'), kind: 'p-list-new', headOptions, faults },
    html`
      ${panel({ id: 'paste', heading: words('lists.paste') }, form(visit, { to, className: 'form wide' }, pasteFields))}
      ${below}
      ${panel(
        { id: 'file', heading: words('lists.upload') },
        form(visit, { to, className: 'form', hasFile: true }, fileFields),
      )}`,
  );
}

async function previewPage(
  visit: MemberVisit,
  name: string,
  list: ResolvedList,
  { extras, faults = {} }: { extras?: string | undefined; faults?: Faults },
): Promise<PageResult> {
  const { store, member, website, site } = visit;
  const { basePath } = site;
  const { unmatched, repeatedCount, overLimitCount } = list;
  const allowance = await readAllowance(store.reader, member.user_id, website.addLimits);
  const newLinks = list.sections.flatMap(({ items }) => items.filter(({ problem }) => isLinkedProblem(problem)));
  const addable = new Set(newLinks.slice(0, allowance.left));
  const rest = newLinks.length - addable.size;
  const most = limitsOf(list.sections).problems;
  const sections = list.sections.map((one) => ({
    ...one,
    items: one.items.filter((item) => !isLinkedProblem(item.problem) || addable.has(item)),
  }));
  const existing = existingProblems(sections);
  const count = existing.reduce((sum, { items }) => sum + items.length, 0);
  const found = count > 0 ? existing : sections.filter(({ items }) => items.length > 0);
  const foundCount = found.reduce((sum, { items }) => sum + items.length, 0);
  const modules = list.sections.filter(({ extras }) => moduleOf(extras)).length;
  const heading =
    modules > 0
      ? words('lists.foundCourse', { count: foundCount, modules })
      : words('lists.found', { count: foundCount, sections: found.length });
  const rows = [...addable].flatMap(({ problem, line }) => (isLinkedProblem(problem) ? { ...problem, line } : []));
  const fields = html`
    ${textField(words('lists.name'), 'name', {}, { value: name, longest: limits.name, hasFocus: name === '' })}
    ${newLinks.length > 0 && addableTable(visit, rows, { allowance, rest, isOnly: count === 0, faults })}
    ${actions(
      button(words('lists.save'), 'primary', ['do', 'save']),
      linkButton(basePath + newListPath, words('lists.startOver'), { kind: 'quiet' }),
      rows.length > 0 && html`<span class="faint">${words('lists.takeBack')}</span>`,
    )}`;
  const headOptions = {
    crumbs: crumbsOf(basePath, [basePath + newListPath, words('lists.new')]),
    sub: words('lists.nothingSaved'),
  };
  const hidden = { content: writeFormState(sections), ...(extras !== undefined && { extras }) };
  return formPage(
    visit,
    { title: words('lists.preview'), kind: 'p-list-new', headOptions, faults },
    html`
      ${panel(
        { id: 'found', heading, total: count },
        html`
          <p class="list-counts">
            ${figure(count, words('lists.countHere'))}
            ${figure(newLinks.length, words('lists.countNew', { count: newLinks.length }))}
            ${figure(repeatedCount, words('lists.countRepeated', { count: repeatedCount }))}
            ${figure(unmatched.length, words('lists.countLost', { count: unmatched.length }), '#lost')}
          </p>
          ${overLimitCount > 0 && html`<p class="soft">${words('lists.beyond', { count: overLimitCount, most })}</p>`}
          ${form(visit, { to: newListPath, className: 'form wide', hidden }, fields)}`,
      )}
      ${existing.map(existingPanel)}
      ${unmatchedPanel(unmatched)}`,
  );
}

function figure(number: number, label: string, to?: string): Html {
  const text = html`<b>${thousands.format(number)}</b> ${label}`;
  return to && number > 0 ? html`<a href="${to}">${text}</a>` : html`<span>${text}</span>`;
}

/** Only problems that this server has. */
const existingProblems = (sections: ResolvedList['sections']) =>
  sections
    .map(({ name, items }) => ({
      name,
      items: items.flatMap(({ problem, memo }) => (isLinkedProblem(problem) ? [] : { problem, memo })),
    }))
    .filter(({ items }) => items.length > 0);

function existingPanel({ name, items }: ReturnType<typeof existingProblems>[number], at: number): Html {
  const heading = name === '' ? words('lists.unnamed') : html`<bdi>${name}</bdi>`;
  const beside = html`<p class="num">${words('problem.count', { count: items.length })}</p>`;
  return panel(
    { id: `section-${at}`, heading, beside },
    html`
      <ol class="found-problems">
        ${items.map(
          ({ problem, memo }) =>
            html`
              <li>
                ${judgeKey(problem)} <span>${problem.title}</span>
                ${memo && html`<span class="memo"><bdi>${memo}</bdi></span>`}
              </li>`,
        )}
      </ol>`,
  );
}

/** Links of unknown problems, which the member can add: all or some of them, with titles. */
function addableTable(
  { form: input }: MemberVisit,
  rows: readonly (LinkedProblem & { line: number })[],
  { allowance, rest, isOnly, faults }: { allowance: AddAllowance; rest: number; isOnly: boolean; faults: Faults },
): Html {
  const isPosted = input.get('do') === 'save';
  const isChecked = (name: string, initial: boolean) => (isPosted ? input.get(name) === 'true' : initial);
  const row = (link: (typeof rows)[number], at: number) => {
    const title = input.get(`title-${at}`) ?? titleFrom(link);
    return html`
      <tr data-addable>
        <td>
          <label class="pick">
            <input
              type="checkbox" name="add-${at}" value="true" autocomplete="off"
              aria-label="${words('lists.addRow', { title })}"
              ${attr('checked', isChecked(`add-${at}`, !link.isDoubtful))}
            >
          </label>
        </td>
        <td>
          <input
            type="text" name="title-${at}" value="${title}" maxlength="${longestTitle}"
            aria-label="${words('lists.titleOfLine', { line: link.line })}"
          >
        </td>
        <td>
          <span class="soft">${judgeName(link.source)}</span>
          <span class="lost-address">${webLink(link.url, html`<bdi>${link.url}</bdi>`)}</span>
        </td>
      </tr>`;
  };
  const limitText = allowanceText(allowance, rest);
  if (rows.length === 0) return limitText;
  const heads = [html`<span class="sr">${words('lists.addNow')}</span>`, words('add.problemTitle'), words('add.link')];
  return html`
    <fieldset class="addable">
      <legend class="sr">${words('lists.notHere', { count: rows.length + rest })}</legend>
      ${checkbox(html`<b>${words('lists.addThese', { count: rows.length })}</b>`, 'add', isChecked('add', isOnly))}
      <p class="soft">${words('lists.addTheseText')}</p>
      ${faults['add'] && html`<span class="fault">${faults['add']}</span>`}
      ${plainTable({ heads, rows: rows.slice(0, previewRowsAtMost).map(row), className: 'lost' })}
      ${
        rows.length > previewRowsAtMost &&
        html`<p class="soft">${words('lists.addMore', { count: rows.length - previewRowsAtMost })}</p>`
      }
      ${limitText}
    </fieldset>`;
}

/** Lists lines without a link, and links that do not lead to a problem. */
function unmatchedPanel(unmatched: ResolvedList['unmatched']): Html | '' {
  if (unmatched.length === 0) return '';
  const rest = unmatched.length - previewRowsAtMost;
  const row = ({ line, address, page }: ResolvedList['unmatched'][number]) =>
    html`
      <tr data-lost>
        <td class="num">${line}</td>
        <td>
          <span class="lost-address">
            ${webLink(address, html`<bdi>${address}</bdi>`) ?? html`<bdi>${address}</bdi>`}
          </span>${' '}
          ${page && html`<span class="soft">${localize(page)}</span>`}
        </td>
      </tr>`;
  const heads = [words('lists.line'), words('add.link')];
  return panel(
    { id: 'lost', heading: html`${icon('warn')} ${words('lists.lost', { count: unmatched.length })}` },
    html`
      <p class="soft">${words('lists.lostText')}</p>
      ${plainTable({ heads, rows: unmatched.slice(0, previewRowsAtMost).map(row), className: 'lost' })}
      ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}`,
  );
}
