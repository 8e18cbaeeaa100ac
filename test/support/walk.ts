/** Walking a collection page by page, and the order that its rows have to come in. */
import assert from 'node:assert/strict';
import { type Client, exactJson } from './http.ts';

export type Row = Record<string, bigint | string | null>;
type Readable = Readonly<Record<string, unknown>>;

/** The order of the contract, written apart from the program's own: nulls last, text by code point, ties by id. */
export function compareRows(order: string, one: Readable, other: Readable): number {
  for (const key of [...order.split(',').filter(Boolean), 'id', 'user']) {
    const name = key.replace('-', '');
    const [a, b] = [one[name] ?? null, other[name] ?? null];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const ascending =
      typeof a === 'bigint' && typeof b === 'bigint'
        ? Number(a > b) - Number(a < b)
        : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    return key.startsWith('-') ? -ascending : ascending;
  }
  return 0;
}

export function sorted(all: readonly Row[], order: string): Row[] {
  return all.toSorted((one, other) => compareRows(order, one, other));
}

/** Follows the Link headers from page to page; answers all rows. Every link has to fit into a target. */
export async function walk(
  as: Client,
  baseUrl: string,
  target: string,
  betweenPages: (page: readonly Row[]) => Promise<void> = async () => {},
): Promise<Row[]> {
  const all: Row[] = [];
  for (let next: string | undefined = target; next !== undefined; ) {
    const reply = await as(next);
    assert.equal(reply.status, 200, reply.text.slice(0, 500));
    const page = exactJson(reply.text) as Row[];
    all.push(...page);
    const link = reply.headers['link'] as string | undefined;
    const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
    assert.equal(url === undefined, link === undefined);
    assert(url === undefined || url.startsWith(`${baseUrl}/`), url);
    next = url?.slice(baseUrl.length);
    assert((next?.length ?? 0) <= 8192, `a link of ${next?.length} bytes`);
    await betweenPages(page);
  }
  return all;
}
