/** Reading what forms and addresses say: fields, ids, and paths to go on to. */

import { AppError, documentedError } from '../../errors.ts';
import { words } from '../words/words.ts';
import type { Site } from './site.ts';

/** Longer addresses would be refused when the browser asks for them. */
const longestPath = 4000;

/**
 * A path below the base path that a form may send the browser to; the home page for any address outside this garden.
 */
export function ownPath({ baseUrl, basePath }: Site, text: string | null): string {
  const home = new URL(`${baseUrl}/`);
  const url = text === null || text.length > longestPath ? undefined : URL.parse(text, home.href);
  if (url?.origin !== home.origin || !text?.startsWith('/')) return '/';
  const path = url.pathname + url.search;
  return path.startsWith('//') ? '/' : path.slice(path.startsWith(`${basePath}/`) ? basePath.length : 0);
}

/** One field of a form; a field that is missing is empty. Throws badSetting for a text of more characters. */
export function field(form: URLSearchParams, name: string, longest: number): string {
  const text = form.get(name) ?? '';
  if (text.length <= longest) return text;
  throw new AppError('badSetting', words('form.tooLong', { name, longest }));
}

/** An id in a path. Throws malformedId. */
export function idIn(text: string | undefined, read: (text: string) => bigint | undefined): bigint {
  const id = read(text ?? '');
  if (id === undefined) throw documentedError('malformedId', text ?? '');
  return id;
}

/** The sentence of a refusal that the form shows; any other error goes on. */
export function faultOf(error: unknown): string {
  if (error instanceof AppError && ['badSetting', 'alreadyExists'].includes(error.code)) return error.message;
  throw error;
}

/** The value of a field that has only these; the first one where the form has another. */
export function chosenIn<T extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly (readonly [T, string])[],
): T {
  const given = field(form, name, 100);
  const [[first] = ['' as T]] = choices;
  return choices.find(([value]) => value === given)?.[0] ?? first;
}
