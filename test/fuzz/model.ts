/** The answer that the contract requires for a request, worked out apart from the program. */
import { compareRows } from '../support/walk.ts';
import type { Part } from './parameters.ts';
import type { Request } from './requests.ts';
import { type Caller, type Collection, narrowScopes, type Row, type World } from './world.ts';

/** The numbers that a request may be refused with, one of them; or else its rows. */
export interface Expected {
  errors?: readonly number[];
  /** In their order; undefined where only a part of what they are is known. */
  rows?: readonly Row[];
  /** Whether rows are left after these, so that a link leads to them. */
  hasNext?: boolean;
  total?: number;
  /** A good deletion. */
  isDeleted?: boolean;
}

const scopeOf: Record<string, string> = {
  deletePlant: 'plants:delete',
  listRecords: 'records:read',
  getRecord: 'records:read',
  listBookmarks: 'bookmarks:read',
  getBookmark: 'bookmarks:read',
  listProblems: 'problems:read',
  getProblem: 'problems:read',
  listProblemStatuses: 'status:read',
  getProblemStatus: 'status:read',
};
const filterScopes = new Map([
  ['status', 'status:read'],
  ['bookmarked', 'bookmarks:read'],
]);

const hasScope = (caller: Caller, scope: string) => caller.scopes.includes('all') || narrowScopes.includes(scope);

const valuesOf = (parts: readonly Part[], name: string) =>
  parts.filter((part) => part.name === name).map((part) => part.value ?? '');

/** For the operation's own method, or HEAD, at its own path. Credentials, scopes, parameters, existence: in this order. */
export function expectedOf(world: World, operationId: string, request: Request): Expected {
  const { parts, id } = request;
  if (request.caller === 'none') return { errors: [40100] };
  if (request.caller === 'broken') return { errors: [40100, 40101] };
  const caller = world.callers[request.caller];
  if (!hasScope(caller, scopeOf[operationId] ?? '')) return { errors: [40300] };
  const isCollection = operationId.startsWith('list');
  // A query that cannot be read says nothing of its names: then either refusal is right.
  const needed = parts.map(({ name }) => filterScopes.get(name));
  const lacks = operationId === 'listProblems' && needed.some((scope) => scope && !hasScope(caller, scope));
  if (lacks) return { errors: parts.some(({ raw }) => isBrokenEscape(raw)) ? [40003, 40300] : [40300] };
  const errors = parts.flatMap((part) => part.errors ?? []);
  if (!isCollection && id.value === undefined) errors.push(40001);
  const names = parts.map(({ name }) => name).filter((name) => name !== 'tag');
  if (new Set(names).size < names.length) errors.push(40004);
  const [cursor] = parts.filter(({ name }) => name === 'cursor');
  const [order] = valuesOf(parts, 'order');
  const real = cursor?.cursor === undefined ? undefined : world.cursors[operationId as Collection]?.[cursor.cursor];
  if (real && spell(operationId, real.order) !== spell(operationId, order)) errors.push(40005);
  // A damaged cursor may still be one.
  const isUnsure =
    cursor?.cursor === -1 &&
    errors.every((error) => error === 40003 || error === 40005) &&
    parts.every((part) => !part.errors || part === cursor);
  if (errors.length > 0 && !isUnsure) return { errors: [...errors, ...(isCollection ? staffOnly(caller, parts) : [])] };
  const more = refusedUser(world, caller, operationId, parts);
  const { formats } = request.accept;
  const offered = isCollection ? ['json', 'ndjson', 'csv'] : ['json'];
  const isAcceptable =
    operationId === 'deletePlant' || formats === undefined || formats.some((format) => offered.includes(format));
  const found = isCollection
    ? listed(world, caller, operationId as Collection, parts, real?.last)
    : one(world, caller, operationId, request);
  const due = [...more, ...(isAcceptable ? [] : [40600]), ...(found.errors ?? [])];
  const unsure = [
    ...(isUnsure ? [40005, 40003] : []),
    ...(formats === undefined && operationId !== 'deletePlant' ? [40600] : []),
  ];
  if (due.length > 0) return { errors: [...due, ...unsure] };
  if (unsure.length > 0) return { errors: unsure, ...(!isUnsure && found) };
  return found;
}

const isBrokenEscape = (raw: string) => {
  try {
    return decodeURIComponent(raw).includes('\0');
  } catch {
    return true;
  }
};

const staffOnly = (caller: Caller, parts: readonly Part[]) =>
  !caller.isStaff && valuesOf(parts, 'user').includes('all') ? [40301] : [];

function refusedUser(world: World, caller: Caller, operationId: string, parts: readonly Part[]): number[] {
  const [user] = valuesOf(parts, 'user');
  if (user === undefined || user === String(caller.memberId)) return [];
  if (user === 'all') return caller.isStaff ? [] : [40301];
  const isMember = world.rows.listRecords.some((row) => String(row['id']) === user);
  return caller.isStaff && isMember && operationId !== 'deletePlant' ? [] : [40402];
}

function one(world: World, caller: Caller, operationId: string, { id, parts }: Request): Expected {
  const { value = '' } = id;
  if (operationId === 'deletePlant') {
    const owner = world.plants.get(BigInt(value));
    return owner !== undefined && (caller.isStaff || owner === caller.memberId)
      ? { isDeleted: true }
      : { errors: [40401] };
  }
  const user = valuesOf(parts, 'user')[0] ?? String(caller.memberId);
  const isWanted = (row: Row) => String(row['id']) === value;
  const isTheirs = (row: Row) => String(row['user']) === user;
  const visible: Record<string, () => Row | undefined> = {
    getRecord: () =>
      world.rows.listRecords.find((row) => isWanted(row) && (caller.isStaff || row['id'] === caller.memberId)),
    getProblem: () => world.rows.listProblems.find(isWanted),
    getBookmark: () => {
      const row = world.rows.listBookmarks.find((row) => isWanted(row) && isTheirs(row));
      return row && shownTo(caller, row);
    },
    getProblemStatus: () => {
      const problem = world.rows.listProblems.find(isWanted);
      const untouched = problem && {
        id: problem['id'] ?? null,
        user: BigInt(user),
        problem: problem['id'] ?? null,
        status: 'not_started',
        origin: null,
        updated_at: null,
      };
      return world.rows.listProblemStatuses.find((row) => isWanted(row) && isTheirs(row)) ?? untouched;
    },
  };
  const row = visible[operationId]?.();
  return row ? { rows: [row] } : { errors: [40401] };
}

function listed(
  world: World,
  caller: Caller,
  operationId: Collection,
  parts: readonly Part[],
  last: Row | undefined,
): Expected {
  const value = (name: string) => valuesOf(parts, name)[0];
  const user = value('user') ?? String(caller.memberId);
  const mine = (rows: readonly Row[]) =>
    new Map(rows.filter((row) => row['user'] === caller.memberId).map((row) => [row['id'], row]));
  const [statuses, bookmarks] = [mine(world.rows.listProblemStatuses), mine(world.rows.listBookmarks)];
  const q = value('q');
  const pattern = q === undefined ? /(?:)/ : new RegExp(q.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const searched =
    operationId === 'listProblems'
      ? ['title', 'source_key', 'aliases']
      : ['username', 'first_name', 'last_name', 'email'];
  const since = value('updated_since');
  const tests: ((row: Row) => boolean)[] = [
    (row) => operationId !== 'listRecords' || caller.isStaff || row['id'] === caller.memberId,
    (row) => row['user'] === undefined || user === 'all' || String(row['user']) === user,
    (row) =>
      q === undefined || searched.some((name) => [row[name] ?? []].flat().some((text) => pattern.test(String(text)))),
    (row) => since === undefined || Date.parse(String(row['updated_at'])) >= Date.parse(since),
    (row) => value('source') === undefined || row['source'] === value('source'),
    (row) => value('role') === undefined || row['role'] === value('role'),
    (row) => valuesOf(parts, 'tag').every((tag) => (row['tags'] as string[]).includes(tag)),
    (row) =>
      value('rating_min') === undefined ||
      (row['rating'] !== null && (row['rating'] as bigint) >= BigInt(value('rating_min') ?? 0)),
    (row) =>
      value('rating_max') === undefined ||
      (row['rating'] !== null && (row['rating'] as bigint) <= BigInt(value('rating_max') ?? 0)),
    (row) => value('bookmarked') === undefined || bookmarks.has(row['id'] ?? null) === (value('bookmarked') === 'true'),
    (row) => {
      const status =
        operationId === 'listProblems' ? (statuses.get(row['id'] ?? null)?.['status'] ?? 'not_started') : row['status'];
      return value('status') === undefined || status === value('status');
    },
  ];
  const all = world.rows[operationId]
    .map((row) => shownTo(caller, row))
    .filter((row) => tests.every((holds) => holds(row)));
  const order = spell(operationId, value('order'));
  const rest = all
    .toSorted((one, other) => compareRows(order, one, other))
    .filter((row) => !last || compareRows(order, row, last) > 0);
  const limit = Number(value('limit') ?? rest.length);
  return { rows: rest.slice(0, limit), hasNext: rest.length > limit, total: all.length };
}

/** A bookmark without its note, unless it is the caller's own; any other row as it is. */
function shownTo(caller: Caller, row: Row): Row {
  return 'note' in row && row['user'] !== caller.memberId ? { ...row, note: null } : row;
}

function spell(operationId: string, order: string | undefined): string {
  const keys = order === undefined || order === '' ? [] : order.split(',');
  const ties = operationId === 'listBookmarks' || operationId === 'listProblemStatuses' ? ['id', 'user'] : ['id'];
  return [...keys, ...ties.filter((tie) => !keys.some((key) => key.replace('-', '') === tie))].join();
}
