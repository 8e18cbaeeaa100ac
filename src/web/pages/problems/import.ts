/** Imports what a member solved elsewhere, from a text, a saved page or a file, as one change after a preview. */

import { decodeText } from '../../../files/text.ts';
import { type FoundLink, linksAtMost, readListTextInThread } from '../../../importing/list-text.ts';
import { type FoundItem, isLinkedProblem, type LinkedProblem, resolveLinks } from '../../../importing/lists.ts';
import { guessKinds } from '../../../importing/resources.ts';
import {
  type FoundCode,
  idListSources,
  isZip,
  readIdList,
  readSolvedText,
  readSolvedZip,
  type SolvedFile,
  sourceOfSavedPage,
  withFullLinks,
} from '../../../importing/solved-files.ts';
import { handleHealth } from '../../../jobs/sync-health.ts';
import { pageAt, pageFault } from '../../../judges/addresses.ts';
import type { Judge } from '../../../judges/judge.ts';
import { judgeName, judgeOf, judges } from '../../../judges/judges.ts';
import { type AddAllowance, addAndMarkSolved, readAllowance, titleFrom } from '../../../practice/added-problems.ts';
import { dateOf } from '../../../practice/days.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { isNewlySolved, isUndated } from '../../../practice/marks.ts';
import { findStatuses } from '../../../store/statuses.ts';
import { changeBar, returnAddress } from '../../kit/changes.ts';
import {
  actions,
  button,
  checkbox,
  type Faults,
  fieldGroup,
  fileField,
  form,
  formActions,
  radioButton,
  selectField,
  textArea,
  textField,
} from '../../kit/form.ts';
import { handleForm } from '../../kit/handle-form.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { parseArray, previewRowsAtMost, readFormState, stringIn, writeFormState } from '../../kit/import-form-state.ts';
import { linkButton } from '../../kit/links.ts';
import { allowanceText, formPage } from '../../kit/list-parts.ts';
import { judgeBadge, webLink } from '../../kit/marks.ts';
import { notice, panel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { healthLine, healthText, isSyncing } from '../../kit/sync-health.ts';
import { titleOfKind } from '../../kit/uploads/section.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath, historyImportPath, newListPath, problemsPath, uploadPath } from '../../paths.ts';
import { bytesOfFile, dayStart, refusalText, textBytesAtMost, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList, compareNames, thousands } from '../../words/formats.ts';
import { linkTo, localizeText, richWords, words } from '../../words/words.ts';
import { codeFields, readCode, saveCode } from './import-code.ts';
import { solvedChoice } from './import-statuses.ts';

const zipBytesAtMost = 16 * textBytesAtMost;
/** LeetCode's list of all problems has 2 MB. */
const jsonBytesAtMost = 4 * textBytesAtMost;
/** A byte of pasted text may take three bytes in a form (`%0A`). */
const formBytesAtMost = 3 * textBytesAtMost;

export const historyImportPages: readonly PageRoute<MemberVisit>[] = [
  {
    path: historyImportPath,
    get: (visit) => showStart(visit),
    post: submit,
    takesFile: true,
    formBytesAtMost: 2 * formBytesAtMost,
  },
];

async function submit(visit: MemberVisit, file?: UploadedFile): Promise<PageResult> {
  if (visit.form.get('do') === 'save') return saveImport(visit);
  if (visit.form.get('do') === 'choose') {
    const lost = parseArray(visit.form.get('lost')).flatMap((one) => stringIn(one) ?? []);
    return previewSolved(visit, await sentItems(visit), { lost, isAnswered: true });
  }
  const fieldName = file ? 'file' : 'text';
  const input = await (file ? readFile(visit, file) : readText(visit, visit.form.get('text') ?? ''));
  if (typeof input === 'string') return showStart(visit, { [fieldName]: input });
  const { store, website } = visit;
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  // A problem that the text names twice is solved if it says so once.
  const order = ({ status }: FoundLink) => [true, undefined, false].indexOf(status?.isSolved);
  const links = input.links.toSorted((one, other) => order(one) - order(other));
  const resolved = await resolveLinks(store.reader, [{ name: '', links }], addresses, linksAtMost);
  const all = resolved.sections.flatMap((section) => section.items);
  const items = all.filter(isLikelyProblem);
  const siteUrls = all.flatMap((one) => (isLinkedProblem(one.problem) && !isLikelyProblem(one) ? one.problem.url : []));
  const lost = [...[...input.skipped, ...resolved.unmatched].map(({ address }) => address), ...siteUrls];
  const { lacksProblemFiles, code } = input;
  if (items.length > 0) return previewSolved(visit, items, { lost, lacksProblemFiles, code });
  const [kind] = guessKinds(input.text);
  const nothing = words(input.text === '' ? 'import.emptyZip' : 'import.nothing');
  if (!kind) return showStart(visit, { [fieldName]: nothing }, await lostPanel(visit, lost, lacksProblemFiles));
  // The text looks like a file for the upload page.
  const isMemberUpload = kind.scopes.includes('member');
  const fault = words(isMemberUpload ? 'import.otherKind' : 'invalidValue.uploadStaffOnly', {
    kind: titleOfKind(kind),
  });
  return showStart(visit, { [fieldName]: fault }, isMemberUpload && notice('warn', uploadHint(visit)));
}

/** Asks first which are solved if the text says of some what only the member understands. */
async function previewSolved(
  visit: MemberVisit,
  items: readonly FoundItem[],
  options: PreviewOptions & { isAnswered?: boolean },
): Promise<PageResult> {
  const { lost = [], lacksProblemFiles, isAnswered = false } = options;
  const choice = solvedChoice(visit, items, lost, isAnswered);
  return choice?.isAsked
    ? previewPage(visit, html`${choice.panel} ${await lostPanel(visit, lost, lacksProblemFiles)}`)
    : preview(visit, choice?.solved ?? items, { ...options, choice: choice?.panel });
}

const sentItems = async (visit: MemberVisit) =>
  (await readFormState(visit)).flatMap((section) => section.items).filter(isLikelyProblem);

/** A link of which only the host is known is probably no problem: saved pages have many links within their site. */
const isLikelyProblem = ({ problem }: FoundItem) => !isLinkedProblem(problem) || problem.matchedBy !== 'host';

interface ImportInput extends SolvedFile {
  /** Empty for a zip file. */
  text: string;
}

/** Returns an error message if the text is empty or has too many links. */
async function readText(visit: MemberVisit, raw: string): Promise<ImportInput | string> {
  const text = raw.replaceAll('\0', '').toWellFormed();
  if (text.trim() === '') return words('import.pasteFirst');
  const history = readSolvedText(text, visit.days);
  if (history) return { ...history, text };
  const source = idListSources.find((name) => name === visit.form.get('judge')) ?? sourceOfSavedPage(text);
  const solved = withFullLinks(text, source);
  const list = await readListTextInThread(solved);
  const { links, skipped } = readIdList(solved, source);
  if (!list || links.length > linksAtMost) return words('lists.tooManyLinks', { most: linksAtMost });
  return { links: [...list.sections.flatMap((section) => section.links), ...links], skipped, text };
}

async function readFile(visit: MemberVisit, file: UploadedFile): Promise<ImportInput | string> {
  const bytes = await bytesOfFile(file, zipBytesAtMost);
  if (bytes === undefined) return words('import.fileTooLarge');
  if (isZip(bytes)) {
    const addresses = await listJudgeAddresses(visit.store.reader, visit.website.judgeUrls);
    const read = await readSolvedZip(bytes, addresses, visit.days);
    return read ? { ...read, text: '' } : words('import.badZip');
  }
  if (bytes.length > jsonBytesAtMost) return words('import.fileTooLarge');
  try {
    const text = decodeText(bytes);
    if (bytes.length > textBytesAtMost && !readSolvedText(text, visit.days)) return words('import.fileTooLarge');
    return text.trim() === '' ? words('lists.noText') : readText(visit, text);
  } catch (error) {
    return refusalText(error);
  }
}

/** A date that is filled in counts, whichever radio button is on. */
const hasOneDay = (values: URLSearchParams) => values.get('when') === 'day' || (values.get('day') ?? '') !== '';

async function saveImport(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: values, website, days } = visit;
  const items = await sentItems(visit);
  const isOnDay = hasOneDay(values);
  const onDay = isOnDay ? dayStart(days, values.get('day') ?? '') : null;
  if (onDay === undefined) return preview(visit, items, { faults: { day: words('import.dayWrong') } });
  const isAdding = values.get('add') === 'true';
  const solved = items
    .filter(({ problem }) => isAdding || !isLinkedProblem(problem))
    .map(({ problem, solvedAt }) => [isLinkedProblem(problem) ? problem : problem.id, solvedAt ?? onDay] as const);
  try {
    const { batch } = await addAndMarkSolved(store, member.user_id, new Map(solved), website.addLimits);
    const flash = await saveCode(visit);
    const to = batch === undefined ? `${historyImportPath}?done=same` : returnAddress(historyImportPath, batch);
    return { to, ...(flash !== undefined && { flash }) };
  } catch (error) {
    return preview(visit, items, { faults: { form: refusalText(error) } });
  }
}

/* The form. */

async function showStart(
  visit: MemberVisit,
  faults: Faults = {},
  extraPanel: Html | false = false,
): Promise<PageResult> {
  const { site, form: values } = visit;
  const sources = idListSources
    .map((source) => [source, judgeName(source)] as const)
    .toSorted(([, one], [, other]) => compareNames(one, other));
  const choices = [['', words('import.linksOnly')] as const, ...sources];
  const judge = (hint?: string) =>
    selectField(words('import.judge'), 'judge', choices, values.get('judge') ?? '', { hint });
  const paste = html`
    <div class="import-paste">
      <div class="stack">
        ${judge(words('import.judgeHint'))}
        ${dateHint(words('import.noDates'), 'info')}
      </div>
      <div>
        ${textArea(words('import.text'), 'text', {
          value: values.get('text') ?? '',
          rows: 9,
          placeholder: 'https://open.kattis.com/problems/zamka',
          isOptional: true,
          hint: words('import.textHint'),
          faults,
        })}
        ${formActions(words('import.preview'))}
      </div>
    </div>`;
  const upload = html`
    ${judge()}
    ${fileField(words('uploads.file'), { hint: words('import.fileHint'), faults })}
    ${actions(button(words('uploads.send')))}
    ${dateHint(words('import.fileDates'))}`;
  const headOptions = {
    crumbs: [[site.basePath + problemsPath, words('frame.problems')]],
    sub: words('import.sub'),
  } as const;
  const to = historyImportPath;
  const codeText = visit.form.size === 0 ? visit.readFlash() : undefined;
  const panels = html`
    ${successNotice(visit, { same: 'import.same' })}
    ${codeText && notice('plain', codeText)}
    ${await handlesPanel(visit)}
    ${panel({ id: 'paste', heading: words('import.paste') }, form(visit, { to, className: 'form wide' }, paste))}
    ${extraPanel}
    ${panel(
      { id: 'file', heading: words('lists.upload') },
      form(visit, { to, className: 'form', hasFile: true }, upload),
    )}
    <p class="soft">${words('import.undatedText')}</p>`;
  const bar = visit.form.size === 0 ? await changeBar(visit, to) : undefined;
  return formPage(visit, { title: words('frame.addHistory'), kind: 'p-list-new', headOptions, faults, bar }, panels);
}

const uploadHint = ({ site }: MemberVisit) => richWords('import.files', { link: linkTo(site.basePath + uploadPath) });

const dateHint = (text: string, symbol: IconName = 'check') =>
  html`<p class="soft small import-dates">${icon(symbol)} <span>${text}</span></p>`;

/** The APIs that list solved problems (instead of submissions) give no dates. */
const hasDates = ({ api }: Judge) => api?.solved === undefined;

async function handlesPanel(visit: MemberVisit): Promise<Html> {
  const { store, member, site } = visit;
  const upload = html`<p class="faint">${uploadHint(visit)}</p>`;
  const healths = await handleHealth(store.reader, new Date(), member.user_id);
  if (healths.length === 0) {
    const undated = Object.values<Judge>(judges).filter((judge) => !hasDates(judge));
    const dates = words('import.judgeDates', { judges: commaList(undated.map(({ name }) => name)) });
    const content = html`${handleForm(visit)}${upload}${dateHint(dates)}`;
    return panel({ id: 'handles', heading: words('handles.first') }, content);
  }
  const isSyncOn = await isSyncing(visit);
  const row = (health: (typeof healths)[number]) => {
    const judge = judgeOf(health.source);
    const isDated = !judge || hasDates(judge);
    return html`
      <li>
        <span>
          <span class="key">${judgeBadge(health.source)}</span> <b>${judgeName(health.source)}</b>${' '}
          <span class="soft">${bdi(health.handle)}</span>
          ${dateHint(words(isDated ? 'import.withDates' : 'import.noDates'), isDated ? 'check' : 'info')}
        </span>
        ${healthLine(healthText(health, isSyncOn))}
      </li>`;
  };
  return panel(
    {
      id: 'handles',
      heading: words('import.handles'),
      beside: html`<p class="soft">${words('import.automatic')}</p>`,
    },
    html`
      <ul class="plain import-handles">${healths.map(row)}</ul>
      <div class="actions">
        ${linkButton(site.basePath + handlesPath, words('import.link'), { symbol: 'plus' })}
        ${upload}
      </div>`,
  );
}

/* The preview. */

/** How many problems of one site become solved (`fresh`), are solved already (`done`), or are new here (`added`). */
type SiteCounts = Record<'fresh' | 'done' | 'added', number> & { source: string };

interface PreviewOptions {
  /** Names and addresses of which no problem is known. */
  lost?: readonly string[];
  faults?: Faults;
  lacksProblemFiles?: boolean | undefined;
  code?: readonly FoundCode[] | undefined;
  /** The question which problems of the file are solved. */
  choice?: Html | undefined;
}

async function preview(
  visit: MemberVisit,
  items: readonly FoundItem[],
  { lost = [], faults = {}, lacksProblemFiles, code, choice }: PreviewOptions,
): Promise<PageResult> {
  const { store, member, website, site } = visit;
  const allowance = await readAllowance(store.reader, member.user_id, website.addLimits);
  const existing = items.flatMap(({ problem, solvedAt }) => (isLinkedProblem(problem) ? [] : { ...problem, solvedAt }));
  const linked = items.filter(({ problem }) => isLinkedProblem(problem));
  const withinLimit = new Set(linked.slice(0, allowance.left));
  const additions = [...withinLimit].map(({ problem }) => problem).filter(isLinkedProblem);
  const addedDated = [...withinLimit].filter(({ solvedAt }) => solvedAt !== undefined).length;
  const { rows, existingDated, undated } = await countBySite(visit, existing, additions);
  const dated = addedDated + existingDated;
  const count = (name: 'fresh' | 'done' | 'added') => rows.reduce((sum, row) => sum + row[name], 0);
  const [fresh, done, added] = [count('fresh'), count('done'), count('added')];
  const needsDate = fresh + added + undated > dated;
  const codes = await codeFields(visit, code ?? readCode(visit.form.get('code') ?? ''));
  const fields = html`
    ${linked.length > 0 && addableFields(visit, additions, linked.length - withinLimit.size, allowance)}
    ${dated > 0 && html`<p>${words('import.dated', { count: dated })}</p>`}
    ${needsDate && dateFields(visit, faults, { undated, dated })}
    ${needsDate && html`<p class="soft">${words('import.whenText')} ${dated === 0 && words('import.datesUnread')}</p>`}
    ${codes}
    ${actions(
      (fresh + added + undated > 0 || codes !== undefined) && button(words('import.now'), 'primary', ['do', 'save']),
      linkButton(site.basePath + historyImportPath, words('lists.startOver'), { kind: 'quiet' }),
      html`<span class="faint">${words('import.oneUndo')}</span>`,
    )}`;
  const importable = items.filter((one) => !isLinkedProblem(one.problem) || withinLimit.has(one));
  const formItems = importable.map(({ extras: _, status: __, ...item }) => item);
  const hidden = { content: writeFormState([{ name: '', items: formItems }]) };
  return previewPage(
    visit,
    html`
      ${unheadedPanel(
        { labelledBy: 'found', more: { 'data-fresh': fresh, 'data-done': done, 'data-added': added } },
        html`
          <h2 id="found" class="figure">
            <b>${thousands.format(fresh + added)}</b> <span>${words('import.newly', { count: fresh + added })}</span>
          </h2>
          <p class="soft">${words('import.ofAll', { done, lost: lost.length })}</p>
          ${previewBar(fresh, added, done)}
          ${previewTable(rows)}`,
      )}
      ${unheadedPanel({}, form(visit, { to: historyImportPath, className: 'form wide', hidden }, fields))}
      ${choice ?? ''}
      ${await lostPanel(visit, lost, lacksProblemFiles)}`,
    faults,
  );
}

async function countBySite(
  { store, member }: MemberVisit,
  existing: readonly { id: bigint; source: string; solvedAt: string | undefined }[],
  additions: readonly LinkedProblem[],
) {
  const statuses = await findStatuses(
    store.reader,
    member.user_id,
    existing.map(({ id }) => id),
  );
  const byId = new Map(statuses.map((row) => [row.problem_id, row]));
  const rows = new Map<string, SiteCounts>();
  const rowOf = (source: string) => {
    const row = rows.get(source) ?? { source, fresh: 0, done: 0, added: 0 };
    rows.set(source, row);
    return row;
  };
  let existingDated = 0;
  let undated = 0;
  for (const { id, source, solvedAt } of existing) {
    const isDated = solvedAt !== undefined;
    const isFresh = isNewlySolved(byId.get(id), isDated);
    if (isFresh && isDated) existingDated += 1;
    rowOf(source)[isFresh ? 'fresh' : 'done'] += 1;
    if (!isFresh && isUndated(byId.get(id))) undated += 1;
  }
  for (const { source } of additions) rowOf(source).added += 1;
  const sorted = [...rows.values()].toSorted((one, other) => other.fresh + other.added - (one.fresh + one.added));
  return { rows: sorted, existingDated, undated };
}

function previewPage(visit: MemberVisit, panels: Html, faults: Faults = {}): PageResult {
  const headOptions = {
    crumbs: [[visit.site.basePath + historyImportPath, words('frame.addHistory')]],
    sub: words('import.unchanged'),
  } as const;
  const head = { title: words('frame.addHistory'), heading: words('lists.preview'), kind: 'p-list-new' };
  return formPage(visit, { ...head, headOptions, faults }, panels);
}

const barWidth = 1000;

/** Hidden from screen readers: the table has the same numbers. */
function previewBar(fresh: number, added: number, done: number): Html {
  const scale = barWidth / Math.max(1, fresh + added + done);
  const segment = (name: string, before: number, count: number) =>
    count > 0 &&
    html`
      <rect
        class="${name}" x="${Math.round(before * scale)}" width="${Math.max(2, Math.round(count * scale) - 3)}"
        height="8"
      />`;
  return html`
    <svg
      class="bar import-bar" viewBox="0 0 ${barWidth} 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"
    >
      ${segment('fresh', 0, fresh)}
      ${segment('added', fresh, added)}
      ${segment('done', fresh + added, done)}
    </svg>`;
}

function previewTable(rows: readonly SiteCounts[]): Html {
  const head = (text: string) => html`<th scope="col" class="num">${text}</th>`;
  return html`
    <table class="lost import-table">
      <caption class="sr">${words('import.bySite')}</caption>
      <thead>
        <tr>
          <th scope="col">${words('filters.judge')}</th>
          ${head(words('import.new'))}
          ${head(words('import.notHere'))}
          ${head(words('import.already'))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ source, fresh, done, added }) =>
            html`
              <tr>
                <th scope="row"><span class="key">${judgeBadge(source)}</span> ${bdi(judgeName(source))}</th>
                <td class="num"><b>${thousands.format(fresh)}</b></td>
                <td class="num">${thousands.format(added)}</td>
                <td class="num">${thousands.format(done)}</td>
              </tr>`,
        )}
      </tbody>
    </table>`;
}

function addableFields(
  { form: values }: MemberVisit,
  problems: readonly LinkedProblem[],
  rest: number,
  allowance: AddAllowance,
): Html {
  const isAdding = values.get('do') !== 'save' || values.get('add') === 'true';
  const limitText = rest > 0 && allowanceText(allowance, rest);
  if (problems.length === 0) return html`${limitText}`;
  const line = (one: LinkedProblem) =>
    html`
      <li>
        <span class="key">${judgeBadge(one.source)}</span> ${webLink(one.url, bdi(titleFrom(one)))}
      </li>`;
  return html`
    <fieldset class="addable">
      <legend class="sr">${words('lists.notHere', { count: problems.length + rest })}</legend>
      ${checkbox(html`<b>${words('lists.addThese', { count: problems.length })}</b>`, 'add', isAdding)}
      <p class="soft">${words('lists.addTheseText')}</p>
      ${limitText}
      ${collapsedList(problems, line)}
    </fieldset>`;
}

function dateFields(
  { form: values, days }: MemberVisit,
  faults: Faults,
  { undated, dated }: { undated: number; dated: number },
): Html {
  const isOnDay = hasOneDay(values);
  return fieldGroup(
    words('import.when', { dated }),
    'day',
    faults,
    html`
      <div class="choices">
        ${radioButton(
          'when',
          'unknown',
          html`<b>${words('import.unknown')}</b> <span class="faint">${words('import.unknownText')}</span>`,
          !isOnDay,
        )}
        ${radioButton(
          'when',
          'day',
          html`
            <b>${words('import.oneDay')}</b> <span class="faint">
              ${words('import.oneDayText', { count: undated })}
            </span>`,
          isOnDay,
        )}
      </div>
      ${textField(
        words('import.day'),
        'day',
        {},
        {
          type: 'date',
          value: values.get('day') ?? '',
          isOptional: true,
          more: { max: dateOf(days.at(Date.now())) },
        },
      )}`,
  );
}

async function lostPanel(
  { site, store, website }: MemberVisit,
  lost: readonly string[],
  lacksProblemFiles = false,
): Promise<Html | false> {
  if (lost.length === 0) return false;
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const line = (text: string) => {
    const page = pageAt(text, addresses);
    return html`
      <li>
        <span class="lost-address">${webLink(text, bdi(text)) ?? bdi(text)}</span>${' '}
        ${page && html`<span class="soft">${localizeText(pageFault(page))}</span>`}
      </li>`;
  };
  return panel(
    { id: 'lost', heading: words('import.lost', { count: lost.length }) },
    html`
      <p class="soft">
        ${
          lacksProblemFiles
            ? words('import.guideProblems')
            : richWords('import.lostText', { link: linkTo(site.basePath + newListPath) })
        }
      </p>
      ${collapsedList(lost, line)}`,
  );
}

function collapsedList<T>(rows: readonly T[], line: (one: T) => Html): Html {
  const rest = rows.length - previewRowsAtMost;
  return html`
    <details class="skipped">
      <summary>${words('import.which')}</summary>
      <ul class="plain">${rows.slice(0, previewRowsAtMost).map(line)}</ul>
      ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}
    </details>`;
}
