/** Negotiation of the content type (RFC 9110 §12.5.1) and the language (§12.5.4). */
import Negotiator from 'negotiator';
import { type Format, mediaTypes } from '../contract/rows.ts';
import { documentedError } from '../errors.ts';

const typeWithoutParameters = (format: Format) => mediaTypes[format].split(';')[0] ?? '';

/** Commas and semicolons inside a quoted string (RFC 9110 §5.6.4) do not separate. */
const betweenCommas = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
const betweenSemicolons = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g;

/** With other parameters Negotiator would refuse the type that is served here. */
function weightedRanges(accept: string): string {
  const ranges = (accept.match(betweenCommas) ?? []).map((range) => {
    const [type = '', ...parameters] = (range.match(betweenSemicolons) ?? []).map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    return weight === undefined ? type : `${type};${weight}`;
  });
  return ranges.join(',');
}

/** The highest weight wins, then the most exact range, then the first in the header. Throws notAcceptable. */
export function chooseFormat(accept: string, offered: readonly [Format, ...Format[]]): Format {
  const [first] = offered;
  if (accept === '*/*' || accept === typeWithoutParameters(first)) return first;
  const types = offered.map(typeWithoutParameters);
  const preferred = new Negotiator({ headers: { accept: weightedRanges(accept) } }).mediaType(types);
  const format = offered.find((candidate) => typeWithoutParameters(candidate) === preferred);
  if (format) return format;
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(types);
  throw documentedError('notAcceptable', accept, list);
}

export function prefersHtml(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/** Without the header they are `*`. */
export function preferredLanguages(acceptLanguage: string | undefined): string[] {
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
}
