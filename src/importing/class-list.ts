/** Checks the class list of a group, and adds its people to those whom the coaches expect. */
import { localizedText, message } from '../errors.ts';
import { plainLine } from '../practice/added-problems.ts';
import { asCoach, expectPeople, longestStudentNumber, type Slip } from '../practice/groups.ts';
import { longestRecordText } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import { listExpectedPeople, listGroupPeople } from '../store/groups.ts';
import type { Db } from '../store/tables.ts';

import type { ClassField, ListedPerson } from './member-list.ts';

type ClassPerson = ListedPerson<ClassField>;
type Fault = Pick<ClassPerson, 'fault' | 'wrongField'>;

const faultIn = (wrongField: ClassField | undefined, why: Parameters<typeof localizedText>[0]): Fault => ({
  fault: localizedText(why),
  wrongField,
});

const numberKey = (number: string) => `number ${fold(number)}`;
const nameKey = (name: string) => `name ${fold(name)}`;
/** People without a number are told apart by their names. */
const keyOf = (person: ClassPerson['value']) =>
  person.student_number === null ? nameKey(person.name) : numberKey(person.student_number);

/** The same people, each with the fault for which nobody is expected. */
export async function checkClass(
  db: Db,
  groupId: bigint,
  people: readonly ClassPerson[],
): Promise<ClassPerson[]> {
  const found = new Map<string, Fault>();
  for (const { student_number, username } of await listGroupPeople(db, groupId))
    if (student_number !== null)
      found.set(numberKey(student_number), faultIn(undefined, message('class.isMember', { username })));
  for (const person of await listExpectedPeople(db, groupId, new Date().toISOString()))
    for (const key of [keyOf(person), nameKey(person.name)])
      found.set(key, faultIn(undefined, message('class.isExpected')));
  const listed = new Map<string, ClassPerson>();
  return people.map((person): ClassPerson => {
    const value = {
      name: plainLine(person.value.name, longestRecordText + 1),
      student_number: plainLine(person.value.student_number ?? '', longestStudentNumber + 1) || null,
    };
    const key = keyOf(value);
    const fault = faultOf(person, value) ?? found.get(key) ?? twinFault(value, listed.get(key));
    if (!fault) for (const one of [key, nameKey(value.name)]) listed.set(one, person);
    return { line: person.line, value, fault: fault?.fault, wrongField: fault?.wrongField };
  });
}

function faultOf({ fault, wrongField }: ClassPerson, value: ClassPerson['value']): Fault | undefined {
  if (fault) return { fault, wrongField };
  if (!/\p{L}/u.test(value.name)) return faultIn('name', message('class.noName'));
  const lengths = [
    ['name', longestRecordText],
    ['student_number', longestStudentNumber],
  ] as const;
  const [field, most] = lengths.find(([name, longest]) => (value[name]?.length ?? 0) > longest) ?? [];
  return field && faultIn(field, message('class.long', { most }));
}

function twinFault({ name, student_number }: ClassPerson['value'], twin: ClassPerson | undefined) {
  if (!twin) return undefined;
  const { line } = twin;
  if (student_number === null) return faultIn('student_number', message('class.sameName', { line }));
  if (fold(name) === fold(twin.value.name)) return faultIn(undefined, message('class.sameRow', { line }));
  return faultIn('student_number', message('class.sameNumber', { line, name: twin.value.name }));
}

export interface AddedClass {
  slips: Slip[];
  refused: ClassPerson[];
}

/** Leaves out people who have a fault. Throws invalidValue. */
export const addClass = asCoach(
  async (tx: Db, groupId: bigint, people: readonly ClassPerson[], madeBy: bigint): Promise<AddedClass> => {
    const checked = await checkClass(tx, groupId, people);
    const ready = checked.filter(({ fault }) => !fault).map(({ value }) => value);
    return {
      slips: await expectPeople(tx, { groupId, coachId: madeBy }, ready, madeBy),
      refused: checked.filter(({ fault }) => fault),
    };
  },
);
