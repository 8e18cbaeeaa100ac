/** Creates accounts from a CSV list of people, all or none, each with a one-time address. */
import {
  AppError,
  joinMessages,
  type LocalizedText,
  localizedError,
  type MessageValue,
  message,
} from '../errors.ts';
import { csvCell, readCsv } from '../files/csv.ts';
import type { Located } from '../files/entries.ts';
import { createMemberWithResetLink, type NewMember } from '../practice/joining.ts';
import { longestRecordText } from '../practice/members.ts';
import type { MemberRow } from '../store/members.ts';
import type { Db } from '../store/tables.ts';

const fields = ['username', 'first_name', 'last_name', 'email'] as const;
const peopleAtMost = 500;
const faultsListed = 10;
export type MemberListRow = Pick<MemberRow, (typeof fields)[number]>;

/** Throws badFile with the bad lines, or if nobody is listed. */
export async function readPeople(bytes: AsyncIterable<Uint8Array>): Promise<Located<MemberListRow>[]> {
  const people: Located<MemberListRow>[] = [];
  const faults: MessageValue[] = [];
  for await (const entries of readCsv(bytes, checkHeader)) {
    for (const { place, ...entry } of entries) {
      if ('bad' in entry) faults.push(faultOfLine(place, entry.bad));
      else people.push({ place, value: personOf(entry.value) });
    }
    if (people.length > peopleAtMost) throw localizedError('badFile.people', { most: peopleAtMost });
  }
  if (people.length + faults.length === 0) throw localizedError('badFile.nobody');
  assertNoFaults(faults);
  return people;
}

function checkHeader(names: readonly string[]): void {
  const unknown = names.find((name) => !fields.some((field) => field === name));
  if (names.includes('username') && unknown === undefined) return;
  const columns = fields.join(', ');
  throw unknown === undefined
    ? localizedError('badFile.noUsername', { columns })
    : localizedError('badFile.unknownColumn', { column: JSON.stringify(unknown.slice(0, 50)), columns });
}

function personOf(row: Readonly<Record<string, string | null>>): MemberListRow {
  const text = (name: string) => row[name]?.trim() || null;
  const [first_name, last_name, email] = ['first_name', 'last_name', 'email'].map(text);
  return {
    username: text('username')?.normalize('NFC') ?? '',
    first_name: first_name ?? null,
    last_name: last_name ?? null,
    email: email ?? null,
  };
}

export async function createPeople(
  tx: Db,
  people: readonly Located<MemberListRow>[],
  { role, madeBy }: { role: MemberRow['role']; madeBy?: bigint },
): Promise<NewMember[]> {
  const members: NewMember[] = [];
  const faults: MessageValue[] = [];
  for (const { place, value } of people) {
    try {
      const longField = Object.entries(value).find(([, text]) => (text?.length ?? 0) > longestRecordText);
      if (longField)
        throw localizedError('badFile.longText', { field: longField[0], most: longestRecordText });
      members.push(await createMemberWithResetLink(tx, { ...value, role }, madeBy));
    } catch (error) {
      if (!(error instanceof AppError) || !['invalidValue', 'alreadyExists', 'badFile'].includes(error.code))
        throw error;
      faults.push(faultOfLine(place, error));
    }
  }
  assertNoFaults(faults);
  return members;
}

const faultOfLine = (place: Located<unknown>['place'], { localized, message: english }: LocalizedText) =>
  message('badFile.line', { line: place().line, why: localized ?? english });

function assertNoFaults(faults: readonly MessageValue[]): void {
  if (faults.length === 0) return;
  const count = faults.length - faultsListed;
  const more = count > 0 ? [message('badFile.moreLines', { count })] : [];
  const lines = joinMessages(['', ...faults.slice(0, faultsListed), ...more], '\n');
  throw localizedError('badFile.nobodyAdded', { lines });
}

export const signUpAddress = ({ key }: Pick<NewMember, 'key'>, baseUrl: string) =>
  `${baseUrl}/authentication/reset/${key}/`;

export const fullNameOf = ({ first_name, last_name }: Pick<MemberRow, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter((part) => part !== null).join(' ');

export function signUpCsv(members: readonly NewMember[], baseUrl: string): string {
  const rows = members.map((one) => [
    one.member.username,
    fullNameOf(one.member) || null,
    signUpAddress(one, baseUrl),
  ]);
  return [['username', 'name', 'address'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\r\n`)
    .join('');
}
