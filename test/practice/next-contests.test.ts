/** What people could take next, recounted one contest at a time; and teams of three, counted topic by topic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../bench/catalogue.ts';
import { createMember } from '../../src/practice/members.ts';
import { listNextContests } from '../../src/practice/next-contests.ts';
import { proposeTeams } from '../../src/practice/team-proposals.ts';
import { insertContestProblems, insertContests } from '../../src/store/contests.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { emptyProblem, insertProblems } from '../../src/store/problems.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { dayMs, iso, solve } from '../support/seasons.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const sources = ['atcoder', 'codeforces'] as const;

test('the next contests are those to which nobody sent anything, by the share of problems near the ratings', async (t) => {
  const { store } = await openGarden(t);
  const below = seeded(56);
  const problems = Array.from({ length: 300 }, (_, n) => ({
    id: BigInt(n + 1),
    source: sources[n % 2] as string,
    rating: below(5) === 0 ? null : BigInt(800 + 50 * below(40)),
  }));
  const contests = Array.from({ length: 160 }, (_, n) => {
    const source = sources[n % 2] as string;
    const startsMs =
      below(12) === 0 ? undefined : now - 2 * dayMs + below(40) * 1000 * 3600 * (below(9) === 0 ? 2 : -2);
    const own = problems.filter((one) => one.source === source);
    return {
      id: BigInt(n + 1),
      source,
      key: String(100 + Math.floor(n / 2)),
      startsMs,
      isGym: source === 'codeforces' && below(4) === 0,
      difficulty: below(3) === 0 ? null : BigInt(1 + below(5)),
      problems: Array.from({ length: 1 + below(7) }, () => (below(30) === 0 ? undefined : own[below(own.length)])),
    };
  });
  const people: { id: bigint; handles: Map<string, bigint> }[] = [];
  const rated: { user: bigint; source: string; rating: number; at: string }[] = [];
  const solves: (SolvesTable & { user: bigint; source: string })[] = [];
  await store.write(async (tx) => {
    await insertProblems(
      tx,
      problems.map((one) => ({ ...emptyProblem(one.id, iso(now)), ...one, source_key: `p${one.id}`, title: 'Pond' })),
      () => false,
    );
    await insertContests(
      tx,
      contests.map(({ id, source, key, startsMs, isGym, difficulty }) => ({
        id,
        source,
        key,
        title: `Round ${key}`,
        duration_s: 7200n,
        phase: null,
        difficulty,
        starts_at: startsMs === undefined ? null : iso(startsMs),
        is_gym: isGym ? 1n : 0n,
      })),
    );
    for (const { id, problems: set } of contests)
      await insertContestProblems(
        tx,
        set.map((one, at) => ({
          contest_id: id,
          key: `k${id}-${at}`,
          position: 'ABCDEFGH'[at] ?? '',
          problem_id: one?.id ?? null,
        })),
      );
    for (let n = 0; n < 6; n++) {
      const { id } = await createMember(tx, { username: `m${n}`, role: 'member' });
      const handles = new Map<string, bigint>();
      for (const [nth, source] of [...sources, ...sources].entries()) {
        const { id: handle_id } = await insertHandle(tx, {
          user_id: id,
          source,
          name: `h${n}-${nth}`,
          created_at: iso(now),
        });
        handles.set(`${source}${nth}`, handle_id);
        if (n > 1 && below(3) > 0) {
          const rating = 900 + below(1200);
          const at = iso(now - (nth + 1) * dayMs);
          await upsertRatings(tx, [
            { handle_id, contest: '1', title: '', place: null, rating: 5000n, rated_at: iso(now - 99 * dayMs) },
            { handle_id, contest: '2', title: '', place: null, rating: BigInt(rating), rated_at: at },
          ]);
          rated.push({ user: id, source, rating, at });
        }
        for (let sent = below(8); sent > 0; sent--) {
          const contest = contests.filter((one) => one.source === source)[below(80)];
          const problem = contest?.problems[0];
          const row = solve({
            handle_id,
            submitted_at: iso(now - dayMs),
            verdict_class: (['pending', 'void', 'tried', 'solved'] as const)[below(4)] ?? 'void',
            participation: ([null, 'contest', 'practice', 'team'] as const)[below(4)] ?? null,
            contest: below(2) === 0 ? (contest?.key ?? null) : null,
            problem_id: below(2) === 0 ? (problem?.id ?? null) : null,
          });
          await insertSolves(tx, [row]);
          solves.push({ ...row, user: id, source });
        }
      }
      people.push({ id, handles });
    }
  });
  const expected = (ids: readonly bigint[]) => {
    const lists = { contests: [] as { id: bigint; near: number; all: number; at: string }[], gyms: [] as bigint[] };
    for (const source of sources) {
      const ratings = ids.flatMap((user) => {
        const own = rated.filter((one) => one.user === user && one.source === source);
        return own.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]?.rating ?? [];
      });
      if (ratings.length === 0) continue;
      const [from, to] = [Math.min(...ratings) - 200, Math.max(...ratings) + 200];
      const sent = solves.filter((one) => one.source === source && ids.includes(one.user));
      const open = contests.filter((one) => {
        if (one.source !== source) return false;
        if (one.startsMs === undefined ? !one.isGym : one.startsMs + 7_200_000 > now) return false;
        const own = one.problems.flatMap((problem) => problem?.id ?? []);
        return !sent.some(({ contest, problem_id }) => contest === one.key || own.some((id) => id === problem_id));
      });
      const byDate = open.toSorted((a, b) => (b.startsMs ?? 0) - (a.startsMs ?? 0) || Number(b.id - a.id));
      lists.gyms.push(
        ...byDate
          .filter((one) => one.isGym && one.problems.some(Boolean))
          .toSorted((a, b) => Number((a.difficulty ?? 9n) - (b.difficulty ?? 9n)))
          .slice(0, 10)
          .map(({ id }) => id),
      );
      const counted = byDate.flatMap((one) => {
        const known = [...new Set(one.problems.flatMap((problem) => problem ?? []))];
        const near = known.filter(({ rating }) => rating !== null && rating >= from && rating <= to).length;
        const ratedRows = one.problems.filter((problem) => problem && problem.rating !== null).length;
        const isListed = !one.isGym && one.problems.every(Boolean) && ratedRows >= 3 && near > 0;
        return isListed ? [{ id: one.id, near, all: known.length, at: '' }] : [];
      });
      const byShare = (a: (typeof counted)[number], b: (typeof counted)[number]) =>
        b.near / b.all - a.near / a.all || b.near - a.near;
      lists.contests = [...lists.contests, ...counted.toSorted(byShare).slice(0, 20)].toSorted(byShare);
    }
    return {
      contests: lists.contests.slice(0, 20).map(({ id, near, all }) => `${id} ${near}/${all}`),
      gyms: lists.gyms,
    };
  };
  let listed = 0;
  for (let set = 1; set < 64; set++) {
    const ids = people.filter((_, n) => set & (1 << n)).map(({ id }) => id);
    const { contests: found, gyms } = await listNextContests(store.reader, ids, iso(now));
    const own = {
      contests: found.map(({ id, near, problems: all }) => `${id} ${near}/${all}`),
      gyms: gyms.map(({ id }) => id),
    };
    assert.deepEqual(own, expected(ids), `people ${set.toString(2)}`);
    listed += own.contests.length + own.gyms.length;
  }
  assert.ok(listed > 500, String(listed));
});

test('proposals are every three people, by topics that one of them solved and then by ratings', async () => {
  const below = seeded(6);
  for (const count of [0, 2, 3, 7, 12, 62]) {
    const people = Array.from({ length: count }, (_, n) => ({
      name: `n${n}`,
      rating: 1000 + 10 * below(40),
      topics: new Set(Array.from({ length: below(5) }, () => `t${below(12)}`)),
    }));
    const strongest = people.toSorted((a, b) => b.rating - a.rating || (a.name < b.name ? -1 : 1)).slice(0, 60);
    const all = strongest.flatMap((a, i) =>
      strongest.slice(i + 1).flatMap((b, j) =>
        strongest.slice(i + j + 2).map((c) => ({
          names: [a, b, c].map(({ name }) => name).join(),
          topics: new Set([...a.topics, ...b.topics, ...c.topics]).size,
          sum: a.rating + b.rating + c.rating,
        })),
      ),
    );
    const best = all.toSorted((a, b) => b.topics - a.topics || b.sum - a.sum).slice(0, 50);
    const found = (await proposeTeams(people)).map((one) => ({
      ...one,
      people: one.people.map(({ name }) => name).join(),
    }));
    assert.deepEqual(
      found.map(({ people: names, topics, sum }) => ({ names, topics, sum })),
      best,
    );
  }
});
