/**
 * The number of things of each noun that a member may have is the same at every door: files of members, archives and the command line.
 * test/web/limits.test.ts walks the same table through the website.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveImporter } from '../../src/importing/archive.ts';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { importerOf } from '../../src/importing/resources.ts';
import { restoreUprooted, uproot } from '../../src/practice/planting.ts';
import { gardenHere } from '../support/commands.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { membersNamed } from '../support/members.ts';
import { zipOf } from '../support/zips.ts';
import { key, limits, long, many } from './limits-of-members.ts';
import { openGarden } from './support.ts';

test('every limit holds for files of members and for archives, whoever imports them', async (t) => {
  for (const door of ['member', 'archive'] as const)
    for (const [kind, fits, beyond, why] of limits) {
      const databaseUrl = await temporaryDatabase(t);
      const { ada } = await membersNamed(databaseUrl, 'ada');
      await importRows(databaseUrl, 'problems', [{ ...key, title: 'Theatre Square', rating: 1000 }]);
      if (kind === 'submissions')
        await importRows(databaseUrl, 'handles', [{ username: 'ada', source: 'codeforces', name: 'ada_cf' }]);
      const garden = await openGarden(t, databaseUrl);
      const take = async (given: readonly object[]) => {
        const rows = given.map((row) => `${JSON.stringify({ username: 'ada', ...row })}\n`).join('');
        const isArchive = door === 'archive';
        const bytes = isArchive
          ? zipOf(
              new Map([
                ['records.ndjson', '{"username":"ada"}\n'],
                [`${kind}.ndjson`, rows],
              ]),
            )
          : Buffer.from(rows);
        const importer = isArchive ? archiveImporter() : importerOf(kind, 'ndjson');
        const open = async () =>
          (async function* () {
            yield bytes;
          })();
        const file = await checkFile(importer, { open, skipsBadRows: true, trustsIds: false });
        const owner = door === 'member' ? ada : undefined;
        return applyFile(garden.store, file, { member: undefined, isDryRun: false, owner });
      };
      const what = `${kind} by ${door}: ${why}`;
      if (fits.length > 0) assert.deepEqual((await take(fits)).badRows, [], what);
      const { badRows, report } = await take([beyond]);
      assert.equal(report.bad, 1, what);
      assert.match(badRows[0]?.message ?? '', why, what);
    }
});

test('the command line and the day on which a plant can be planted again have the same room', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const { ada } = await membersNamed(databaseUrl, 'ada');
  const run = (...args: string[]) => gardenHere(args, { databaseUrl });
  const plants = many(200, (n) => ({ username: 'ada', name: `p${n}`, target: 1 }));
  await importRows(databaseUrl, 'plants', plants);
  await importRows(
    databaseUrl,
    'handles',
    many(50, (n) => ({ username: 'ada', source: 'codeforces', name: `h${n}xx` })),
  );
  for (const [args, why] of [
    [['plant', 'add', 'ada', '--name', 'more'], /up to 200 plants/],
    [['plant', 'add', 'ada', '--name', 'far', '--target', '1000001'], /from 1 to 1000000/],
    [['plant', 'add', 'ada', '--name', long(201)], /1 to 200 characters/],
    [['handle', 'add', 'ada', 'codeforces', 'more'], /up to 50 handles/],
    [['handle', 'add', 'ada', 'codeforces', long(25)], /A handle at Codeforces/],
  ] as const) {
    const { code, stderr } = await run(...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, why);
  }
  const { id } = await store.reader.selectFrom('plants').select('id').executeTakeFirstOrThrow();
  await store.write((tx) => uproot(tx, ada, id));
  await importRows(databaseUrl, 'plants', [{ username: 'ada', name: 'new', target: 1 }]);
  await assert.rejects(
    store.write((tx) => restoreUprooted(tx, ada, id, new Date())),
    /up to 200 plants/,
  );
});
