/**
 * The query in the address of a page: filters, order and page. A value that means nothing is left out, and the page
 * says so in place of showing something else without a word.
 */

import { dayOf } from '../../practice/days.ts';
import { type Html, html } from '../markup.ts';
import { richWords, words } from '../words/words.ts';
import { icon } from './icons.ts';

const longestText = 200;
const longestShown = 40;

/** A value of the address that is not understood. */
export interface LeftOut {
  name: string;
  value: string;
  /** A sentence that says what would be. */
  why: Html | string;
}

/** Reads an address; `leftOut` has what was not understood so far. */
export function askedBy(query: URLSearchParams) {
  const leftOut: LeftOut[] = [];
  const text = (name: string) => clean((query.get(name) ?? '').trim().slice(0, longestText));

  /** An empty value asks for nothing. */
  function one<T>(name: string, read: (value: string) => T | undefined, why: () => Html | string): T | undefined {
    const value = text(name);
    if (value === '') return undefined;
    const found = read(value);
    if (found === undefined) leftOut.push({ name, value, why: why() });
    return found;
  }

  function oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return one(
      name,
      (value) => values.find((known) => known === value),
      () => richWords('asked.oneOf', { count: values.length, values: values.join(', ') }),
    );
  }

  return {
    leftOut,
    text,
    one,
    oneOf,
    isTrue: (name: string) => oneOf(name, ['true']) === 'true',
    number: (name: string, least: number, most: number) =>
      one(
        name,
        (value) => numberIn(value, least, most),
        () => words('asked.number', { least, most }),
      ),
    date: (name: string) =>
      one(
        name,
        (value) => (dayOf(value) === undefined ? undefined : value),
        () => words('asked.date'),
      ) ?? '',
    /** The values of a name that may be repeated. */
    all(name: string, longest: number, most: number): string[] {
      const values = [...new Set(query.getAll(name).map(clean))].filter((value) => value !== '');
      const fitting = values.filter((value) => value.length <= longest);
      for (const value of values)
        if (value.length > longest) leftOut.push({ name, value, why: words('asked.atMostLong', { longest }) });
      for (const value of fitting.slice(most)) leftOut.push({ name, value, why: words('asked.atMost', { most }) });
      return fitting.slice(0, most);
    },
  };
}

/** No store holds NUL, and half a surrogate pair has no UTF-8 form. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();

function numberIn(text: string, least: number, most: number): number | undefined {
  const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** A notice of the values that were left out, and of more about the filters; nothing where all is well. */
export function filterNotice(leftOut: readonly LeftOut[], more: readonly (Html | string)[] = []): Html | '' {
  const lines = [
    ...leftOut.map(({ name, value, why }) => {
      const shown = value.length > longestShown ? `${value.slice(0, longestShown).toWellFormed()}…` : value;
      return richWords('asked.leftOut', { given: html`<bdi>${name}=${shown}</bdi>`, why });
    }),
    ...more,
  ];
  if (lines.length === 0) return '';
  return html`
    <div class="notice" data-kind="warn" data-filters role="status">
      ${icon('warn')}
      <div>${lines.map((line) => html`<p>${line}</p>`)}</div>
    </div>`;
}
