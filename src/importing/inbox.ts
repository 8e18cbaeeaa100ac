/**
 * Reads what is sent to an inbox: JSON of Competitive Companion and of `oj-api`, Practice Garden's fields as JSON or
 * form, and plain text with links. It makes no requests.
 */
import { localizedError } from '../errors.ts';
import { addressesIn } from '../files/links.ts';
import { decodeText } from '../files/text.ts';
import { scalarText } from '../judges/fields.ts';
import { plainLine } from '../practice/added-problems.ts';
import { type ArrivalDetails, inboxLimits } from '../practice/inbox.ts';
import { limits as listLimits, tidyLine } from '../practice/lists.ts';
import { longestNote } from '../practice/marks.ts';
import { assertSolution } from '../practice/solutions.ts';
import type { ArrivalChannel } from '../store/inbox.ts';
import type { How, State } from '../store/statuses.ts';
import { isNestedTooDeep, readListTextInThread } from './list-text.ts';

interface InboxLink extends ArrivalDetails {
  address: string;
}

export interface InboxBody {
  channel: ArrivalChannel;
  links: InboxLink[];
  withoutLink: string[];
}

/** Reading a body with hundreds of thousands of fields would take seconds. */
const fieldsAtMost = 100;
const longestMinutes = 6000;
const longestBatchId = 100;

const states: Readonly<Record<string, State>> = {
  not_started: 'not_started',
  ignored: 'ignored',
  skipped: 'skipped',
  reading: 'reading',
  practicing: 'practicing',
  trying: 'practicing',
  complete: 'complete',
  solved: 'complete',
};
const solveMethods: Readonly<Record<string, How>> = { alone: 'alone', hint: 'hint', editorial: 'editorial' };

/**
 * `curl -d` sends everything as a form and phones send everything as text, so the body decides where its Content-Type
 * does not fit. Throws invalidValue and malformedRequest.
 */
export async function parseInboxBody(type: string, bytes: Uint8Array): Promise<InboxBody> {
  const text = decode(bytes, type);
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (
    essence === 'application/x-www-form-urlencoded' &&
    text.split('&', fieldsAtMost + 1).length <= fieldsAtMost
  ) {
    const form = new URLSearchParams(text);
    if (form.has('url')) {
      if ([...form.values()].some(hasLostCharacters)) throw localizedError('malformedRequest.inboxEncoding');
      return { channel: 'form', ...linksOf([Object.fromEntries(form)]) };
    }
  }
  const isJson = /[/+]json$/.test(essence);
  if (!isJson && !/^\s*[[{]/.test(text)) return readText(text);
  let value: unknown;
  try {
    if (isNestedTooDeep(text)) throw new RangeError('deeper than what any tool sends');
    value = JSON.parse(text);
  } catch (error) {
    if (!isJson) return readText(text);
    throw localizedError('malformedRequest.inbox', {}, error);
  }
  const items = Array.isArray(value) ? value : [value];
  const channel = items.some((item) => Object.hasOwn(Object(item), 'batch')) ? 'companion' : 'json';
  return { channel, ...linksOf(items.flatMap(unwrapResult)) };
}

function decode(bytes: Uint8Array, type: string): string {
  try {
    return decodeText(bytes, type);
  } catch (error) {
    throw localizedError('malformedRequest.inboxEncoding', {}, error);
  }
}

/** Whether the sender, or a percent-encoding of another encoding, lost some before the rest became UTF-8. */
const hasLostCharacters = (text: string) => text.toWellFormed().includes('\ufffd');

const numberIn = (value: unknown) => Number(scalarText(value) || Number.NaN);

/** `oj-api` wraps a problem or a contest in `result`. */
function unwrapResult(value: unknown): unknown[] {
  if (typeof value === 'string') return [{ url: value }];
  const { url, result } = Object(value);
  if (url !== undefined || typeof result !== 'object' || result === null) return [value];
  const { name, problems } = result as Record<string, unknown>;
  return Array.isArray(problems)
    ? problems.map((item) => ({ ...Object(item), list: textOrEmpty(name) }))
    : [result];
}

function linksOf(all: readonly unknown[]): Pick<InboxBody, 'links' | 'withoutLink'> {
  assertLinkLimit(all.length);
  const links: InboxLink[] = [];
  const withoutLink: string[] = [];
  for (const item of all) {
    const { url } = Object(item);
    if (typeof url === 'string' && url.trim() !== '')
      links.push(linkOf(item as Record<string, unknown>, url.trim()));
    else
      withoutLink.push(
        textOrEmpty(Object(item).title) ||
          textOrEmpty(Object(item).name) ||
          (JSON.stringify(item) ?? '').slice(0, 200),
      );
  }
  return { links, withoutLink };
}

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

/** Throws invalidValue. Fields of Practice Garden must be texts; those of other programs may have any type. */
function textField(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw localizedError('invalidValue.inboxText', { field });
  return value;
}

function linkOf(fields: Record<string, unknown>, address: string): InboxLink {
  const { name, title, group, batch } = fields;
  const { id, size } = Object(batch);
  const batchId = numberIn(size) > 1 ? plainLine(textOrEmpty(id), longestBatchId + 1) : '';
  const isInBatch = batchId !== '' && batchId.length <= longestBatchId;
  const listName = textField('list', fields['list']);
  return {
    address,
    title: plainLine(textField('title', title) || textOrEmpty(name), 200),
    status: parseChoice('Status', fields['status'], states),
    how: parseChoice('How', fields['how'], solveMethods),
    note: parseNote(fields['note']),
    minutes: parseMinutes(fields['minutes']),
    code: parseCode(fields),
    list:
      tidyLine(listName || (isInBatch ? contestName(textOrEmpty(group)) : ''), listLimits.name) || undefined,
    batch: isInBatch ? batchId : undefined,
  };
}

/** Competitive Companion writes the judge before the name of the contest. */
function contestName(group: string): string {
  const at = group.indexOf(' - ');
  return (at === -1 ? '' : group.slice(at + 3).trim()) || group;
}

function parseChoice<T>(
  kind: 'Status' | 'How',
  value: unknown,
  choices: Readonly<Record<string, T>>,
): T | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const name = textOrEmpty(value).trim().toLowerCase().replaceAll(' ', '_');
  if (Object.hasOwn(choices, name)) return choices[name];
  throw kind === 'Status'
    ? localizedError('invalidValue.inboxStatus')
    : localizedError('invalidValue.inboxHow');
}

function parseNote(value: unknown): string | undefined {
  const note = textField('note', value)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .trim();
  if (hasLostCharacters(note)) throw localizedError('malformedRequest.inboxEncoding');
  if (note.length > longestNote) throw localizedError('invalidValue.inboxNote', { most: longestNote });
  return note || undefined;
}

function parseMinutes(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const minutes = Math.round(numberIn(value));
  if (minutes >= 0 && minutes <= longestMinutes) return minutes;
  throw localizedError('invalidValue.inboxMinutes', { most: longestMinutes });
}

/** Text of JSON and forms is Unicode, which is kept in UTF-8 with the line breaks that it has. */
function parseCode(fields: Record<string, unknown>): ArrivalDetails['code'] {
  const text = textField('code', fields['code']);
  if (text === '') return undefined;
  if (hasLostCharacters(text)) throw localizedError('malformedRequest.inboxEncoding');
  const code = { file: textField('file', fields['file']), text };
  assertSolution({ file: code.file, code: Buffer.from(text) });
  return code;
}

/** Phones share a page as its title and address, so the words beside a single link are its title. */
async function readText(text: string): Promise<InboxBody> {
  const parsed = await readListTextInThread(text);
  const all = parsed?.sections.flatMap(({ links }) => links.map(({ address }) => address)) ?? [];
  const addresses = [...new Set(all)];
  assertLinkLimit(parsed ? addresses.length : Number.POSITIVE_INFINITY);
  if (addresses.length === 0) return { channel: 'text', links: [], withoutLink: [text.slice(0, 200)] };
  const [found] = addresses.length === 1 ? addressesIn(text) : [];
  const otherWords = found ? `${text.slice(0, found.index)} ${text.slice(found.index + found.length)}` : '';
  const title = /[\p{L}\p{N}]/u.test(otherWords) ? plainLine(otherWords, 200) : '';
  return { channel: 'text', links: addresses.map((address) => ({ address, title })), withoutLink: [] };
}

function assertLinkLimit(count: number): void {
  if (count > inboxLimits.problems)
    throw localizedError('invalidValue.inboxMany', { most: inboxLimits.problems });
}
