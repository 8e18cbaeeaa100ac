/** Everything that the bundled sample says about a problem is a fact from the judges' own data, and its practice points into it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Static } from 'typebox';
import type { Problem } from '../src/contract/problems.ts';
import { judges } from '../src/judges/judges.ts';
import { needsData, readReal } from './support/real-data.ts';

type SampleProblem = Omit<Static<typeof Problem>, 'id' | 'rating' | 'url' | 'created_at' | 'updated_at'> & {
  rating: number | null;
  url: string;
  solved_by?: number;
};

const keyOrder = 'source source_key title url rating tags aliases editorial_url video_url'.split(' ');
const root = path.join(import.meta.dirname, '..');

interface SampleDeed {
  source: string;
  source_key: string;
  title: string;
  days_ago: number;
  status: string;
}

interface SamplePlant {
  name: string;
  tag: string;
  target: number;
  days_ago: number;
}

interface SampleContest {
  source: string;
  key: string;
  title: string;
  starts_at: string;
  duration_s: number;
  phase: string;
}

type Sent = [key: string, at: number | string, verdicts: string, participation?: string];

interface SampleMember {
  username: string;
  days_ago: number;
  sent: Record<string, Sent[]>;
}

const textOf = (name: string) => readFileSync(path.join(root, 'src', 'importing', 'sample', `${name}.ndjson`), 'utf8');
const rowsOf = <R>(name: string) =>
  textOf(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as R);
const nameOf = (source: string, key: string) => `${source} ${key}`;
const text = textOf('problems');
const problems = rowsOf<SampleProblem>('problems');
const statuses = rowsOf<SampleDeed>('statuses');
const bookmarks = rowsOf<SampleDeed>('bookmarks');
const reviews = rowsOf<SampleDeed>('reviews');
const contests = rowsOf<SampleContest>('contests');
const members = rowsOf<SampleMember>('members');
const sent = members.flatMap(({ username, days_ago, sent }) =>
  Object.entries(sent).flatMap(([source, all]) =>
    all.map(([key, at, verdicts, participation = 'practice']) => {
      return {
        username,
        joined: days_ago,
        source,
        key,
        at,
        verdicts,
        participation,
        name: nameOf(source, key),
      };
    }),
  ),
);

const names = new Set(problems.map((problem) => nameOf(problem.source, problem.source_key)));

function from(source: string): SampleProblem[] {
  return problems.filter((problem) => problem.source === source);
}

const realData = async <T>(name: string) => JSON.parse(await readReal(name)) as T;

test('the sample has at least 300 problems of at least 3 judges, one JSON object a line', () => {
  assert.ok(text.endsWith('}\n'));
  assert.ok(problems.length >= 300, `${problems.length} problems`);
  assert.ok(new Set(problems.map((problem) => problem.source)).size >= 3);
  for (const problem of problems) {
    const isCounted = problem.source !== 'atcoder';
    assert.deepEqual(Object.keys(problem), isCounted ? [...keyOrder, 'solved_by'] : keyOrder);
    assert.ok(problem.title !== '' && problem.title === problem.title.trim(), problem.source_key);
    assert.equal(problem.editorial_url, null);
    assert.equal(new Set(problem.tags).size, problem.tags.length, problem.source_key);
  }
});

test('no problem stands in the sample twice, under its key, an alias or an address', () => {
  const keys = problems.flatMap((problem) =>
    [problem.source_key, ...problem.aliases].map((key) => nameOf(problem.source, key)),
  );
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(problems.map((problem) => problem.url)).size, problems.length);
});

test('rated problems come first, the easiest of them at the top, and no judge is among them that no garden can ask', () => {
  const ratings = problems.map(({ rating }) => rating ?? Number.POSITIVE_INFINITY);
  assert.deepEqual(
    ratings,
    ratings.toSorted((a, b) => (a === b ? 0 : a - b)),
  );
  for (const { source } of [...problems, ...contests]) assert.ok(Object.hasOwn(judges, source), source);
});

test('every status, star and review of the demo member is on a problem of the sample, once', () => {
  const titles = new Map(problems.map((problem) => [nameOf(problem.source, problem.source_key), problem.title]));
  for (const rows of [statuses, bookmarks, reviews]) {
    const seen = rows.map((row) => nameOf(row.source, row.source_key));
    assert.deepEqual(
      seen.filter((name) => !names.has(name)),
      [],
    );
    assert.equal(new Set(seen).size, seen.length);
    for (const row of rows) {
      assert.ok(row.days_ago > 0 && row.days_ago < 360, row.source_key);
      assert.equal(row.title, titles.get(nameOf(row.source, row.source_key)));
    }
  }
});

test('everybody sent to problems of the sample alone, at judges that a garden asks, since they joined', () => {
  assert.ok(sent.length > 400, `${sent.length}`);
  for (const { username, name, at, joined, verdicts, source } of sent) {
    assert.ok(names.has(name), name);
    assert.ok(['codeforces', 'atcoder'].includes(source), source);
    assert.match(verdicts, /^[WTR]*[AWTR]$/);
    if (typeof at === 'number') assert.ok(at > 0 && at < joined, `${username} ${name}`);
  }
  const once = sent.map(({ username, name }) => `${username} ${name}`);
  assert.equal(new Set(once).size, once.length);
});

test('the demo member has practised in every month of the year, and before it', () => {
  const own = sent.flatMap(({ username, at }) => (username === 'demo' && typeof at === 'number' ? at : []));
  const months = new Set([...own, ...statuses.map((row) => row.days_ago)].map((ago) => Math.floor(ago / 30)));
  for (let month = 0; month < 12; month++) assert.ok(months.has(month), `${month} months ago`);
  assert.ok(own.some((ago) => ago > 700));
});

test('nothing is older than a year but what names its year: the season, and the own history of the demo member', () => {
  const aged = 'statuses bookmarks reviews plants ratings timers lists groups rounds'
    .split(' ')
    .flatMap((name) =>
      rowsOf<{ days_ago: number; name?: string }>(name).map(({ days_ago }) => [name, days_ago] as const),
    );
  for (const [name, ago] of aged) assert.ok(ago < 360, `${name}: ${ago} days ago`);
  for (const { username, joined, at, name } of sent.filter(({ username }) => username !== 'demo')) {
    assert.ok(joined < 360, `${username} joined ${joined} days ago`);
    if (typeof at === 'number') assert.ok(at < 360, `${username} ${name}`);
  }
  const seasons = rowsOf<{ season?: { name: string } }>('groups').flatMap(({ season }) => season?.name ?? []);
  const dated = [...contests.map(({ starts_at }) => starts_at), ...sent.map(({ at }) => at)];
  for (const at of dated) if (typeof at === 'string') assert.equal(`Season ${at.slice(0, 4)}`, seasons[0], at);
  const months = /January|February|March|April|June|July|August|September|October|November|December/;
  for (const { name } of rowsOf<{ name: string }>('rounds')) assert.doesNotMatch(name, months);
});

test('who took part in a contest sent to it while it was on; contests are live, virtual and later', () => {
  const byKey = new Map(contests.map((contest) => [contest.key, contest]));
  const contestOf = (key: string) => byKey.get(/^\d+/.exec(key)?.[0] ?? '');
  const ways = new Set<string>();
  for (const { username, key, at, verdicts, participation, name } of sent) {
    const contest = contestOf(key);
    if (contest && username === 'demo') ways.add(participation);
    assert.ok(typeof at === 'string' || participation !== 'contest', name);
    if (participation === 'practice') continue;
    assert.ok(contest, name);
    if (typeof at === 'number' || participation === 'virtual') continue;
    const [began, last] = [Date.parse(contest.starts_at), Date.parse(at)];
    assert.ok(last - verdicts.length * 4 * 60_000 > began, name);
    assert.ok(last < began + contest.duration_s * 1000, name);
  }
  assert.deepEqual([...ways].toSorted(), ['contest', 'practice', 'virtual']);
});

test('every plant of the demo member has a tag with enough problems to reach its target', () => {
  for (const plant of rowsOf<SamplePlant>('plants')) {
    const tagged = problems.filter((problem) => problem.tags.includes(plant.tag));
    assert.ok(tagged.length >= plant.target && plant.target > 0, plant.name);
    assert.ok(plant.days_ago > 0 && plant.days_ago <= 90, plant.name);
  }
});

function twinGroups(entries: { id: string; shared: { id: string }[] }[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const entry of entries) {
    const merged = new Set<string>();
    for (const id of [entry.id, ...entry.shared.map((twin) => twin.id)]) {
      for (const member of groups.get(id) ?? [id]) merged.add(member);
    }
    for (const member of merged) groups.set(member, merged);
  }
  return groups;
}

test('the Codeforces problems are as Codeforces lists them, with all their twins', needsData, async () => {
  const catalogue = await realData<{
    result: {
      problems: { contestId: number; index: string; name: string; rating?: number; tags: string[] }[];
      problemStatistics: { contestId: number; index: string; solvedCount: number }[];
    };
  }>('codeforces/problemset.problems.2026-08.json');
  const shared = await realData<{ result: { id: string; shared: { id: string }[] }[] }>(
    'codeforces/shared-problems.2026-08.json',
  );
  const contests = await realData<{ result: { id: number; name: string }[] }>('codeforces/contest.list.2026-08.json');
  const facts = new Map(catalogue.result.problems.map((fact) => [`${fact.contestId}${fact.index}`, fact]));
  const contestNames = new Map(contests.result.map((contest) => [contest.id, contest.name]));
  const groups = twinGroups(shared.result);
  const solvers = new Map(
    catalogue.result.problemStatistics.map((one) => [`${one.contestId}${one.index}`, one.solvedCount]),
  );
  for (const problem of from('codeforces')) {
    const key = problem.source_key;
    const fact = facts.get(key);
    assert.ok(fact, `${key} is not in the file`);
    const twins = [...(groups.get(key) ?? [])].filter((twin) => twin !== key).sort();
    assert.deepEqual(problem, {
      source: 'codeforces',
      source_key: key,
      title: fact.name.trim(),
      url: `https://codeforces.com/problemset/problem/${fact.contestId}/${fact.index}`,
      rating: fact.rating,
      tags: fact.tags,
      aliases: twins,
      editorial_url: null,
      video_url: null,
      solved_by: solvers.get(key),
    });
    assert.ok(!fact.tags.includes('*special'), key);
    assert.doesNotMatch(contestNames.get(fact.contestId) ?? '', /april fools|kotlin/i, key);
  }
});

test('the contests are as Codeforces lists them, with all their problems', needsData, async () => {
  const list = await realData<{
    result: { id: number; name: string; phase: string; startTimeSeconds: number; durationSeconds: number }[];
  }>('codeforces/contest.list.2026-08.json');
  const catalogue = await realData<{ result: { problems: { contestId: number; index: string }[] } }>(
    'codeforces/problemset.problems.2026-08.json',
  );
  const keys = new Set(problems.flatMap((problem) => [problem.source_key, ...problem.aliases]));
  assert.ok(contests.length >= 6);
  for (const contest of contests) {
    const fact = list.result.find(({ id }) => String(id) === contest.key);
    assert.ok(fact, contest.key);
    const starts_at = new Date(fact.startTimeSeconds * 1000).toISOString();
    const told = { title: fact.name, starts_at, duration_s: fact.durationSeconds, phase: fact.phase };
    assert.deepEqual(contest, { source: 'codeforces', key: contest.key, ...told });
    const all = catalogue.result.problems.filter(({ contestId }) => contestId === fact.id);
    for (const { index } of all) assert.ok(keys.has(`${contest.key}${index}`), `${contest.key}${index}`);
  }
});

function pairs<F>(
  problems: readonly SampleProblem[],
  field: 'source_key' | 'url',
  file: readonly F[],
  keyOf: (fact: F) => string,
): [SampleProblem, F][] {
  const facts = new Map(file.map((fact) => [keyOf(fact), fact]));
  return problems.map((problem) => {
    const fact = facts.get(problem[field] ?? '');
    assert.ok(fact, `${problem[field]} is not in the file`);
    return [problem, fact];
  });
}

test('the CSES problems are as the problem set lists them', needsData, async () => {
  const file =
    await realData<{ category: string; name: string; link: string; solves: number }[]>('cses/problemset.json');
  for (const [problem, fact] of pairs(from('cses'), 'url', file, ({ link }) => link)) {
    assert.equal(problem.source_key, problem.url.slice(problem.url.lastIndexOf('/') + 1));
    assert.equal(problem.title, fact.name);
    assert.deepEqual(problem.tags, [fact.category.toLowerCase()]);
    assert.deepEqual([problem.rating, problem.aliases, problem.video_url], [null, [], null]);
    assert.equal(problem.solved_by, fact.solves);
  }
});

test('the AtCoder problems are regular ABC, ARC and AGC tasks with an English title', needsData, async () => {
  const file = await realData<{ id: string; contest_id: string; name: string }[]>(
    'atcoder/atcoder_problems.tasks.fixture.json',
  );
  for (const [problem, fact] of pairs(from('atcoder'), 'source_key', file, ({ id }) => id)) {
    assert.match(fact.contest_id, /^(abc|arc|agc)\d{3}$/);
    assert.match(problem.title, /^[\x20-\x7e]+$/);
    assert.equal(problem.title, fact.name.trim());
    assert.equal(problem.url, `https://atcoder.jp/contests/${fact.contest_id}/tasks/${fact.id}`);
    assert.deepEqual([problem.rating, problem.tags, problem.aliases, problem.video_url], [null, [], [], null]);
  }
});
