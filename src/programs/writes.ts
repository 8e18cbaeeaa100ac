/**
 * The transaction of a write by a program: the limit of writes, the answer that its key has already, and the change that
 * undoes it. What a write does is in the file of its operation.
 */
import { hash } from 'node:crypto';
import { dayMs, minuteMs } from '../durations.ts';
import { AppError, documentedError } from '../errors.ts';
import { listFeeds, nameAuthor } from '../store/program-feeds.ts';
import type { ProgramPartsTable } from '../store/program-parts.ts';
import {
  countProgramWrite,
  findProgramKey,
  findProgramWrites,
  insertProgramChange,
  insertProgramKey,
} from '../store/program-writes.ts';
import { inSavepoint, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { isTokenValid } from '../store/tokens.ts';

export const programKeys = { storedMs: dayMs, mostPerToken: 1_000, mostBytes: 4 * 1024 * 1024 } as const;

/** What a write did, in the order in which it happened. */
export type ProgramPart = Omit<ProgramPartsTable, 'change_id' | 'position'>;

export interface ProgramWrite {
  memberId: bigint;
  tokenId: bigint;
  operation: string;
  /** 0 for no limit. */
  perMinute: number;
  /** The Idempotency-Key, and a digest of everything that must be the same when it is sent again. */
  key: { text: string; digest: string } | undefined;
}

export interface ProgramAnswer {
  status: number;
  json: string;
  version?: string | undefined;
  location?: string | undefined;
}

export interface WriteResult {
  body: object;
  version?: string;
  /** The path of what was made. */
  location?: string | undefined;
}

interface RecordedPart extends Pick<ProgramPart, 'kind'>, Partial<Pick<ProgramPart, 'before' | 'after'>> {
  /** Null where nothing had to change. */
  part_id: bigint | null;
}

export type RecordPart = (part: RecordedPart) => void;

const minuteAt = (now: number) => BigInt(Math.floor(now / minuteMs));

/** Throws tooManyRequests. */
function assertLimit(writes: bigint, perMinute: number, now: number): void {
  if (perMinute === 0 || writes <= BigInt(perMinute)) return;
  const seconds = Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  const sentence = `Programs of this member sent more than ${perMinute} writes in a minute; wait ${seconds} seconds.`;
  throw new AppError('tooManyRequests', sentence, { headers: ['Retry-After', String(seconds)] });
}

/** Refuses early what `writeByProgram` would refuse after it has read the body. Throws tooManyRequests. */
export async function assertWritesLeft(
  db: Db,
  { memberId, perMinute }: Pick<ProgramWrite, 'memberId' | 'perMinute'>,
): Promise<void> {
  if (perMinute === 0) return;
  const now = Date.now();
  const row = await findProgramWrites(db, memberId);
  if (row?.minute === minuteAt(now)) assertLimit(row.writes + 1n, perMinute, now);
}

type ProgramWork = (tx: Db, record: RecordPart) => Promise<WriteResult>;

/**
 * Throws invalidToken if the token was revoked meanwhile, tooManyRequests, keyReused, and what `work` throws. A write
 * that is refused counts as well, because it may have taken as long.
 */
export async function writeByProgram(
  store: Pick<Store, 'write'>,
  write: ProgramWrite,
  work: ProgramWork,
): Promise<ProgramAnswer & { isReplayed: boolean }> {
  const answer = await store.write(async (tx) => {
    const now = Date.now();
    const { memberId, perMinute } = write;
    // This locks the row of the member, so that two requests with one key do not both run.
    assertLimit(await countProgramWrite(tx, memberId, minuteAt(now)), perMinute, now);
    return inSavepoint(tx, () => runWrite(tx, write, work, now));
  });
  if (answer instanceof AppError) throw answer;
  return answer;
}

async function runWrite(
  tx: Db,
  { memberId, tokenId, operation, key }: ProgramWrite,
  work: ProgramWork,
  now: number,
): Promise<ProgramAnswer & { isReplayed: boolean }> {
  if (!(await isTokenValid(tx, tokenId))) throw documentedError('invalidToken', 'pgw');
  const since = new Date(now - programKeys.storedMs).toISOString();
  const stored = key && (await findProgramKey(tx, tokenId, key.text));
  if (stored && stored.made_at >= since) {
    if (stored.digest === key.digest) return { ...JSON.parse(stored.answer), isReplayed: true };
    throw new AppError('keyReused', 'This Idempotency-Key was used for another request; send a new key.');
  }
  const feeds = await listFeeds(tx, { user_id: memberId });
  const parts: ProgramPart[] = [];
  const result = await work(tx, ({ part_id, ...part }) => {
    if (part_id !== null) parts.push({ before: null, after: null, ...part, part_id });
  });
  const made_at = new Date(now).toISOString();
  const change = { user_id: memberId, token_id: tokenId, kind: operation, made_at };
  const id = parts.length > 0 ? await insertProgramChange(tx, change, parts) : null;
  await nameAuthor(tx, feeds, { by_kind: 'program', token_id: tokenId, change_id: id });
  const { body, version, location } = result;
  const answer: ProgramAnswer = {
    status: location === undefined ? 200 : 201,
    json: JSON.stringify({ change: id === null ? null : String(id), ...body }),
    version,
    location,
  };
  if (key) {
    const text = JSON.stringify(answer);
    const bytes = BigInt(Buffer.byteLength(text));
    const row = { token_id: tokenId, key: key.text, digest: key.digest, answer: text, bytes, made_at };
    const { mostPerToken: most, mostBytes } = programKeys;
    await insertProgramKey(tx, row, { since, most, mostBytes });
  }
  return { ...answer, isReplayed: false };
}

export const digestOfRequest = (
  parts: readonly (string | undefined)[],
  body: Uint8Array | undefined,
): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${JSON.stringify(parts)}\n`), body ?? Buffer.alloc(0)]));
