/** Reads a list of people as spreadsheets save or paste it, and creates accounts from one, each with a one-time address. */
import { dayMs } from '../durations.ts';
import {
  AppError,
  joinMessages,
  type LocalizedText,
  localizedError,
  localizedText,
  message,
} from '../errors.ts';
import { csvForPeople, textOfCell } from '../files/csv.ts';
import { decodeText } from '../files/text.ts';
import { longestStudentNumber, slipDays } from '../practice/groups.ts';
import { createMemberWithResetLink, type NewMember } from '../practice/joining.ts';
import { assertUsernameFree, isEmail, longestRecordText, lookalikeNames } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import type { GroupPerson } from '../store/groups.ts';
import { findMemberByName, type MemberRow } from '../store/members.ts';
import type { Db } from '../store/tables.ts';
import { recordsIn, type TableRecord } from './text-tables.ts';

export const personFields = ['username', 'first_name', 'last_name', 'email'] as const;
type PersonField = (typeof personFields)[number];
/** Of a class list, which makes no accounts. */
export const classFields = ['name', 'student_number'] as const;
export type ClassField = (typeof classFields)[number];
/** The student number is for the class list of a group. */
export const accountFields = [...personFields, 'student_number'] as const;
type AccountField = (typeof accountFields)[number];
export type ListField = PersonField | ClassField;
type ListValue = Pick<MemberRow, PersonField> & { name: string; student_number: string | null };
export const peopleAtMost = 500;
const faultsListed = 10;

export interface ListedPerson<Field extends ListField = PersonField> {
  line: number;
  value: Pick<ListValue, Field>;
  fault?: LocalizedText | undefined;
  /** The field in which the fault can be mended, if there is one. */
  wrongField?: Field | undefined;
  /** Who somebody without a fault is already. */
  note?: LocalizedText | undefined;
}

/** The command line reads no student numbers. */
type AccountPerson = Pick<ListedPerson<AccountField>, 'line' | 'fault' | 'wrongField'> & {
  value: Pick<ListValue, PersonField> & Partial<Pick<ListValue, 'student_number'>>;
};

interface PeopleList<Field extends ListField> {
  people: ListedPerson<Field>[];
  columns: { heading: string; column: ListField }[];
  ignoredColumns: string[];
  hasHeader: boolean;
}

/** Excel saves CSV in the encoding of the country. */
const spreadsheetEncodings: Readonly<Record<string, string>> = {
  ja: 'shift_jis',
  ko: 'euc-kr',
  ru: 'windows-1251',
  'zh-CN': 'gb18030',
};

export const encodingOfSpreadsheets = (language: string) => spreadsheetEncodings[language] ?? 'windows-1252';

export const isWorkbook = (bytes: Uint8Array) =>
  ['PK', '\xd0\xcf', '\x1f\x8b'].includes(Buffer.from(bytes.subarray(0, 2)).toString('latin1'));

/** Throws badFile. */
export function decodePeople(bytes: Uint8Array, language = 'en'): string {
  if (isWorkbook(bytes)) throw localizedError('badFile.workbook');
  return decodeText(bytes, `charset=${encodingOfSpreadsheets(language)}`);
}

const headings = {
  line: '#line',
  username:
    'username user login loginname account accountname benutzername benutzer kennung nomdutilisateur identifiant usuario nombredeusuario usuário nomedeusuário имяпользователя логин 用户名 账号 ユーザー名 ユーザ名 사용자이름 사용자명 아이디',
  first_name: 'firstname first givenname forename vorname rufname prénom nombre nombres nome имя 名 名字',
  last_name:
    'lastname last surname familyname nachname familienname nom nomdefamille apellido apellidos sobrenome фамилия 姓 성',
  email:
    'email mail emailaddress correo correoelectrónico почта электроннаяпочта элпочта 邮箱 电子邮件 电子邮箱 メール メールアドレス 이메일',
  student_number:
    'studentnumber studentno studentid pupilnumber idnumber id idnummer matrikel matrikelnummer matrikelnr matriculationnumber matriculationno schülernummer schülernr schülerid personalnummer personalnr numéroétudiant numérodétudiant numéroélève numérodélève numérodidentification matricule matrícula númerodematrícula númerodeestudiante númerodealumno númerodoaluno númerodeid númerodeidentificación númerodeidentificação ra номерстуденческого студенческийбилет номерстуденческогобилета номерученика индивидуальныйномер 学号 學號 学籍番号 学生番号 idナンバー 학번 id번호',
  /** The student number, unless a column is surely for it or this one counts the rows. */
  number: 'number no nr num nummer número numéro n° номер 编号 番号 번호',
  name: 'name fullname student studentname pupil schüler nomcomplet nombrecompleto nomecompleto aluno alumno фио ученик 姓名 氏名 名前 이름 학생',
} as const;
type Heading = keyof typeof headings;
type Column = Exclude<Heading, 'number'>;
const columnOfHeading = new Map(
  Object.entries(headings).flatMap(([column, names]) =>
    names.split(' ').map((name) => [name, column as Heading]),
  ),
);
const columnOfWord = (heading: string) =>
  columnOfHeading.get(
    heading
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\s_.*:’'()-]+/g, ''),
  );
/** `Nachname, Vorname` is the whole name. */
function columnOf(cell: string): Heading | undefined {
  const [one, ...more] = cell.split(/[,/&]/, 3).map(columnOfWord);
  return more.length === 0 || one === more[0] ? one : one && more[0] && 'name';
}

export const isPersonHeading = (cell: string): boolean => columnOf(cell) !== undefined;

/** Lines above the header name the class or the school. */
const linesAboveHeader = 5;

/** Whether a text begins with a header of at least two columns of people. */
export function looksLikePeople(start: string): boolean {
  try {
    const { hasHeader, columns } = readPeople(start);
    return hasHeader && columns.length > 1;
  } catch {
    return false;
  }
}

export const readPeople = (text: string, corrected: readonly ListedPerson[] = []) =>
  readList(text, corrected, personFields);

/** Throws badFile if nobody is listed, or too many. */
export function readList<Field extends ListField>(
  text: string,
  corrected: readonly ListedPerson<Field>[],
  fields: readonly Field[],
): PeopleList<Field> {
  const records = recordsIn(
    text,
    (cell) => columnOf(cell) !== undefined,
    peopleAtMost + linesAboveHeader + 1,
  );
  const counts = records.slice(0, linesAboveHeader).map(({ cells }) => cells.filter(columnOf).length);
  const most = Math.max(...counts);
  const headerAt = most > 1 || counts[0] === 1 ? counts.indexOf(most) : -1;
  const header = records[headerAt]?.cells;
  const rows = records.slice(headerAt + 1);
  const count = rows.length + corrected.length;
  if (count === 0) throw localizedError('badFile.nobody');
  if (count > peopleAtMost) throw localizedError('badFile.people', { most: peopleAtMost });
  const isOfClass = fields.some((field) => field === 'name');
  const used: readonly Column[] = ['line', ...nameColumns, ...fields];
  const named = header && columnsOf(header, rows);
  const isNameless = isOfClass && !nameColumns.some((column) => named?.includes(column));
  const columns = (named && !isNameless ? named : guessColumns(rows, isOfClass, named)).map((column) =>
    column && used.includes(column) ? column : undefined,
  );
  const isGerman = header?.some((cell) => germanHeading.test(cell)) ?? false;
  const headings = (header ?? []).map((heading, at) => ({ heading, column: columns[at] }));
  return {
    people: [...rows.map((row) => personOf(columns, row, fields, isGerman)), ...corrected].toSorted(
      (one, other) => one.line - other.line,
    ),
    columns: headings.flatMap(({ heading, column }) =>
      column && column !== 'line' ? [{ heading, column }] : [],
    ),
    ignoredColumns: headings.flatMap(({ heading, column }) => (heading !== '' && !column ? [heading] : [])),
    hasHeader: header !== undefined,
  };
}

/** Beside a given name, a German `Name` is the family name. */
function columnsOf(header: readonly string[], rows: readonly TableRecord[]): (Column | undefined)[] {
  const columns = header.map(columnOf);
  const isSplit = columns.includes('first_name') && !columns.includes('last_name');
  const countsRows = (at: number) =>
    rows.every(({ cells }, row) => !cells[at] || Number.parseInt(cells[at], 10) === row + 1);
  return columns.map((column, at) => {
    if (column === 'number')
      return columns.includes('student_number') || countsRows(at) ? undefined : 'student_number';
    return isSplit && /^name$/i.test(header[at] ?? '') ? 'last_name' : column;
  });
}

const nameColumns = ['name', 'first_name', 'last_name'] as const;

/** Beside columns that their headings name, only those of the name are guessed. */
function guessColumns(
  rows: readonly TableRecord[],
  isOfClass: boolean,
  named: readonly (Column | undefined)[] | undefined,
): (Column | undefined)[] {
  const columnCount = Math.max(named?.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const has = (column: number, sign: RegExp) => rows.some(({ cells }) => sign.test(cells[column] ?? ''));
  const places = Array.from({ length: columnCount }, (_, at) => at);
  // The first row may be of headings in a language that is not known.
  const below = rows.slice(rows.length > 2 ? 1 : 0);
  const textIn = (column: number) => below.map(({ cells }) => cells[column] ?? '');
  const numbers = places.filter(
    (at) => isOfClass && textIn(at).every((cell) => cell === '' || /\p{Nd}/u.test(cell)),
  );
  // Beside a column that counts the rows, student numbers are the longer ones.
  const [number] = numbers.toSorted(
    (one, other) => textIn(other).join('').length - textIn(one).join('').length,
  );
  const first = places.find((at) => !named?.[at] && !has(at, /@/) && !numbers.includes(at)) ?? 0;
  const rest: Column[] = has(first, /\s/) ? ['name'] : ['first_name', 'last_name'];
  if (!isOfClass && rest.length > 1) rest.unshift('username');
  return places.map((at) => {
    if (named?.[at]) return named[at];
    if (numbers.includes(at)) return at === number && !named ? 'student_number' : undefined;
    return has(at, /@/) ? 'email' : rest.shift();
  });
}

function personOf<Field extends ListField>(
  columns: readonly (Column | undefined)[],
  { line, cells }: TableRecord,
  fields: readonly Field[],
  isGerman: boolean,
): ListedPerson<Field> {
  const text = (column: Column) => textOfCell(cells[columns.indexOf(column)] ?? '') || null;
  const [first, last] = partsOfName(text('name'));
  const names = { first_name: text('first_name') ?? first, last_name: text('last_name') ?? last };
  // The row of the total has a number in place of a name, and gets no username, so that the check shows it.
  const isTotal = Object.values(names).some((name) => name !== null && !/\p{L}/u.test(name));
  const username = text('username') ?? (isTotal ? '' : usernameFor(fullNameOf(names), isGerman));
  const value: ListValue = {
    username,
    ...names,
    email: text('email'),
    name: isTotal ? '' : nameFrom(text('name'), names),
    student_number: text('student_number'),
  };
  const surplus = cells.findLastIndex((cell) => cell !== '') + 1;
  return {
    line: Number.parseInt(text('line') ?? '', 10) || line,
    value: Object.fromEntries(fields.map((field) => [field, value[field]])) as Pick<ListValue, Field>,
    fault:
      surplus > columns.length
        ? localizedText(message('badRow.cells', { cells: surplus, most: columns.length }))
        : undefined,
    wrongField: surplus > columns.length ? fields[0] : undefined,
  };
}

const isEastAsian = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー ]+$/u;

/** Chinese, Japanese and Korean names begin with the family name. */
export function nameFrom(whole: string | null, names: Pick<MemberRow, 'first_name' | 'last_name'>): string {
  const { first_name, last_name } = names;
  if (whole !== null) return /^[^,]+,\s*.+$/.test(whole) ? fullNameOf(names) : whole;
  return isEastAsian.test(`${first_name ?? ''}${last_name ?? ''}`)
    ? `${last_name ?? ''} ${first_name ?? ''}`.trim()
    : fullNameOf(names);
}

function partsOfName(name: string | null): [first: string | null, last: string | null] {
  const [, lastBeforeComma, given] = /^([^,]+),\s*(.+)$/.exec(name ?? '') ?? [];
  if (name === null || (lastBeforeComma && given)) return [given ?? null, lastBeforeComma ?? null];
  const at = name.lastIndexOf(' ');
  return at < 0 ? [name, null] : [name.slice(0, at).trim(), name.slice(at + 1)];
}

/** Latin letters that no decomposition (NFKD) makes plain. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const germanHeading = /vorname|nachname|familienname|rufname|schüler/i;

/** Not every keyboard has marks of Latin letters. Only German writes ä as ae: Agüero is aguero. */
const usernameFor = (name: string, isGerman: boolean) =>
  (isGerman ? name.normalize('NFC').replaceAll(/[äöü]/gi, '$&e') : name)
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, '.')
    .replaceAll(/^\.+|\.+$/g, '');

/** Finds the next username for another person of the same name, each only once. */
function freeNameFinder(db: Db, people: readonly AccountPerson[]) {
  const listed = new Set(people.map(({ value }) => fold(value.username)));
  const isTaken = async (username: string) => {
    if (lookalikeNames(username).some((name) => listed.has(fold(name)))) return true;
    try {
      await assertUsernameFree(db, username, undefined);
    } catch (error) {
      if (error instanceof AppError && ['alreadyExists', 'invalidValue'].includes(error.code)) return true;
      throw error;
    }
    return false;
  };
  /** From which number each name is looked for, so that rows of the same name read no name twice. */
  const nextCounts = new Map<string, number>();
  return async (username: string): Promise<string | undefined> => {
    for (let count = nextCounts.get(username) ?? 2; count <= peopleAtMost; count++) {
      nextCounts.set(username, count + 1);
      const name = `${username}${count}`;
      if (await isTaken(name)) continue;
      listed.add(fold(name));
      return name;
    }
    return undefined;
  };
}

/** The same people, each with the fault for which there can be no account. */
export async function checkPeople<One extends AccountPerson>(db: Db, people: readonly One[]): Promise<One[]> {
  const names = new Set<string>();
  const freeNameFor = freeNameFinder(db, people);
  const byNumber = new Map<string, One>();
  const numberFaultOf = (person: One) => {
    const number = person.value.student_number;
    if (!number) return undefined;
    if (number.length > longestStudentNumber) return message('class.long', { most: longestStudentNumber });
    const twin = byNumber.get(fold(number));
    byNumber.set(fold(number), person);
    return twin && message('class.sameNumber', { line: twin.line, name: nameFrom(null, twin.value) });
  };
  // A second row of the same name is another person.
  const isMember = async (value: One['value']) => {
    const name = fullNameOf(value);
    if (name === '' || names.has(fold(value.username))) return false;
    const member = await findMemberByName(db, value.username);
    return member !== undefined && fold(fullNameOf(member)) === fold(name);
  };
  const faultOf = async ({ value }: One) => {
    const { username } = value;
    const longField = Object.entries(value).find(([, text]) => (text?.length ?? 0) > longestRecordText);
    if (username === '') return localizedText(message('class.noName'));
    try {
      if (longField)
        throw localizedError('badFile.longText', { field: longField[0], most: longestRecordText });
      if (!isEmail(value.email)) throw localizedError('invalidValue.email');
      if (await isMember(value)) {
        names.add(fold(username));
        return localizedText(message('members.isMember'));
      }
      await assertUsernameFree(db, username, undefined);
      if (lookalikeNames(username).some((name) => names.has(fold(name))))
        throw localizedError('badFile.listedTwice', { username });
    } catch (error) {
      if (!(error instanceof AppError && error.localized)) throw error;
      const isListed = error.localized.key === 'badFile.listedTwice';
      const free = isListed || error.code === 'alreadyExists' ? await freeNameFor(username) : undefined;
      if (free === undefined) return error;
      return localizedText(message('badFile.takenUsername', { isListed: String(isListed), username, free }));
    }
    names.add(fold(username));
    return undefined;
  };
  const checked: One[] = [];
  for (const person of people) {
    const own = person.fault ?? (await faultOf(person));
    const numberFault = own ? undefined : numberFaultOf(person);
    const fault = numberFault ? localizedText(numberFault) : own;
    const ownField = isEmail(person.value.email) ? 'username' : 'email';
    const field = own?.localized?.key === 'members.isMember' ? undefined : ownField;
    checked.push(
      Object.assign({}, person, { fault, wrongField: fault && (numberFault ? 'student_number' : field) }),
    );
  }
  return checked;
}

/** Leaves out people who have a fault. */
export async function createPeople(
  tx: Db,
  people: readonly AccountPerson[],
  { role, madeBy }: { role: MemberRow['role']; madeBy?: bigint },
): Promise<NewMember[]> {
  const members: NewMember[] = [];
  for (const { value, fault } of people) {
    if (fault) continue;
    const { username, first_name, last_name, email } = value;
    const row = { username, first_name, last_name, email, role };
    members.push(await createMemberWithResetLink(tx, row, { madeBy, lifetimeMs: slipDays * dayMs }));
  }
  return members;
}

/** Throws badFile. */
export function assertNoFaults(people: readonly ListedPerson[]): void {
  const faults = people.flatMap(({ line, fault }) =>
    fault ? message('badFile.line', { line, why: fault.localized ?? fault.message }) : [],
  );
  if (faults.length === 0) return;
  const count = faults.length - faultsListed;
  const more = count > 0 ? [message('badFile.moreLines', { count })] : [];
  const lines = joinMessages(['', ...faults.slice(0, faultsListed), ...more], '\n');
  throw localizedError('badFile.nobodyAdded', { lines });
}

export const signUpAddress = ({ key, joinSecret }: Pick<NewMember, 'key' | 'joinSecret'>, baseUrl: string) =>
  `${baseUrl}/authentication/reset/${key}/${joinSecret === undefined ? '' : `?group=${joinSecret}`}`;

export const fullNameOf = ({ first_name, last_name }: Pick<MemberRow, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ');

type KnownPerson = Pick<GroupPerson, 'first_name' | 'last_name' | 'expected_name'>;

/** By this name coaches know a person. Who is on their class list cannot take another name with the profile. */
export const knownNameOf = (person: KnownPerson) => person.expected_name ?? fullNameOf(person);

/** Schools order people by their family names. */
export function familyFirstOf(person: KnownPerson): string {
  const { expected_name: listed, first_name, last_name } = person;
  if (listed !== null && isEastAsian.test(listed)) return listed;
  const isOfProfile = listed === null || listed === fullNameOf(person);
  const [first, last] = isOfProfile ? [first_name, last_name] : partsOfName(listed);
  return [last, first].filter(Boolean).join(' ');
}

export function signUpCsv(members: readonly NewMember[], baseUrl: string): string {
  const rows = members.map((one) => [
    one.member.username,
    fullNameOf(one.member) || null,
    signUpAddress(one, baseUrl),
  ]);
  return csvForPeople([['username', 'name', 'address'], ...rows]);
}

/** `readList` reads it again, with the lines of the first file. */
export const peopleCsv = <Field extends ListField>(
  people: readonly ListedPerson<Field>[],
  fields: readonly Field[],
) =>
  csvForPeople([
    ['#line', ...fields],
    ...people.map(({ line, value }) => [line, ...fields.map((field) => value[field])]),
  ]);
