/** A member's own record: username, names, addresses. */

import { AppError } from '../../../errors.ts';
import {
  addressFields,
  changeRecord,
  isEmail,
  isUsername,
  longestRecordText,
  type RecordFields,
  readOwnRecord,
  recordFields,
} from '../../../practice/members.ts';
import type { MemberRow } from '../../../store/members.ts';
import { dateElement } from '../../kit/dates.ts';
import { type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { notice, panel } from '../../kit/panel.ts';
import { html } from '../../markup.ts';
import { accountPath } from '../../paths.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

type OwnField = (typeof recordFields)[number];

const longestUsername = 64;

export async function showProfile(visit: MemberVisit): Promise<PageResult> {
  const record = await recordOf(visit);
  return profilePage(visit, record, valuesOf(record.row));
}

export async function submitProfile(visit: MemberVisit): Promise<PageResult> {
  const { store, form, member } = visit;
  const record = await recordOf(visit);
  const { values, faults } = readRecord(form, record);
  if (hasFaults(faults)) return { ...profilePage(visit, record, values, faults), status: 422 };
  try {
    const version = form.get('version') ?? '';
    const { row, isStale } = await changeRecord(store, member.user_id, values, version);
    if (!isStale) return { to: sectionAddress('', 'saved') };
    const current = { ...record, row };
    return { ...profilePage(visit, current, values, differencesOf(row, values), isStale), status: 409 };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'alreadyExists') throw error;
    const username = words('profile.nameTaken', { name: values.username });
    return { ...profilePage(visit, record, values, { username }), status: 422 };
  }
}

/** A stored phone number or address has its field even where new ones are not asked for, so that it can be removed. */
async function recordOf({ store, member, path }: MemberVisit) {
  const record = await readOwnRecord(store.reader, member.user_id);
  if (!record) throw pageNotFound(path);
  const { row, asksForAddress } = record;
  const fieldNames = recordFields.filter(
    (name) => asksForAddress || !addressFields.includes(name) || row[name] !== null,
  );
  return { row, fieldNames };
}

function valuesOf(row: MemberRow): RecordFields {
  return Object.fromEntries(recordFields.map((name) => [name, row[name]])) as RecordFields;
}

/** Browsers remove line breaks from the values of text fields. */
const singleLine = (value: string | null) => (value ?? '').replace(/[\r\n]/g, '').trim();

function readRecord(form: URLSearchParams, { row: record, fieldNames }: Awaited<ReturnType<typeof recordOf>>) {
  const values = valuesOf(record);
  const faults: Record<string, string> = {};
  for (const name of fieldNames) {
    const text = (form.get(name) ?? singleLine(record[name])).trim().normalize('NFC');
    if (text === singleLine(record[name])) continue;
    const fault = faultOf(name, text);
    if (fault) faults[name] = fault;
    if (name === 'username') values.username = text;
    else values[name] = text === '' ? null : text;
  }
  return { values, faults };
}

function faultOf(name: OwnField, text: string): string | undefined {
  if (name === 'username') return isUsername(text) ? undefined : words('door.nameAdvice');
  if (text.length > longestRecordText)
    return words('form.tooLongText', { longest: longestRecordText, length: text.length });
  if (/\p{Cc}/u.test(text)) return words('form.unshowable');
  if (name === 'email' && !isEmail(text || null)) return words('invalidValue.email');
  return undefined;
}

/** Messages with the stored value of each field that differs from what the member typed. */
function differencesOf(row: MemberRow, values: RecordFields): Faults {
  const fieldNames = recordFields.filter((name) => row[name] !== values[name]);
  return Object.fromEntries(
    fieldNames.map((name) => [
      name,
      row[name] === null ? words('profile.isEmpty') : words('profile.isNow', { value: singleLine(row[name]) }),
    ]),
  );
}

function profilePage(
  visit: MemberVisit,
  { row, fieldNames }: Awaited<ReturnType<typeof recordOf>>,
  values: RecordFields,
  faults: Faults = {},
  isStale = false,
) {
  const field = (name: OwnField, autocomplete: string, options: Parameters<typeof textField>[3] = {}) =>
    fieldNames.includes(name) &&
    textField(words(`profile.field.${name}`), name, faults, {
      value: singleLine(values[name]),
      longest: name === 'username' ? longestUsername : longestRecordText,
      isOptional: name !== 'username',
      autocomplete,
      ...options,
    });
  const fields = html`
    ${field('username', 'username', { hint: words('profile.usernameHint') })}
    <div class="field-pair even">${field('first_name', 'given-name')}${field('last_name', 'family-name')}</div>
    ${field('email', 'email', { type: 'email' })}
    ${field('phone', 'tel', { type: 'tel' })}
    ${field('address', 'street-address')}
    <div class="field-pair">${field('city', 'address-level2')}${field('zipcode', 'postal-code')}</div>
    ${field('state', 'address-level1')}
    ${formActions(words('profile.save'))}`;
  const since = { id: String(row.id), day: dateElement(row.created_at) };
  const beside = html`<p class="faint">${words('profile.whoReads')}</p>`;
  return accountPage(
    visit,
    { section: '', subtitle: richWords(row.role === 'staff' ? 'profile.staffSince' : 'profile.since', since) },
    html`
      ${isStale && notice('warn', richWords('profile.conflict'))}
      ${hasFaults(faults) && !isStale && notice('bad', words('profile.notSaved'))}
      ${panel(
        { id: 'record', heading: words('profile.heading'), beside },
        form(visit, { to: accountPath, className: 'form', hidden: { version: row.updated_at } }, fields),
      )}`,
  );
}
