/** Who the rows of a sheet are, by what coaches see of them: student number, username or name. Nobody is taken for a row that fits two. */
import { setImmediate } from 'node:timers/promises';
import { fold } from '../store/case-folding.ts';
import type { ListedPerson } from '../store/groups.ts';
import { isPersonHeading, knownNameOf } from './member-list.ts';
import { isEmptyRow, rowValues, type Sheet, valueAt } from './sheet.ts';

export type SheetPerson = Pick<
  ListedPerson,
  'user_id' | 'username' | 'first_name' | 'last_name' | 'expected_name' | 'student_number'
>;

const kinds = ['number', 'username', 'name'] as const;
export type IdentityKind = (typeof kinds)[number];

export interface IdentityColumn {
  column: number;
  kind: IdentityKind;
  /** How many people it names, of `all` who have such a number, username or name. */
  count: number;
  all: number;
}

const textOf: Readonly<Record<IdentityKind, (person: SheetPerson) => string | null>> = {
  number: ({ student_number }) => student_number,
  username: ({ username }) => username,
  name: knownNameOf,
};

/** Neither the order of the parts of a name nor accents matter. */
const nameKey = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted()
    .join(' ');

const keyOf = (kind: IdentityKind, text: string) => (kind === 'name' ? nameKey(text) : fold(text));

type People = ReadonlyMap<string, SheetPerson | 'two'>;

/** A key that two people have leads to neither. */
function peopleBy(kind: IdentityKind, people: readonly SheetPerson[]): People {
  const byKey = Map.groupBy(people, (person) => keyOf(kind, textOf[kind](person) ?? ''));
  byKey.delete('');
  return new Map([...byKey].map(([key, some]) => [key, (some.length === 1 && some[0]) || 'two']));
}

/** A name can be in two neighbouring columns. */
function fitIn(
  sheet: Sheet,
  row: number,
  { column, kind }: Pick<IdentityColumn, 'column' | 'kind'>,
  by: People,
): SheetPerson | 'two' | undefined {
  const value = valueAt(sheet, row, column);
  if (value === '') return undefined;
  const fit = by.get(keyOf(kind, value));
  if (fit || kind !== 'name') return fit;
  return by.get(nameKey(`${value} ${valueAt(sheet, row, column + 1)}`));
}

function personIn(...cell: Parameters<typeof fitIn>): SheetPerson | undefined {
  const fit = fitIn(...cell);
  return fit === 'two' ? undefined : fit;
}

/** Whether some names are read from the column and the one after it, such as a given name and a family name. */
export function isReadWithNext(
  sheet: Sheet,
  people: readonly SheetPerson[],
  who: Pick<IdentityColumn, 'column' | 'kind'>,
): boolean {
  if (who.kind !== 'name') return false;
  const by = peopleBy('name', people);
  return sheet.rows.some(
    (_, row) => personIn(sheet, row, who, by) && !by.get(nameKey(valueAt(sheet, row, who.column))),
  );
}

/** Systems write who it is into the first columns. */
const identityColumnsAtMost = 30;

/** The best kind of each column that names anybody, the best column first. */
export async function identityColumns(
  sheet: Sheet,
  people: readonly SheetPerson[],
): Promise<IdentityColumn[]> {
  const indexes = kinds.map((kind) => [kind, peopleBy(kind, people)] as const);
  const columns: IdentityColumn[] = [];
  for (let column = 0; column < Math.min(sheet.width, identityColumnsAtMost); column++) {
    for (const [kind, by] of indexes) {
      const found = new Set(sheet.rows.map((_, row) => personIn(sheet, row, { column, kind }, by)));
      found.delete(undefined);
      const all = people.filter((person) => textOf[kind](person)).length;
      if (found.size > 0) columns.push({ column, kind, count: found.size, all });
    }
    await setImmediate();
  }
  // Names are less certain, so half as many people by something else are preferred.
  const order = ({ count, kind }: IdentityColumn) =>
    count * (kind === 'name' ? 0.5 : 1) - kinds.indexOf(kind) / 10;
  return columns.toSorted((one, other) => order(other) - order(one));
}

export interface SheetMatch {
  row: number;
  kind: 'found' | 'two' | 'unknown' | 'twice' | 'heading';
  person: SheetPerson | undefined;
  /** The name on the class list of somebody who has not joined, whose row it is. */
  expected: string | undefined;
}

/** Rows of Canvas and Google Classroom that are nobody's. */
const headingNames = /^(?:|points(?: possible)?|date|manual posting|student, test)$/i;

/**
 * Rows with anything in them, below the names of the columns. A row of somebody who is `waiting` on the class list is
 * nobody else's, because people choose the names of their profiles and enter student numbers themselves.
 */
export function matchRows(
  sheet: Sheet,
  people: readonly SheetPerson[],
  who: Pick<IdentityColumn, 'column' | 'kind'>,
  waiting: readonly SheetPerson[] = [],
): SheetMatch[] {
  const by = peopleBy(who.kind, people);
  const waitingBy = peopleBy(who.kind, waiting);
  const waitingNameOf = namesakeFinder(sheet, waiting);
  const expectedIn = (row: number, person: SheetPerson | undefined) => {
    const fit = fitIn(sheet, row, who, waitingBy);
    if (fit) return fit === 'two' ? valueAt(sheet, row, who.column) : (fit.expected_name ?? undefined);
    const name = waitingNameOf(row)?.expected_name;
    return name && nameKey(name) !== nameKey(person?.expected_name ?? '') ? name : undefined;
  };
  const rows = sheet.rows.flatMap((_, row) => {
    const match = personIn(sheet, row, who, by);
    if (!match && (row <= sheet.head || isEmptyRow(sheet, row))) return [];
    const expected = waiting.length > 0 ? expectedIn(row, match) : undefined;
    return { row, person: expected === undefined ? match : undefined, expected };
  });
  const found = Map.groupBy(rows, ({ person }) => person);
  return rows.map(({ row, person, expected }) => {
    const values = [valueAt(sheet, row, who.column), valueAt(sheet, row, 0)];
    const other = expected === undefined && fitIn(sheet, row, who, by) ? 'two' : 'unknown';
    const unknown = values.every((value) => headingNames.test(value)) ? 'heading' : other;
    return {
      row,
      person,
      expected,
      kind: !person ? unknown : found.get(person)?.length === 1 ? 'found' : 'twice',
    };
  });
}

/** Finds whom of the people a row names in any of its cells. */
export function namesakeFinder(sheet: Sheet, people: readonly SheetPerson[]) {
  const byName = peopleBy('name', people);
  const columns = Array.from({ length: Math.min(sheet.width, identityColumnsAtMost) }, (_, column) => column);
  return (row: number) =>
    columns.map((column) => personIn(sheet, row, { column, kind: 'name' }, byName)).find((one) => one);
}

const isBlank = (value: string) => value === '' || value === '-';

/** How many of the rows that are somebody's have something in the column. */
export const filledRows = (sheet: Sheet, column: number, matches: readonly { row: number }[]) =>
  matches.filter(({ row }) => !isBlank(valueAt(sheet, row, column))).length;

/* How school systems name their columns, in the languages of the website, in German and in French. */

const markWord =
  /(?<!\p{L})(?:grades?|marks?|scores?|points?|pts|note|bewertung|zensur|nota|(?:calif|pont|punt)\p{L}+|оценка|балл\p{L}{0,2})(?!\p{L})|(?<!\p{L})\p{L}*punkt(?:e|zahl)|成[绩績]|[分点]数|得[分点]|评分|評[点定]|점수|성적|평점/iu;

/** A total, the most that is possible, when the mark changed, or a comment. */
const besideMark =
  /total|gesamt|(?<!\p{L})sum(?:me|a)?(?!\p{L})|soma|(?:current|final) (?:grade|score|points)|итог|всего|[总総]|合[计計]|합계|max|máx|best|höchst|highest|possible|макс|высш|最[高大]|최[고대]|만점|満点|chang|änder|modif|cambia|alterad|измен|改|変更|更新|변경|수정|feedback|[ck]omm?ent|коммент|отзыв|反馈|评语|コメント|피드백|의견/iu;

const personWord =
  /name|имя|mail|courriel|correo|почт|邮|メール|메일|login|(?<!\p{L})id(?!\p{L})|ident|идент|标识|識別|식별|num[bm]er|ナンバー|n[uú]m[eé]ro|номер|编号|番号|번호|d[eé]part|abteilung|отдел|部[门門署]|부서|학과|institu|учрежд|organi|机构|機関|組織|소속|기관|gr[ou]+p|группа|组|グループ|그룹|class|klass|класс|clase|turma|班|クラス|section/iu;

/** 3 is surely a column for marks, 0 is none. */
function markRank(head: string): number {
  // Behind the name Moodle has the kind of the mark, and Blackboard its maximum.
  const [name = ''] = head.split(/[[(|（]/, 1);
  if (head === '' || besideMark.test(name)) return 0;
  if (name.replace(markWord, '').trim() === '') return 3;
  if (markWord.test(head)) return 2;
  return personWord.test(name) || isPersonHeading(name) ? 0 : 1;
}

/** Nobody names a column with more, and a megabyte would take seconds. */
const headUnitsRead = 300;

/** The column with the title in its name, or else the one that is most surely for marks and has the fewest. */
export function markColumn(sheet: Sheet, title: string, matches: readonly SheetMatch[]): number | undefined {
  const heads = rowValues(sheet, sheet.head).map((head) => fold(head.slice(0, headUnitsRead)));
  const partsOf = (head: string) => head.split(fold(title));
  // Week 1 is not Week 12.
  const isWhole = ([before = '', after]: string[]) =>
    after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
  const whole = heads.findIndex((head) => isWhole(partsOf(head)));
  const hasTitle = (head: string) => partsOf(head).length > 1 && markRank(head) > 0;
  const named = whole < 0 ? heads.findIndex(hasTitle) : whole;
  if (named >= 0) return named;
  const people = matches.filter(({ person }) => person);
  const [best] = heads
    .map((head, column) => ({ column, rank: markRank(head), filled: filledRows(sheet, column, people) }))
    .filter(({ rank, filled }) => rank > 0 && (filled === 0 || (rank > 1 && filled < people.length)))
    .toSorted((one, other) => other.rank - one.rank || one.filled - other.filled);
  return best?.column;
}
