/** The costs of imports: a catalogue, and the submissions of a thousand members over three years. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, handleOf, problemRows, type Sent, submissionRows } from '../catalogue.ts';
import { type Figure, printFigures } from '../measure.ts';
import { type Checkout, checkouts, garden, writeRows } from '../programs.ts';
import { folderOfRun, type Options, progress } from '../run.ts';

const members = 1000;
/** As many as Codeforces has. */
const catalogue = 11_363;
const large = 200_000;

export async function measureImport(options: Options): Promise<void> {
  const each = options.isQuick ? 20 : 1000;
  const folder = await folderOfRun();
  const names = Array.from({ length: members }, (_, place) => `bench${place + 1}`);
  function* submissions(): Generator<object> {
    for (const [place, name] of names.entries()) yield* submissionRows(name, each, (nth) => sent(place, nth, each));
  }
  progress('writing the files');
  const files = {
    problems: problemRows(2 * catalogue),
    records: names.map((username) => ({ username })),
    handles: names.map((username) => ({ username, source: 'codeforces', name: handleOf(username) })),
    submissions: submissions(),
  };
  const paths: [what: string, path: string][] = [];
  for (const [what, rows] of Object.entries(files))
    paths.push([what, await writeRows(join(folder, `${what}.ndjson`), rows)]);
  const largeFile = await writeRows(join(folder, 'large.ndjson'), problemRows(options.isQuick ? 20_000 : large));
  for (const [nth, one] of checkouts(options).entries()) {
    progress(`importing into ${one.title}`);
    const file = join(folder, `${nth}.db`);
    const figures = (await imported(one, 'problems', largeFile, join(folder, `large-${nth}.db`))).map((figure) => ({
      ...figure,
      title: `problems, ${figure.title}`,
    }));
    for (const [what, path] of paths) {
      const before = what === 'submissions' ? statSync(file).size : 0;
      const found = await imported(one, what, path, file);
      if (what !== 'submissions') continue;
      const bytes = (statSync(file).size - before) / (members * each);
      figures.push(...found.map((figure) => ({ ...figure, title: `submissions, ${figure.title}` })), {
        title: 'submissions, bytes of the file for each',
        unit: 'B',
        values: [bytes],
        bound: { atMost: 400 },
      });
    }
    progress('');
    printFigures(`import into ${one.title}`, figures);
  }
}

/** The nth submission of a member in three years: nine of ten go to another problem, and 45 of a hundred are solved. */
const sent = (place: number, nth: number, each: number): Sent => ({
  problem: 1 + 2 * ((37 * place + 12 * Math.floor(0.9 * nth)) % catalogue),
  isSolved: nth % 20 < 9,
  at: Date.now() - dayMs - ((each - nth) / each) * 3 * 365 * dayMs,
});

/** Imports a file, with the rate that the program prints. */
async function imported(one: Checkout, what: string, path: string, file: string): Promise<Figure[]> {
  const { stderr, peakMiB } = await garden(one, ['import', what, path], `sqlite:${file}`);
  const [, rate] = /([\d,]+) rows\/s/.exec(stderr) ?? [];
  if (rate === undefined) throw new Error(`the import printed no rate: ${stderr}`);
  const bound = what === 'submissions' ? { bound: { atLeast: 20_000 } } : {};
  return [
    { title: 'speed', unit: 'rows/s', values: [Number(rate.replaceAll(',', ''))], ...bound },
    { title: 'most memory', unit: 'MiB', values: [peakMiB], bound: { atMost: 256 } },
  ];
}
