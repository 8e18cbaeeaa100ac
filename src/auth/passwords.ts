/** Passwords: argon2id (RFC 9106) in the PHC string format, two at a time to bound memory. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type AppError, localizedError } from '../errors.ts';

/** OWASP recommends 19 MiB and two passes. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const tagLength = 32;

const shortest = 10;
const longest = 200;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/** Length matters most (NIST SP 800-63B §3.1.1.2), so there are no rules about kinds of characters. */
export function passwordFault(password: string, username: string): AppError | undefined {
  if ([...password].length < shortest) return localizedError('invalidValue.passwordShort', { shortest });
  if ([...password].length > longest) return localizedError('invalidValue.passwordLong', { longest });
  if (new Set(password).size < 4) return localizedError('invalidValue.passwordRepeats');
  if (username.length >= 3 && password.toLowerCase().includes(username.toLowerCase()))
    return localizedError('invalidValue.passwordName');
  return undefined;
}

/** Throws overloaded. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await runQueued(() => tagOf(password, nonce));
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Takes as long without a hash, which hides whether the member exists. Throws overloaded. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, nonce, tag] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([^$]+)\$([^$]+)$/.exec(hash ?? '') ?? [];
  const computed = await runQueued(() => tagOf(password, Buffer.from(nonce ?? base64(decoyNonce), 'base64')));
  return tag !== undefined && timingSafeEqual(computed, Buffer.from(tag, 'base64'));
}

const decoyNonce = randomBytes(16);
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

function tagOf(password: string, nonce: Buffer): Promise<Buffer> {
  // The same letter can be typed in several encodings.
  return derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost });
}

/** Throws overloaded. */
export function taskQueue(runningAtMost: number, waitingAtMost: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= runningAtMost) {
      if (waiting.length >= waitingAtMost) throw localizedError('overloaded.signIn');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const runQueued = taskQueue(2, 200);
