/** Checks the class list of a group, and adds its people to those whom the coaches expect. */
import { dayMs } from '../durations.ts';
import { localizedText, message } from '../errors.ts';
import { plainLine } from '../practice/added-problems.ts';
import {
  accountOfSlip,
  asCoach,
  canBeTicked,
  expectPeople,
  longestStudentNumber,
  renewSlips,
  type Slip,
  slipDays,
} from '../practice/groups.ts';
import { makeResetLink } from '../practice/joining.ts';
import { longestRecordText } from '../practice/members.ts';
import { fold } from '../store/case-folding.ts';
import { listOpenLinks } from '../store/entry.ts';
import {
  type ExpectedPeopleTable,
  findJoinedGroup,
  listExpectedPeople,
  listGroupPeople,
  listJoinedGroups,
  listWaitingPeople,
} from '../store/groups.ts';
import { findPasswordHash, listEnabledMembers, type MemberRow } from '../store/members.ts';
import type { Db } from '../store/tables.ts';

import { type ClassField, type ListedPerson, nameFrom } from './member-list.ts';

type ClassPerson = ListedPerson<ClassField>;
type Fault = Pick<ClassPerson, 'fault' | 'wrongField'>;

/** Who a person is already. */
interface Known extends Pick<ClassPerson, 'fault' | 'note'> {
  /** On the list, where they get a student number. */
  expectedId?: bigint | undefined;
  /** In the group, so that they need no slip. */
  memberId?: bigint | undefined;
  /** Of the account with which they sign in to join. */
  username?: string | undefined;
}
type CheckedPerson = ClassPerson & Known;

export const needsSlip = ({ fault, expectedId, memberId }: CheckedPerson) =>
  !fault && expectedId === undefined && memberId === undefined;

const faultIn = (wrongField: ClassField | undefined, why: Parameters<typeof localizedText>[0]): Fault => ({
  fault: localizedText(why),
  wrongField,
});

type Named = Pick<ExpectedPeopleTable, 'name' | 'student_number'>;
type AccountName = Pick<MemberRow, 'username' | 'first_name' | 'last_name'>;

const numberKey = (number: string) => `number ${fold(number)}`;
const nameKey = (name: string) => `name ${fold(name)}`;
/** People without a number are told apart by their names. */
const keyOf = (person: Named) =>
  person.student_number === null ? nameKey(person.name) : numberKey(person.student_number);

/** Finds who has the same number or, where one of the two has none, the only one of the same name. */
function finderOf<One extends Named>(people: readonly One[], rows: readonly Named[]) {
  const byKey = Map.groupBy(people, keyOf);
  const byName = Map.groupBy(people, ({ name }) => nameKey(name));
  const rowsByName = Map.groupBy(rows, ({ name }) => nameKey(name));
  return (row: Named): One | undefined => {
    const [same] = (row.student_number !== null && byKey.get(keyOf(row))) || [];
    const [namesake, ...others] = byName.get(nameKey(row.name)) ?? [];
    const isAlone = others.length === 0 && rowsByName.get(nameKey(row.name))?.length === 1;
    const isNumberMissing = row.student_number === null || namesake?.student_number === null;
    return same ?? (isAlone && isNumberMissing ? namesake : undefined);
  };
}

const withName = <One extends AccountName & { expected_name?: string | null }>(one: One) =>
  Object.assign(one, { name: one.expected_name ?? nameFrom(null, one) });

/** Finds who a row is on the list or in the group or, for administrators alone, which account it has. */
async function readKnown(db: Db, groupId: bigint, rows: readonly Named[], isByStaff: boolean) {
  const list = await listExpectedPeople(db, groupId, new Date().toISOString());
  const listedNames = new Set(list.map(({ name }) => nameKey(name)));
  const members = (await listGroupPeople(db, groupId)).map(withName);
  const joined = new Set(members.map(({ username }) => username));
  const accounts = (isByStaff ? await listEnabledMembers(db) : [])
    .filter((one) => !joined.has(one.username) && nameFrom(null, one) !== '')
    .map((one) => Object.assign(withName(one), { student_number: null }));
  const expectedOf = finderOf(list, rows);
  const memberOf = finderOf(members, rows);
  const accountOf = finderOf(accounts, rows);
  return (row: Named): Known | undefined => {
    const expected = expectedOf(row);
    if (expected?.student_number || (row.student_number === null && listedNames.has(nameKey(row.name))))
      return { fault: localizedText(message('class.isExpected')) };
    if (expected) {
      const memberId = expected.user_id ?? undefined;
      return { note: localizedText(message('class.getsNumber')), expectedId: expected.id, memberId };
    }
    const member = memberOf(row);
    if (member) {
      const sentence = localizedText(message('class.isMember', { username: member.username }));
      const canBeTicked = member.role === 'member' && member.expected_name === null;
      return canBeTicked ? { note: sentence, memberId: member.user_id } : { fault: sentence };
    }
    const username = accountOf(row)?.username;
    return username === undefined
      ? undefined
      : { note: localizedText(message('class.hasAccount', { username })), username };
  };
}

/** The same people, each with the fault for which nobody is expected, or with who they are already. */
export async function checkClass(
  db: Db,
  groupId: bigint,
  people: readonly ClassPerson[],
  isByStaff = false,
): Promise<CheckedPerson[]> {
  const rows = people.map(({ value }) => ({
    name: plainLine(value.name, longestRecordText + 1),
    student_number: plainLine(value.student_number ?? '', longestStudentNumber + 1) || null,
  }));
  const knownAs = await readKnown(db, groupId, rows, isByStaff);
  const listed = new Map<string, ClassPerson>();
  return people.map((person, at): CheckedPerson => {
    const { line } = person;
    const value = rows[at] as Named;
    const key = keyOf(value);
    const known = knownAs(value);
    const fault = faultOf(person, value) ?? (known?.fault ? known : twinFault(value, listed.get(key)));
    if (fault) return { line, value, ...fault };
    for (const one of [key, nameKey(value.name)]) listed.set(one, person);
    return { line, value, ...known };
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

/** Leaves out people who have a fault. Throws invalidValue. */
export const addClass = asCoach(
  async (tx: Db, groupId: bigint, people: readonly ClassPerson[], madeBy: bigint, isByStaff?: boolean) => {
    const checked = await checkClass(tx, groupId, people, isByStaff);
    const ready = checked.filter(({ fault }) => !fault);
    const toExpect = ready.map(({ value, expectedId, memberId }) => ({ ...value, expectedId, memberId }));
    const slips = await expectPeople(tx, { groupId, coachId: madeBy }, toExpect, madeBy);
    const named = ready.filter(needsSlip);
    return {
      slips: slips.map((slip, at) => Object.assign(slip, { username: named[at]?.username })),
      refused: checked.filter(({ fault }) => fault),
    };
  },
);

export interface RenewedSlip extends Slip {
  account?: Pick<MemberRow, 'id' | 'username'> | undefined;
  /** Leads to the first password of the account. */
  key?: string | undefined;
  /** Whether others have the name of an account too. */
  isUnsure: boolean;
}

/** By administrators: whoever has an account of a name that nobody else has or waits under keeps the way to it. */
export const renewAccountSlips = asCoach(
  async (tx: Db, groupId: bigint, madeBy: bigint, id: bigint | undefined): Promise<RenewedSlip[]> => {
    const joined = new Set((await listGroupPeople(tx, groupId)).map(({ user_id }) => user_id));
    const accounts = (await listEnabledMembers(tx))
      .filter((one) => !joined.has(one.id))
      .map((one) => Object.assign(one, { name: listedName(one), student_number: null }));
    const names = new Set(accounts.map(({ name }) => nameKey(name)));
    // The same name and number in two groups is one person.
    const waiting = (await listWaitingPeople(tx)).map(
      (one, at) => [one.student_number === null ? at : `${nameKey(one.name)} ${keyOf(one)}`, one] as const,
    );
    const accountOf = finderOf(accounts, [...new Map(waiting).values()]);
    const slips: RenewedSlip[] = [];
    const coach = { groupId, coachId: madeBy };
    // A name alone binds no slip, because whoever uses an account chooses its name.
    const unusedOf = async (person: Named) => {
      const account = accountOf(person);
      const isUnused =
        account &&
        (await findPasswordHash(tx, account.id)) === null &&
        (await listOpenLinks(tx, new Date().toISOString(), account.id)).length > 0;
      return isUnused ? account.id : undefined;
    };
    for (const slip of await renewSlips(tx, coach, madeBy, id, unusedOf)) {
      const account = accountOf(slip);
      const isBound = accountOfSlip(slip.secret) !== undefined;
      const key = account && isBound ? await makeResetLink(tx, account, madeBy, slipDays * dayMs) : undefined;
      slips.push({ ...slip, account, key, isUnsure: !account && names.has(nameKey(slip.name)) });
    }
    return slips;
  },
);

type NewAccount = AccountName & Pick<MemberRow, 'id'> & Pick<ExpectedPeopleTable, 'student_number'>;

const listedName = (account: AccountName) => nameFrom(null, account) || account.username;

/** Puts people who get an account on the list. Whoever is there already gets another slip. Throws invalidValue. */
export const expectAccounts = asCoach(
  async (tx: Db, groupId: bigint, accounts: readonly NewAccount[], madeBy: bigint): Promise<Slip[]> => {
    const coach = { groupId, coachId: madeBy };
    const rows = accounts.map((account) => ({
      name: plainLine(listedName(account), longestRecordText),
      student_number: plainLine(account.student_number ?? '', longestStudentNumber) || null,
    }));
    const waiting = await listExpectedPeople(tx, groupId, new Date().toISOString());
    const expectedOf = finderOf(
      waiting.filter(({ user_id }) => user_id === null),
      rows,
    );
    const toExpect = rows.map((row, at) => ({
      ...row,
      expectedId: expectedOf(row)?.id,
      accountId: accounts[at]?.id,
    }));
    const fresh = await expectPeople(tx, coach, toExpect, madeBy);
    const slips: Slip[] = [];
    for (const { expectedId, accountId } of toExpect)
      slips.push(
        ...(expectedId === undefined
          ? fresh.splice(0, 1)
          : await renewSlips(tx, coach, madeBy, expectedId, async () => accountId)),
      );
    return slips;
  },
);

/** The secret of another slip for a member whose name waits on the list of just one group of the coach. */
export async function renewSlipOf(
  tx: Db,
  coachId: bigint,
  member: AccountName & Pick<MemberRow, 'id'>,
): Promise<string | undefined> {
  const groups = (await listJoinedGroups(tx, coachId)).filter(
    ({ role, archived_at }) => role === 'coach' && archived_at === null,
  );
  const found = [];
  for (const { id: groupId } of groups) {
    const membership = await findJoinedGroup(tx, groupId, member.id);
    // Somebody who is ticked off already is not the one who waits under the same name.
    if (membership && !canBeTicked(membership)) continue;
    for (const { id, name, user_id } of await listExpectedPeople(tx, groupId, new Date().toISOString()))
      if (user_id === null && nameKey(name) === nameKey(listedName(member))) found.push({ groupId, id });
  }
  const [one, ...others] = found;
  if (!one || others.length > 0) return undefined;
  const [slip] = await renewSlips(
    tx,
    { groupId: one.groupId, coachId },
    coachId,
    one.id,
    async () => member.id,
  );
  return slip?.secret;
}
