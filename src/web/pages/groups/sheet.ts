/**
 * Fills marks into a sheet that a coach uploads, in four steps with addresses of their own. The file travels in the
 * forms: nothing of it is stored.
 */
import { localizedError } from '../../../errors.ts';
import {
  columnsAtMost,
  fillColumn,
  readSheet,
  rowsAtMost,
  rowValues,
  type Sheet,
  usesDecimalComma,
  valueAt,
} from '../../../importing/sheet.ts';
import {
  filledRows,
  type IdentityColumn,
  identityColumns,
  isReadWithNext,
  markColumn,
  matchRows,
  namesakeFinder,
  type SheetMatch,
  type SheetPerson,
} from '../../../importing/sheet-people.ts';
import { readAssignmentTable } from '../../../practice/assignments.ts';
import { doneIn, readGroupCourse } from '../../../practice/courses.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { listExpectedPeople, listGroupPeople } from '../../../store/groups.ts';
import {
  button,
  type Faults,
  fileField,
  form,
  formActions,
  hasFaults,
  hiddenInputs,
  selectField,
  textField,
} from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { distinctNames } from '../../kit/member-name.ts';
import { notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { plainTable, scrollable } from '../../kit/table.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { bytesOfFile, refusalText, textBytesAtMost, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { afterColon } from '../../words/formats.ts';
import { currentViewer } from '../../words/viewer.ts';
import { words } from '../../words/words.ts';
import { coachedGroupOf, groupFrame } from './frame.ts';
import { readSeasonView } from './season-parts.ts';
import { assignmentOf } from './table.ts';

/** Base64 needs a third more than the bytes. */
const formBytesAtMost = 2 * textBytesAtMost;

export const sheetPages = (path: string): PageRoute<MemberVisit>[] => {
  const step = (end: string, post: Step): PageRoute<MemberVisit> => ({
    path: `${path}sheet/${end}`,
    get: async (visit) => ({ to: (await targetOf(visit)).path }),
    post: (visit, file) => runStep(visit, post, file),
    formBytesAtMost,
  });
  return [
    { path: `${path}sheet/`, get: async (visit) => ({ html: uploadPage(visit, await targetOf(visit)) }) },
    { ...step('columns/', columnsPage), takesFile: true },
    step('check/', checkPage),
    step('download/', download),
  ];
};

const noProfile = { username: '', first_name: null, last_name: null };

interface Target {
  group: GroupWithLists;
  name: string;
  /** The path of the first step. */
  path: string;
  people: readonly SheetPerson[];
  /** Of the class list, who has not joined. */
  waiting: readonly SheetPerson[];
  kind: 'assignment' | 'course' | 'season';
  /** Of the assignment or course: how many problems or modules make the full mark. */
  all: number;
  results: ReadonlyMap<bigint, { solved: number; late: number; selfReported?: number }>;
}

/** Only of a coach. Throws unknownPath. */
async function targetOf(visit: MemberVisit): Promise<Target> {
  const { store, member, params, path } = visit;
  const group = await coachedGroupOf(visit);
  const people = (await listGroupPeople(store.reader, group.id)).filter(
    ({ role, is_disabled }) => role === 'member' && is_disabled === 0n,
  );
  const expected = await listExpectedPeople(store.reader, group.id, new Date().toISOString());
  const waiting = expected
    .filter(({ user_id }) => user_id === null)
    .map(({ id, name, student_number }) => ({ user_id: id, expected_name: name, student_number, ...noProfile }));
  const target = { group, people, waiting, path: path.replace(/(?<=\/sheet\/).*/, '') };
  if (params['list'] === undefined) {
    const { table } = await readSeasonView(visit, group);
    const results = new Map(table.rows.map((row) => [row.person.user_id, { solved: row.total / 2, late: 0 }]));
    const shown = people.filter(({ user_id }) => results.has(user_id));
    return { ...target, name: table.season.name, people: shown, kind: 'season', all: 0, results };
  }
  const { assignment } = await assignmentOf(visit);
  const { name } = assignment;
  const course =
    assignment.is_course === 1n && (await readGroupCourse(store.longReader, group.id, assignment, Date.now()));
  if (course) {
    const counts = course.people.map(({ person, modules }) => ({ id: person.user_id, ...doneIn(modules) }));
    const results = new Map(counts.map(({ id, done }) => [id, { solved: done, late: 0 }]));
    return { ...target, name, kind: 'course', all: counts[0]?.all ?? 0, results };
  }
  const { rows, problems } = await readAssignmentTable(store.reader, group, assignment, member.user_id, Date.now());
  const results = new Map(
    rows.map(({ person, cells, solved, late }) => {
      const selfReported = cells.filter((cell) => cell.state === 'complete' && cell.isSelfReported).length;
      return [person.user_id, { solved, late, selfReported }];
    }),
  );
  return { ...target, name, kind: 'assignment', all: problems.length, results };
}

interface Upload {
  target: Target;
  name: string;
  sheet: Sheet;
  columns: readonly IdentityColumn[];
}

type Step = (visit: MemberVisit, upload: Upload) => PageResult;

async function runStep(visit: MemberVisit, step: Step, file?: UploadedFile): Promise<PageResult> {
  const target = await targetOf(visit);
  const { form: input } = visit;
  try {
    const bytes = file ? await bytesOfFile(file, textBytesAtMost) : Buffer.from(input.get('sheet') ?? '', 'base64url');
    if (!bytes) throw localizedError('badFile.sheetLarge', { rows: rowsAtMost, columns: columnsAtMost });
    const sheet = readSheet(bytes, currentViewer().language.tag);
    const columns = await identityColumns(sheet, target.people);
    return step(visit, { target, name: (file?.name ?? input.get('name')) || 'sheet.csv', sheet, columns });
  } catch (error) {
    return { html: uploadPage(visit, target, refusalText(error)), status: 422 };
  }
}

/* The pages */

const steps = ['judges.upload', 'sheet.step.columns', 'sheet.step.check', 'sheet.step.download'] as const;

function sheetFrame(visit: MemberVisit, target: Target, step: number, subtitle: string, content: Html): Html {
  const line = steps.map((name, at) => {
    const mark = at < step ? icon('check') : html`<b>${at + 1}</b>`;
    const current = attr('aria-current', at === step && 'step');
    return html`<li${current}>${mark}<span>${words(name)}</span></li>`;
  });
  const title = words('sheet.title');
  return groupFrame(
    visit,
    target.group,
    { tab: 'sheet/', title, subtitle: html`<span>${bdi(target.name)}</span><span>${subtitle}</span>`, kind: 'p-sheet' },
    html`<ol class="steps-line" aria-label="${title}">${line}</ol>${content}`,
  );
}

function uploadPage(visit: MemberVisit, target: Target, fault?: string): Html {
  const field = fileField(words('uploads.file'), {
    accepts: '.csv,.tsv,.txt,.xls,text/csv',
    hint: words('sheet.fileHint'),
    faults: fault ? { file: fault } : {},
  });
  const content = html`${field}${formActions(words('judges.upload'))}`;
  const upload = form(visit, { to: `${target.path}columns/`, className: 'form', hasFile: true }, content);
  return sheetFrame(visit, target, 0, words('sheet.sub'), unheadedPanel({ label: words('sheet.title') }, upload));
}

/** The form of a step has the file and, of the steps before it, what was chosen. */
function stepForm(visit: MemberVisit, { target, name, sheet }: Upload, step: string, content: Html): Html {
  const hidden = { name, sheet: sheet.bytes.toString('base64url') };
  return form(visit, { to: `${target.path}${step}/`, className: 'stack', hidden }, content);
}

const headOf = (sheet: Sheet, column: number) => valueAt(sheet, sheet.head, column) || `#${column + 1}`;

interface Rule {
  who: Pick<IdentityColumn, 'column' | 'kind'>;
  mark: number;
  points: number;
  late: string;
}

const lateShares: Readonly<Record<string, number>> = { half: 0.5, full: 1, none: 0 };
const parseMark = (text: string) => (/^\d{1,6}([.,]\d{1,4})?$/.test(text) ? Number(text.replace(',', '.')) : undefined);

/** What was chosen, or else what is proposed. */
function ruleOf({ form: input }: MemberVisit, { target, sheet, columns }: Upload): Rule {
  const chosen = (name: string, other = -1) => {
    const column = Number.parseInt(input.get(name) ?? '', 10);
    return column >= 0 && column < sheet.width ? column : other;
  };
  const column = chosen('who', columns[0]?.column);
  const who = { column, kind: columns.find((one) => one.column === column)?.kind ?? 'name' } as const;
  const mark = chosen('mark', markColumn(sheet, target.name, matchRows(sheet, target.people, who)));
  const points = parseMark(input.get('points')?.trim() ?? String(target.all)) ?? -1;
  return { who, mark, points, late: input.get('late') ?? 'half' };
}

const kindNames = {
  number: 'groups.number',
  username: 'door.name',
  name: 'groups.member',
} as const;

const previewRows = 3;
const previewColumns = 40;

function columnsPage(visit: MemberVisit, upload: Upload, faults: Record<string, string> = {}): PageResult {
  const { target, name, sheet, columns } = upload;
  const { who, mark, points, late } = ruleOf(visit, upload);
  const matches = matchRows(sheet, target.people, who);
  if (matches.length === 0) throw localizedError('badFile.nobody');
  const heads = Array.from({ length: sheet.width }, (_, at) => [String(at), headOf(sheet, at)] as const);
  const choices = [['', words('form.chooseOne')] as const, ...heads];
  const identity = columns.find(({ column }) => column === who.column);
  const { count = 0, all = 0 } = identity ?? {};
  const hasNext = identity && isReadWithNext(sheet, target.people, identity);
  const matched = identity && words('sheet.matches', { count, all, kind: words(kindNames[identity.kind]) });
  const nonHeadings = matches.filter(({ kind }) => kind !== 'heading');
  const filled = filledRows(sheet, mark, nonHeadings);
  const fields = html`
    <div class="field-pair even">
      ${selectField(words('sheet.who'), 'who', choices, String(who.column), {
        hint: hasNext
          ? html`${matched} · ${words('sheet.withNext', { column: headOf(sheet, who.column + 1) })}`
          : matched,
        isRequired: true,
      })}
      ${selectField(words('sheet.where'), 'mark', choices, String(mark), {
        hint: mark < 0 ? undefined : words('sheet.filledBefore', { count: filled, all: nonHeadings.length }),
        isRequired: true,
        faults,
      })}
      ${target.kind !== 'season' && pointFields(target.kind, points, late, faults)}
    </div>`;
  const shown = heads.slice(0, previewColumns);
  const isWho = (at: number) => at === who.column || (hasNext && at === who.column + 1);
  const kindOf = (at: number) => attr('class', isWho(at) ? 'who-col' : at === mark && 'mark-col');
  const rows = nonHeadings
    .slice(0, previewRows)
    .map(({ row }) => html`<tr>${shown.map((_, at) => html`<td${kindOf(at)}>${valueAt(sheet, row, at)}</td>`)}</tr>`);
  const preview = plainTable({ heads: shown.map(([, head]) => bdi(head)), rows, className: 'sheet-table' });
  const content = html`
    <p class="file-line">
      ${icon('list')}<b><bdi>${name}</bdi></b>
      <a href="${visit.site.basePath}${target.path}">${words('uploads.another')}</a>
    </p>
    ${panel(
      { id: 'columns', heading: words('sheet.step.columns') },
      html`
        ${fields}${scrollable(name, preview)}
        ${formActions(words('sheet.step.check'))}`,
    )}`;
  const page = sheetFrame(visit, target, 1, words('sheet.sub'), stepForm(visit, upload, 'check', content));
  return { html: page, status: Object.keys(faults).length > 0 ? 422 : 200 };
}

function pointFields(kind: Target['kind'], points: number, late: string, faults: Record<string, string>): Html {
  const hint = words('sheet.pointsHint', { kind });
  const shares = Object.keys(lateShares).map((share) => [share, words('sheet.lateShare', { share })] as const);
  const value = points < 0 ? '' : String(points);
  return html`
    ${textField(words('rounds.points'), 'points', faults, { value, hint, more: { inputmode: 'decimal' } })}
    ${kind === 'assignment' && selectField(words('sheet.late'), 'late', shares, late)}`;
}

interface Marked extends Rule {
  matches: readonly SheetMatch[];
  /** In the sheet's own writing. */
  markOf: (person: SheetPerson) => string;
}

function markedBy(visit: MemberVisit, upload: Upload): Marked {
  const { target, sheet } = upload;
  const rule = ruleOf(visit, upload);
  const hasComma = usesDecimalComma(sheet);
  const markOf = ({ user_id }: SheetPerson) => {
    const { solved, late } = target.results.get(user_id) ?? { solved: 0, late: 0 };
    const counted = solved - late + late * (lateShares[rule.late] ?? 0);
    const mark = target.kind === 'season' ? solved : (counted * rule.points) / (target.all || 1);
    const text = String(Math.round(mark * 100) / 100);
    return hasComma ? text.replace('.', ',') : text;
  };
  return { ...rule, markOf, matches: matchRows(sheet, target.people, rule.who, target.waiting) };
}

function ruleFaults({ who, mark, points }: Rule, { kind }: Target): Record<string, string> {
  if (who.column < 0 || mark < 0 || who.column === mark) return { mark: words('sheet.twoColumns') };
  return kind !== 'season' && points < 0 ? { points: words('sheet.badMark') } : {};
}

const listedAtMost = 100;

function checkPage(visit: MemberVisit, upload: Upload, faults: Faults = {}): PageResult {
  const { target, name, sheet } = upload;
  const marked = markedBy(visit, upload);
  const { who, mark, points, late, matches } = marked;
  const wrongRule = ruleFaults(marked, target);
  if (hasFaults(wrongRule)) return columnsPage(visit, upload, wrongRule);
  const found = matches.filter(({ kind }) => kind === 'found');
  const inSheet = new Set(matches.map(({ person }) => person));
  const missing = target.people.filter((person) => !inSheet.has(person));
  const namesakeOf = namesakeFinder(sheet, missing);
  const rest = matches
    .filter(({ kind }) => kind !== 'found')
    .map((match) => ({ ...match, namesake: namesakeOf(match.row) }))
    .toSorted((one, other) => Number(!one.namesake) - Number(!other.namesake));
  const nameOf = distinctNames([...target.people, ...target.waiting]);
  const replaced = found.filter((one) => replacedMark(visit, upload, marked, one) !== '');
  const parts = [
    ['sheet.filled', found],
    ...(replaced.length > 0 ? [['sheet.replaced', replaced] as const] : []),
    ['sheet.rest', rest],
    ['sheet.missing', missing],
  ] as const;
  const counts = parts.map(([key, { length }]) => html`<span><b>${length}</b> ${words(key)}</span>`);
  const restRow = (one: (typeof rest)[number]) => restItem(visit, sheet, one, { who, missing, nameOf, faults });
  const missingItem = (one: SheetPerson) =>
    html`
      <li>
        <p>
          <b><bdi>${nameOf(one)}</bdi></b> ${bdi(one.student_number ?? '')}
          <span class="soft">${words('sheet.mark')}${afterColon(marked.markOf(one))}</span>
        </p>
      </li>`;
  const content = html`
    ${hiddenInputs([
      ['who', `${who.column}`],
      ['mark', `${mark}`],
      ['points', `${points}`],
      ['late', late],
    ])}
    <p class="counts">${counts}</p>
    ${faults['form'] && notice('bad', faults['form'])}
    <div class="two even-two">
      <div class="stack">
        ${
          rest.length > 0 &&
          panel(
            { id: 'rest', heading: words('sheet.rest') },
            html`
              <ul class="trouble">
                ${rest.slice(0, listedAtMost).map(restRow)}
              </ul>
              ${rest.length > listedAtMost && words('uploads.more', { count: rest.length - listedAtMost })}`,
          )
        }
        ${
          missing.length > 0 &&
          panel(
            { id: 'missing', heading: words('sheet.missing') },
            html`<ul class="trouble">${missing.map(missingItem)}</ul>`,
          )
        }
      </div>
      ${found.length > 0 && panel({ id: 'filled', heading: words('sheet.filled') }, filledTable(visit, upload, marked))}
    </div>
    <div class="actions">
      ${button(html`${words('sheet.step.download')} <bdi>${name}</bdi>`, 'primary', [], 'download')}
      <button class="button" formnovalidate formaction="${visit.site.basePath}${target.path}columns/">
        ${icon('left')}<span>${words('sheet.step.columns')}</span>
      </button>
      <span class="soft">${words('sheet.sub')}</span>
    </div>`;
  const page = sheetFrame(visit, target, 2, headOf(sheet, mark), stepForm(visit, upload, 'download', content));
  return { html: page, status: hasFaults(faults) ? 422 : 200 };
}

interface Missing {
  who: Rule['who'];
  missing: readonly SheetPerson[];
  nameOf: (person: SheetPerson) => string;
  faults: Faults;
}

const markField = (row: number) => `mark.${row}`;
const whoField = (row: number) => `who.${row}`;

/** A row that stays as it is, unless the coach chooses whose it is. */
function restItem(
  { form: input }: MemberVisit,
  sheet: Sheet,
  { row, kind, namesake, expected }: SheetMatch & { namesake: SheetPerson | undefined },
  { who, missing, nameOf, faults }: Missing,
): Html {
  const choiceOf = (one: SheetPerson) => [nameOf(one), one.student_number].filter(Boolean).join(' · ');
  const own = valueAt(sheet, row, who.column);
  const rest = rowValues(sheet, row).filter((value) => value !== '' && value !== own);
  const others = missing.filter((one) => one !== namesake).map((one) => [`${one.user_id}`, choiceOf(one)] as const);
  const same = namesake && ([`${namesake.user_id}`, words('sheet.sameName', { name: choiceOf(namesake) })] as const);
  const choices = [['', words('sheet.nobody')] as const, ...(same ? [same] : []), ...others];
  const name = whoField(row);
  const isExpected = kind === 'unknown' && expected !== undefined && words('sheet.expected', { name: expected });
  return html`
    <li>
      <p>
        <b>${bdi(own)}</b>${' '}${bdi(rest.slice(0, 3).join(' '))}${' '}
        <span class="faint">${words('lists.line')} ${row + 1}</span>
      </p>
      ${
        (kind === 'unknown' || kind === 'two') && missing.length > 0
          ? selectField(
              isExpected || words(kind === 'two' ? 'sheet.two' : 'sheet.unknown'),
              name,
              choices,
              input.get(name) ?? '',
              { hint: same?.[1], faults },
            )
          : html`<p class="soft">${isExpected || words(kind === 'twice' ? 'sheet.twice' : 'sheet.nobody')}</p>`
      }
    </li>`;
}

const newMark = ({ form: input }: MemberVisit, { markOf }: Marked, { row, person }: SheetMatch) =>
  input.get(markField(row)) ?? (person ? markOf(person) : '');

/** What the sheet has in the cell of the mark, if that is not the same number. */
function replacedMark(visit: MemberVisit, { sheet }: Upload, marked: Marked, match: SheetMatch): string {
  const before = valueAt(sheet, match.row, marked.mark).trim();
  const mark = newMark(visit, marked, match).trim();
  return mark === '' || (parseMark(before) ?? Number.NaN) === parseMark(mark) ? '' : before;
}

/** Marks can be changed by hand. */
function filledTable(visit: MemberVisit, upload: Upload, marked: Marked): Html {
  const { target, sheet } = upload;
  const nameOf = distinctNames(target.people);
  const rows = marked.matches.map((match) => {
    const { row, kind, person } = match;
    if (kind !== 'found' || !person) return '';
    const { solved = 0, late = 0, selfReported = 0 } = target.results.get(person.user_id) ?? {};
    const name = markField(row);
    const before = replacedMark(visit, upload, marked, match);
    const remark = selfReported > 0 && words('sheet.selfReported', { selfReported, solved });
    return html`
      <tr data-row="${row}">
        <th scope="row">
          ${bdi(nameOf(person))}
          ${remark && html`<div class="small soft">${remark}</div>`}
        </th>
        <td class="faint">${bdi(valueAt(sheet, row, marked.who.column))}</td>
        <td>
          ${late > 0 && html`<span class="late">${late} ${words('groups.mark.late')}</span>`}
          ${before && html`<span class="sr">${words('sheet.replaced')}</span> <del>${bdi(before)}</del> →`}
          <input
            name="${name}" value="${newMark(visit, marked, match)}" inputmode="decimal" size="5"
            autocomplete="off" aria-label="${words('sheet.mark')}${afterColon(nameOf(person))}"
          >
        </td>
      </tr>`;
  });
  const heads = [words('groups.member'), headOf(sheet, marked.who.column), words('sheet.mark')];
  return plainTable({ heads, rows: rows.map((row) => html`${row}`), className: 'filled' });
}

/** The file with the marks of the page: an empty one leaves its cell as it is. */
function download(visit: MemberVisit, upload: Upload): PageResult {
  const { target, name, sheet } = upload;
  const { form: input } = visit;
  const marked = markedBy(visit, upload);
  if (hasFaults(ruleFaults(marked, target))) return checkPage(visit, upload);
  const hasComma = usesDecimalComma(sheet);
  const marks = new Map<number, string>();
  const free = new Map(target.people.map((person) => [`${person.user_id}`, person]));
  for (const { person } of marked.matches) free.delete(`${person?.user_id}`);
  const chosenIn = ({ row, kind }: SheetMatch) =>
    kind === 'unknown' || kind === 'two' ? free.get(input.get(whoField(row)) ?? '') : undefined;
  const rowsOf = Map.groupBy(marked.matches, chosenIn);
  const doubled = marked.matches.filter((match) => {
    const chosen = chosenIn(match);
    return chosen && rowsOf.get(chosen)?.length !== 1;
  });
  const twice = words('sheet.chosenTwice');
  if (doubled.length > 0) {
    const rowFaults = doubled.map(({ row }) => [whoField(row), twice]);
    return checkPage(visit, upload, { form: twice, ...Object.fromEntries(rowFaults) });
  }
  for (const match of marked.matches) {
    const { row, kind } = match;
    const chosen = chosenIn(match);
    const text = input.get(markField(row))?.trim() ?? '';
    if (kind === 'found' && text !== '') {
      if (parseMark(text) === undefined) return checkPage(visit, upload, { form: words('sheet.badMark') });
      marks.set(row, text.replace(/[.,]/, hasComma ? ',' : '.'));
    } else if (chosen) marks.set(row, marked.markOf(chosen));
  }
  return { file: [fillColumn(sheet, marked.mark, marks)], name, type: 'text/csv' };
}
