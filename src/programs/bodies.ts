/** Reads the body of a request: JSON in UTF-8 (RFC 8259), bounded in bytes and depth, and strict where parsers differ. */
import type { IncomingMessage } from 'node:http';
import { clientDisconnected } from '../api/context.ts';
import { announcesBody } from '../api/pipeline.ts';
import { AppError, quoted } from '../errors.ts';

const bodyMiB = 1;
const bodyBytesAtMost = bodyMiB * 1024 * 1024;
const deepest = 32;

const malformed = (what: string, cause?: unknown) =>
  new AppError('malformedBody', `The body ${what}; send one JSON object in UTF-8.`, { cause });
const tooLarge = () => new AppError('bodyTooLarge', `The body is larger than ${bodyMiB} MiB; send less.`);

/** Throws unsupportedType, bodyTooLarge and malformedBody. */
export async function readBody(request: IncomingMessage): Promise<{ bytes: Buffer; value: unknown }> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  if (
    !/^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type.trim()) ||
    coding.toLowerCase() !== 'identity'
  )
    throw new AppError(
      'unsupportedType',
      'The body must be application/json in UTF-8, without a content coding.',
    );
  const bytes = announcesBody(request) ? await readBytes(request) : Buffer.alloc(0);
  return { bytes, value: parseStrictly(bytes) };
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesAtMost) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > bodyBytesAtMost) reject(tooLarge());
    else chunks.push(chunk);
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  for (const event of ['error', 'close']) request.once(event, () => reject(clientDisconnected));
  return promise;
}

/** Throws malformedBody. */
function parseStrictly(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw malformed('is not UTF-8', error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed('is not JSON', error);
  }
  checkStructure(text);
  return value;
}

/** JSON.parse keeps the last of two equal keys, where other parsers keep the first. Expects well-formed JSON. */
function checkStructure(text: string): void {
  const keysByDepth: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const start = at++;
      while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      checkText(text.slice(start, at + 1), isKey ? keysByDepth.at(-1) : undefined);
    } else if (character === '{' || character === '[') {
      keysByDepth.push(character === '{' ? new Set() : undefined);
      if (keysByDepth.length > deepest) throw malformed(`is nested deeper than ${deepest}`);
      isKey = character === '{';
    } else if (character === '}' || character === ']') keysByDepth.pop();
    else if (character === ',') isKey = keysByDepth.at(-1) !== undefined;
    else if (character === ':') isKey = false;
  }
}

function checkText(token: string, keys: Set<string> | undefined): void {
  const value = JSON.parse(token) as string;
  if (!value.isWellFormed()) throw malformed('has half of a surrogate pair');
  if (keys?.has(value)) throw malformed(`has the key ${quoted(value)} twice`);
  keys?.add(value);
}
