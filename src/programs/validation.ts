/** Checks the fields of a body, or the arguments of a tool, against a schema, and names the first one that does not fit. */
import { closest, distance } from 'fastest-levenshtein';
import { parseInt64 } from '../contract/common.ts';
import type { AppError } from '../errors.ts';
import { invalidValue, quoted } from '../errors.ts';

interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  minProperties?: number;
  items?: Schema;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean;
}

/** Throws invalidValue. */
export function checkFields(value: unknown, schema: Schema): void {
  if (!isObject(value)) throw invalidValue('The fields must be those of one JSON object.');
  checkObject(value, schema, '');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkObject(value: Readonly<Record<string, unknown>>, schema: Schema, place: string): void {
  const { properties = {}, required = [], minProperties = 0, additionalProperties = false } = schema;
  const names = Object.keys(properties);
  for (const [name, field] of Object.entries(value)) {
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!fieldSchema) {
      if (additionalProperties) continue;
      throw invalidValue(`Unknown field ${quoted(name)}; ${adviceOn(name.slice(0, 60), names)}`);
    }
    check(field, fieldSchema, place + name);
  }
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw invalidValue(`The field "${place}${missing}" is missing.`);
  if (Object.keys(value).length < minProperties)
    throw invalidValue(`Send at least one of the fields ${names.join(', ')}.`);
}

function adviceOn(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'send none.';
  const nearest = closest(name, names);
  return distance(name, nearest) * 3 <= name.length
    ? `did you mean "${nearest}"?`
    : `the fields are ${names.join(', ')}.`;
}

function check(value: unknown, schema: Schema, name: string): void {
  const types = [schema.type ?? []].flat();
  if (value === null && types.includes('null')) return;
  if (schema.enum) {
    const words = schema.enum.filter((word) => word !== null);
    if (!words.some((word) => word === value)) throw wrong(name, `one of ${words.join(', ')}`);
    return;
  }
  if (types.includes('string')) checkText(value, schema, name);
  else if (types.includes('integer')) checkInteger(value, schema, name);
  else if (types.includes('boolean')) {
    if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  } else if (types.includes('array')) checkList(value, schema, name);
  else if (!isObject(value)) throw wrong(name, 'an object');
  else checkObject(value, schema, `${name}.`);
}

function checkText(value: unknown, { pattern, minLength = 0, maxLength }: Schema, name: string): void {
  const isId = pattern?.includes('[1-9][0-9]{0,18}');
  if (typeof value !== 'string') throw wrong(name, isId ? 'an id as a string, such as "7"' : 'a string');
  const isOfPattern = pattern === undefined || new RegExp(pattern).test(value);
  if (!isOfPattern || (isId && parseInt64(value) === undefined))
    throw wrong(name, isId ? 'an id as a string of digits' : `of the form ${pattern}`);
  if (value.includes('\0')) throw wrong(name, 'without the character U+0000');
  const isLong = maxLength !== undefined && value.length > maxLength && [...value].length > maxLength;
  if (isLong || value.length < minLength)
    throw wrong(name, `a string of ${minLength} to ${maxLength} characters`);
}

function checkInteger(value: unknown, schema: Schema, name: string): void {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema;
  const isFine = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  if (!isFine) throw wrong(name, `an integer from ${minimum} to ${maximum}`);
}

function checkList(value: unknown, { items = {}, maxItems }: Schema, name: string): void {
  if (!Array.isArray(value)) throw wrong(name, 'a list');
  if (maxItems !== undefined && value.length > maxItems) throw wrong(name, `a list of at most ${maxItems}`);
  for (const [index, item] of value.entries()) check(item, items, `${name}[${index}]`);
}

const wrong = (name: string, expected: string): AppError =>
  invalidValue(`The field "${name}" must be ${expected}.`);
