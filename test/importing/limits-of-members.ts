/** The limits of what a member may have, as rows of files: those that reach a limit, and one that goes beyond it. */
import type { ImportName } from '../../src/importing/resources.ts';

const at = '2026-01-01T00:00:00.000Z';
export const key = { source: 'codeforces', source_key: '1A' };
export const long = (length: number) => 'x'.repeat(length);
export const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const content = (sections: unknown) => JSON.parse(JSON.stringify({ sections })) as object;
const change = { batch: 1, ...key, kind: 'note', before: null, made_at: at, undone_at: null };
const saved = (views: object[]) => ({ name: 'problem_views', value: JSON.stringify(views) });
const sent = {
  source: 'codeforces',
  handle: 'ada_cf',
  submission_id: '1',
  key: '1A',
  verdict_class: 'solved',
};

/** For each limit: the rows that reach it and are taken, and one row more, or longer, that is refused. */
export const limits: readonly [kind: Exclude<ImportName, 'archive'>, fits: object[], beyond: object, why: RegExp][] = [
  [
    'handles',
    many(50, (n) => ({ source: 'codeforces', name: `h${n}xx` })),
    { source: 'codeforces', name: 'one_more' },
    /up to 50 handles/,
  ],
  ['handles', [], { source: 'codeforces', name: long(25) }, /A handle at Codeforces/],
  ['plants', many(200, (n) => ({ name: `p${n}`, target: 1 })), { name: 'one more', target: 1 }, /up to 200 plants/],
  ['plants', [{ name: long(200), target: 1_000_000 }], { name: long(201), target: 1 }, /at most 200 characters/],
  ['plants', [], { name: 'two\nlines', target: 1 }, /one line/],
  ['plants', [], { name: 'far', target: 1_000_001 }, /from 1 to 1000000/],
  ['plants', [], { name: 'topic', tag: long(201), target: 1 }, /at most 200 characters/],
  [
    'plants',
    [],
    { name: 'p', target: 1, edits: { before: [{ at, name: long(201), target: '1' }] } },
    /edits is not valid/,
  ],
  ['bookmarks', [{ ...key, note: long(65_536) }], { ...key, note: long(65_537) }, /at most 65536/],
  [
    'changes',
    [{ ...change, after: { note: long(65_536), created_at: at, updated_at: at } }],
    { ...change, after: { note: long(65_537), created_at: at, updated_at: at } },
    /after is not valid/,
  ],
  [
    'reviews',
    many(1000, (n) => ({
      ...key,
      grade: 'good',
      made_at: new Date(Date.parse(at) + n * 1000).toISOString(),
    })),
    { ...key, grade: 'good', made_at: '2026-02-01T00:00:00.000Z' },
    /at most 1000 reviews/,
  ],
  [
    'lists',
    many(200, (n) => ({
      name: `l${n}`,
      created_at: new Date(Date.parse(at) + n * 1000).toISOString(),
      content: content([]),
    })),
    { name: 'one more', created_at: '2026-02-01T00:00:00.000Z' },
    /up to 200 lists/,
  ],
  [
    'lists',
    [{ name: 'l', content: content(many(100, () => ({ name: 's' }))) }],
    { name: 'l', content: content(many(101, () => ({ name: 's' }))) },
    /up to 100 sections/,
  ],
  [
    'lists',
    [],
    { name: 'l', content: content([{ problems: [{ ...key, added_at: '+010000-01-01T00:00:00Z' }] }]) },
    /added_at/,
  ],
  [
    'preferences',
    [saved(many(20, (n) => ({ name: `v${n}`, query: '' })))],
    saved(many(21, (n) => ({ name: `v${n}`, query: '' }))),
    /with this value is not a preference/,
  ],
  ['preferences', [], saved([{ name: long(41), query: '' }]), /with this value is not a preference/],
  [
    'submissions',
    many(1000, (n) => ({ ...sent, submission_id: `${n}`, submitted_at: at })),
    { ...sent, submission_id: 'more', submitted_at: at },
    /at most 1000 submissions to a problem/,
  ],
  ['submissions', [], { ...sent, submission_id: long(101), submitted_at: at }, /submission_id/],
  ['submissions', [], { ...sent, submitted_at: '10000-01-01T00:00:00Z' }, /RFC 3339/],
];
