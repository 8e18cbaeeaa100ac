/** Ids that are easily confused: neighbours that a double cannot tell apart, the ends of int64, and what is no id at all. */
import { assertRefusal, type Client } from './http.ts';

export const edges = [
  0n,
  1n,
  -1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 2n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
];

export const malformedIds = [
  'abc',
  '1e3',
  '0x10',
  '+1',
  '-0',
  '00',
  '01',
  '-01',
  '1.0',
  '1_000',
  '1,000',
  '%201',
  '1%20',
  '1%0A',
  '%2B1',
  '%D9%A1',
  '1%2F2',
  'null',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551617',
  '9'.repeat(4000),
];

export async function assertNoSuchProblem(as: Client, path: string): Promise<void> {
  const sentence = 'There is no problem 404 that this token may see; check the id.';
  assertRefusal(await as(`${path}404/`), 40401, sentence);
  for (const id of malformedIds) assertRefusal(await as(`${path}${id}/`), 40001);
}
