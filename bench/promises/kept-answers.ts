/**
 * The bench notices the loss of the kept answers: a page that is kept takes far less of the server's processor time than a page
 * that is asked for once. One server gets both loads in turn, so a busy machine slows both.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { problemRows } from '../catalogue.ts';
import { load, median, ratiosOf, takeTurns } from '../measure.ts';
import { checkouts, garden, serveGarden, tokensOf, writeRows } from '../programs.ts';
import { endRun, folderOfRun } from '../run.ts';

/** Measured on a busy machine: 4 to 8; 1 where no kept answer is found. */
const leastRatio = 2;
const options = { against: [], rounds: 3, seconds: 1, isQuick: true };
const skip = existsSync('/proc/self/schedstat') ? false : 'reads processor times under /proc';

after(endRun);

test(`a kept page is sent ${leastRatio} times as fast as a new one`, { skip }, async (t) => {
  const folder = await folderOfRun();
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const [own] = checkouts(options);
  assert(own);
  const file = await writeRows(join(folder, 'problems.ndjson'), problemRows(10_000));
  await garden(own, ['import', 'problems', file], databaseUrl);
  await garden(own, ['member', 'create', 'ada'], databaseUrl);
  const [token] = await tokensOf(own, databaseUrl, ['ada']);
  const server = await serveGarden(own, databaseUrl);
  /** Asks for pages of these ratings. */
  const contender = (title: string, ratingOf: (nth: number) => number) => {
    let sent = 0;
    const paths = () => ({ path: `/problem_list/api/problems/?limit=20&rating_min=${ratingOf(sent++)}` });
    const headers = { Authorization: `Bearer ${token}` };
    return { title, round: () => load(server, { paths, headers, clients: 32, amount: 1000 }, 1) };
  };
  const [kept, made] = await takeTurns(
    [
      contender('kept', (nth) => nth % 100),
      // All bounds are below every rating, so that all pages have the same rows.
      contender('made', (nth) => -1 - nth),
    ],
    options,
  );
  assert(kept && made);
  const ratios = ratiosOf(made, kept, ({ processorMs }) => processorMs);
  t.diagnostic(`ratios of the processor time of a page: ${ratios.map((ratio) => ratio.toFixed(2))}`);
  assert.ok(median(ratios) >= leastRatio, String(ratios));
});
