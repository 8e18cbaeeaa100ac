/** Reads forms and addresses. */

import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { minuteMs } from '../../durations.ts';
import { AppError, documentedError, localizedError } from '../../errors.ts';
import { decodeText } from '../../files/text.ts';
import { uploadBytesAtMost, uploadMiB } from '../../jobs/uploads.ts';
import { type Days, dayOf } from '../../practice/days.ts';
import { localizeText, type MessageKey, words } from '../words/words.ts';
import type { Site } from './site.ts';

const longestPath = 4000;

/** A path below the base path that a form may redirect to; `/` for any address outside this garden. */
export function localPath({ baseUrl, basePath }: Site, text: string | null): string {
  const home = new URL(`${baseUrl}/`);
  const url = text === null || text.length > longestPath ? undefined : URL.parse(text, home.href);
  if (url?.origin !== home.origin || !text?.startsWith('/')) return '/';
  const path = url.pathname + url.search;
  return path.startsWith('//') ? '/' : path.slice(path.startsWith(`${basePath}/`) ? basePath.length : 0);
}

/** Throws invalidValue for a text of more than `longest` characters. */
export function fieldText(form: URLSearchParams, name: string, longest: number): string {
  const text = form.get(name) ?? '';
  if (text.length <= longest) return text;
  throw localizedError('invalidValue.fieldLong', { name, longest });
}

/** The start of a day from 1970 to today, in RFC 3339; undefined for any other text. */
export function dayStart(days: Days, text: string): string | undefined {
  const day = dayOf(text);
  const isPast = day !== undefined && day >= 0 && day <= days.at(Date.now());
  return isPast ? new Date(days.start(day)).toISOString() : undefined;
}

export function lineTextFault(
  text: string,
  name: string,
  longest: number,
  missing: MessageKey,
): Record<string, string> | undefined {
  if (text === '') return { [name]: words(missing) };
  if (text.length > longest) return { [name]: words('form.atMost', { longest }) };
  return /\p{Cc}|\p{Cs}/u.test(text) ? { [name]: words('form.unshowable') } : undefined;
}

/** Throws malformedId. */
export function idIn(text: string | undefined, read: (text: string) => bigint | undefined): bigint {
  const id = read(text ?? '');
  if (id === undefined) throw documentedError('malformedId', text ?? '');
  return id;
}

/** The text of an error that the member can correct. Throws any other error again. */
export function refusalText(error: unknown): string {
  if (error instanceof AppError && ['invalidValue', 'alreadyExists', 'badFile'].includes(error.code))
    return localizeText(error);
  throw error;
}

export function choiceIn<T extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly (readonly [T, string])[],
): T {
  const value = fieldText(form, name, 100);
  const [[first] = ['' as T]] = choices;
  return choices.find(([choice]) => choice === value)?.[0] ?? first;
}

/* Forms with a file (multipart/form-data, RFC 7578). The file is read only after the anti-forgery token was checked. */

export interface UploadedFile {
  name: string;
  /** Throws where the file is too large or arrives incomplete. */
  bytes: AsyncIterable<Uint8Array>;
  /** In bytes, at most. */
  expected: number;
}

const envelopeBytes = 64 * 1024;
const idleTimeoutMs = 15_000;
const uploadTimeoutMs = 10 * minuteMs;
const limits = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 4096, headerPairs: 20 };

/** Throws where the body is too large or malformed. */
export async function readParts(
  request: FastifyRequest,
): Promise<{ form: URLSearchParams; file: UploadedFile | undefined }> {
  const contentLength = Number(request.headers['content-length'] ?? Number.NaN);
  if (contentLength > uploadBytesAtMost + envelopeBytes) throw tooLarge();
  const parts = request.parts({
    limits: { ...limits, fileSize: uploadBytesAtMost },
    throwFileSizeLimit: false,
  } as never);
  const endsAt = performance.now() + uploadTimeoutMs;
  const nextPart = () => withTimeout<IteratorResult<Multipart>>(parts.next(), endsAt);
  const form = new URLSearchParams();
  for (;;) {
    const { value: part, done } = await nextPart();
    if (done) return { form, file: undefined };
    if (part.type === 'field') {
      if (part.valueTruncated || part.fieldnameTruncated) throw malformed();
      form.append(part.fieldname, String(part.value));
      continue;
    }
    const expected = Math.min(uploadBytesAtMost, Number.isNaN(contentLength) ? uploadBytesAtMost : contentLength);
    const bytes = bytesOf(part, endsAt, async () => {
      if (!(await nextPart()).done) throw malformed();
    });
    return { form, file: { name: part.filename ?? '', bytes, expected } };
  }
}

async function* bytesOf(
  { file }: MultipartFile,
  endsAt: number,
  onEnd: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await withTimeout(chunks.next(), endsAt);
      if (done) break;
      yield value as Uint8Array;
    }
    if (file.truncated) throw tooLarge();
    await onEnd();
  } finally {
    file.destroy();
  }
}

/** Throws requestTimeout where the sender is silent, or takes too long in all. */
async function withTimeout<T>(pending: Promise<T>, endsAt: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const waitMs = Math.max(0, Math.min(idleTimeoutMs, endsAt - performance.now()));
  const timer = setTimeout(() => reject(localizedError('requestTimeout.file')), waitMs);
  try {
    return await Promise.race([pending, timeout]);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    throw /^FST_(?:FILES|FIELDS|PARTS)_LIMIT$/.test(code)
      ? malformed(error)
      : localizedError('malformedRequest.file', {}, error);
  } finally {
    clearTimeout(timer);
  }
}

const tooLarge = () => localizedError('bodyTooLarge.file', { most: uploadMiB });
const malformed = (cause?: unknown) => localizedError('malformedRequest.parts', {}, cause);

export const textBytesAtMost = 1024 * 1024;

/** Throws badFile. */
export async function textOfFile(file: UploadedFile, maxBytes: number): Promise<string | undefined> {
  const bytes = await bytesOfFile(file, maxBytes);
  return bytes && decodeText(bytes);
}

/** Returns undefined for a larger file. */
export async function bytesOfFile({ bytes }: UploadedFile, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
